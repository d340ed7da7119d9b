"""Plain text of small pages."""

import pytest

from victor.render.forms import Page
from victor.render.text import render


def test_headings_and_paragraphs_have_a_blank_line_between(judge, split):
    verdict = judge("<h1>A</h1><p>b</p><div>c<p>d</div>", split=split)
    assert render(Page(verdict)) == "A\n\nb\n\nc\n\nd\n"


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<p>Hello <b>world</b>!</p>", "Hello world!"),
        ("<p>Hello<b> world </b>!</p>", "Hello world !"),
        ("<p>H<sub>2</sub>O and<i>\n</i>more", "H2O and more"),
        ("<p>a&nbsp;<b>&nbsp;b</b>", "a b"),
        ("<p>a<br>b <i>c</i><br>\n d", "a\nb c\nd"),
        ("<p>a<br><br>b", "a\n\nb"),
        ("<p>a<!-- x -->b<script>c</script>d", "abd"),
    ],
)
def test_inline_tags_do_not_separate_words(markup, text, judge, split):
    assert render(Page(judge(markup, split=split))) == text + "\n"


def test_dropped_words_leave_a_space(judge):
    verdict = judge("<p>one<b>two</b>three<br>four<br>five", split="tag", drop=[1, 3])
    assert render(Page(verdict)) == "one three\nfive\n"


def test_two_breaks_end_a_paragraph_only_if_in_a_row(judge):
    verdict = judge("<p>a<br>b<br>c<br><br>d", split="tag", drop=[1])
    assert render(Page(verdict)) == "a\nc\n\nd\n"


def test_items_of_a_list_stand_on_consecutive_lines(judge, split):
    page = "<p>x<ul><li>a<ol><li>b</ol><li><b>c</b> d</ul><ul><li>e</ul><dl><dt>f<dd>g</dl>y"
    assert render(Page(judge(page, split=split))) == "x\n\na\nb\nc d\n\ne\n\nf\ng\n\ny\n"


def test_an_item_of_several_paragraphs_has_blank_lines(judge):
    assert render(Page(judge("<ul><li>a<li><p>b<p>c<li>d"))) == "a\nb\n\nc\n\nd\n"


def test_an_item_begins_with_its_first_kept_block(judge):
    assert render(Page(judge("<ul><li>a<li><p>b<p>c<li>d", drop=[1]))) == "a\nc\nd\n"


class TestTables:
    def test_a_row_of_data_is_a_line(self, judge, split):
        page = "<table><caption>t<tr><th>a<th><b>b</b> c<tr><td>d<br>e<td>f</table>g"
        assert render(Page(judge(page, split=split))) == "t\n\na\tb c\nd e\tf\n\ng\n"

    def test_a_cell_of_two_paragraphs_makes_a_layout_table(self, judge):
        page = "<table><tr><td>a<td><p>b<p>c</table>"
        assert render(Page(judge(page))) == "a\n\nb\n\nc\n"
        assert render(Page(judge(page, drop=[2]))) == "a\tb\n"

    def test_a_column_of_single_cells_is_no_table(self, judge):
        assert render(Page(judge("<table><tr><td>a<tr><td>b</table>"))) == "a\n\nb\n"

    def test_a_table_of_data_in_a_cell(self, judge):
        page = "<table><tr><td>n<td><p>x<p>y<table><tr><td>a<td>b</table></table>"
        assert render(Page(judge(page))) == "n\n\nx\n\ny\n\na\tb\n"


class TestPreformatted:
    PAGE = "<p>t<pre>\n  a\n\n    <b>b</b>  c\n d \n</pre>"

    @pytest.mark.parametrize(
        ("split", "pre_lines"), [("block", False), ("tag", False), ("tag", True)]
    )
    def test_white_space_is_as_written(self, judge, split, pre_lines):
        verdict = judge(self.PAGE, split=split, pre_lines=pre_lines)
        assert render(Page(verdict)) == "t\n\n  a\n\n    b  c\n d\n"

    def test_white_space_outside_is_no_indentation(self, judge, split):
        for page in ("<p>t</p> <pre>\na\n</pre>", "<p>t</p>\n<pre>a\n</pre>"):
            assert render(Page(judge(page, split=split, pre_lines=split == "tag"))) == "t\n\na\n"

    def test_a_dropped_line_leaves_no_trace(self, judge):
        verdict = judge("<pre>\na\nb\n  c</pre>", split="tag", pre_lines=True, drop=[1])
        assert render(Page(verdict)) == "a\n  c\n"

    def test_breaks_count_as_newlines(self, judge, split):
        assert render(Page(judge("<pre>a<br>b<br><br>  c</pre>", split=split))) == "a\nb\n\n  c\n"


def test_nothing_kept_is_nothing(judge):
    assert render(Page(judge("<p>a", drop=[0]))) == ""


def test_a_page_reads_alike_alone_and_in_a_batch(judge, split):
    pages = (
        TestPreformatted.PAGE,
        "<ul><li>a<li>b</ul>",
        "",
        "<table><tr><td>a <i>b</i><td>c</table>",
        "<pre>  x\n y</pre>",
    )
    batch = judge(*pages, split=split)
    alone = [render(Page(judge(page, split=split))) for page in pages]
    assert [render(Page(batch, number)) for number in range(len(pages))] == alone


def test_items_may_have_bullets_and_numbers(judge, split):
    page = "<p>a<ul><li>b<ol start=3><li>c<li><p>d<p>e</ol><li>f</ul>g"
    shown = render(Page(judge(page, split=split), markup=page.encode()), bullets=True)
    assert shown == "a\n\n- b\n  3. c\n  4. d\n\ne\n\n- f\n\ng\n"


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<ul><li>a</ul><ul><li>b</ul><ol><li>c</ol>d", "- a\n\n- b\n\n1. c\n\nd\n"),
        ("<blockquote><ul><li>a<ol><li>b</ol></ul></blockquote>", "- a\n  1. b\n"),
        ("<ul><li><pre>a</pre><li><blockquote>b</blockquote></ul>", "- a\nb\n"),
        ("<ul><li><img src=x><p>a</p><li>b</ul>", "a\n- b\n"),
    ],
)
def test_only_text_that_begins_an_item_has_a_bullet(judge, page, text):
    assert render(Page(judge(page), markup=page.encode()), bullets=True) == text


def test_columns_stay_where_cells_are_empty(judge):
    page = "<table><tr><td>a<td>b<td>c<tr><td><td>d<td><tr><td>e<td><td>f</table>"
    assert render(Page(judge(page))) == "a\tb\tc\n\td\ne\t\tf\n"


def test_rows_of_two_tables_in_a_row(judge):
    page = "<table><tr><td>a<td>b<tr><td>c <br>d<td>e</table><table><tr><td>f<td>g</table>"
    assert render(Page(judge(page))) == "a\tb\nc d\te\n\nf\tg\n"
