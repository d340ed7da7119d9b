"""Marks of the CleanEval format."""

import re
from html import unescape

import pytest

from victor.render.cleaneval import render
from victor.render.forms import Page


def test_marks_of_headers_items_and_paragraphs(judge, split):
    verdict = judge("<h2>A</h2><p>b</p><ul><li>c<li>d<p>e</ul>", split=split, headers=[0])
    assert render(Page(verdict)) == "<h>A\n<p>b\n<l>c\n<l>d\n<p>e\n"


def test_a_heading_labelled_text_is_a_paragraph(judge):
    assert render(Page(judge("<h2>A</h2>"))) == "<p>A\n"


def test_what_continues_a_paragraph_has_no_mark(judge):
    verdict = judge("<p>Hello <b>wor</b>ld<br>!", split="tag", headers=[1])
    assert render(Page(verdict)) == "<p>Hello world !\n"


def test_a_stripper_of_tags_takes_the_marks_alone(judge):
    texts = ["The element &lt;p> begins a < b and c > d", "R&D &amp;lt; &amp;amp; x"]
    verdict = judge(f"<h2>{texts[0]}</h2><ul><li>{texts[1]}</ul>", headers=[0])
    written = render(Page(verdict))
    assert re.findall("<[^>]*>", written) == ["<h>", "<l>"]
    stripped = unescape(re.sub("<[^>]*>", "", written))
    assert stripped == "The element <p> begins a < b and c > d\nR&D &lt; &amp; x\n"


def test_the_address_comes_first(judge):
    assert render(Page(judge("<p>a"), url="http://x.cz/")) == "URL: http://x.cz/\n<p>a\n"
    assert render(Page(judge("<p>a", drop=[0]), url="")) == "URL: \n"


@pytest.mark.parametrize("between", ["\n", "\r", "\0", "\u2028", "\ud800", "\x85"])
def test_an_address_is_one_line_of_characters(judge, between):
    """Whoever names an address does not add a paragraph to the page."""
    written = render(Page(judge("<p>a"), url=f"http://x.cz/{between}<p>b"))
    first, *others = written.splitlines()
    assert first.startswith("URL: http://x.cz/")
    assert others == ["<p>a"]
    assert "\0" not in written
    written.encode()


@pytest.mark.parametrize(
    ("markup", "mark"),
    [
        ("<p><b>Getting there</b></p>", "h"),
        ("<p><strong>Getting</strong> <b>there</b></p>", "h"),
        ("<p><font size=5><big>Getting there</big></font></p>", "h"),
        ("<p>Getting there</p>", "p"),
        ("<p><b>Getting</b> there</p>", "p"),
        ("<p><b>Getting there.</b></p>", "p"),
        ("<p><b>Getting there:</b></p>", "p"),
        ("<p><b>Getting there?</b></p>", "p"),
        ("<p><b><a href=x>Getting there</a></b></p>", "p"),
        ("<p><b>Getting <a href=x>there</a></b></p>", "h"),
        (f"<p><b>{'word ' * 12}</b></p>", "h"),
        (f"<p><b>{'word ' * 13}</b></p>", "p"),
        ("<p><b>* * *</b></p>", "p"),
        ("<ul><li><b>Getting there</b></ul>", "l"),
        ("<table><tr><td><b>Getting there</b></table>", "h"),
        ("<table><tr><td><b>Name</b><td>x<tr><td>y<td>z</table>", "p"),
    ],
)
@pytest.mark.parametrize("split", ["tag", "block"])
def test_short_bold_text_without_an_end_mark_is_a_header(judge, markup, mark, split):
    assert render(Page(judge(f"<p>Before.</p>{markup}", split=split))).splitlines()[1][1] == mark


def test_bold_text_that_goes_on_is_no_header(judge):
    verdict = judge("<p><b>Warning</b> <i>do not open</i></p>", split="tag")
    assert render(Page(verdict)) == "<p>Warning do not open\n"


def test_marks_are_those_of_the_page_that_is_asked_for(judge):
    verdict = judge("<p><b>One</b>", "", "<p>Two<p><b>Three</b>")
    assert [render(Page(verdict, page)) for page in range(3)] == [
        "<h>One\n",
        "",
        "<p>Two\n<h>Three\n",
    ]
