"""Pages as Chromium shows them: marks around the right texts, nothing alive, nothing asked for."""

import pytest

from victor.page.safe_page import policy, safe_page

READ = """markups => markups.map(markup => {
  const page = new DOMParser().parseFromString(markup, "text/html");
  const texts = {};
  let nested = 0;
  for (const mark of page.querySelectorAll("v-b")) {
    nested += mark.childElementCount;
    texts[mark.dataset.v] = (texts[mark.dataset.v] || "") + mark.textContent;
  }
  const alive = page.querySelectorAll(
    "script,noscript,iframe,form,object,embed,svg,math,select,base,template,textarea,frameset");
  return [texts, nested + alive.length];
})"""
HOSTILE = """<!DOCTYPE html><html onmouseover="top.ran = 1"><head>
<base href="{evil}/base/" target="_top">
<meta http-equiv="refresh" content="0; url={evil}/refresh">
<meta http-equiv="Content-Security-Policy" content="default-src *">
<script>top.ran = 1; parent.document.title = "taken"; fetch("{evil}/fetch")</script>
<script src="{evil}/script.js"></script>
<link rel="stylesheet" href="{evil}/sheet.css"><link rel="preload" href="{evil}/pre" as="image">
<link rel="icon" href="{evil}/icon"><link rel="prefetch" href="{evil}/fetched">
<link rel="dns-prefetch" href="{evil}"><link rel="modulepreload" href="{evil}/module">
<style>@import "{evil}/import.css"; body {{ background: url({evil}/body.png) }}
@font-face {{ font-family: f; src: url({evil}/font) }} p {{ font-family: f }}
h1 {{ cursor: url({evil}/c), auto }}
li {{ list-style: u\\72l("{evil}/li") }} div {{ background: image-set("{evil}/set" 1x) }}
p::after {{ content: url("{evil}/after") }} v-b {{ background: url({evil}/mark) !important }}
</style></head>
<body onload="top.ran = 1" background="{evil}/background.png">
<h1 id="head" onclick="top.ran = 1">Heading</h1>
<p><a id="js" href="javascript:top.ran=1">script link</a>
<a id="top" href="{evil}/top" target="_top" ping="{evil}/ping">top link</a>
<a id="blank" href="{evil}/blank" target="_blank">blank link</a></p>
<img src="{evil}/img.png" srcset="{evil}/img2.png 2x" onerror="top.ran = 1">
<img src=x onerror="top.ran = 1"><div style="background: url({evil}/div.png)">division</div>
<iframe src="{evil}/frame"></iframe><iframe srcdoc="<script>top.ran = 1</script>"></iframe>
<object data="{evil}/object"></object><embed src="{evil}/embed">
<video autoplay src="{evil}/video" poster="{evil}/poster"></video><audio src="{evil}/audio"></audio>
<svg onload="top.ran = 1"><image href="{evil}/svg"/><script>top.ran = 1</script>
<use href="{evil}/use#x"/><animate attributeName="href" values="javascript:top.ran=1"/></svg>
<form action="{evil}/form" method="post"><input name="querySelectorAll" autofocus
onfocus="top.ran = 1"><input type="image" src="{evil}/input"><button formaction="{evil}/button"
id="send">Send</button></form><img name="body" src="{evil}/named">
<noscript><img src="{evil}/noscript"><p>without scripts</noscript>
<math><mtext><table><mglyph><style><img src="{evil}/math" onerror="top.ran = 1"></style></table>
</math>
<template><img src="{evil}/template"></template><marquee onstart="top.ran = 1">moving</marquee>
<details open ontoggle="top.ran = 1"><summary>sum</summary>details</details>
<p>last paragraph</p>{many}</body></html>"""
PARENT = b"""<!DOCTYPE html><title>tool</title><button id=b>0</button>
<iframe id=f src=/page sandbox=allow-same-origin width=900 height=600></iframe>
<script>b.onclick = () => { b.textContent = Number(b.textContent) + 1; };
f.onload = () => f.contentDocument.addEventListener("click", event => {
  const mark = event.target.closest("v-b");
  if (mark) document.title = "clicked " + mark.dataset.v;
});</script>"""
WAYS = ("h1", "#js", "#top", "#blank", "v-button", "summary")
HTML = {"Content-Type": "text/html; charset=utf-8"}


@pytest.fixture(scope="module")
def reader(browser):
    """An empty page whose parser reads others."""
    page = browser.new_page()
    yield page
    page.close()


