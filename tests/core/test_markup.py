"""Markup as columns by the compiled core equals that of the Python path."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import page as pages_of_markup

from victor.base import core
from victor.page.markup.elements import MarkupElements
from victor.page.markup.full_record import record_full
from victor.page.markup.start_tags import StartTags, start_tags
from victor.page.parsing.events import record
from victor.page.table.segment import segment

pytestmark = pytest.mark.skipif(core.compiled is None, reason="no compiled core")

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    [*ROOT.glob("annotations/pages/*.html"), *ROOT.glob("tests/golden/*/page.html")],
    key=lambda path: path.parts,
)
NAME = "x" * 98 + "é\0ž\U00010000y"
SPECIMENS = [
    page.encode()
    for page in (
        "",
        " \n",
        "text &amp; more\r\n text \0 <b>bold</i> not",
        "<P CLASS=a class=b Class=c x\0y=1 Ä=2 a\"b='3' =q==4 alt>t",
        f"<{NAME} {NAME}=1 {NAME}z=2>a</{NAME}>b",
        "<a " + " ".join(f"n{i % 40}={i} N{i % 7}" for i in range(200)) + ">many</a>",
        "<!DOCTYPE html PUBLIC '-//W3C//DTD' \"http://x\"><!doctype a public'x''y>q",
        "<!doctype a system 'x\"\r\n\0y'>q<!doctypehtml>r<!doctype Ä\0b public x>s",
        "<!doctype>a<!--b\r\n\0-->c<!-->d<?php e ?>f<!g>",
        "<svg><title>a</title><p>b</svg>c<script type='math/tex; mode=display'>x<y</script>d",
        "<script type='&#109;ATH/tex'>x</script><script TYPE=text>y</script>z",
        "<p>a<embed>b</p>c<wbr>d<source>e<plaintext>f<b>&amp;",
        "<p>a<plaintext></p>b",
        "<plaintext>",
        "<object id=a>b<template ID=c ShadowRootMode=open>d<template>e</template>f</template>",
        "<xmp>\u00a0\r a &amp; </xmp>\u3000\u2003b&nbsp;c \u1680",
        "<meta charset=latin1><meta content='a; CHARSET = b;charset=c\"; charset=;charset'>",
        "<param name=a><applet><param></applet><img alt='q&quot;<r>\u00a0\rs' src=a&b>t",
        "<p>&#32;&#9;<i>&#32;x</i><b>\u00a0</b><!-- -->y<u> z</u>",
        "<title>t</title><body><p id=a ID=b href=' c '>d<a href=''>e</a>",
        "<pre>a\n<br>b</pre><img><img alt=x><p>c",
    )
]


def pure(make):
    """What the Python path makes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(core, "compiled", None)
        return make()


def cut(pages, *, alt_text):
    return segment(record(pages, alt_text=alt_text), "block")


def pairs(mappings):
    return [[*attributes.items()] for attributes in mappings]


def check_record(page, *, alt_text):
    def make():
        return record_full(page, alt_text=alt_text)

    wanted, got = pure(make), make()
    assert [*got.texts] == [*wanted.texts]
    assert pairs(got.attributes) == pairs(wanted.attributes)
    for name in ("kind", "tag", "dropped"):
        ours, theirs = getattr(got, name), getattr(wanted, name)
        assert ours.dtype == theirs.dtype
        assert ours.tolist() == theirs.tolist()
    assert (got.n_tags, got.alt_text) == (wanted.n_tags, wanted.alt_text)


def check_elements(page, *, alt_text):
    table = pure(lambda: cut([page], alt_text=alt_text))
    wanted, got = (
        make(lambda: MarkupElements.of_page(table, 0, page)) for make in (pure, lambda made: made())
    )
    assert got.names == wanted.names
    for name in ("start", "end", "parent", "last", "dropped", "of_table"):
        assert getattr(got, name).tolist() == getattr(wanted, name).tolist(), name
    assert [*got.valued("id")] == [*wanted.valued("id")]


def check(page, *, alt_text):
    check_record(page, alt_text=alt_text)
    check_elements(page, alt_text=alt_text)
    assert pairs(start_tags(page)) == pairs(pure(lambda: start_tags(page)))


