"""Screenshots of the report for the documentation, from our own annotated pages.

    python benchmarks/report_screenshots.py [--output docs/images]

Cross-validates the default configuration twice, with many and with few iterations of training, so
that a plot has two curves. Needs Playwright and Chromium.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from victor.config import load
from victor.corpus.marked_html import read_marked_corpus
from victor.evaluation.evaluation import by_folds
from victor.evaluation.predictions import Predictions
from victor.evaluation.report import write_report
from victor.evaluation.report.block_outcomes import ScoredSystem

ROOT = Path(__file__).parents[1]
ITERATIONS = (60, 5)
WIDTH, HEIGHT = 1080, 860


def main() -> None:
    """Write both pictures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--output", type=Path, default=ROOT / "docs" / "images")
    output = parser.parse_args().output
    output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        systems = [predictions(count) for count in ITERATIONS]
        report = write_report(Path(folder), systems, title="Two models on our own pages")
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium") or shutil.which("google-chrome"),
            args=["--no-sandbox", "--disable-gpu"],
        )
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.goto(report.as_uri())
        picture_of_curve(page, output / "report-curve.png")
        picture_of_page(page, output / "report-page.png")
        browser.close()


def predictions(iterations: int) -> Predictions:
    pages = read_marked_corpus(ROOT / "annotations")
    config = load("crf", [f"crf.max_iterations={iterations}"])
    return with_gold(by_folds(pages, config, system=f"{iterations} iterations").predictions())


def with_gold(predictions: Predictions) -> Predictions:
    """Our pages have labels only: the text of what these keep is the gold text of the curves.

    Pages without content stay without a gold text, as a fourth of ours would otherwise decide the
    page means.
    """
    golds = zip(predictions.pages, ScoredSystem(predictions).gold_texts, strict=True)
    return replace(
        predictions, pages=tuple(replace(page, gold=gold or None) for page, gold in golds)
    )


def picture_of_curve(page: Page, path: Path) -> None:
    """The curves with the pointer on one of them."""
    page.locator("#curve").evaluate("found => found.scrollIntoView()")
    box = page.locator("svg.curve:visible").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 0.62 * box["width"], box["y"] + 0.3 * box["height"])
    page.screenshot(path=path)


def picture_of_page(page: Page, path: Path) -> None:
    """A page on which words are both lost and wrongly kept."""
    worst = page.locator("details.page")
    chosen = worst.filter(has=page.locator("td.system.outcome-lost")).filter(
        has=page.locator("td.system.outcome-wrong")
    )
    chosen.first.locator("> summary").click()
    chosen.first.evaluate("found => found.scrollIntoView()")
    page.screenshot(path=path)


if __name__ == "__main__":
    main()
