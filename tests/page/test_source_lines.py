"""Lines of the source and blocks of lines; what a line counts are rows of test_rows.py."""

import re
from pathlib import Path

import numpy as np
import pytest
import strategies
from hypothesis import example, given
from hypothesis import strategies as st
from valid_table import validate

from victor.config.layers import load
from victor.errors import ConfigError
from victor.model.extractor import FeatureExtractor
from victor.page.decoding.decode import utf8
from victor.page.markup.full_record import Kind, markup_of
from victor.page.parsing.characters import LINE_BREAK
from victor.page.parsing.events import record
from victor.page.parsing.source_lines import LINE_CODE, record_lines
from victor.page.table.segment import segment
from victor.page.table.texts import block_texts
from victor.training.dataset import analyze

ROOT = Path(__file__).parents[2]
EXAMPLE = (ROOT / "docs" / "examples" / "papers" / "density.html").read_text()


def cut(*pages):
    """The table of some pages, and a check of what every table of lines has."""
    table = segment(record_lines([page.encode() for page in pages]), "line")
    validate(table)
    assert len(table.lines.text) == table.lines.page_starts[-1]
    assert (np.diff(table.page) >= 0).all()
    first, last = table.lines.page_starts[table.page], table.lines.page_starts[table.page + 1]
    assert ((first <= table.line) & (table.line < last)).all()
    return table


def test_lines_without_text_are_lines_and_no_blocks():
    table = cut("<script>\nfly()\n</script>\n<p>Bees</p>", "", "<p>\nfly")
    assert table.lines.page_starts.tolist() == [0, 4, 4, 6]
    assert table.line.tolist() == [3, 5]


def plain(codes):
    return codes[(codes != LINE_CODE) & (codes != LINE_BREAK)]


@given(pages=st.lists(strategies.markup(), max_size=3))
@example([EXAMPLE, "<title>a\nb > c</title><p>Bees", "Bees\n\n<b>fly</b>\n"])
def test_any_pages_are_parsed_as_without_lines(pages):
    unified = [page.replace("\r\n", "\n").replace("\r", "\n").encode() for page in pages]
    with_lines, without = (of(unified, attributes=()) for of in (record_lines, record))
    assert plain(with_lines.codes).tolist() == plain(without.codes).tolist()
    assert with_lines.heads == without.heads
    cut(*pages)


@pytest.mark.parametrize("page", [EXAMPLE, "Bees\n<p>fly\n<b>far</b>\naway<pre>a\n b</pre>"])
def test_the_full_record_knows_the_blocks_of_lines(page):
    table = cut("<p>first", page)
    full = markup_of(table, 1, page.encode())
    blocks = full.blocks(table, 1)
    gathered = {}
    for item, block in zip(full.items, blocks.tolist(), strict=True):
        if block >= 0 and item.kind is Kind.TEXT:
            gathered[block] = gathered.get(block, "") + item.text
    letters = [re.sub(r"\s", "", text) for text in block_texts(table)[1:]]
    assert [re.sub(r"\s", "", text) for text in gathered.values()] == letters
    written = "".join(item.text for item in full.items if item.kind is Kind.TEXT)
    plain_record = markup_of(segment(record([page.encode()]), "block"), 0, page.encode())
    assert written == "".join(i.text for i in plain_record.items if i.kind is Kind.TEXT)


def test_models_may_have_blocks_of_lines(annotated):
    extractor = FeatureExtractor(load("crf", ["split=line"]))
    dataset = analyze(annotated[:3], extractor)
    lines = cut(*(utf8(page.html).decode() for page in annotated[:3]))
    assert len(dataset.labels) == len(lines)
    assert {len(column) for column in dataset.columns.values()} == {len(lines)}
    assert not dataset.drifts
    assert extractor.canonical is False
    with pytest.raises(ConfigError, match=r"split: line has no blocks of segment\.alt_text"):
        load("victor2007", ["split=line"])
