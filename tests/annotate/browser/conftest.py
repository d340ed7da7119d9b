"""Fixtures for the front end in a browser: single modules, and the whole tool with a server."""

import re
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlencode

import pytest

ROOT = Path(__file__).parents[3]
FRONT = ROOT / "victor" / "annotate" / "front"
SERVE = "from victor.cli import main; main()"
NOWHERE = "http://victor.test"
"""An address that exists only in the browser: requests to it are answered from FRONT."""
TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html"}


def from_folder(route):
    file = FRONT / route.request.url.removeprefix(f"{NOWHERE}/")
    if file.is_file():
        route.fulfill(body=file.read_text(), content_type=TYPES[file.suffix])
    else:
        route.fulfill(body="<!doctype html><title>empty</title>", content_type="text/html")


@pytest.fixture(scope="module")
def modules(browser):
    """A page on which modules of the front end can be imported: evaluates a function body."""
    page = browser.new_page()
    page.route(f"{NOWHERE}/**", from_folder)
    page.goto(NOWHERE)

    def run(body, argument=None):
        return page.evaluate(
            "async ([body, argument]) => {"
            "  const Body = Object.getPrototypeOf(async () => {}).constructor;"
            "  return new Body('argument', body)(argument);"
            "}",
            [body, argument],
        )

    yield run
    page.close()


@contextmanager
def running(program, arguments, folder):
    """Yields the start address of a server in another process, which is ended afterwards."""
    command = [sys.executable, "-P", "-c", program, *arguments]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=folder)
    try:
        lines = []
        for line in process.stderr:
            lines.append(line)
            if address := re.search(r"http://\S+\?token=\S+", line):
                yield address[0]
                break
        else:
            pytest.fail(f"the server did not start: {''.join(lines)}")
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=120)


@pytest.fixture(scope="session")
def serving():
    """`running`, for tests that start their own server."""
    return running


STORY = """A walk along the old canal
The towpath begins behind the maltings, where the water has been still since the last barge.
It is four miles to the lock, all of them level, and in April there are more herons than walkers.
Take the left bank, because the right one ends in somebody's garden.
After the second bridge a path goes up through the wood to the brickworks.
Its chimney can be seen from everywhere and reached from nowhere.
The lock keeper's house sells tea on Sundays, if the flag is out.
Those who want more can go on to the aqueduct, which leaks in three places.
A bus goes back at ten past four.
Read also: Ten walks for a wet weekend
Subscribe to our newsletter
Contact"""
FIRST, *REST = STORY.splitlines()
SMALL = f"<h1>{FIRST}</h1>{''.join(f'<p>{line}</p>' for line in REST)}"
LARGE = "".join(f"<p>Paragraph {number} of <b>very</b> many</p>" for number in range(3000))
HOSTILE = """
<!doctype html><html><head><title>Hostile</title>
<base href="http://evil.example/" target="_top">
<meta http-equiv="refresh" content="0;url=http://evil.example/refresh">
<link rel="stylesheet" href="http://evil.example/style.css">
<link rel="preload" as="image" href="http://evil.example/preload.png">
<style>@import url(http://evil.example/import.css);
body { background: url(http://evil.example/body.png); }
v-b { display: none !important; background: url(http://evil.example/v.png) !important; }
* { cursor: none !important; user-select: all !important; }</style>
<script>top.hacked = parent.hacked = window.hacked = 1; top.location = "http://evil.example/top";
</script></head>
<body onload="top.hacked = 1" onpointerdown="top.hacked = 1" onkeydown="top.hacked = 1">
<v-b data-v="3">A block by another name</v-b>
<p onclick="top.hacked = 1">The first paragraph</p>
<p><a href="javascript:top.hacked = 1">a link</a>
<a href="http://evil.example/a" ping="http://evil.example/ping">out</a>
<a href="/away" target="_top">away</a> of here</p>
<img src="http://evil.example/i.png" onerror="top.hacked = 1">
<img src="x:y" onerror="top.hacked = 1">
<svg onload="top.hacked = 1"><script>top.hacked = 1</script>
<image href="http://evil.example/s.png"/></svg>
<form action="http://evil.example/form"><input name="q" autofocus onfocus="top.hacked = 1">
<button formaction="javascript:top.hacked = 1">Send the form</button></form>
<iframe src="http://evil.example/frame" srcdoc="<script>top.hacked = 1</script>"></iframe>
<object data="http://evil.example/object"></object><embed src="http://evil.example/embed">
<video src="http://evil.example/v.mp4" poster="http://evil.example/poster.png" autoplay></video>
<p style="background: url('http://evil.example/inline.png')">The last paragraph</p>
<div style="position: fixed; inset: 0; z-index: 2147483647; background: rgba(0, 0, 0, .01)"></div>
</body></html>
"""
LABELLED = ("gorsefield-seven-walks", "slowmile-lamplighter", "smallhours-tram")
"""Annotated pages that are labelled again."""


