"""Where blocks end in a batch, and of what kinds the arrays are; texts are rows of test_rows.py."""

import numpy as np
import pytest

from victor.page.table.segment import parse_pages, read_pages
from victor.page.table.texts import block_texts, segment_texts


@pytest.mark.parametrize("split", ["tag", "block"])
@pytest.mark.parametrize("pages", [[], [b""], [b" ", b"", b"<p></p>"]])
@pytest.mark.parametrize("pre_lines", [False, True])
def test_nothing(pages, split, pre_lines):
    table = read_pages(pages, split, pre_lines=pre_lines)
    assert len(table) == 0
    assert table.n_pages == len(pages)
    assert block_texts(table) == segment_texts(table) == []
    assert len(table.tokens.start) == 0


def test_pages_without_blocks_and_white_space_at_the_ends_of_pages():
    table = read_pages([b"", b"a<p>b", b"", b"", b"\n<br> c ", b" "])
    assert block_texts(table) == ["a", "b", "c"]
    assert table.page_starts.tolist() == [0, 0, 2, 2, 2, 3, 3]
    assert table.page.tolist() == [1, 1, 4]


def test_lines_are_no_blocks_where_only_block_level_tags_split():
    page = b"<pre>a\nb\n\nc</pre>"
    table = read_pages([page], pre_lines=True)
    assert block_texts(table) == ["a\nb\n\nc"]
    assert len(table.tags.id) == len(read_pages([page]).tags.id)


def test_arrays_are_of_the_declared_kinds():
    table = read_pages([b"<p class=x>a<b>b"])
    kinds = {
        name: getattr(part, name).dtype
        for part in (table.segments, table.tags, table.elements)
        for name in part.TYPES
    }
    assert kinds.pop("step") == np.int8
    assert set(kinds.values()) == {np.dtype(np.int64)}
    assert table.chars.dtype == np.uint32
    assert table.page_starts.dtype == table.segment_starts.dtype == np.int64


@pytest.mark.parametrize("page", ["<p>čáp<p>b", "<p>čáp<p>b".encode("windows-1250")])
def test_pages_of_any_encoding(page):
    assert block_texts(parse_pages([page, b"", "<p>c"])) == ["čáp", "b", "c"]
