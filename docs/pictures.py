"""Makes the pictures of the docs again, from our own pages: ``python docs/pictures.py``."""

from __future__ import annotations

import html
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page, Route, sync_playwright

import victor
from victor.annotate.collect import collect
from victor.api import Cleaner
from victor.config.layers import load
from victor.corpus.pages import read_marked_corpus
from victor.evaluation.evaluation import by_folds
from victor.evaluation.predictions import Predictions
from victor.evaluation.report import ScoredSystem, write_report
from victor.labelers.labeler import build_labeler

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "annotations" / "pages"
ARTICLES = (
    ("article-light", "saltmarsh-oysters", (1280, 370), "light", 0),
    ("article-dark", "quillstore-backup", (1280, 520), "dark", 380),
    ("article-phone-light", "quillstore-config", (390, 580), "light", 0),
    ("article-phone-dark", "loamhub-bed-six", (390, 580), "dark", 0),
)
ANNOTATED = ("saltmarsh-oysters", "slowmile-lamplighter", "smallhours-tram",
             "gorsefield-seven-walks")  # fmt: skip
SAVE = """async ([id, body]) => {
  const token = document.querySelector('meta[name="victor-token"]').content;
  const headers = { "Content-Type": "application/json", "X-Victor-Token": token };
  await fetch(`/api/page/${id}/save`, { method: "POST", headers, body: JSON.stringify(body) });
}"""
TABLES = """
<h2>Hives for beginners</h2>
<table border="1"><caption>Hives compared</caption>
<tr><th>Hive</th><th>Frames</th><th>Weight</th></tr>
<tr><th>Langstroth</th><td>10</td><td>27 kg</td></tr>
<tr><th>Dadant</th><td>12</td><td>31 kg</td></tr>
<tr><th>Warré</th><td>8</td><td>15 kg</td></tr></table>
<p>A colony needs:</p>
<ul><li>a dry place</li><li>water nearby</li><li>flowers from March on</li></ul>
<p>Before the first inspection you should:</p>
<ul><li>light the smoker with dry hay and wait until the smoke is cool</li>
<li>put on the veil and tuck the trousers into the boots</li></ul>
<ul><li><a href="/a">Home</a></li>
<li><a href="/b">Shop</a></li><li><a href="/c">Contact</a></li></ul>
"""
BESIDE = """<!doctype html><meta charset="utf-8"><style>
body {{ font: 15px/1.5 system-ui, sans-serif; margin: 20px; display: grid;
       grid-template-columns: 1fr 1fr; gap: 28px; width: 960px }}
table {{ border-collapse: collapse }} td, th {{ padding: 2px 10px }}
pre {{ white-space: pre-wrap; font: 14px/1.6 ui-monospace, monospace; background: #f3f3f1;
      padding: 14px; margin: 0; border-radius: 6px }}
</style><div>{page}</div><pre>{text}</pre>"""


def tab_of(
    browser: Browser, width: int, height: int, scheme: Literal["light", "dark"] = "light"
) -> Page:
    """A tab that looks the same every time."""
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce",
        locale="en-GB", timezone_id="UTC",
    )  # fmt: skip
    return context.new_page()


def take(tab: Page, name: str, *, full_page: bool = False) -> None:
    """Write the picture of a tab once all that its scripts draw is drawn."""
    tab.wait_for_timeout(200)
    file = ROOT / "docs" / "images" / f"{name}.png"
    tab.screenshot(path=file, animations="disabled", caret="hide", full_page=full_page)


def cleaned(name: str) -> victor.Result:
    """One of our own pages as an article."""
    markup = (PAGES / f"{name}.html").read_bytes()
    return victor.clean(markup, url=f"https://example.org/{name}", scope="article")


def take_output(browser: Browser, folder: Path) -> None:
    """Pictures of article pages, of the demo and of lines of Kitten."""
    file = folder / "page.html"
    for name, page, size, scheme, scrolled in ARTICLES:
        file.write_text(cleaned(page).article, encoding="utf-8")
        tab = tab_of(browser, *size, scheme)
        tab.goto(file.as_uri())
        tab.evaluate(f"scrollTo(0, {scrolled})")
        take(tab, name)
    file.write_text(cleaned("slowmile-lamplighter").demo(), encoding="utf-8")
    for name, size in (("demo", (1200, 560)), ("demo-threshold", (1280, 600))):
        tab = tab_of(browser, *size)
        tab.goto(file.as_uri())
        tab.locator("#blocks").get_by_text("For thirty-one years").first.hover()
        tab.locator("#why").get_by_text("+").first.wait_for()
        if name == "demo-threshold":
            tab.locator("#threshold").press("End")
        take(tab, name)
    text = Cleaner(build_labeler("none")).clean(TABLES).render("sentences")
    tab = tab_of(browser, 1000, 200)
    tab.set_content(BESIDE.format(page=TABLES, text=html.escape(text)))
    take(tab, "kitten", full_page=True)


