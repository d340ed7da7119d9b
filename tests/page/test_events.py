"""What the parser's events become: text, tags, bundles of attributes, and the head of a page."""

import re

import numpy as np
import pytest

from victor.page.markup.full_record import record_full
from victor.page.parsing.events import ATTRIBUTES, LENGTH, AltText, record
from victor.page.parsing.tags import DROPPED, VOID


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<p>one<p>two", "<p>one</p><p>two</p>"),
        ("a<b>b<i>c</b>d</i>e", "a<b>b<i>c</i></b>de"),
        ("a<br>b<br/>c", "a<br>\nb<br>\nc"),
        ("a</br>b</BR >c", "a<br>\nb<br>\nc"),
        ("a<hr>b<img src=x>c<input>d<wbr>e", "a<hr>b<img>c<input>d<wbr>e"),
        ("<ul><li>a<li>b</ul>", "<ul><li>a</li><li>b</li></ul>"),
        ("a<!-- b -->c<!x>d", "acd"),
        ("a &amp; b&nbsp;c&#65;&hellip;", "a & b\xa0cA…"),
        ("<zzz>a</zzz>", "<#unknown>a</#unknown>"),
        ("<my-tag>a</my-tag>", "<#custom>a</#custom>"),
        ("a</div>b", "ab"),
        ("a<embed src=x>b<wbr>c<source>d", "a<embed>b<wbr>c<source>d"),
        ("<p>a<embed src=x class=y>b</p>c", "<p>a<embed y>b</p>c"),
        ("a < b <3 &", "a < b <3 &"),
        ("<plaintext>a<b>c", "<#unknown>a<b>c</#unknown>"),
        ("<DIV>a</DIV>", "<div>a</div>"),
        ("<div><p>a</div>b", "<div><p>a</p></div>b"),
    ],
)
def test_tags_and_text(body, page, expected):
    assert body(page) == expected


@pytest.mark.parametrize("name", sorted(DROPPED - {"param"}))
def test_dropped_elements_vanish_with_their_content(streams, name):
    (stream,) = streams(f"<div>a<{name}>b<p>c</p></{name}>d</div>")
    assert stream == "<html><body><div>ad</div></body></html>"


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("a<applet>b<applet>c</applet>d</applet>e", "ae"),
        ("a<applet>b<video>c</applet>d</video>e", "ade"),
        ("a<applet><param name=x><embed src=y>b</applet>c", "ac"),
        ("a<svg><g><text>b</text></g><style>c</style></svg>d", "ad"),
        ("a<script>b<p>c", "a"),
        ("a<applet><p>b", "a"),
        ("<b>a<applet>b</b>c</applet>d", "<b>a</b>cd"),
        ("a<script>1 < 2</script>b<style>p > i {}</style>c", "abc"),
        ("a</script></applet></svg>b", "ab"),
        ("a<applet><img class=x><div class=y>b</div><br></applet>c", "ac"),
    ],
)
def test_dropped_elements_nested_and_unclosed(body, page, expected):
    assert body(page) == expected


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("a<object data=x><param>b<object>c</object></object>d", "a<div>b<div>c</div></div>d"),
        ("<p>a<object><embed>b</p>c", "<p>a<div><embed>b</div></p>c"),
        ("<svg><object class=x>a</object></svg>b", "b"),
    ],
)
def test_what_stands_in_place_of_a_plug_in_is_shown(body, page, expected):
    assert body(page) == expected


@pytest.mark.parametrize(
    "attribute", ["shadowrootmode=open", "SHADOWROOTMODE=closed", "shadowroot"]
)
def test_a_declared_shadow_root_is_shown(body, attribute):
    page = f"<p>a<template>b<template {attribute}>c</template></template>d</p>"
    assert body(page) == "<p>ad</p>", "inside of what is not shown"
    root = f"<template {attribute}>c<template>d</template><b>e</b></template>"
    assert body(f"<div>{root}f</div>") == "<div><#custom>c<b>e</b></#custom>f</div>"


