"""Marks of the CleanEval format."""

from victor.render.cleaneval import render


def test_marks_of_headers_items_and_paragraphs(judge, split):
    verdict = judge("<h2>A</h2><p>b</p><ul><li>c<li>d<p>e</ul>", split=split, headers=[0])
    assert render(verdict, 0) == "<h>A\n<p>b\n<l>c\n<l>d\n<p>e\n"


def test_a_heading_labelled_text_is_a_paragraph(judge):
    assert render(judge("<h2>A</h2>"), 0) == "<p>A\n"


def test_what_continues_a_paragraph_has_no_mark(judge):
    verdict = judge("<p>Hello <b>wor</b>ld<br>!", split="tag", headers=[1])
    assert render(verdict, 0) == "<p>Hello world !\n"


def test_the_address_comes_first(judge):
    assert render(judge("<p>a"), 0, url="http://x.cz/") == "URL: http://x.cz/\n<p>a\n"
    assert render(judge("<p>a", drop=[0]), 0, url="") == "URL: \n"
