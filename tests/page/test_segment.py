"""Where blocks end and what their text is."""

import doctest
from dataclasses import fields

import numpy as np
import pytest

from victor.page.parsing.events import record
from victor.page.table import segment as module
from victor.page.table.segment import parse_pages, segment
from victor.page.table.texts import block_texts, segment_texts


def both_ways():
    return pytest.mark.parametrize("split", ["tag", "block"])


@pytest.mark.parametrize(
    ("page", "by_tag", "by_block"),
    [
        ("Hello <b>world</b>!", ["Hello", "world", "!"], ["Hello world!"]),
        ("<p>a<p>b", ["a", "b"], ["a", "b"]),
        ("<p>a<b>b</b>c<i> d</i></p>e", ["a", "b", "c", "d", "e"], ["abc d", "e"]),
        ("a<hr>b<img>c<input>d", ["a", "b", "c", "d"], ["a", "bc", "d"]),
        ("a<wbr>b<embed>c", ["a", "b", "c"], ["abc"]),
        ("<zzz>a</zzz>b", ["a", "b"], ["ab"]),
        ("<my-tag>a</my-tag>b", ["a", "b"], ["a", "b"]),
        ("<li>a<li>b<td>c", ["a", "b", "c"], ["a", "b", "c"]),
        ("<span><div>a</div></span>b", ["a", "b"], ["a", "b"]),
        ("a<script>x</script>b", ["ab"], ["ab"]),
        ("a<!-- x -->b", ["ab"], ["ab"]),
        ("<select><option>a<option>b</select>", ["a", "b"], ["ab"]),
        ("<b></b><p></p> <i> </i>", [], []),
    ],
)
def test_which_tags_split(texts, page, by_tag, by_block):
    assert texts(page, "tag") == by_tag
    assert texts(page, "block") == by_block


class TestLineBreaks:
    @pytest.mark.parametrize(
        ("page", "expected"),
        [
            ("a<br>b", ["a\nb"]),
            ("a <br> b", ["a\nb"]),
            ("a<br><br>b", ["a", "b"]),
            ("a<br>&nbsp;<br>b", ["a", "b"]),
            ("a<br><b></b><br>b", ["a", "b"]),
            ("a<br><b>b<br>c</b>", ["a\nb\nc"]),
            ("a<br>b<br><br>c", ["a\nb", "c"]),
            ("a</br>b", ["a\nb"]),
            ("<br>a<br>", ["a"]),
            ("a<b> <br></b>b", ["a\nb"]),
        ],
    )
    def test_two_in_a_row_split_blocks(self, texts, page, expected):
        assert texts(page, "block") == expected

    def test_every_one_splits_with_all_tags(self, texts):
        assert texts("a<br>b<br><br>c") == ["a", "b", "c"]

    @pytest.mark.parametrize("name", ["p", "pre"])
    @pytest.mark.parametrize(
        "separator", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\x1e"]
    )
    def test_no_separator_of_unicode_is_one(self, texts, name, separator):
        assert texts(f"<{name}>a{separator}b") == ["a b"]


class TestWhiteSpace:
    @both_ways()
    @pytest.mark.parametrize(
        ("page", "expected"),
        [
            ("  a \n\t b  ", "a b"),
            ("a&nbsp;b", "a b"),
            ("a\u3000c\u2003d", "a c d"),
            ("\u200b a \u200b", "a"),
            ("a\x01b\x0cc", "a b c"),
            ("a\ue000b \uf8ff c\U000f0000d\U0010fffde", "a b c d e"),
        ],
    )
    def test_is_one_space(self, texts, page, expected, split):
        assert texts(page, split) == [expected]

    @both_ways()
    @pytest.mark.parametrize(
        "page",
        [
            "&nbsp;",
            "<p>&nbsp;&#8203;</p>",
            "<b> </b>\n",
            "\u200b",
            "\x01",
            "&shy;",
            "&zwj;",
            "&#xf0a7;",
        ],
    )
    def test_alone_is_no_block(self, texts, page, split):
        assert texts(page, split) == []

    @pytest.mark.parametrize(
        ("page", "expected"),
        [
            ("a <b> b </b> c", "a b c"),
            ("a<b> b</b>c", "a bc"),
            ("a<b>b </b>c", "ab c"),
            ("a<b> </b>c", "a c"),
            ("a<b></b>c", "ac"),
            ("a<i> <b>\n</b></i>c", "a c"),
            ("a&nbsp;<b>b</b>", "a b"),
        ],
    )
    def test_between_inline_tags_is_kept_as_one_space(self, texts, page, expected):
        assert texts(page, "block") == [expected]

    def test_at_page_ends_does_not_move_to_the_next_page(self, cut):
        table, _ = cut([" a <p> ", "\n<br> b ", " ", "<br>c"], "block")
        assert block_texts(table) == ["a", "b", "c"]
        assert table.page.tolist() == [0, 1, 3]


