"""How long a page takes to label with mouse and with keys, and a large one to appear.

    python benchmarks/annotate_speed.py [--blocks 300] [--large 100000]

A script does what a person would, as fast as the tool takes it: the times are a lower bound, the
rest is reading. Every fifth passage is a headline with three paragraphs under it, the others are
single blocks of navigation that stay as they are. Needs Playwright and Chromium.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import FrameLocator, Page, sync_playwright

SERVE = "from victor.cli import main; main()"
CYCLE = 20
"""Blocks of one passage and of the navigation behind it."""
PARAGRAPHS = 15
"""Of these, so many are text under the headline."""


def main() -> None:
    """Print the times."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--blocks", type=int, default=300)
    parser.add_argument("--large", type=int, default=100_000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium") or shutil.which("google-chrome"),
            args=["--no-sandbox", "--disable-gpu"],
        )
        for name, blocks in (("page", arguments.blocks), ("large", arguments.large)):
            (Path(folder) / f"{name}.html").write_text(markup(blocks))
        with serving(Path(folder), "page.html") as url:
            for name, way in (("mouse", by_mouse), ("keys", by_keys)):
                page = browser.new_page(viewport={"width": 1280, "height": 800})
                report_labelling(page, url, name, way, arguments.blocks)
                page.close()
        with serving(Path(folder), "large.html") as url:
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            report_paint(page, url, arguments.large)
        browser.close()


def markup(blocks: int) -> str:
    parts = (
        f"<h2>Part {number}</h2>" if number % CYCLE == 0 else f"<p>Block {number} of very many</p>"
        for number in range(blocks)
    )
    return f"<!doctype html><title>Made for measuring</title>{''.join(parts)}"


@contextmanager
def serving(folder: Path, page: str) -> Iterator[str]:
    """The start address of a server without suggestions."""
    command = [sys.executable, "-P", "-c", SERVE, "annotate", "serve", "--no-open", page]
    command += ["--no-suggestions", "--store", f"{page}.sqlite"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=folder)
    assert server.stderr is not None
    address = next(filter(None, (re.search(r"http://\S+", line) for line in server.stderr)))
    try:
        yield address[0]
    finally:
        server.terminate()
        server.communicate()


def report_labelling(
    page: Page, url: str, name: str, way: Callable[[Page, FrameLocator, int], int], blocks: int
) -> None:
    page.goto(f"{url}#annotator={name}")
    page.locator("#frame[data-page]:not([aria-busy])").wait_for()
    start = time.perf_counter()
    actions = way(page, page.frame_locator("#frame iframe"), blocks)
    page.keyboard.press("d")
    page.locator("#saved[data-state=saved]").wait_for()
    seconds = time.perf_counter() - start
    print(f"{name}: {blocks} blocks, {actions} actions, {seconds:.1f} s until all is stored")


def by_mouse(page: Page, shown: FrameLocator, blocks: int) -> int:
    """Choose header, click the headline twice; choose text, click the first and last paragraph."""
    for first in range(0, blocks, CYCLE):
        last = min(first + PARAGRAPHS, blocks - 1)
        page.locator("[data-letter=h]").click()
        shown.locator(f"v-b[data-v='{first}']").dblclick()
        page.locator("[data-letter=t]").click()
        shown.locator(f"v-b[data-v='{first + 1}']").click()
        shown.locator(f"v-b[data-v='{last}']").click()
    return 6 * len(range(0, blocks, CYCLE))


def by_keys(page: Page, _: FrameLocator, blocks: int) -> int:
    """H on the headline, the paragraphs with shift and T; J over what is left."""
    actions = 0
    for first in range(0, blocks, CYCLE):
        text = min(PARAGRAPHS, blocks - first - 1)
        rest = min(CYCLE - PARAGRAPHS - 1, blocks - first - text - 1)
        for key in ["h", *["Shift+j"] * (text - 1), "t", *["j"] * rest]:
            page.keyboard.press(key)
            actions += 1
    return actions


def report_paint(page: Page, url: str, blocks: int) -> None:
    start = time.perf_counter()
    page.goto(f"{url}#annotator=paint")
    page.frame_locator("#frame iframe").locator("v-b").first.wait_for()
    seen = time.perf_counter() - start
    page.locator("#frame[data-page]:not([aria-busy])").wait_for(timeout=600_000)
    ready = time.perf_counter() - start
    paint = page.evaluate(
        """() => {
          const shown = document.querySelector("#frame iframe").contentWindow.performance;
          const [first] = shown.getEntriesByName("first-paint");
          return (shown.timeOrigin + first.startTime - performance.timeOrigin) / 1000;
        }"""
    )
    print(
        f"{blocks} blocks: first paint after {paint:.2f} s (a block is there after {seen:.2f} s),"
    )
    print(f"ready to label after {ready:.2f} s; {labelled(page):.2f} s to label them all")


def labelled(page: Page) -> float:
    """Seconds until a label for all blocks is drawn in sight."""
    start = time.perf_counter()
    page.keyboard.press("Shift+End")
    page.keyboard.press("t")
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
