"""Articles in Chromium: what runs, what is fetched, and whether the words are those of the text.

    python benchmarks/article_in_browser.py CORPUS [--pages 200] [--labeler none]

CORPUS is an unpacked annotated corpus (``html/``, ``gold.jsonl``). Every article is opened in
Chromium as Playwright drives it, from an address that exists only there; no request leaves the
machine. Words are the letters and digits that the article has in the browser's tree.
"""

from __future__ import annotations

import argparse
import shutil
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tei_validity import letters, pages

from victor.api import CleanerSpec

ADDRESS = "http://victor.test/"
PROGRAMS = """[...document.querySelectorAll('*')].filter(element =>
    ['SCRIPT', 'IFRAME', 'OBJECT', 'EMBED', 'FORM', 'STYLE', 'LINK'].includes(element.tagName)
    || [...element.attributes].some(each => /^on|^style$/.test(each.name))
    || /^\\s*(javascript|data|vbscript):/i.test(element.href || element.src || '')).length"""


def main(argv: Sequence[str] | None = None) -> None:
    """Print the counts, and the pages whose words differ."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("corpus", type=Path, metavar="CORPUS")
    parser.add_argument("--pages", type=int, default=200, metavar="N")
    parser.add_argument("--labeler", help="instead of the default model, e.g. none: all is kept")
    arguments = parser.parse_args(argv)
    cleaner = CleanerSpec(labeler=arguments.labeler).cleaner()
    counts: Counter[str] = Counter()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        window = Window(browser.new_page())
        for result in cleaner.clean_many(pages(arguments.corpus, arguments.pages)):
            if result.error is None:
                judge(window, result, counts)
        browser.close()
    print(*(f"{name}: {count}" for name, count in sorted(counts.items())), sep="\n")


class Window:
    """A window that shows pages and notes what they ask for."""

    def __init__(self, page: Any) -> None:
        self.page, self.html, self.asked = page, "", Counter[str]()
        page.route("**/*", self._answer)

    def _answer(self, route: Any) -> None:
        if route.request.url == ADDRESS:
            route.fulfill(body=self.html, content_type="text/html; charset=utf-8")
        else:
            self.asked[route.request.resource_type] += 1
            route.fulfill(body="", content_type="image/png")

    def show(self, html: str) -> None:
        """Open a page and wait until it has loaded."""
        self.html = html
        self.asked.clear()
        self.page.goto(ADDRESS, wait_until="load")


def judge(window: Window, result: Any, counts: Counter[str]) -> None:
    """Count what holds for one page."""
    window.show(result.render("article", headline=False))
    counts["pages"] += 1
    counts["elements that run, load or style"] += window.page.evaluate(PROGRAMS)
    for kind, count in window.asked.items():
        counts[f"requests: {kind}"] += count
    said = window.page.evaluate("document.querySelector('article').textContent")
    same = letters(said) == letters(result.text)
    counts["same words" if same else "other words"] += 1
    if not same:
        print("other words:", result.url)


if __name__ == "__main__":
    main()