@pytest.fixture(scope="session")
def site(annotated, tmp_path_factory):
    """One server for all tests, which annotate under different names."""
    from victor.annotate.collect import collect

    folder = tmp_path_factory.mktemp("annotate")
    (folder / "pages").mkdir()
    for page in annotated:
        if page.id in LABELLED:
            (folder / "pages" / f"{page.id}.html").write_bytes(page.html)
    for name, body in (("walk", SMALL), ("large", LARGE)):
        markup = f"<!doctype html><title>A {name} page</title>{body}"
        (folder / "pages" / f"{name}.html").write_text(markup)
    (folder / "pages" / "hostile.html").write_text(HOSTILE)
    store = folder / "store.sqlite"
    ids = {page.file.stem: page.id for page in collect([str(folder / "pages")])}
    arguments = ["annotate", "serve", "--no-open", "pages", "--store", str(store),
                 "--adapt-every", "0"]  # fmt: skip
    with running(SERVE, [*arguments, "--labeler", "dom"], folder) as url:
        yield SimpleNamespace(url=url, store=store, folder=folder, ids=ids, labelled=LABELLED)


@pytest.fixture(scope="session")
def gold():
    """The labels of LABELLED as letters, by id."""
    from victor.annotate.collect import collect

    pages = collect([str(ROOT / "annotations")])
    return {page.id: page.labels for page in pages if page.id in LABELLED}


EXPECTED = ("Blocked script execution", "violates the following Content Security Policy")
"""Messages of Chromium when Playwright inspects elements of the frame without scripts, and when the
styles of a page would load something."""
LETTERS = """() => {
  const letters = [];
  const shown = document.querySelector("#frame iframe").contentDocument;
  for (const element of shown.querySelectorAll("v-b")) {
    letters[Number(element.dataset.v)] = element.dataset.l ?? "o";
  }
  return letters.join("");
}"""


FRAMED = """(kind) => document.querySelector("#frame iframe").contentDocument
  .querySelector("v-frames").shadowRoot.querySelectorAll(`.${kind}`).length"""


class Tool:
    """The tool in one tab, as a person uses it."""

    def __init__(self, page, ids):
        self.page = page
        self.ids = ids
        self.frame = page.frame_locator("#frame iframe")

    def goto(self, url, annotator, page=None):
        values = {"annotator": annotator} | ({"page": self.ids[page]} if page else {})
        self.page.goto(f"{url}#{urlencode(values)}")
        self.wait_for_page(page)

    def wait_for_page(self, page=None):
        """Waits until a page is ready to be labelled."""
        which = f'="{self.ids[page]}"' if page else ""
        self.page.locator(f"#frame[data-page{which}]:not([aria-busy])").wait_for()

    def row(self, page):
        """A page in the list."""
        return self.page.locator(f'#list [data-id="{self.ids[page]}"]')

    def block(self, number):
        return self.frame.locator(f'v-b[data-v="{number}"]').first

    def drag(self, first, last):
        """Presses on a block and moves to another; the button stays down.

        Uses the DevTools protocol: Playwright's mouse hangs on a drag in a frame without scripts.
        """
        self.mouse = self.page.context.new_cdp_session(self.page)
        for kind, block in (("mouseMoved", first), ("mousePressed", first), ("mouseMoved", last)):
            self.send_mouse(kind, block)

    def drop(self, block):
        self.send_mouse("mouseReleased", block)
        self.mouse.detach()

    def send_mouse(self, kind, number):
        """Sends a mouse event at the start of a block."""
        block = self.block(number)
        block.scroll_into_view_if_needed()
        box = block.bounding_box()
        position = {"x": box["x"] + 4, "y": box["y"] + min(8, box["height"] / 2)}
        down = int(kind != "mouseReleased")
        event = {"type": kind, "button": "left", "buttons": down, "clickCount": 1}
        self.mouse.send("Input.dispatchMouseEvent", event | position)

    def keys(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def wait_for_save(self):
        self.page.locator('#saved[data-state="saved"]').wait_for()

    def wait_for_labels(self, letters):
        """Waits until the blocks are coloured by these labels."""
        self.page.wait_for_function(f"(expected) => ({LETTERS})() === expected", arg=letters)

    def wait_for_passage(self, count):
        """Waits until so many blocks are framed as an open passage."""
        self.page.wait_for_function(f"(expected) => ({FRAMED})('passage') === expected", arg=count)

    def labels(self):
        """The labels by which the blocks are coloured, one letter per block."""
        return self.page.evaluate(LETTERS)

    def stored(self, page, annotator, **query):
        """The annotation of a page that the server has, read by the browser."""
        address = f"/api/page/{self.ids[page]}?{urlencode({'annotator': annotator} | query)}"
        return self.page.evaluate("async (address) => (await fetch(address)).json()", address)


@pytest.fixture
def open_tool(browser, site):
    """Opens the tool in new tabs; fails on errors and on requests to other servers."""
    contexts, errors, foreign_requests = [], [], []

    def start(url, annotator="anna", page=None, context=None, ids=site.ids, **options):
        if context is None:
            context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}} | options)
        contexts.append(context)
        tab = context.new_page()
        origin = url.partition("/?")[0]
        tab.on("pageerror", lambda error: errors.append(str(error)))
        tab.on("console", lambda message: any(said in message.text for said in EXPECTED)
               or errors.append(f"{message.text} {message.location}"))  # fmt: skip
        tab.on("request", lambda request: request.url.startswith(origin + "/")
               or foreign_requests.append(request.url))  # fmt: skip
        tab.on("requestfailed", lambda request: request.failure != "csp"
               or request.url not in foreign_requests
               or foreign_requests.remove(request.url))  # fmt: skip
        tool = Tool(tab, ids)
        tool.goto(url, annotator, page)
        return tool

    start.errors = errors
    yield start
    for context in dict.fromkeys(contexts):
        context.close()
    assert not foreign_requests
    assert not errors
