"""The article page: what it holds, and that it is safe to show."""

import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest
import strategies
from hypothesis import given, settings
from lxml import etree
from lxml import html as lxml_html

from victor.page.xml_text import xml_text
from victor.render.article import ELEMENTS, render
from victor.render.forms import Page, Shown, renderer

ATTRIBUTES = set(
    "lang dir charset http-equiv content name href rel src alt title start reversed value id "
    "class colspan rowspan".split()
)
VOIDS = {"meta", "img", "br", "hr"}
EVERYTHING = Shown()
URL = "http://x.cz/a/b"
ABOUT = '<p class="about"><a href="http://x.cz/a/b" rel="nofollow noopener">x.cz</a></p>\n'
"""The line about a page of which only the address is known."""


@pytest.fixture(scope="session")
def shown(judge):
    """The inside of the article of a page."""

    def shown(page, *, url=URL, switches=EVERYTHING, headline="", **options):
        verdict = judge(page, **options)
        whole = render(
            Page(verdict, markup=page.encode(), url=url, shown=switches, headline=headline)
        )
        inside = whole.partition('<article dir="auto">\n')[2].partition("</article>")[0]
        return inside.replace(ABOUT, "")

    return shown


class Balance(HTMLParser):
    """Notes elements and attributes, and checks that all that opens is closed in order."""

    def __init__(self, page):
        super().__init__()
        self.names, self.attributes, self.open = set(), set(), []
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, name, attributes):
        self.names.add(name)
        self.attributes |= {key for key, _ in attributes}
        if name not in VOIDS:
            self.open.append(name)

    def handle_endtag(self, name):
        assert self.open.pop() == name


def letters(text):
    return "".join(filter(str.isalnum, xml_text(text)))


LINK = '<a href="http://x.cz/" rel="nofollow noopener">'


@pytest.mark.parametrize(
    ("markup", "article"),
    [
        ("<h2>a &lt; b</h2><p>c<br>d", "<h2>a &lt; b</h2>\n<p>c<br>d</p>\n"),
        ("<p><b>a <i>b</i></b><i>c</i>", "<p><strong>a <em>b</em></strong><em>c</em></p>\n"),
        ("<p><code>a</code> <del>b</del>", "<p><code>a</code> <del>b</del></p>\n"),
        ("<p>H<sub>2</sub>O<sup>2</sup>", "<p>H<sub>2</sub>O<sup>2</sup></p>\n"),
        ("<pre><code class=language-py>\n a\nb</code></pre>",
         '<pre><code class="language-py"> a\nb</code></pre>\n'),
        ("<p>a<hr><p>b", "<p>a</p>\n<hr>\n<p>b</p>\n"),
        ("<p>a</p><iframe src=https://www.youtube.com/embed/abcdef title=b></iframe><p>c",
         ('<p>a</p>\n<p><a href="https://www.youtube.com/watch?v=abcdef" rel="nofollow noopener">'
         "▶ b</a></p>\n<p>c</p>\n")),
        ("<div class='admonition tip'>b</div><p>c<p>d",
         '<aside class="tip">\n<p>b</p>\n</aside>\n<p>c</p>\n<p>d</p>\n'),
        ("<blockquote><p>a<p>b</blockquote>",
         "<blockquote>\n<p>a</p>\n<p>b</p>\n</blockquote>\n"),
        ("<dl><dt>a<dd>b<dd>c</dl>", "<dl>\n<dt>a</dt>\n<dd>b</dd>\n<dd>c</dd>\n</dl>\n"),
        ("<p><a href=http://x.cz/><code>a<b>b</b></code></a>",
         f"<p>{LINK}<code>a</code><strong><code>b</code></strong></a></p>\n"),
    ],
)  # fmt: skip
def test_blocks_and_marks(shown, markup, article):
    assert shown(markup) == article


