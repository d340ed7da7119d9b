"""What a demo shows at first, and how long the slider takes, in Chromium.

``python benchmarks/demo_view.py PAGE...`` prints whether the first kept block is in view on each
page, then the milliseconds from input to the second frame after it on a page of 2,000 blocks that
has opened: what the first frame draws is painted by then.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import victor

SCREEN = {"width": 1366, "height": 768}
BLOCKS = 2_000
JUMPS = (50, 51, 52, 80, 10, 45, 46, 0, 60)
IN_VIEW = """() => ["#blocks .b.kept", "#text span:not(:empty)"].map((name) => {
  const shown = [...document.querySelectorAll(name)].find((e) => e.getClientRects().length);
  const { top, height } = shown?.getBoundingClientRect() ?? { top: -1, height: 0 };
  const pane = shown?.closest(".pane").getBoundingClientRect();
  return Boolean(shown) && height > 0 && top >= pane.top && top < pane.bottom;
})"""
PAINTED = """([position]) => new Promise((resolve) => {
  const slider = document.getElementById("threshold");
  slider.value = String(position);
  const start = performance.now();
  slider.dispatchEvent(new Event("input", {bubbles: true}));
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - start)));
})"""


def opened(browser: Any, markup: bytes, folder: Path) -> Any:
    """The demo of a page in a tab of its own, once all of its blocks are coloured."""
    file = folder / "demo.html"
    file.write_text(victor.clean(markup).demo(), encoding="utf-8")
    tab = browser.new_page(viewport=SCREEN)
    tab.goto(file.as_uri())
    tab.wait_for_selector('#blocks[aria-busy="false"]')
    return tab


def in_view(browser: Any, pages: list[Path], folder: Path) -> None:
    """Print for each page whether both columns show the first kept block."""
    count = 0
    for page in pages:
        tab = opened(browser, page.read_bytes(), folder)
        page_shows, text_shows = tab.evaluate(IN_VIEW)
        count += page_shows and text_shows
        print(f"{page.stem}\tpage {page_shows}\ttext {text_shows}")
        tab.close()
    print(f"{count} of {len(pages)} pages open at the first kept block")


def moves(browser: Any, folder: Path) -> None:
    """Print milliseconds from input to painted text."""
    text = "".join(
        f"<p>Paragraph {k} tells of bees, and of what they do. <a href=/{k}>More</a></p>"
        f"<ul><li><a href=/{k}>Link {k}</a></li></ul>"
        for k in range(BLOCKS // 2)
    )
    tab = opened(browser, f"<body>{text}</body>".encode(), folder)
    blocks = tab.locator("#blocks [tabindex]").count()
    times = sorted(tab.evaluate(PAINTED, [jump]) for jump in JUMPS * 3)
    print(f"{blocks} blocks: median {times[len(times) // 2]:.1f} ms, most {times[-1]:.1f} ms")


def main() -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"))
        in_view(browser, [Path(name) for name in sys.argv[1:]], Path(folder))
        moves(browser, Path(folder))
        browser.close()


if __name__ == "__main__":
    main()
