"""Fixtures for the front end in a browser: single modules, and the whole tool with a server."""

from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlencode

import pytest
from annotate.conftest import running

ROOT = Path(__file__).parents[3]
FRONT = ROOT / "victor" / "annotate" / "front"
PAGES = Path(__file__).with_name("pages")
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


FIRST, *REST = (PAGES / "walk.txt").read_text().splitlines()
SMALL = f"<h1>{FIRST}</h1>{''.join(f'<p>{line}</p>' for line in REST)}"
ROWS = "<tr><td>Monday<td>9 to 5<tr><td>Tuesday<td>-"
LISTS = f"<p>Open:<table>{ROWS}</table><ul><li>by bus<li>on foot<ul><li>slowly</ul></ul><p>Contact"
LARGE = "".join(f"<p>Paragraph {number} of <b>very</b> many</p>" for number in range(3000))
HOSTILE = (PAGES / "hostile.html").read_text()
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
    for name, body in (("walk", SMALL), ("large", LARGE), ("lists", LISTS)):
        markup = f"<!doctype html><title>A {name} page</title>{body}"
        (folder / "pages" / f"{name}.html").write_text(markup)
    (folder / "pages" / "hostile.html").write_text(HOSTILE)
    store = folder / "store.sqlite"
    ids = {page.file.stem: page.id for page in collect([str(folder / "pages")])}
    arguments = ["pages", "--store", str(store), "--adapt-every", "0", "--labeler", "dom"]
    with running(arguments, folder) as (url, _):
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
LETTERS = """(kind) => {
  const letters = [];
  const shown = document.querySelector("#frame iframe").contentDocument;
  for (const element of shown.querySelectorAll("v-b")) {
    letters[Number(element.dataset.v)] = element.dataset[kind] ?? "o";
  }
  return letters.join("");
}"""
"""A letter a block: of its label (l), or of its suggestion (s)."""
FRAMED = """(kind) => document.querySelector("#frame iframe").contentDocument
  .querySelector("v-frames").shadowRoot.querySelectorAll(`.${kind}`).length"""


class Tool:
    """The tool in one tab, as a person uses it."""

    def __init__(self, page, ids, annotator):
        self.page, self.ids, self.annotator = page, ids, annotator
        self.frame = page.frame_locator("#frame iframe")

    def goto(self, url, page=None):
        values = {"annotator": self.annotator} | ({"page": self.ids[page]} if page else {})
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
        """Presses on a block, moves to another and lets go.

        Uses the DevTools protocol: Playwright's mouse hangs on a drag in a frame without scripts.
        """
        mouse = self.page.context.new_cdp_session(self.page)
        for kind, number in (("mouseMoved", first), ("mousePressed", first), ("mouseMoved", last),
                             ("mouseReleased", last)):  # fmt: skip
            block = self.block(number)
            block.scroll_into_view_if_needed()
            box = block.bounding_box()
            down = int(kind != "mouseReleased")
            event = {"type": kind, "button": "left", "buttons": down, "clickCount": 1,
                     "x": box["x"] + 4, "y": box["y"] + min(8, box["height"] / 2)}  # fmt: skip
            mouse.send("Input.dispatchMouseEvent", event)
        mouse.detach()

    def keys(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def wait_for_save(self):
        self.page.locator('#saved[data-state="saved"]').wait_for()

    def wait_for_labels(self, letters):
        """Waits until the blocks are coloured by these labels."""
        self.page.wait_for_function(f"(expected) => ({LETTERS})('l') === expected", arg=letters)

    def wait_for_passage(self, count):
        """Waits until so many blocks are framed as an open passage."""
        self.page.wait_for_function(f"(expected) => ({FRAMED})('passage') === expected", arg=count)

    def labels(self):
        """The labels by which the blocks are coloured, one letter per block."""
        return self.page.evaluate(LETTERS, "l")

    def suggested(self):
        """What is suggested, likewise."""
        return self.page.evaluate(LETTERS, "s")

    def wait_for_another(self, page):
        """Waits until another page than this is shown."""
        self.page.locator(f'#frame[data-page]:not([data-page="{self.ids[page]}"])').wait_for()

    def reopen(self, page):
        """Loads the tool anew, with a page."""
        self.page.evaluate(
            "(id) => (location.hash = location.hash.replace(/page=.*/, id))",
            f"page={self.ids[page]}",
        )
        self.page.reload()
        self.wait_for_page(page)

    def stored(self, page=None):
        """The annotation of a page, or the one that is shown, that the server has."""
        name = self.page.locator("#frame").get_attribute("data-page")
        name = self.ids[page] if page else name
        address = f"/api/page/{name}?{urlencode({'annotator': self.annotator})}"
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
        tool = Tool(tab, ids, annotator)
        tool.goto(url, page)
        return tool

    start.errors = errors
    yield start
    for context in dict.fromkeys(contexts):
        context.close()
    assert not foreign_requests
    assert not errors