def take_report(browser: Browser, folder: Path) -> None:
    """Pictures of a report of two models on some of our own pages, their labels as gold."""
    annotated = [*read_marked_corpus(ROOT / "annotations")][:14]

    def system(iterations: int) -> Predictions:
        config = load("crf", [f"crf.max_iterations={iterations}"])
        found = by_folds(annotated, config, system=f"{iterations} iterations").predictions()
        golds = zip(found.pages, ScoredSystem(found).gold_texts, strict=True)
        return replace(found, pages=tuple(replace(one, gold=gold or None) for one, gold in golds))

    report = write_report(folder, [system(40), system(4)], title="Two models on our own pages")
    tab = tab_of(browser, 1080, 860)
    tab.goto(report.as_uri())
    tab.locator("#curve").evaluate("element => element.scrollIntoView()")
    take(tab, "report-curve")
    worst = tab.locator("details.page")  # one on which words are both lost and wrongly kept
    for outcome in ("lost", "wrong"):
        worst = worst.filter(has=tab.locator(f"td.system.outcome-{outcome}"))
    worst.first.evaluate("details => { details.open = true; details.scrollIntoView(); }")
    take(tab, "report-page")


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The start address of an annotator of some of our own pages."""
    (folder / "pages").mkdir()
    for name in ANNOTATED:
        shutil.copy(PAGES / f"{name}.html", folder / "pages")
    program = "from victor.cli import main; main()"
    command = [sys.executable, "-c", program, "annotate", "serve", "--no-open", "pages",
               "--adapt-every", "0"]  # fmt: skip
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=folder) as process:
        try:
            assert process.stderr is not None
            yield next(line.split()[-1] for line in process.stderr if "?token=" in line)
        finally:
            process.terminate()


def take_annotator(browser: Browser, folder: Path) -> None:
    """Pictures of the annotator."""
    with served(folder) as url:
        ids = {page.file.stem: page.id for page in collect([str(folder / "pages")]) if page.file}
        gold = {page.id: page.labels or "" for page in collect([str(ROOT / "annotations")])}

        def opened(name: str, page: str) -> Page:
            tab = tab_of(browser, 1280, 720)
            tab.route("**/api/session", without_folder)
            tab.goto(f"{url}#{urlencode({'annotator': name, 'page': ids[page]})}")
            tab.locator("#least-certain:visible").wait_for()
            tab.keyboard.press("Escape")  # takes the welcome away
            return tab

        def save(name: str, page: str, state: str) -> None:
            runs = re.finditer(r"(.)\1*", gold[page])
            changes = [[run.start(), run.end() - 1, run[1]] for run in runs if run[1] != "o"]
            body = {"annotator": name, "base": 0, "changes": changes, "state": state}
            opened(name, page).evaluate(SAVE, [ids[page], body])

        save("Eva", "smallhours-tram", "done")
        save("Eva", "saltmarsh-oysters", "todo")
        tab = opened("Eva", "saltmarsh-oysters")
        tab.locator("#pages-button").click()
        tab.locator("#list li").nth(3).wait_for()
        header = tab.frame_locator("#frame iframe").locator('v-b[data-l="h"]').first
        header.scroll_into_view_if_needed()
        tab.set_viewport_size({"width": 1120, "height": 600})
        take(tab, "annotate-page")

        tab = opened("Jan", "slowmile-lamplighter")
        texts = [run.start() for run in re.finditer("t", gold["slowmile-lamplighter"])]
        blocks = [tab.frame_locator("#frame iframe").locator(f'v-b[data-v="{number}"]').first
                  for number in (texts[0], texts[3])]  # fmt: skip
        blocks[0].click()
        blocks[1].hover()
        take(tab, "annotate-selecting")

        tab = opened("Ida", "saltmarsh-oysters")
        tab.keyboard.press("?")
        take(tab, "annotate-help")
        tab.keyboard.press("Escape")
        tab.keyboard.press("u")
        tab.set_viewport_size({"width": 1120, "height": 600})
        take(tab, "annotate-suggestion")

        *others, last = ids
        for page in others:
            save("Max", page, "done")
        tab = opened("Max", last)
        tab.keyboard.press("d")
        tab.locator("#ending-heading").wait_for()
        take(tab, "annotate-ending")


def without_folder(route: Route) -> None:
    """Answer with a store whose path tells nothing of this machine."""
    given = route.fetch()
    route.fulfill(response=given, json={**given.json(), "store": "annotations.sqlite"})


def main() -> None:
    """Make all pictures."""
    path = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright, TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for made in (take_output, take_report, take_annotator):
            made(browser, Path(folder))
        browser.close()


if __name__ == "__main__":
    main()
