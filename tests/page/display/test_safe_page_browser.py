"""Pages as Chromium shows them: marks around the right texts, nothing alive, nothing asked for."""

import pytest

from tests.rows import tables
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
ROWS = tables(__file__)
PARENT, HOSTILE = ROWS["parent"].encode(), ROWS["hostile"]
WAYS = ("h1", "#js", "#top", "#blank", "v-button", "summary")
HTML = {"Content-Type": "text/html; charset=utf-8"}
SAFE = HTML | {"Content-Security-Policy": policy()}


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
    shown = safe_page(HOSTILE.replace("EVIL", address).replace("MANY", many).encode(), "/asset")
    routes = {"/": (200, HTML, PARENT), "/page": (200, SAFE, shown.markup.encode())}
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
    page = HOSTILE.replace("EVIL", address).encode()
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
        "/page": (200, SAFE, safe_page(page, "/as").markup.encode()),
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
