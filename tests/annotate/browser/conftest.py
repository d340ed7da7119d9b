"""The front end in a browser: its modules alone, and the whole tool over a server of its own."""

import os
import re
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

import pytest

FRONT = Path(__file__).parents[3] / "victor" / "annotate" / "front"
SERVE = "from victor.cli import main; main()"
NOWHERE = "http://victor.test"
"""An address that only the browser knows: every request to it is answered from the folder."""
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
def running(arguments, folder):
    """The start address of a server in a process of its own, which is ended afterwards."""
    command = [sys.executable, "-P", "-c", SERVE, "annotate", "serve", "--no-open", *arguments]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=folder)
    try:
        said = []
        for line in process.stderr:
            said.append(line)
            if found := re.search(r"http://\S+\?token=\S+", line):
                yield found[0]
                break
        else:
            pytest.fail(f"the server did not start: {''.join(said)}")
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)


@pytest.fixture(scope="session")
def serving():
    """Serves pages: a context manager of (pages and options, folder) that gives the address."""
    return running


class Tool:
    """The tool in one tab, as a person has it."""

    def __init__(self, page):
        self.page = page
        self.shown = page.frame_locator("#frame iframe")

    def goto(self, url, annotator, page=None):
        self.page.goto(
            f"{url}#{urlencode({'annotator': annotator} | ({'page': page} if page else {}))}"
        )
        self.is_open(page)

    def is_open(self, page=None):
        """Waits until a page is there to be labelled."""
        which = f'[data-page="{page}"]' if page else "[data-page]"
        self.page.locator(f"#frame{which}:not([aria-busy])").wait_for()

    def block(self, number):
        return self.shown.locator(f'v-b[data-v="{number}"]').first

    def keys(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def is_saved(self):
        self.page.locator('#saved[data-state="saved"]').wait_for()

    def labels(self):
        """The labels as the page is coloured, one letter a block."""
        return self.page.evaluate(
            """() => {
              const shown = document.querySelector("#frame iframe").contentDocument;
              const letters = [];
              for (const element of shown.querySelectorAll("v-b")) {
                letters[Number(element.dataset.v)] = element.dataset.l ?? "o";
              }
              return letters.join("");
            }"""
        )

    def stored(self, page, annotator, **query):
        """What the server has of a page, as the browser would read it."""
        address = f"/api/page/{page}?{urlencode({'annotator': annotator} | query)}"
        return self.page.evaluate("async (address) => (await fetch(address)).json()", address)


@pytest.fixture
def open_tool(browser):
    """Opens the tool in a new tab; at the end nothing may have gone wrong or left the server."""
    contexts, troubles, strangers = [], [], []

    def start(url, annotator="anna", page=None, context=None, **options):
        context = context or browser.new_context(viewport={"width": 1280, "height": 800}, **options)
        contexts.append(context)
        tab = context.new_page()
        origin = url.partition("/?")[0]
        tab.on("pageerror", lambda error: troubles.append(str(error)))
        tab.on("console", lambda message: troubles.append(f"{message.type}: {message.text}"))
        tab.on("request", lambda request: request.url.startswith(origin + "/")
               or strangers.append(request.url))  # fmt: skip
        tool = Tool(tab)
        tool.goto(url, annotator, page)
        return tool

    start.troubles = troubles
    yield start
    for context in dict.fromkeys(contexts):
        context.close()
    assert not strangers
    assert not troubles


@pytest.fixture(scope="session")
def picture():
    """Saves a picture of a tab for the docs where VICTOR_SCREENSHOTS names a folder."""
    folder = os.environ.get("VICTOR_SCREENSHOTS")

    def save(tool, name):
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            tool.page.screenshot(path=Path(folder) / f"{name}.png")

    return save
