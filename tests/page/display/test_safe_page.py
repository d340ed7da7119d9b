"""Pages written to be shown: every block is marked, and nothing in them is alive."""

import re

import strategies
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from victor.page.safe_page import policy, safe_page, style_sheet
from victor.page.table.segment import parse_pages
from victor.page.table.texts import block_texts

MARKED = re.compile(r'<v-b data-v="(\d+)">([^<]*)</v-b>')
DEAD = frozenset(
    "script noscript iframe frame frameset object embed applet portal form base svg math video "
    "audio template button select textarea meta".split()
)
WAYS_OUT = frozenset(
    "href srcset action formaction ping target poster data autofocus autoplay name "
    "usemap http-equiv srcdoc xlink:href manifest longdesc cite codebase imagesrcset".split()
)


def read_again(markup):
    return html.document_fromstring(markup, parser=html.HTMLParser(encoding="utf-8"))


def living(markup):
    """What is left of a page that could do something."""
    tree = read_again(markup.encode())
    for element in tree.iter():
        if not isinstance(element.tag, str):
            yield element
        elif element.tag in DEAD and (element.tag, dict(element.attrib)) != (
            "meta", {"charset": "utf-8"}
        ) and (element.tag, dict(element.attrib)) != ("base", {"href": "/a/"}):  # fmt: skip
            yield element.tag
        for name, value in element.attrib.items():
            if name.startswith("on") or (name in WAYS_OUT and element.tag not in ("base", "link")):
                yield element.tag, name, value


def danger(piece):
    """What is left of a piece of a page that could do something, and its words ``BAD``."""
    markup = safe_page(f"<p>before</p>{piece}<p>after".encode(), "/a").markup
    return [*map(str, living(markup)), *re.findall("BAD", markup)]


def check_blocks(page, plain):
    """The marks are those of the block table, with its texts."""
    shown = safe_page(page, "/a")
    texts = block_texts(parse_pages([page]))
    assert shown.texts == tuple(texts)
    assert shown.n_blocks == len(texts)
    marked = ["" for _ in texts]
    for number, text in MARKED.findall(shown.markup):
        marked[int(number)] += text
    assert [plain(html.fromstring(f"<p>{text}").text) for text in marked] == [*map(plain, texts)]
    assert shown.markup.count("<v-b ") == len(MARKED.findall(shown.markup))
    return shown.markup


def test_our_own_pages_keep_their_blocks_and_nothing_else(own_pages, plain):
    for path in own_pages:
        markup = check_blocks(path.read_bytes(), plain)
        assert not [*living(markup)]


@given(seed=st.integers(0, 10**9))
def test_soup_keeps_its_blocks_and_nothing_else(soup, plain, seed):
    assert not [*living(check_blocks(soup(seed), plain))]


@given(data=st.data())
def test_markup_keeps_its_blocks_and_nothing_else(plain, data):
    assert not [*living(check_blocks(data.draw(strategies.page()), plain))]


def test_what_lies_too_deep_is_written_without_its_elements():
    markup = safe_page(b"<div>" * 10_000 + b"deep", "").markup
    assert markup.count("<div>") == markup.count("</div>") == 150
    assert '<v-b data-v="0">deep</v-b>' in markup


def test_formatting_that_browsers_open_again_everywhere_is_bounded():
    fonts = "".join(f"<p><font size={number}>" for number in range(1000))
    markup = safe_page(f"{fonts}text".encode(), "").markup
    assert markup.count("<font") == 16


def test_the_policy_lets_nothing_run_or_leave():
    rules = dict(rule.split(" ", 1) for rule in policy().split("; "))
    assert rules["default-src"] == rules["form-action"] == "'none'"
    assert rules["style-src"] == "'unsafe-inline' 'self'"
    assert rules["img-src"] == "data: 'self'"
    assert rules["base-uri"] == "'self'"
    assert rules["sandbox"] == "allow-same-origin"
    assert "script-src" not in rules


def test_style_sheets_beyond_a_size_are_left_out_with_a_note(monkeypatch):
    monkeypatch.setattr("victor.page.safe_page.LARGEST_SHEET", 20)
    page = b"<style>p{color:red}</style><style>q{color:blue}</style><style>i{}</style><p>Text."
    markup = safe_page(page, "").markup
    assert "color:red" in markup
    assert "color:blue" not in markup
    assert 'content:"Victor left out 2 of' in markup
    assert "left out" not in safe_page(page[:28] + page[-9:], "").markup
    assert style_sheet(b"p{a:b;c:d}q{}" * 2).startswith('html::before{content:"Victor left out 1')
