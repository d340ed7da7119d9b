"""The batch of a table: its columns, and what copies and tables that Python makes have of it."""

import copy
import pickle
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from operator import attrgetter
from pathlib import Path

import numpy as np
import pytest

from victor.base.arrays import ReadOnlyColumns
from victor.labelers.crf import model_labeler
from victor.page.parsing.source_lines import record_lines
from victor.page.table.blocks import some_pages
from victor.page.table.segment import parse_pages, segment
from victor.page.table.texts import block_texts
from victor.page.table.tokens import Tokens
from victor.page.verdict.paragraphs import paragraphs

PAGES = sorted((Path(__file__).parents[2] / "annotations" / "pages").glob("*.html"))[:5]
COPIES = {"pickle": lambda table: pickle.loads(pickle.dumps(table)), "deepcopy": copy.deepcopy}
OVERWRITE = """
import copy, sys
from contextlib import suppress
from functools import reduce
from victor.labelers.crf import model_labeler

labeler = model_labeler("default")
original = labeler.table([b"<h1 class=a>Bees</h1><p>They <b>live</b> in hives", b"<p>Ants"])
original.tokens  # which are copied, too
for name in sys.argv[1:]:
    table = copy.deepcopy(original)
    *path, field = name.split(".")
    part = reduce(getattr, path, table)
    vars(part)[field] = column = getattr(part, field).copy()
    table.batch.array("words")
    column[...] = 10**13 if column.itemsize == 8 else 117
    with suppress(ValueError, IndexError, MemoryError):  # what numpy computes of it may fit no more
        labeler.label(table)
"""


def test_a_table_made_of_another_is_checked_anew():
    table = parse_pages([b"<p>Bees<p>live <b>in</b> hives"])
    kept = np.ones(len(table), dtype=bool)
    paragraphs(table, kept)
    beyond = table.segments.replace(tag=table.segments.tag + 1000)
    turned = table.segments.replace(start=table.segments.start + 3, end=table.segments.start + 1)
    for segments in (beyond, turned):
        with pytest.raises(ValueError, match="do not fit together"):
            paragraphs(table.replace(segments=segments), kept)
    assert paragraphs(table, kept).blocks.tolist() == [0, 1]


def test_columns_are_made_when_they_are_asked_for():
    table = parse_pages([b"<p>Bees<p>live <b>in</b> hives"])
    assert not {"chars", "page_starts"} & vars(table).keys()
    assert table.page_starts.tolist() == [0, 2]
    assert table.page_starts is table.page_starts
    with pytest.raises(AttributeError, match="bees"):
        attrgetter("bees")(table)


def columns(part: ReadOnlyColumns, prefix: str = "") -> Iterator[tuple[str, np.ndarray]]:
    """Every array of a table and of what it holds, by its attributes from the table on."""
    for name in part.field_names():
        value = getattr(part, name)
        if isinstance(value, np.ndarray):
            yield prefix + name, value
        elif isinstance(value, ReadOnlyColumns):
            yield from columns(value, f"{prefix}{name}.")


@cache
def tables():
    """A table that holds all that one can hold, and copies of it."""
    pages = [b"<title>T</title>\n<p class=a>Bees<p>live <b>in</b>\n hives", b"<p>Ants"]
    table = parse_pages(pages).replace(lines=segment(record_lines(pages), "line").lines)
    for column in COMPUTED:
        attrgetter(column)(table)
    return {"table": table, **{how: made(table) for how, made in COPIES.items()}}


COMPUTED = (
    *(f"tokens.{name}" for name in Tokens.TYPES),
    *("page", "words", "elements.around", "container", "class_numbers"),
)
GIVEN = [name for name, _ in columns(tables()["table"])]
COLUMNS = [*GIVEN, *COMPUTED, "bundles.values", "bundles.offsets"]


