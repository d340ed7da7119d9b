"""Markdown of small pages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from victor.page.texts import block_texts
from victor.render.markdown import render


@pytest.fixture(scope="session")
def shown(judge):
    def shown(page, **options):
        return render(judge(page, **options), 0)

    return shown


def test_headings(shown, split):
    page = "<h1>A <b>b</b></h1><h3>c<br>d</h3><p>e</p><p>f #</p>"
    assert shown(page, split=split) == "# A b\n\n### c d\n\ne\n\nf #\n"
    # Labelled header, but no <h1>-<h6>.
    assert shown("<p>e</p><p>f #</p>", headers=[1]) == "e\n\n## f \\#\n"


def test_a_break_is_hard(shown, split):
    assert shown("<p>a<br>b</p>", split=split) == "a\\\nb\n"


class TestLists:
    def test_items_nested_in_items(self, shown, split):
        page = "<ul><li>a<ol><li>b<ul><li>c</ul><li>d</ol><li>e</ul>"
        assert shown(page, split=split) == "- a\n  1. b\n     - c\n  2. d\n- e\n"

    def test_an_item_of_several_paragraphs(self, shown):
        page = "<ol><li><p>a<p>b<pre>c\n\nd</pre><li>e</ol>f"
        assert shown(page) == "1. a\n\n   b\n\n   ```\n   c\n\n   d\n   ```\n\n2. e\n\nf\n"

    def test_text_after_a_nested_list_belongs_to_the_outer_item(self, shown):
        assert shown("<ul><li>a<ul><li>b</ul>c</ul>") == "- a\n  - b\n\n  c\n"

    def test_an_item_whose_outer_item_is_dropped_is_not_indented(self, shown):
        assert shown("<ul><li>a<ul><li>b</ul><li>c</ul>", drop=[0]) == "- b\n- c\n"
        page = "<ul><li>a<ul><li><p>b<p>c</ul><li>d</ul>"
        assert shown(page, drop=[0]) == "- b\n\n  c\n\n- d\n"
        page = "<ul><li>a<ul><li>b</ul>c<ul><li>d<ul><li>e</ul></ul></ul>"
        assert shown(page, drop=[3]) == "- a\n  - b\n\n  c\n\n  - e\n"

    def test_an_item_that_begins_with_a_heading_is_none(self, shown):
        assert shown("<ul><li><h3>a</h3><p>b<li>c</ul>") == "### a\n\nb\n\n- c\n"
        page = "<ul><li>a<li><h3>b</h3><ul><li>c</ul></ul>"
        assert shown(page) == "- a\n\n### b\n\n- c\n"

    def test_numbers_count_what_is_kept(self, shown):
        assert shown("<ol><li>a<li>b<li>c</ol><ol><li>d</ol>", drop=[1]) == "1. a\n2. c\n\n1. d\n"

    def test_preformatted_text_in_an_item(self, shown):
        assert shown("<ul><li><pre>a\n  b</pre></ul>") == "- ```\n  a\n    b\n  ```\n"


def test_a_fence_is_longer_than_any_in_the_text(shown):
    assert shown("<pre>a ```` b</pre>") == "`````\na ```` b\n`````\n"


def test_tables_of_data_keep_their_columns(shown):
    page = "<table><tr><th>a<th>b<tr><td><td>c | *d*<br>e<tr><td>f</table>g"
    assert shown(page) == "| a | b |\n| --- | --- |\n|  | c \\| \\*d\\* e |\n| f |  |\n\ng\n"


def test_a_table_ends_the_list_it_is_in(shown):
    page = "<ul><li>a<table><tr><td>b<td>c</table>d</ul>"
    assert shown(page) == "- a\n\n| b | c |\n| --- | --- |\n\nd\n"


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a*b `c` [d](e) \\", "a\\*b \\`c\\` \\[d\\](e) \\\\"),
        ("snake_case _word_", "snake_case \\_word\\_"),
        ("&lt;b> 1 < 2 &amp;amp; R&amp;D", "\\<b> 1 < 2 \\&amp; R&D"),
        ("# one", "\\# one"),
        ("#one - two", "#one - two"),
        ("- one", "\\- one"),
        ("-5 °C", "-5 °C"),
        ("1. one", "1\\. one"),
        ("1.5 x", "1.5 x"),
        ("> one", "\\> one"),
        ("---", "\\---"),
        ("a<br>===", "a\\\n\\==="),
        ("~~a~~ ~b", "\\~\\~a\\~\\~ ~b"),
    ],
)
def test_characters_that_would_be_markup_are_escaped(text, escaped, shown):
    assert shown(f"<p>{text}</p>") == escaped + "\n"


@pytest.mark.slow
@given(st.text(st.sampled_from("ab1 *_`[]()<>&;#+-=.~|\\!\n\"'/:"), max_size=25))
def test_a_reader_of_markdown_gets_the_text_back(judge, text):
    markdown_it = pytest.importorskip("markdown_it")
    marked = text.replace("&", "&amp;").replace("<", "&lt;").replace("\n", "<br>")
    verdict = judge(f"<p>{marked}</p>")
    shown = render(verdict, 0)
    paragraphs = [
        "".join("\n" if part.type == "hardbreak" else part.content for part in token.children)
        for token in markdown_it.MarkdownIt("commonmark").parse(shown)
        if token.type == "inline"
    ]
    tokens = {token.type for token in markdown_it.MarkdownIt("commonmark").parse(shown)}
    assert tokens <= {"paragraph_open", "inline", "paragraph_close"}
    assert paragraphs == block_texts(verdict.table)
