"""Events, bundles and heads by the compiled core equal those by the parser."""

import time
from html.entities import html5
from pathlib import Path

import markup_strategies
import numpy as np
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.base import core
from victor.page.parsing import events
from victor.page.parsing.events import ATTRIBUTES, prepared, record
from victor.page.parsing.tags import DEEPEST
from victor.page.parsing.unclosed import closed, marks
from victor.page.table.segment import segment

pytestmark = pytest.mark.skipif(core.compiled is None, reason="no compiled core")

PAGES = sorted((Path(__file__).parents[2] / "annotations" / "pages").glob("*.html"))


def by_parser(function, *arguments, **options):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(core, "compiled", None)
        return function(*arguments, **options)


def compare(pages, **options):
    ours, wanted = record(pages, **options), by_parser(record, pages, **options)
    for name in ("codes", "page_starts"):
        assert getattr(ours, name).dtype == getattr(wanted, name).dtype
        assert np.array_equal(getattr(ours, name), getattr(wanted, name))
    assert ours.attributes == wanted.attributes
    assert ours.bundles == wanted.bundles
    assert ours.heads == wanted.heads
    assert [[*head.meta] for head in ours.heads] == [[*head.meta] for head in wanted.heads]
    return ours


@pytest.mark.parametrize("alt_text", [False, True])
def test_pages_of_the_web(alt_text):
    pages = [path.read_bytes().decode("utf-8", "replace").encode() for path in PAGES]
    assert len(compare(pages, alt_text=alt_text).heads) == len(pages) > 10


PARTS_OF_RELATIONS = (
    *("stylesheet", "PreLoad", "canonical", "icon", "manifest", "prerender", "dns-prefetch"),
    *(" ", " ", "\t", "\x1c", "\x85", "\xa0", "\u3000", "\0", "&#32;", "&amp;", "\u212a", "İ"),
)
RELATIONS = st.lists(st.sampled_from(PARTS_OF_RELATIONS), max_size=5).map("".join)
NAMES_OF_METAS = st.sampled_from(
    ("", " ", "og:title", "OG:Title", "description", "É", "İ", "\u212a")
)
DECLARATIONS = st.one_of(
    st.builds("<link rel='{}' href='{}' title='\xa0b '>".format, RELATIONS, RELATIONS),
    st.builds(
        "<meta name='{}' {}='{}' content='{}'>".format,
        NAMES_OF_METAS,
        st.sampled_from(("property", "itemprop", "http-equiv", "content", "x")),
        NAMES_OF_METAS,
        NAMES_OF_METAS,
    ),
    st.builds("<meta property='{}'>".format, NAMES_OF_METAS),
    st.sampled_from(("<title>\xa0 a\n b", "</title>", "<html lang=cs>", "<html xml:lang=sk>")),
    st.sampled_from(("<script type='application/LD+json; x'>{}</script>", "<base href=' /é '>")),
    st.sampled_from(("<time datetime=2024>t</time>", "<math alttext=x display=block></math>")),
    st.sampled_from(("<script type=math/tex>x</script>", "<math></math>")),
    st.just(
        "<script>(self.__next_s=self.__next_s||[]).push("
        '[0,{"type":"application/ld+json","children":"{}"}])</script>'
    ),
)


@given(st.lists(st.lists(DECLARATIONS, max_size=8).map("".join), max_size=3))
@settings(max_examples=120, deadline=None)
def test_heads(pages):
    compare([page.encode() for page in pages])


def test_heads_are_made_when_they_are_asked_for(monkeypatch):
    pages = [f"<title>{number}</title>".encode() for number in range(5)]
    heads = record(pages).heads
    made = []
    monkeypatch.setattr(events, "noted_head", lambda *notes: made.append(notes) or len(made))
    assert heads[1:][2] == heads[3] == heads[-2] == 1
    assert len(heads) == 5
    assert len(heads[1:3]) == 2
    assert [*heads[2:4]] == [2, 1]
    assert len(made) == 2
    with pytest.raises(IndexError):
        heads[5]


@given(st.lists(markup_strategies.pages(), max_size=3), st.booleans())
@settings(max_examples=300, deadline=None)
def test_odd_pages(pages, alt_text):
    compare(pages, alt_text=alt_text)


@given(markup_strategies.pages(), st.integers(DEEPEST - 6, DEEPEST + 6), st.booleans())
@settings(max_examples=100, deadline=None)
def test_pages_below_the_bound_of_the_depth(page, depth, alt_text):
    found = compare([b"<div>" * depth + page + b"</div>" * depth + b"<p>after"], alt_text=alt_text)
    assert segment(found).elements.depth.max() <= DEEPEST


@given(strategies.batch())
@settings(max_examples=50, deadline=None)
def test_any_pages(pages):
    compare(pages)