def check_marks(reader, plain, pages):
    shown = [safe_page(page, "") for page in pages]
    found = reader.evaluate(READ, [one.markup for one in shown])
    for one, (texts, wrong) in zip(shown, found, strict=True):
        by_number = {int(number): plain(text) for number, text in texts.items()}
        assert by_number == dict(enumerate(map(plain, one.texts))), one.markup
        assert not wrong, one.markup


def test_chromium_finds_every_block_of_our_own_pages(reader, plain, own_pages):
    check_marks(reader, plain, [path.read_bytes() for path in own_pages])


def test_chromium_finds_every_block_of_soup(reader, plain, soup):
    check_marks(reader, plain, [soup(seed) for seed in range(600)])


@pytest.fixture
def evil(serve):
    with serve({}) as (address, asked):
        yield address, asked


@pytest.mark.parametrize(
    "many", ["", "<div>" * 2_000 + "<p>x" * 10_000], ids=["small", "oversized"]
)
def test_nothing_runs_and_nothing_is_asked_for(browser, serve, evil, many):
    address, beacons = evil
    shown = safe_page(HOSTILE.format(evil=address, many=many).encode(), "/asset")
    headers = HTML | {"Content-Security-Policy": policy()}
    routes = {"/": (200, HTML, PARENT), "/page": (200, headers, shown.markup.encode())}
    context = browser.new_context()
    with serve(routes) as (own, asked):
        page = context.new_page()
        page.goto(own)
        frame = page.frame_locator("#f")
        frame.locator("v-b", has_text="last paragraph").wait_for()
        for way in WAYS:
            frame.locator(way).first.click()
        frame.locator("h1 v-b").click()
        page.click("#b")
        page.wait_for_timeout(300)
        assert page.title() == "clicked 0"
        assert page.locator("#b").inner_text() == "1"
        assert page.evaluate("window.ran") is None
        assert page.url == f"{own}/"
        assert len(context.pages) == 1
        marks = "f.contentDocument.querySelectorAll('v-b[data-v]').length"
        assert page.evaluate(marks) >= shown.n_blocks
        context.close()
    assert not beacons
    assert set(asked) <= {"/", "/page", "/favicon.ico", "/asset/x"}


@pytest.mark.slow
def test_the_page_as_it_was_asks_for_much(browser, serve, evil):
    address, beacons = evil
    page = HOSTILE.format(evil=address, many="").encode()
    context = browser.new_context()
    with serve({"/": (200, HTML, PARENT), "/page": (200, HTML, page)}) as (own, _):
        opened = context.new_page()
        opened.goto(own)
        opened.wait_for_timeout(500)
        context.close()
    assert {"/sheet.css", "/body.png", "/img2.png", "/frame"} & set(beacons)


def test_files_beside_the_page_are_shown(browser, serve):
    page = (
        b"<link rel=stylesheet href=f/a.css><style>@import 'c.css';body{background:url(g.gif)}"
        b"</style><p style='background:url(h.gif)'>text<img src=b.gif>"
    )
    css = {"Content-Type": "text/css"}
    gif = b"GIF89a\1\0\1\0\x80\0\0\xff\0\0\0\0\0!\xf9\4\0\0\0\0\0,\0\0\0\0\1\0\1\0\0\2\2D\1\0;"
    routes = {
        "/": (200, HTML, PARENT),
        "/page": (
            200,
            HTML | {"Content-Security-Policy": policy()},
            safe_page(page, "/as").markup.encode(),
        ),
        "/as/f/a.css": (200, css, b"p{color:rgb(1, 2, 3)}i,p{border-image:url(../i.gif)}"),
        "/as/c.css": (200, css, b"p{font-size:11px}"),
        "/as/b.gif": (200, {"Content-Type": "image/gif"}, gif),
    }
    context = browser.new_context()
    with serve(routes) as (own, asked):
        opened = context.new_page()
        opened.goto(own, wait_until="networkidle")
        paragraph = opened.frame_locator("#f").locator("p")
        assert paragraph.evaluate("p => getComputedStyle(p).color") == "rgb(1, 2, 3)"
        assert paragraph.evaluate("p => getComputedStyle(p).fontSize") == "11px"
        assert {"/as/g.gif", "/as/h.gif", "/as/i.gif"} <= set(asked)
        assert paragraph.locator("img").evaluate("image => image.naturalWidth") == 1
        context.close()