@pytest.mark.parametrize(
    ("markup", "article"),
    [
        ("<ul><li>a<ul><li>b</ul><li><p>c<p>d</ul>",
         "<ul>\n<li>a\n<ul>\n<li>b</li>\n</ul>\n</li>\n<li>\n<p>c</p>\n<p>d</p>\n</li>\n</ul>\n"),
        ("<ol start=5><li>a<li>b<li value=9>c</ol>",
         '<ol start="5">\n<li>a</li>\n<li>b</li>\n<li value="9">c</li>\n</ol>\n'),
        ("<ol start=2><li>a</ol>", '<ol start="2">\n<li>a</li>\n</ol>\n'),
        ("<ol reversed><li>a<li>b</ol>",
         '<ol start="2" reversed>\n<li>a</li>\n<li>b</li>\n</ol>\n'),
        ("<ul><li><input type=checkbox checked>a<li>b</ul>",
         "<ul>\n<li>☑ a</li>\n<li>b</li>\n</ul>\n"),
    ],
)  # fmt: skip
def test_lists(shown, markup, article):
    assert shown(markup) == article


def test_tables(shown):
    page = "<table><caption>t<tr><th>a<th>b<tr><td colspan=2>c<tr><td rowspan=2>d<td>e</table>"
    assert shown(page).replace("\n", "") == (
        "<table><caption>t</caption><thead><tr><th>a</th><th>b</th></tr></thead>"
        '<tbody><tr><td colspan="2">c</td></tr>'
        '<tr><td rowspan="2">d</td><td>e</td></tr></tbody></table>'
    )
    assert "<table" not in shown(page, switches=Shown(tables=False))


@pytest.mark.parametrize(
    ("markup", "article"),
    [
        ("<a href=c>d</a>", '<a href="http://x.cz/a/c" rel="nofollow noopener">d</a>'),
        ("<a href='/?a=1&amp;b=\"'>d</a>",
         '<a href="http://x.cz/?a=1&amp;b=&quot;" rel="nofollow noopener">d</a>'),
        ("<a href=javascript:x()>d</a>", "d"),
        ("<a href='&#1;javascript:x()'>d</a>", "d"),
        ("<a href=data:text/html,x>d</a>", "d"),
        ("a <img src=c alt='d \"e'> f", 'a <img src="http://x.cz/a/c" alt="d &quot;e"> f'),
        ("a <img src=javascript:x()> f", "a f"),
    ],
)  # fmt: skip
def test_addresses(shown, markup, article):
    assert shown(f"<p>{markup}") == f"<p>{article}</p>\n"


def test_addresses_that_nothing_makes_absolute_go(shown):
    page = "<p><a href=c>d</a> <a href=http://y.cz>e</a><img src=/f.png>"
    linked = '<a href="http://y.cz" rel="nofollow noopener">e</a>'
    assert shown(page, url=None).strip() == f"<p>d {linked} </p>"


def test_notes_are_a_list_that_their_marks_lead_to(shown):
    page = (
        "<p>a<sup><a href=#n1>1</a></sup><sup><a href=#n2>*</a></sup>"
        "<ol><li id=n1>b</ol><div id=n2>c</div>"
    )
    marks = "".join(f'<sup id="mark-{n}"><a href="#note-{n}">{n}</a></sup>' for n in (1, 2))
    notes = (
        '<li id="note-1" value="1">b <a href="#mark-1">↩</a></li>\n'
        '<li id="note-2" value="2">c <a href="#mark-2">↩</a></li>\n'
    )
    assert shown(page) == f"<p>a{marks}</p>\n<ol>\n{notes}</ol>\n"


def test_a_note_leads_to_its_first_mark(shown):
    page = "<p>a<sup><a href=#n1>1</a></sup> b<sup><a href=#n1>1</a></sup><ol><li id=n1>c</ol>"
    assert shown(page).count('id="mark-1"') == 1


