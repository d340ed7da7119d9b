"""Lines of the source: their characters as the published code counts them, and blocks of lines."""

import re
from pathlib import Path

import numpy as np
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st
from valid_table import validate

from victor.config.layers import load
from victor.errors import ConfigError
from victor.model.extractor import FeatureExtractor
from victor.page.decoding.decode import utf8
from victor.page.markup.full_record import Kind, markup_of
from victor.page.parsing.characters import LINE_BREAK
from victor.page.parsing.events import record
from victor.page.parsing.source_lines import LINE_CODE, number_lines, record_lines
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


def trim(text):
    return text.strip("".join(map(chr, range(33))))


def counted(page):
    """Characters of text and of markup of every line, one character after the other."""
    counts = []
    for line in map(trim, re.split("\r\n|\r|\n", page)):
        inside, markup, text = False, 0, ""
        for character in line:
            if character in "<>":
                inside = character == "<"
            elif inside:
                markup += 1
            else:
                text += character
        if line:
            counts.append((len(trim(text)), markup))
    return counts


def numbers(page):
    lines = number_lines(page.encode())
    return list(zip(lines.text.tolist(), lines.markup_length.tolist(), strict=True))


@given(page=st.text(st.sampled_from("<>ab\u010d \t\r\n\x00&;")))
def test_characters_of_any_lines(page):
    assert numbers(page) == counted(page)


def test_lines_without_text_are_lines_and_no_blocks():
    table = cut("<script>\nfly()\n</script>\n<p>Bees</p>", "", "<p>\nfly")
    assert table.lines.page_starts.tolist() == [0, 4, 4, 6]
    assert table.line.tolist() == [3, 5]


def plain(codes):
    return codes[(codes != LINE_CODE) & (codes != LINE_BREAK)]


def unified(page):
    return page.replace("\r\n", "\n").replace("\r", "\n")


@pytest.mark.parametrize(
    "page", [EXAMPLE, "<title>a\nb > c</title><p>Bees", "Bees\n\n<b>fly</b>\n"]
)
def test_pages_are_parsed_as_without_lines(page):
    with_lines, without = record_lines([page.encode()]), record([page.encode()])
    assert plain(with_lines.codes).tolist() == plain(without.codes).tolist()
    assert with_lines.heads == without.heads


@pytest.mark.slow
@given(pages=st.lists(strategies.markup(), max_size=3))
def test_any_pages_are_parsed_as_without_lines(pages):
    plain_pages = [unified(page).encode() for page in pages]
    with_lines = record_lines(plain_pages, attributes=())
    assert (
        plain(with_lines.codes).tolist() == plain(record(plain_pages, attributes=()).codes).tolist()
    )
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
