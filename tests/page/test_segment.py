"""Where blocks end and what their text is."""

from dataclasses import fields

import numpy as np
import pytest

from victor.page.table.segment import parse_pages
from victor.page.table.texts import block_texts, segment_texts


class TestWhiteSpace:
    def test_at_page_ends_does_not_move_to_the_next_page(self, cut):
        table, _ = cut([" a <p> ", "\n<br> b ", " ", "<br>c"], "block")
        assert block_texts(table) == ["a", "b", "c"]
        assert table.page.tolist() == [0, 1, 3]


class TestPreformatted:
    def test_lines_are_no_blocks_where_only_block_level_tags_split(self, cut):
        page = "<pre>a\nb\n\nc</pre>"
        table, _ = cut([page], "block", pre_lines=True)
        assert block_texts(table) == ["a\nb\n\nc"]
        assert len(table.tags.id) == len(cut([page], "block")[0].tags.id)


class TestAlternativeText:
    def test_does_not_swallow_what_follows(self, cut):
        table, _ = cut(["<p>a<img alt=b>c<img>d", "<img><p>e"], alt_text=True)
        assert block_texts(table) == ["a", "b", "c", "d", "e"]
        inside = table.blocks_inside(frozenset({"img"}))
        assert inside.tolist() == [False, True, False, False, False]


@pytest.mark.parametrize("split", ["tag", "block"])
@pytest.mark.parametrize("pages", [[], [""], [" ", "", "<p></p>"]])
@pytest.mark.parametrize("pre_lines", [False, True])
def test_nothing(cut, pages, split, pre_lines):
    table, _ = cut(pages, split, pre_lines=pre_lines)
    assert len(table) == 0
    assert table.n_pages == len(pages)
    assert block_texts(table) == segment_texts(table) == []
    assert len(table.tokens.start) == 0


def test_pages_without_blocks(cut):
    table, _ = cut(["", "a<p>b", "", "", "c", ""])
    assert table.page_starts.tolist() == [0, 0, 2, 2, 2, 3, 3]
    assert table.page.tolist() == [1, 1, 4]


def test_arrays_are_of_the_declared_kinds(cut):
    table, _ = cut(["<p class=x>a<b>b"])
    kinds = {
        field.name: getattr(part, field.name).dtype
        for part in (table.segments, table.tags, table.elements)
        for field in fields(part)
    }
    assert kinds.pop("step") == np.int8
    assert set(kinds.values()) == {np.dtype(np.int64)}
    assert table.chars.dtype == np.uint32
    assert table.page_starts.dtype == table.segment_starts.dtype == np.int64


@pytest.mark.parametrize("page", ["<p>čáp<p>b", "<p>čáp<p>b".encode("windows-1250")])
def test_pages_of_any_encoding(page):
    assert block_texts(parse_pages([page, b"", "<p>c"])) == ["čáp", "b", "c"]


def test_characters_that_only_allow_a_line_break_are_no_text():
    (page,) = ["<p>Do\xadnau\u200bdampf &shy;a\u2060b \ufeff<b>\u200b</b>c"]
    assert block_texts(parse_pages([page])) == ["Donaudampf ab c"]


def test_a_zero_width_space_parts_words_of_scripts_without_spaces():
    assert block_texts(parse_pages(["<p>\u1798\u200b\u1798"])) == ["\u1798 \u1798"]