@pytest.mark.parametrize(
    ("name", "part"), [("href", ""), ("href", "#"), ("href", "##"), ("hre", ""), ("class", "é b")]
)
def test_values_of_one_attribute(name, part):
    page = "<a href=#>a</a><a href>b<p class='é b'><a href='x##' id=#>c<A HREF=y#z HREF=w>d"
    table = pure(lambda: cut([page.encode()], alt_text=False))
    got, wanted = (
        make(lambda: StartTags(table, start_tags(page.encode())).valued(name, part))
        for make in (lambda made: made(), pure)
    )
    assert got == wanted
    assert bool(got) == (name != "hre")


@pytest.mark.parametrize(
    ("markup", "may_have"),
    [("<p>a", False), ("<IFRAME></IFRAME>", True), ("<video></video>", True), ("<object>", False)],
)
def test_pages_with_frames_and_media_may_have_players(markup, may_have):
    page = markup.encode()
    assert StartTags(cut([page], alt_text=False), start_tags(page)).may_have_players == may_have


@pytest.mark.parametrize("alt_text", [False, True])
def test_specimens(alt_text):
    for page in SPECIMENS:
        check(page, alt_text=alt_text)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_our_pages(path):
    check(path.read_bytes(), alt_text=len(path.name) % 3 == 0)


PIECES = st.sampled_from(
    (
        *("<p>", "</p>", "<b class=x>", "</b>", "<div id=&#97;>", "</div>", "<img alt='&lt; q'>"),
        *("<br>", "</br>", "<embed>", "<script>", "</script>", "<script type=math/tex>", "<xmp>"),
        *("</xmp>", "<svg>", "</svg>", "<!-- c -->", "<!doctype a>", "<plaintext>", "<param>"),
        *("<meta content='x;charset=y'>", "<title>", "</title>", "<x-y A=1 a=2>", "</x-y>"),
        *(" ", "\n", "a", "&nbsp;", "&#13;", "&amp;", "\u2003", "b c", "<", "&", '"'),
    )
)


@given(st.lists(PIECES, max_size=20), st.booleans())
def test_soup(pieces, alt_text):
    check("".join(pieces).encode(), alt_text=alt_text)


@given(pages_of_markup(), st.booleans())
def test_random_pages(page, alt_text):
    check(page, alt_text=alt_text)


def test_attributes_and_texts_are_sequences():
    page = b"<p class=a id=b>c<br><b>d</b>"
    full, wanted = record_full(page), pure(lambda: record_full(page))
    rows = range(-len(wanted.texts), len(wanted.texts))
    assert [full.texts[row] for row in rows] == [wanted.texts[row] for row in rows]
    assert full.texts[1:4] == wanted.texts[1:4]
    assert [full.attributes[row] for row in rows] == [wanted.attributes[row] for row in rows]
    assert full.attributes[::-2] == wanted.attributes[::-2]
    for sequence in (full.texts, full.attributes):
        with pytest.raises(IndexError):
            sequence[len(sequence)]


def test_a_hundred_thousand_attributes():
    names = " ".join(f"n{number % 50_000}={number}" for number in range(100_000))
    full = record_full(f"<p {names}>".encode())
    values = full.attributes[2]
    assert len(values) == 50_000
    assert all(value == name[1:] for name, value in values.items())


@pytest.mark.parametrize("page", [b"<p>\xff", b"\xed\xa0\x80", b"\xc0\x80", b"<p>\xe2\x82"])
def test_what_is_no_utf8_is_left_to_the_parser(page):
    is_void = np.zeros(128, dtype=bool)
    assert core.compiled.markup_record(page, is_void, False, False) is None
    check(page, alt_text=False)


WORDS = (b"abcd", b"bcda-e", b"dabc", b"aaab")


@given(st.text("abcdABCD-e\u0130", max_size=40))
def test_words_are_found_in_any_case(text):
    wanted = any(word in text.encode().lower() for word in WORDS)
    assert core.compiled.markup_mentions(text.encode(), WORDS) is wanted


@given(st.sampled_from(WORDS), st.integers(0, 40), st.integers(0, 40))
def test_words_are_found_anywhere(word, before, after):
    assert core.compiled.markup_mentions(b"a" * before + word.upper() + b"b" * after, WORDS)
