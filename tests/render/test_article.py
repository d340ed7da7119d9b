"""The article page: what it holds, and that it is safe to show."""

import base64
import hashlib
import re

import pytest
import strategies
from hypothesis import given, settings
from lxml import html as lxml_html
from markup_elements import Elements, letters

from victor.page.plain_data import xml_text
from victor.render.article import ELEMENTS, render
from victor.render.forms import Page, renderer

ATTRIBUTES = set(
    "lang dir charset http-equiv content name href rel src alt title start reversed value id "
    "class colspan rowspan".split()
)
URL = "http://x.cz/a/b"


def test_the_head_of_the_page(judge):
    known = {"title": "A & B\n</title>", "language": "pt-BR"}
    page = render(Page(judge("<p>a"), found={"metadata": known}.get, headline="C <b>"))
    assert page.startswith('<!DOCTYPE html>\n<html lang="pt-BR">\n')
    assert "<title>A &amp; B &lt;/title&gt;</title>" in page
    assert "<h1>C &lt;b&gt;</h1>\n<p>a</p>" in page
    assert "default-src 'none'; img-src http: https:" in page


def letters_of(verdict):
    return letters(xml_text(renderer("text")(Page(verdict))))


def about(judge, markup="<h1>Bees</h1><p>a", url=URL, **known):
    page = render(Page(judge(markup), url=url, found={"metadata": known}.get))
    return page.partition('<article dir="auto">\n')[2].partition("</article>")[0]


@pytest.mark.parametrize("url", ["javascript:x()", "data:text/html,x", "/a", "http://[", "x\ny"])
def test_the_line_links_to_no_program(judge, url):
    assert "javascript" not in about(judge, url=url, canonical="javascript:x()")
    assert "data:" not in about(judge, url=url)


def test_the_policy_allows_the_style_sheet_alone(judge):
    page = render(Page(judge("<p>a")))
    style = page.partition("<style>")[2].partition("</style>")[0]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}';" in page
    assert "url(" not in style
    assert "@import" not in style


@pytest.mark.parametrize("wrong", [None, 3, ["a"], {"b": 1}, float("nan"), '"><script>', "x" * 99])
def test_metadata_of_any_type(judge, wrong):
    fields = ("title", "language", "site", "authors", "published", "canonical")
    page = render(Page(judge("<p>a"), found={"metadata": dict.fromkeys(fields, wrong)}.get))
    assert "<html>" in page
    assert Elements(page).names <= ELEMENTS


@settings(max_examples=60)
@given(page=strategies.markup())
def test_any_page_is_small_safe_and_has_the_words_of_the_text(judge, page):
    verdict = judge(page)
    article = render(Page(verdict, markup=page.encode(), url=URL))
    parts = Elements(article)
    assert parts.names <= ELEMENTS
    assert {name for _, name, _ in parts.attributes} <= ATTRIBUTES
    body = lxml_html.fromstring(article.encode(), parser=lxml_html.HTMLParser(encoding="utf-8"))
    said = "".join(body.find(".//article").itertext())
    about = "x.cz" if said.strip() else ""
    assert letters(xml_text(said)).replace(letters(about), "", 1) == letters_of(verdict)
    for address in re.findall(r'(?:href|src)="([^"]*)"', article):
        assert address.startswith(("http://", "https://", "#note-", "#mark-"))
