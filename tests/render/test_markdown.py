"""Markdown of small pages."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from victor.page.parsing.tags import IDS
from victor.page.table.texts import block_texts
from victor.render.forms import Page, Shown, renderer
from victor.render.markdown import render
from victor.tables.data_tables import data_tables

EVERYTHING = Shown()


@pytest.fixture(scope="session")
def shown(judge):
    def shown(page, *, url=None, switches=EVERYTHING, **options):
        verdict = judge(page, **options)
        return render(Page(verdict, markup=page.encode(), url=url, shown=switches))

    return shown


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<h1>A <b>b</b></h1><h3>c<br>d</h3><p>e<br>f</p>", "# A b\n\n### c d\n\ne\\\nf\n"),
        ("<ul><li>a<ol><li>b<ul><li>c</ul><li>d</ol><li>e</ul>",
         "- a\n  1. b\n     - c\n  2. d\n- e\n"),
        ("<p>a <b><i>b </i></b>c", "a ***b*** c\n"),
        ("<p>a<b> b</b> c <del>~a~</del>~ <a href=http://c>d</a>!<a href=http://e>f</a>",
         "a **b** c ~~\\~a\\~~~\\~ [d](http://c)\\![f](http://e)\n"),
    ],
)  # fmt: skip
def test_blocks_of_either_split_are_written_alike(shown, page, expected):
    assert shown(page, split="tag") == shown(page, split="block") == expected


def test_what_is_labelled_header_is_a_heading(shown):
    assert shown("<p>e</p><p>f #</p>", headers=[1]) == "e\n\n## f \\#\n"


@pytest.mark.parametrize(
    ("page", "switch", "expected"),
    [
        ("<p>a <b>b</b> <code>c*</code> <a href=http://x.cz/>d</a>", "formatting",
         "a b c* [d](http://x.cz/)\n"),
        ("<p><a href=http://x.cz>a</a>", "links", "a\n"),
        ("<p>a <img src=b> c", "images", "a c\n"),
        ("<p>a</p><audio src=c.mp3></audio><p>d", "images", "a\n\nd\n"),
    ],
)  # fmt: skip
def test_switches(shown, page, switch, expected):
    assert shown(page, switches=Shown(**{switch: False})) == expected


class TestLists:
    def test_an_item_whose_outer_item_is_dropped_is_not_indented(self, shown):
        assert shown("<ul><li>a<ul><li>b</ul><li>c</ul>", drop=[0]) == "- b\n- c\n"
        page = "<ul><li>a<ul><li><p>b<p>c</ul><li>d</ul>"
        assert shown(page, drop=[0]) == "- b\n\n  c\n\n- d\n"
        page = "<ul><li>a<ol><li>b</ol><li>c</ul>"
        assert shown(page, drop=[0]) == "- 1. b\n- c\n"

    def test_numbers_are_those_of_the_page(self, shown):
        page = "<ol><li>a<li>b<li>c</ol><ol><li>d</ol>"
        assert shown(page) == "1. a\n2. b\n3. c\n\n1) d\n"
        assert shown(page, drop=[1]) == "1. a\n\n3) c\n\n1. d\n"

    def test_deep_nesting_ends_at_a_level(self, shown):
        page = "<ul>" + "<li>a<ul>" * 300
        assert max(map(len, shown(page).split("\n"))) < 60


def test_places_that_a_cell_spans_are_empty(judge):
    page = "<table><tr><th rowspan=2>a<th colspan=2>b<tr><th>c<th>d<tr><td>e<td>f<td>g</table>"
    verdict = judge(page)
    tables = data_tables(verdict.table, verdict.kept)
    tables.is_data[verdict.table.elements.tag == IDS["table"]] = True
    shown = render(Page(verdict.with_units(verdict.labels, tables, None), markup=page.encode()))
    assert shown == "| a | b |  |\n| --- | --- | --- |\n|  | c | d |\n| e | f | g |\n"


def test_a_table_in_an_item_stays_there(shown):
    page = "<ul><li>a<table><tr><td>b<td>c</table>d</ul>"
    assert shown(page) == "- a\n\n  | b | c |\n  | --- | --- |\n\n  d\n"


@given(st.text(st.sampled_from("ab1 *_`[]()<>&;#+-=.~|\\!\n\"'/:"), max_size=25))
def test_a_reader_of_markdown_gets_the_text_back(judge, text):
    markdown_it = pytest.importorskip("markdown_it")
    marked = text.replace("&", "&amp;").replace("<", "&lt;").replace("\n", "<br>")
    verdict = judge(f"<p>{marked}</p>")
    shown = render(Page(verdict))
    paragraphs = [
        "".join("\n" if part.type == "hardbreak" else part.content for part in token.children)
        for token in markdown_it.MarkdownIt("commonmark").parse(shown)
        if token.type == "inline"
    ]
    tokens = {token.type for token in markdown_it.MarkdownIt("commonmark").parse(shown)}
    assert tokens <= {"paragraph_open", "inline", "paragraph_close"}
    assert paragraphs == block_texts(verdict.table)


class TestImages:
    URL = "http://x.cz/"

    @pytest.mark.parametrize(
        ("markup", "is_shown"),
        [
            ("<article><h1>b</h1><p>a<figure><div><img src=b></div></figure></article>", True),
            ("<article><h1>b</h1><p>a</p><p><img src=b></p></article>", True),
            ("<article><h1>b</h1><p>a</p><div><img src=b></div></article>", False),
            ("<article><h1>b</h1><p>a</p><img src=b><h2>c</h2></article>", False),
        ],
    )
    def test_an_image_at_the_end_of_its_text(self, shown, markup, is_shown):
        long = f"<h3>{'c ' * 20}</h3>"
        page = markup.replace("<h1>b</h1>", long).replace("<h2>c</h2>", long)
        drop = [0, 2] if page.count("<h3>") == 2 else [0]
        assert ("![](http://x.cz/b)" in shown(page, url=self.URL, drop=drop)) == is_shown

    def test_images_of_dropped_content_go(self, shown):
        page = f"<p>a<div><img src=b><p>{'c ' * 20}</div><p>d"
        assert shown(page, url=self.URL, drop=[1]) == "a\n\nd\n"
        assert "![](http://x.cz/b)" in shown(page, url=self.URL)


class TestEmbeds:
    def test_players_of_dropped_content_go(self, shown):
        player = "<iframe src=https://www.youtube.com/embed/abcdefgh></iframe>"
        page = f"<p>a<div>{player}<p>{'c ' * 20}</div><p>d"
        assert shown(page, drop=[1]) == "a\n\nd\n"
        assert "youtube" in shown(page)


class TestBlocks:
    def test_the_most_of_a_page_is_no_callout(self, shown):
        page = "<div class='admonition tip'><p class=admonition-title>b<p>c</div><p>1<p>2<p>3"
        assert shown(page).startswith("> [!tip]\n> **b**\n")
        assert "[!" not in shown(page, drop=[0, 1])

    def test_rules_between_kept_blocks(self, shown):
        assert shown("<p>a<hr><p>b<hr><p>c", drop=[2]) == "a\n\n---\n\nb\n"

    def test_many_footnotes_of_one_label_have_short_labels(self, shown):
        marks = "".join(f"<p>a<sup><a href='#n{n}'>1</a></sup>" for n in range(300))
        notes = "".join(f"<li id=n{n}>b" for n in range(300))
        text = shown(f"{marks}<ol>{notes}</ol>")
        labels = re.findall(r"^\[\^(\w+)\]: b &#32;$", text, re.MULTILINE)
        assert labels[:3] == ["1", "1x2", "1x3"]
        assert len(set(labels)) == 300
        assert max(map(len, labels)) < 16
        assert re.findall(r"^a\[\^(\w+)\]$", text, re.MULTILINE) == labels

    def test_the_mark_of_a_dropped_note_is_text(self, shown):
        page = "<p>a<sup><a href=#n>1</a></sup><p id=n>b"
        assert "[^1]: b" in shown(page)
        assert "[^1]" not in shown(page, drop=[1])

    @pytest.mark.parametrize(
        ("form", "formula"),
        [
            ("text", "x_1"),
            ("article", '<span class="math inline">\\(x_1\\)</span>'),
            ("tei", '<formula notation="TeX">x_1</formula>'),
        ],
    )
    def test_every_form_has_the_formulas_of_images(self, judge, form, formula):
        page = "<p>a <img class=latex alt='x_1' src=a.png>, b"
        assert f"a {formula}, b" in renderer(form)(Page(judge(page), markup=page.encode()))