@pytest.mark.parametrize("how", ["table", *COPIES])
@pytest.mark.parametrize("name", COLUMNS)
def test_no_column_can_be_written_to(name, how):
    column = attrgetter(name)(tables()[how])
    assert column.size
    with pytest.raises(ValueError, match="read-only"):
        column[...] = 0


@pytest.mark.parametrize("how", COPIES)
def test_a_copy_holds_the_same(how):
    for name in COLUMNS:
        column, copied = (attrgetter(name)(tables()[what]) for what in ("table", how))
        assert copied.dtype == column.dtype
        assert copied.tolist() == column.tolist()


def test_the_core_reads_no_memory_that_can_be_written_to():
    """numpy lets anyone unfreeze an array that owns its items, as those of copies do."""
    names = [name for name in (*GIVEN, *COMPUTED[: len(Tokens.TYPES)]) if "lines" not in name]
    run = subprocess.run(
        [sys.executable, "-P", "-c", OVERWRITE, *names], capture_output=True, text=True, check=False
    )
    # A sanitizer tells, too, that numpy asked for more memory than there is.
    said = [line for line in run.stderr.splitlines() if "failed to allocate" not in line]
    assert (run.returncode, said) == (0, [])


def test_a_view_of_other_memory_is_copied():
    """What a buffer says of itself does not count, but where its items are."""

    class Lying(np.ndarray):
        base = b"never written to"

    labeler = model_labeler("default")
    table = labeler.table([b"<p>Bees live in hives"])
    chars = table.chars.copy().view(Lying)
    table = table.replace(chars=chars)
    labels = labeler.label(table).labels.tolist()
    chars[:] = ord("x")
    assert labeler.label(table).labels.tolist() == labels


def test_pages_that_are_cut_out_are_as_they_are_alone():
    pages = [*(path.read_bytes() for path in PAGES), b"", b"<title>Bees</title><p>live"]
    table, chosen = parse_pages(pages), [6, 2, 5, 0]
    cut, alone = some_pages(table, chosen), parse_pages(pages[page] for page in chosen)
    # Bundles are numbered by the whole batch; white space depends on the page before.
    other = re.compile("bundle|class|lines|chars|text_|start$|end$")
    for name in (name for name in COLUMNS if not other.search(name)):
        column, wanted = (attrgetter(name)(each) for each in (cut, alone))
        assert column.tolist() == wanted.tolist(), name
    assert block_texts(cut) == block_texts(alone)
    assert [*cut.heads] == [*alone.heads]


@pytest.mark.parametrize("wrong", [-1, 10**9])
def test_pages_of_columns_that_lie_outside_are_refused(wrong):
    table = parse_pages([b"<p>Bees", b"<p>Ants"])
    starts = np.full_like(table.tags.text_start, wrong)
    lying = table.replace(tags=table.tags.replace(text_start=starts))
    for pages in ([0], [1]):
        with pytest.raises(ValueError, match="pages"):
            some_pages(lying, pages)
    with pytest.raises(IndexError):
        some_pages(table, [2])


def test_values_are_handed_down():
    elements = parse_pages([*(path.read_bytes() for path in PAGES), b"", b"<p>Bees"]).elements
    draw = np.random.default_rng(1)
    bits = draw.integers(0, 2**64, (2, len(elements)), dtype=np.uint64)
    bits &= np.uint64(0x8000000000000001)
    chosen = draw.random(len(elements)) < 0.1
    gathered, nearest = bits.copy(), np.where(chosen, np.arange(len(elements)), -1)
    for element, parent in enumerate(elements.parent.tolist()):  # which comes first
        gathered[:, element] |= gathered[:, parent]
        nearest[element] = element if chosen[element] else nearest[parent]
    assert (elements.gathered(bits) == gathered).all()
    assert (elements.gathered(bits[1]) == gathered[1]).all()
    assert (elements.gathered(chosen) == (nearest >= 0)).all()
    assert (elements.nearest(chosen) == nearest).all()