class TestInvisible:
    """Characters that are not seen but are no white space: they do not break words."""

    @both_ways()
    @pytest.mark.parametrize(
        "text",
        [
            "می\u200cخواهم",
            "\U0001f468\u200d\U0001f469",
            "שלום\u200f!x",
        ],
    )
    def test_inside_a_text_stay(self, texts, text, split):
        assert texts(f"<p>{text}</p>", split) == [text]

    @both_ways()
    def test_at_the_ends_go(self, texts, split):
        assert texts("<p>\ufeff\u00ad a\u200f \u200e</p><p>\u200c</p>b", split) == ["a", "b"]

    @both_ways()
    @pytest.mark.parametrize(
        "end", ["</p>", " </p>", "<b></b></p>", "\u200e</p>", "\ufeff \xad</p>"]
    )
    @pytest.mark.parametrize(
        "text",
        [
            "❤\ufe0f",
            "1\ufe0f\u20e3",
            "\U0001f44d\U0001f3fd",
            "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
            "ക്\u200d",
            "ক্\u200c",
            "ه\u200d",
            "\u1820\u180e",
            "葛\U000e0100",
            "٣\u06dd",
        ],
    )
    def test_what_shapes_or_is_seen_stays_at_an_end(self, texts, text, end, split):
        assert texts(f"<p>{text}{end}<p>{text}{end}", split) == [text, text]

    @both_ways()
    def test_signs_before_numbers_are_seen(self, texts, split):
        assert texts("<p>\u0600٣</p>", split) == ["\u0600٣"]


class TestPreformatted:
    @both_ways()
    @pytest.mark.parametrize("name", ["pre", "listing"])
    def test_white_space_is_as_written(self, texts, name, split):
        page = f"<p>a  b</p><{name}>\n  c\n\n\td  e&nbsp;f\n</{name}> g  h"
        assert texts(page, split) == ["a b", "c\n\n\td  e\xa0f", "g h"]

    def test_icons_are_spaces(self, texts):
        assert texts("<pre>\ue000 a\uf8ff\nb</pre>", "block") == ["a \nb"]

    def test_between_inline_tags_too(self, texts):
        page = "<pre>a  <b>  b\n</b>\n  c</pre>"
        assert texts(page, "block") == ["a    b\n\n  c"]
        assert texts(page, "tag") == ["a", "b", "c"]

    def test_a_line_break_is_a_newline(self, texts):
        assert texts("<pre>a<br>  b</pre>", "block") == ["a\n  b"]

    def test_lines_can_be_blocks(self, texts):
        page = "<p>a\nb</p><pre class=x>a  b\n\n <b>c\nd</b>e\n</pre>f\ng"
        lines = ["a b", "a  b", "c", "d", "e", "f g"]
        assert texts(page, pre_lines=True) == lines

    def test_lines_are_no_blocks_where_only_block_level_tags_split(self, cut):
        page = "<pre>a\nb\n\nc</pre>"
        table, _ = cut([page], "block", pre_lines=True)
        assert block_texts(table) == ["a\nb\n\nc"]
        assert len(table.tags.id) == len(cut([page], "block")[0].tags.id)

    def test_lines_after_a_tag_with_attributes(self, texts):
        # The code of a bundle follows its tag and is no text, whatever its number.
        page = "".join(f"<pre class=c{i}>\na</pre>" for i in range(20))
        assert texts(page, pre_lines=True) == ["a"] * 20

    def test_nested(self, texts):
        assert texts("<pre>a  <pre>b  c</pre>d  e</pre>f  g", "block") == [
            "a", "b  c", "d  e", "f g",
        ]  # fmt: skip


class TestAlternativeText:
    def test_is_a_block_of_its_own_where_all_tags_split(self, texts):
        assert texts("a<img alt=' b  c '>d", alt_text=True) == ["a", "b c", "d"]

    def test_is_part_of_the_text_where_block_level_tags_do(self, texts):
        assert texts("a <img alt='b'> d", "block", alt_text=True) == ["a b d"]

    def test_does_not_swallow_what_follows(self, cut):
        table, _ = cut(["<p>a<img alt=b>c<img>d", "<img><p>e"], alt_text=True)
        assert block_texts(table) == ["a", "b", "c", "d", "e"]
        inside = table.blocks_inside(frozenset({"img"}))
        assert inside.tolist() == [False, True, False, False, False]


@both_ways()
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


def test_what_the_pages_say_of_themselves_stays_with_them():
    table = segment(record([b"<title>a</title>", b"", b"<title>c</title>x"]))
    assert [head.title for head in table.heads] == ["a", "", "c"]


def test_a_page_without_markup(texts):
    assert texts("just  text") == ["just text"]


def test_content_after_the_end_of_the_page_is_not_lost(texts):
    assert texts("<html><body>a</body></html>b<html><body><p>c") == ["a", "b", "c"]


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


def test_only_the_attributes_asked_for_are_recorded():
    table = parse_pages([b"<p class=a id=b>c"], attributes=("id",))
    assert table.bundles == (("b",),)


def test_examples():
    result = doctest.testmod(module)
    assert result.attempted
    assert not result.failed


def test_characters_that_only_allow_a_line_break_are_no_text():
    (page,) = ["<p>Do\xadnau\u200bdampf &shy;a\u2060b \ufeff<b>\u200b</b>c"]
    assert block_texts(parse_pages([page])) == ["Donaudampf ab c"]


def test_a_zero_width_space_parts_words_of_scripts_without_spaces():
    assert block_texts(parse_pages(["<p>\u1798\u200b\u1798"])) == ["\u1798 \u1798"]