def test_code_that_a_style_sheet_sets_as_preformatted(body):
    page = "<code class='a block'>b<code>c</code></code><pre><code class=block>d</code></pre>"
    assert body(page) == (
        "<listing a block>b<code>c</code></listing><pre><code block>d</code></pre>"
    )
    table = "<svg><code class=block></svg><table class=hljs-ln><tr><td>a</table>"
    assert body(table) == "<listing hljs-ln><tr><td>a</td></tr></listing>"


def test_dropped_elements_in_the_head(streams):
    page = "<head><title>T</title><script>s</script><style>s</style><base href=x></head><p>a"
    assert streams(page) == ["<html><head><base></head><body><p>a</p></body></html>"]


def test_frames(streams):
    page = "<frameset cols=1><frame src=a><frame src=b><noframes>no frames</noframes></frameset>"
    (stream,) = streams(page)
    assert "no frames" not in stream
    assert stream.count("<frame>") == 2


class TestAttributes:
    def test_only_those_of_interest_make_a_bundle(self, body):
        assert body("<p align=left>a</p><p class='x y' id=z title=t>b</p>") == (
            "<p>a</p><p x y z>b</p>"
        )

    def test_a_bundle_has_all_values_in_order(self):
        page = "".join(f' {name}="v-{name}"' for name in ATTRIBUTES)
        events = record([f"<p{page}>a".encode(), b"<p hidden>b", b"<p class=''>c"])
        empty = (None,) * len(ATTRIBUTES)
        hidden, unnamed = list(empty), list(empty)
        hidden[ATTRIBUTES.index("hidden")] = ""
        unnamed[ATTRIBUTES.index("class")] = ""
        assert events.bundles == (
            tuple(f"v-{name}" for name in ATTRIBUTES),
            tuple(hidden),
            tuple(unnamed),
        )

    def test_equal_attributes_share_a_bundle(self):
        page = b"<p class=a>x<p class=b>y<div class=a>z"
        assert len(record([page, page]).bundles) == 2

    def test_the_first_one_alone_is_in_the_same_bundle_in_common_and_in_rare_elements(self):
        pages = [b"<p class=a>1", b"<zzz class=a>2</zzz><p class=a id=b>3<p id=c>4<p class=a>5"]
        absent = (None,) * (len(ATTRIBUTES) - 2)
        assert record(pages).bundles == (
            ("a", None, *absent),
            ("a", "b", *absent),
            (None, "c", *absent),
        )

    def test_those_inside_dropped_elements_are_not_kept(self):
        page = b"<svg class=a><zzz class=b><br></zzz></svg><p class=c>x"
        assert [bundle[0] for bundle in record([page]).bundles] == ["c"]

    def test_there_may_be_none_of_interest(self, body):
        assert body("<p class=a>b", attributes=()) == "<p>b</p>"

    def test_of_elements_off_the_beaten_track(self, body):
        page = "<zzz class=a>1</zzz><x-y id=b>2</x-y><hr class=c>3<input id=d>4"
        assert body(page) == "<#unknown a>1</#unknown><#custom b>2</#custom><hr c>3<input d>4"

    def test_of_html_and_body(self, streams):
        (stream,) = streams("<html class=a lang=cs><body id=b>x</body></html>")
        assert stream == "<html a><body b>x</body></html>"

    def test_the_attributes_can_be_chosen(self, body):
        assert body("<p class=a data-x=b>c", attributes=("data-x",)) == "<p b>c</p>"

    def test_entities_and_odd_names(self, body):
        page = """<p <div class="a&amp;&#xD800;b" class=second CLASS=third id='"'>c"""
        assert body(page) == '<p a&\ufffdb ">c</p>'


