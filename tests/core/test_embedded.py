"""The search of embedded content sees the same page by the compiled core."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import markup, page
from victor.base import core
from victor.page.decoding.decode import utf8
from victor.page.markup.embedded import _Page, recovered
from victor.page.parsing.events import parse, prepared
from victor.page.table.nearly_empty import THIN

pytestmark = pytest.mark.skipif(core.compiled is None, reason="there is no compiled core")

ROOT = Path(__file__).parents[2]
PAGES = sorted(ROOT.glob("annotations/pages/*.html"))
PROSE = "The mill by the river was told of by those who had been there for years. " * 18
HEADS = (
    *(
        "<html lang=cs>",
        "<HTML LANG='en' class=&lt;>",
        "<title>Bees &amp; mills</title>",
        "<title>",
    ),
    *("<meta name=a content='x&quot;y' B=c b=d>", "<link rel=CANONICAL href=/x?a=1&copy=2>"),
    *("<meta charset>", "<base href=x>", "</title>", "<svg><title>in</title></svg>"),
)
DATA = (
    f'<script type="application/ld+json">{{"articleBody": "{PROSE}"}}</script>',
    f"<script>var a = [{{'text': '{PROSE}'}}]; </scrip</script>",
    f"<script type=text/template><p>{PROSE}</script>",
    f"<SCRIPT TYPE=module>x = `{PROSE}`\r\n\0&amp;",
    f'<div data-x=\'{{"text": "{PROSE}"}}\' hidden=1>',
    f"<custom-a data-y=\"&#123;'text': '&lt;p>{PROSE}'}}\">",
    f"<x DATA-Z='[&quot;{PROSE}&quot;]' data-z='[x]'>",
    "<script></script>",
    "<script type=text/javascript>document.write('<script>1<' + '/script>')</script>",
)


def pages():
    """Pages with heads, scripts and data in attributes."""
    parts = st.one_of(st.sampled_from(HEADS), st.sampled_from(DATA), markup())
    return st.lists(parts, max_size=8).map(lambda some: "".join(some).encode())


def seen(markup):
    """What is read of a page by the compiled core and by the parser."""
    compiled, python = _Page(), _Page()
    compiled.read_events(core.compiled.embedded_events(prepared(markup)[0], THIN))
    parse(markup, python)
    return [
        ({name: found for name, (found, _) in page.texts.items()}, page.written([]))
        for page in (compiled, python)
    ]


@settings(max_examples=60)
@given(st.one_of(pages(), page()))
def test_random_pages(markup):
    compiled, python = seen(markup)
    assert compiled == python


def test_annotated_pages(monkeypatch):
    markups = [utf8(path.read_bytes()) for path in PAGES[::4]]
    for each in markups:
        compiled, python = seen(each)
        assert compiled == python
    compiled = [recovered(markup) for markup in (*markups, *(data.encode() for data in DATA))]
    monkeypatch.setattr(core, "compiled", None)
    assert compiled == [recovered(m) for m in (*markups, *(data.encode() for data in DATA))]
    sources = [content.source for content in compiled if content is not None]
    assert sources == ["json-ld", "script", "json", "json"]


@pytest.mark.parametrize(
    ("bad", "least", "error"),
    [
        (b"<p>", 0, ValueError),
        ("<p>", 1, TypeError),
        (b"", None, TypeError),
    ],
)
def test_what_is_refused(bad, least, error):
    with pytest.raises(error):
        core.compiled.embedded_events(bad, least)


def test_what_is_not_utf8_is_left_to_the_parser():
    assert core.compiled.embedded_events(b"<script>\xff", 1) is None
    assert recovered(DATA[0].encode() + b"\xff") is not None