@given(markup_strategies.pages())
@settings(max_examples=200, deadline=None)
def test_marks_and_what_is_closed(page):
    ours, wanted = marks(page), by_parser(marks, page)
    assert np.array_equal(ours.at, wanted.at)
    assert ours.at.dtype == wanted.at.dtype
    assert np.array_equal(ours.kind, wanted.kind)
    assert ours.kind.dtype == wanted.kind.dtype
    assert prepared(page) == by_parser(prepared, page)
    is_complete = not by_parser(closed, page)[1] and not wanted.has_break_end
    if core.compiled.pages_to_repair((page,)) == b"\0":
        assert is_complete


@pytest.mark.parametrize(
    "page",
    [
        b"", b"\xef\xbb\xbf", b"\xef\xbb\xbf\xef\xbb\xbfa", b"\xef\xbb\xbf <p>", b"\0", b"<", b"</",
        b"<p", b"<p a='", b"</p", b"</br", b"</br ", b"<title", b"a<!--", b"<!DOCTYPE", b"&", b"&#",
        b"&#x;", b"&#x41", b"&#99999999999999999999;", b"&amp", b"a\r", b"a\r\n\r<p>\r",
        b"<body><head><x-y><body/></x-y>a</body>b</html>c<html lang=x>",
        b"<body/><table><body>a</table>b", b"<body/><html/><table><head>a</table>b",
        b"<a\xc3\xa9 " + b"\xc3\xa9" * 80 + b"=1>x</a\xc3\xa9>",
        b"<" + b"a" * 99 + b"\xc3\xa9b>x</" + b"a" * 99 + b"b>y",
        b"<p class='" + b"x" * 100_000 + b"'>" + b"&lt;" * 10_000,
    ],
)  # fmt: skip
def test_edges(page):
    compare([page, b"<p class=x>between", page], alt_text=True)


@pytest.mark.parametrize(
    "attributes",
    [
        (), ("",), ("class", "class"), ("Class",), ("a b",), ("é",), ("href", "x" * 200),
        ("data-x", *ATTRIBUTES), ("a\ufffd",), (">",), tuple(f"k{i}" for i in range(70)),
    ],
)  # fmt: skip
def test_any_attributes_can_be_asked_for(attributes):
    page = "<p class=1 CLASS=2 data-x=3 é=4 href=5 k3=6 a\0=7>x<hr k69 k0=1><a =x>"
    compare([page.encode(), PAGES[0].read_bytes()], attributes=attributes)


@pytest.mark.parametrize(
    "page", [b"a\xff<p>", b"\xed\xa0\x80", b"\xc0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82"]
)
def test_what_is_no_utf8_is_left_to_the_parser(page):
    assert core.compiled.events((b"a", page), ATTRIBUTES, False, 9) is None
    compare([b"<p class=a>", page])


def test_more_bundles_than_codes(monkeypatch):
    monkeypatch.setattr("victor.page.parsing.events._MAX_BUNDLES", 2)
    compare([b"<p class=a>1<p class=b>2<p class=c>3<p class=a>4<zzz id=d>5", b"<p class=e>"])


def test_all_named_references():
    names = [f"&{name}" for name in html5]
    text = "".join(f"<p>{name} {name.rstrip(';')}x {name}=</p>" for name in names)
    values = "".join(f"<p class='{name}={name}' id={name.rstrip(';')}a>" for name in names)
    compare([text.encode(), values.encode()])


N = 100_000


@pytest.mark.parametrize(
    "page",
    [
        b"<div>" * N + b"</b>" * N, b"<b><div>" + b"<i>" * N + b"</b>" * N,
        b"<foo><div>" + b"<i>" * N + b"</foo>" * N,
        b"<p " + b"a " * N + b">", b"<p " + b" ".join(b"k%d" % i for i in range(N)) + b">",
        b"<" * N, b"<!--" * N, b"<!-- -->" * N, b"&" * N, b"<body>" * N, b"</br>" * N,
        b"".join(b"<x%d>" % i for i in range(N)), b"<script><!--" + b"<script" * N,
        b"<title>" * N, b"<meta content=a>" * N, b"<svg>" * N + b"</svg>" * N,
        b"<table" * N, b"<table><td>" * N, b"<pre><div></pre>" * N, b"<pre><div>" * N,
    ],
)  # fmt: skip
def test_time_is_linear(page):
    before = time.process_time()
    core.compiled.pages_to_repair((page,))
    core.compiled.events((page,), ATTRIBUTES, False, 1000)
    assert time.process_time() - before < 2


@pytest.mark.parametrize(
    ("cell", "is_repaired"),
    [("<td>", True), ("<TH\v", True), ("<td", False), ("<thead>", False), ("<tdx>", False)],
)
def test_a_table_is_repaired_whose_first_tag_is_a_cell(cell, is_repaired):
    page = f"<p>some text<table>\n{cell}".encode()
    assert core.compiled.pages_to_repair((page,)) == bytes([is_repaired])
