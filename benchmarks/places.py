"""How many XPaths of blocks select exactly their block, in lxml and in Chromium; bytes of records.

    python benchmarks/places.py corpora/wcxb-dev [corpora/canola ...] [--every 10] [--browser]

A corpus is a folder with ``html/*.html``; every page, or every tenth, is read. The texts that an
XPath selects are put together and compared with the text of the block, both without white space and
what joins. A CSS path has to select one element with exactly the text of the block, or with it
inside where the block shares its element. In Chromium pages are shown as they are, decoded, with
scripts off and every request blocked. Left out there: pages with an element that the author forgot
to close, which Victor closes and Chromium does not, and so hides what follows; they are counted.
Prints one row per check and kind, and the failures.
"""

from __future__ import annotations

import argparse
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lxml import etree

from victor.page.characters import JOINER, SPACE, class_table
from victor.page.decode import utf8
from victor.page.dom import dom_of
from victor.page.events import prepared, record
from victor.page.places import ELEMENT, Place, Places
from victor.page.segment import segment
from victor.page.texts import block_texts

ADDRESS = "http://page.invalid/"
_SPACES = "".join(f"\\U{n:08x}" for n, k in enumerate(class_table()) if k in (SPACE, JOINER))
_INVISIBLE = re.compile(f"[{_SPACES}\0-\x1f\u200b-\u200f\u2060\ufeff\u00ad\ufffd]+")
_SHOWN = 3
SELECT = """([xpaths, paths]) => [
  xpaths.map((xpath) => {
    const nodes = document.evaluate(xpath, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE);
    const texts = [];
    for (let i = 0; i < nodes.snapshotLength; i++) texts.push(nodes.snapshotItem(i).textContent);
    return texts.join("");
  }),
  paths.map((path) => path && [...document.querySelectorAll(path)].map((one) => one.textContent)),
]"""


def main() -> None:
    """Read the pages and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", nargs="+", type=Path)
    parser.add_argument("--every", type=int, default=1, help="one page of so many")
    parser.add_argument("--first", type=int, default=0, help="the first page of these")
    parser.add_argument("--browser", action="store_true", help="also in Chromium")
    arguments = parser.parse_args()
    files = [
        file
        for corpus in arguments.corpora
        for file in sorted((corpus / "html").glob("*.html"))[arguments.first :: arguments.every]
    ]
    check = Check()
    if arguments.browser:
        with chromium() as show:
            for file in files:
                check.page(file, show)
    else:
        for file in files:
            check.page(file, None)
    check.print()


class Check:
    """Counts what selects its block."""

    def __init__(self) -> None:
        self.right: Counter[tuple[str, str]] = Counter()
        self.all: Counter[tuple[str, str]] = Counter()
        self.pages: Counter[str] = Counter()
        self.failures: dict[tuple[str, Path], list[tuple[str, Place, str]]] = {}

    def page(self, file: Path, show: Any) -> None:
        """Check all blocks of a page."""
        markup = utf8(file.read_bytes())
        table = segment(record([markup]))
        if not len(table):
            return
        self.pages["pages"] += 1
        given = Places(table, 0, dom_of(table, 0, markup), markup)
        rows, paths = given.xpaths, given.css
        texts = block_texts(table)
        closed, repaired = prepared(markup)
        parser = etree.HTMLParser(huge_tree=True, encoding="utf-8")
        tree = etree.fromstring(closed, parser).getroottree()
        for text, row in zip(texts, rows, strict=True):
            self._note("lxml", file, text, row, _text(tree.xpath(row.xpath)))
        if show is None:
            return
        if repaired:
            self.pages["not shown: an element is never closed"] += 1
            return
        shown = show(markup, [row.xpath for row in rows], paths)
        if isinstance(shown, str):
            self.pages[f"not shown: {shown}"] += 1
            return
        chosen, elements = shown
        for text, row, path, chose, of_css in zip(
            texts, rows, paths, chosen, elements, strict=True
        ):
            self._note("Chromium", file, text, row, chose)
            if of_css is not None:
                # What else is in the element is none of the block.
                alone = of_css[0] if len(of_css) == 1 else f"{len(of_css)} elements"
                is_inside = row.kind != ELEMENT and visible(text) in visible(alone)
                by_css = Place(row.kind, str(path))
                self._note("CSS in Chromium", file, text, by_css, text if is_inside else alone)
            else:
                self.pages["blocks without CSS"] += 1

    def _note(self, where: str, file: Path, text: str, row: Place, given: str) -> None:
        self.all[where, row.kind] += 1
        if visible(given) == visible(text):
            self.right[where, row.kind] += 1
        else:
            self.failures.setdefault((where, file), []).append((text, row, given))

    def print(self) -> None:
        """The table, then what failed, page by page."""
        print(dict(self.pages))
        print("| where | path to | blocks | right | % |\n|---|---|--:|--:|--:|")
        for where, kind in sorted(self.all):
            right, count = self.right[where, kind], self.all[where, kind]
            print(f"| {where} | {kind} | {count:,} | {right:,} | {right / count:.3%} |")
        for (where, file), failures in sorted(self.failures.items(), key=lambda one: -len(one[1])):
            print(f"\n{where}: {len(failures)} of {file}")
            for text, row, given in failures[:_SHOWN]:
                print(f"  {text[:60]!r} by {row.xpath}: {given[:60]!r}")


def visible(text: str) -> str:
    return _INVISIBLE.sub("", text)


def _text(nodes: list[Any]) -> str:
    return "".join(node if isinstance(node, str) else node.xpath("string()") for node in nodes)


@contextmanager
def chromium() -> Iterator[Any]:
    """Function: markup, XPaths and CSS paths to what they select in Chromium."""
    from playwright.sync_api import Error, sync_playwright

    path = shutil.which("chromium") or shutil.which("google-chrome")
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        context = browser.new_context(java_script_enabled=False)

        def show(markup: bytes, xpaths: list[str], paths: list[str | None]) -> Any:
            page = context.new_page()
            page.route("**/*", lambda route: _answer(route, markup))
            try:
                page.goto(ADDRESS, wait_until="domcontentloaded")
                return page.evaluate(SELECT, [xpaths, paths])
            except Error as error:  # a page may lead away at once
                return error.message.splitlines()[0]
            finally:
                page.unroute_all(behavior="ignoreErrors")
                page.close()

        yield show
        browser.close()


def _answer(route: Any, markup: bytes) -> None:
    if route.request.url == ADDRESS:
        route.fulfill(body=markup, content_type="text/html; charset=utf-8")
    else:
        route.abort()


if __name__ == "__main__":
    main()