def test_formulas_are_tex_that_libraries_find(shown):
    tex = "<annotation encoding=application/x-tex>{}</annotation>"
    page = f"<p>a <math>{tex.format('x &lt; 2')}</math>"
    assert shown(page) == '<p>a <span class="math inline">\\(x &lt; 2\\)</span></p>\n'


def test_the_head_of_the_page(judge):
    known = {"title": "A & B\n</title>", "language": "pt-BR"}
    page = render(Page(judge("<p>a"), found={"metadata": known}.get, headline="C <b>"))
    assert page.startswith('<!DOCTYPE html>\n<html lang="pt-BR">\n')
    assert "<title>A &amp; B &lt;/title&gt;</title>" in page
    assert "<h1>C &lt;b&gt;</h1>\n<p>a</p>" in page
    assert "default-src 'none'; img-src http: https:" in page


def about(judge, markup="<h1>Bees</h1><p>a", url=URL, **known):
    page = render(Page(judge(markup), url=url, found={"metadata": known}.get))
    return page.partition('<article dir="auto">\n')[2].partition("</article>")[0]


def test_site_authors_day_and_original_stand_below_the_first_heading(judge):
    known = {"site": "A & B", "authors": ["Ann <b>", "Bo"], "published": "2024-01-31T10:00+01:00"}
    link = '<a href="http://x.cz/a/b" rel="nofollow noopener">x.cz</a>'
    line = f'<p class="about">A &amp; B · Ann &lt;b&gt;, Bo · 2024-01-31 · {link}</p>\n'
    assert about(judge, **known) == f"<h1>Bees</h1>\n{line}<p>a</p>\n"
    assert about(judge, "<p>a<h1>Bees</h1>", **known).startswith(line)


def test_what_is_not_known_is_not_in_the_line(judge):
    assert about(judge, url=None) == "<h1>Bees</h1>\n<p>a</p>\n"
    assert about(judge, url=None, site="S") == '<h1>Bees</h1>\n<p class="about">S</p>\n<p>a</p>\n'
    linked = about(judge, url=None, canonical="https://www.x.cz/c")
    assert '<a href="https://www.x.cz/c" rel="nofollow noopener">x.cz</a>' in linked
    assert "class" not in about(judge, "", site="S")


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
    page = render(Page(judge("<p>a"), found={"metadata": {"title": wrong, "language": wrong}}.get))
    assert "<html>" in page
    assert Balance(page).names <= ELEMENTS


def test_switches(shown):
    page = "<p><a href=c><b>d</b></a> <img src=e>"
    assert shown(page, switches=Shown(False, False, False, False)) == "<p>d</p>\n"


@settings(max_examples=60)
@given(page=strategies.markup())
def test_any_page_is_small_safe_and_has_the_words_of_the_text(judge, page):
    verdict = judge(page)
    article = render(Page(verdict, markup=page.encode(), url=URL))
    parts = Balance(article)
    assert parts.names <= ELEMENTS
    assert parts.attributes <= ATTRIBUTES
    body = lxml_html.fromstring(article.encode(), parser=lxml_html.HTMLParser(encoding="utf-8"))
    said = "".join(body.find(".//article").itertext())
    about = "x.cz" if said.strip() else ""
    assert letters(said).replace(letters(about), "", 1) == letters(renderer("text")(Page(verdict)))
    for address in re.findall(r'(?:href|src)="([^"]*)"', article):
        assert address.startswith(("http://", "https://", "#note-", "#mark-"))


@settings(max_examples=60)
@given(page=strategies.markup())
def test_any_page_is_well_formed_tei_with_the_words_of_the_text(judge, page):
    verdict = judge(page)
    tree = etree.fromstring(renderer("tei")(Page(verdict, markup=page.encode(), url=URL)).encode())
    content = tree.find("{*}text")
    for description in content.iter("{*}figDesc"):
        description.text = ""
    said = "".join(content.itertext())
    assert letters(said) == letters(renderer("text")(Page(verdict)))