def test_the_length_of_all_attributes():
    page = "<p class='a&amp;b' ID=ž hidden>x<p>y<img src=z alt><b 🐝=&hellip;>".encode()
    wanted = tuple(
        (each.get("id"), str(sum(len(name) + len(value) + 4 for name, value in each.items())))
        for each in record_full(page).attributes
        if each
    )
    assert len(wanted) == 3
    assert record([page], attributes=("id", LENGTH)).bundles == wanted


@pytest.mark.parametrize(
    "character", ["\U00010000", "\U00010001", "\U0001ffff", "\ue000", "\uf8ff", "\U0010ffff"]
)
def test_no_character_is_taken_for_a_bundle(body, character):
    page = f"<p class=a>{character}</p><p>{character}</p><hr>{character}<b id=c>{character}</b>"
    expected = page.replace("class=", "").replace("id=", "")
    assert body(page) == expected
    assert body(f"<p>&#{ord(character)};</p>") == f"<p>{character}</p>"


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (b"a\0b&#0;c", "a�b�c"),
        (b"a\xffb\xed\xa0\x80c", "a�b���c"),
        (b"&#xD800;&#xDFFF;&#x110000;", "���"),
        (b"a\x01b\x7fc", "a\x01b\x7fc"),
    ],
)
def test_bytes_and_references_that_are_no_characters(body, page, expected):
    assert body(page) == expected


@pytest.mark.parametrize("page", [b"", b" \n ", b"<!-- c -->", b"<!doctype html>", b"<", b"</p>"])
def test_pages_without_content(page):
    events = record([page])
    text = [code for code in events.codes.tolist() if not 0xD800 <= code < 0xE000]
    assert "".join(map(chr, text)).strip() in ("", "<")
    assert events.heads[0].title == ""


def test_no_page_at_all():
    events = record([])
    assert len(events.codes) == 0
    assert events.page_starts.tolist() == [0]
    assert events.heads == ()


def test_a_batch_is_its_pages_one_after_the_other(streams):
    pages = ["<p class=a>1", "", "<p class=b>2<p class=a>3", "text", "\0", "<p class=b>4"]
    alone = [stream for page in pages for stream in streams(page)]
    assert streams(*pages) == alone


def test_codes_and_starts():
    events = record([b"a", b"<p class=x>b"])
    assert events.codes.dtype == np.uint32
    assert events.page_starts.dtype == np.int64
    assert events.page_starts[-1] == len(events.codes)


class TestAlternativeText:
    def test_is_text_inside_the_image(self, body):
        assert body("a<img alt='b &amp; c'>d", alt_text=True) == "a<img>b & c</img>d"

    @pytest.mark.parametrize("image", ["<img>", "<img alt>", "<img alt=''>", "<img src=x>"])
    def test_an_image_without_is_empty(self, body, image):
        assert body(f"a{image}b", alt_text=True) == "a<img></img>b"

    def test_is_not_read_unless_wanted(self, body):
        assert body("a<img alt=b>c") == "a<img>c"

    def test_of_a_dropped_image_vanishes(self, body):
        assert body("a<applet><img alt=b></applet>c", alt_text=True) == "ac"

    @pytest.mark.parametrize(
        ("alt_text", "expected"),
        [
            (AltText.NONE, "<img 1>|<a><img 2></a>|<a><img 3></a>|<img 4>"),
            (AltText.ELSEWHERE, "<img>1</img>|<a><img></img></a>|<a><img>3</img></a>|<img>4</img>"),
            (AltText.IN_LINKS, "<img></img>|<a><img>2</img></a>|<a><img></img></a>|<img></img>"),
            (AltText.ALL, "<img>1</img>|<a><img>2</img></a>|<a><img>3</img></a>|<img>4</img>"),
            (
                AltText.ELSEWHERE | AltText.BUNDLED,
                "<img 1>1</img>|<a><img 2></img></a>|<a><img 3>3</img></a>|<img 4>4</img>",
            ),
            (
                AltText.BUNDLED,
                "<img 1></img>|<a><img 2></img></a>|<a><img 3></img></a>|<img 4></img>",
            ),
        ],
    )
    def test_may_be_of_images_inside_or_outside_of_links(self, body, alt_text, expected):
        page = "<img alt=1>|<a href=x><img alt=2></a>|<a name=x><img alt=3></a>|<img alt=4>"
        assert body(page, alt_text=alt_text, attributes=("alt",)) == expected


def head(page):
    return record([page.encode()]).heads[0]


class TestHead:
    @pytest.mark.parametrize(
        ("page", "title"),
        [
            ("<title> A\n &amp;  b </title>", "A & b"),
            ("<title>a</title><title>b</title>", "a"),
            ("<title> </title><title>b</title>", "b"),
            ("<title>a <b>c</b></title>", "a <b>c</b>"),
            ("<body><p>x<title>late</title>", "late"),
            ("<svg><title>drawing</title></svg>", ""),
            ("<svg><title>drawing</title></svg><title>page</title>", "page"),
            ("<applet><title>a</title></applet>", ""),
            ("<title>never ends", "never ends"),
            ("<p>no title", ""),
        ],
    )
    def test_title(self, page, title):
        assert head(page).title == title

    @pytest.mark.parametrize(
        ("markup", "meta"),
        [
            ("<meta name=Author content='A B'>", {"author": "A B"}),
            ("<meta property='og:title' content=t name=n>", {"og:title": "t"}),
            ("<meta itemprop=name content=c>", {"name": "c"}),
            ("<meta http-equiv=Refresh content='0; url=x'>", {"refresh": "0; url=x"}),
            ("<meta name=a content=1><meta name=A content=2>", {"a": "1"}),
            ("<meta name='' property=p content=1>", {"p": "1"}),
            ("<meta name=a><meta content=b><meta charset=utf-8>", {}),
            ("<meta name=a content=''>", {"a": ""}),
            ("<p>in the body<meta name=a content=1>", {"a": "1"}),
            ("<template><meta name=a content=1></template>", {}),
        ],
    )
    def test_meta(self, markup, meta):
        assert head(markup).meta == meta

    @pytest.mark.parametrize(
        ("page", "language"),
        [
            ("<html lang=cs><p lang=en>a", "cs"),
            ("<html xml:lang=de>", "de"),
            ("<html lang='' xml:lang=de>", "de"),
            ("<p lang=en>a", None),
            ("<html>", None),
        ],
    )
    def test_language(self, page, language):
        assert head(page).language == language

    @pytest.mark.parametrize(
        ("markup", "canonical"),
        [
            ("<link rel=canonical href=a><link rel=canonical href=b>", "a"),
            ("<link rel='Canonical shortlink' href=a>", "a"),
            ("<link rel=canonical><link rel=canonical href=b>", "b"),
            ("<link rel=alternate href=a><link href=b>", None),
            ("<template><link rel=canonical href=a></template>", None),
        ],
    )
    def test_canonical(self, markup, canonical):
        assert head(markup).canonical == canonical

    def test_each_page_has_its_own(self):
        pages = [b"<title>a</title>", b"", b"<title>c</title>"]
        assert [one.title for one in record(pages).heads] == ["a", "", "c"]


def test_more_bundles_than_codes_are_left_out(monkeypatch, body):
    monkeypatch.setattr("victor.page.parsing.events.MOST_BUNDLES", 2)
    page = "<p class=a>1<p class=b>2<p class=c>3<p class=a>4<zzz class=d>5"
    assert body(page) == "<p a>1</p><p b>2</p><p>3</p><p a>4<#unknown>5</#unknown></p>"


def test_nothing_is_lost_after_the_end(streams):
    (stream,) = streams("<html><body>a</body></html>b<p>c</html>d<html><body><p>e")
    assert re.sub("<.*?>", "", stream) == "abcde"


def test_void_elements_have_no_end(streams):
    page = "".join(f"<{name} class=x>" for name in sorted(VOID - DROPPED - {"frame"}))
    (stream,) = streams(page)
    assert not [name for name in VOID if f"</{name}>" in stream]
