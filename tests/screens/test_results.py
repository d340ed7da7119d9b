"""Screens of what Victor writes: article pages, the demo, lines of Kitten, a report."""

import html
from dataclasses import replace
from pathlib import Path

import pytest

import victor
from victor.api import Cleaner
from victor.config.layers import load
from victor.evaluation.evaluation import by_folds
from victor.evaluation.report import ScoredSystem, write_report
from victor.labelers.labeler import build_labeler

PAGES = Path(__file__).parents[2] / "annotations" / "pages"


def page(name):
    return (PAGES / f"{name}.html").read_bytes()


@pytest.mark.parametrize(
    ("name", "shown", "size", "scheme", "scrolled"),
    [
        ("article-light", "saltmarsh-oysters", (1280, 370), "light", 0),
        ("article-dark", "quillstore-backup", (1280, 520), "dark", 380),
        ("article-phone-light", "quillstore-config", (390, 580), "light", 0),
        ("article-phone-dark", "loamhub-bed-six", (390, 580), "dark", 0),
    ],
)
def test_article(new_tab, tmp_path, screen, *, name, shown, size, scheme, scrolled):
    result = victor.clean(page(shown), url=f"https://example.org/{shown}", scope="article")
    file = tmp_path / "article.html"
    file.write_text(result.article, encoding="utf-8")
    tab = new_tab(*size)
    tab.emulate_media(color_scheme=scheme)
    tab.goto(file.as_uri())
    tab.evaluate(f"scrollTo(0, {scrolled})")
    screen(tab, name)


@pytest.mark.parametrize(("name", "size"), [("demo", (1200, 560)), ("demo-threshold", (1280, 600))])
def test_demo(new_tab, tmp_path, screen, name, size):
    """With the reasons of a paragraph that is kept with some doubt, and with the slider moved."""
    tab, file = new_tab(*size), tmp_path / "demo.html"
    demo = victor.clean(page("slowmile-lamplighter"), scope="article").demo()
    file.write_text(demo, encoding="utf-8")
    tab.goto(file.as_uri())
    tab.locator("#blocks").get_by_text("For thirty-one years").first.hover()
    tab.locator("#why").get_by_text("+").first.wait_for()
    if name == "demo-threshold":
        tab.locator("#threshold").press("End")
    screen(tab, name)


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
FRAME = """<!doctype html><meta charset="utf-8"><style>
body {{ font: 15px/1.5 system-ui, sans-serif; margin: 20px; display: grid;
       grid-template-columns: 1fr 1fr; gap: 28px; width: 960px }}
table {{ border-collapse: collapse }} td, th {{ padding: 2px 10px }}
pre {{ white-space: pre-wrap; font: 14px/1.6 ui-monospace, monospace; background: #f3f3f1;
      padding: 14px; margin: 0; border-radius: 6px }}
</style><div>{page}</div><pre>{text}</pre>"""


def test_tables_and_lists(new_tab, screen):
    text = Cleaner(build_labeler("none")).clean(TABLES).render("sentences")
    tab = new_tab(1000, 200)
    tab.set_content(FRAME.format(page=TABLES, text=html.escape(text)))
    screen(tab, "kitten", full_page=True)


@pytest.fixture(scope="module")
def report(annotated, tmp_path_factory):
    """The address of a report of two models on some of our own pages, their labels as gold."""

    def system(iterations):
        config = load("crf", [f"crf.max_iterations={iterations}"])
        name = f"{iterations} iterations"
        found = by_folds(annotated[:14], config, system=name).predictions()
        golds = zip(found.pages, ScoredSystem(found).gold_texts, strict=True)
        return replace(found, pages=tuple(replace(one, gold=gold or None) for one, gold in golds))

    folder = tmp_path_factory.mktemp("report")
    systems = [system(iterations) for iterations in (40, 4)]
    return write_report(folder, systems, title="Two models on our own pages").as_uri()


@pytest.mark.parametrize("name", ["report-curve", "report-page"])
def test_report(new_tab, report, screen, name):
    tab = new_tab(1080, 860)
    tab.goto(report)
    shown = tab.locator("#curve")
    if name == "report-page":  # one on which words are both lost and wrongly kept
        worst = tab.locator("details.page")
        for outcome in ("lost", "wrong"):
            worst = worst.filter(has=tab.locator(f"td.system.outcome-{outcome}"))
        shown = worst.first
        shown.evaluate("details => details.open = true")
    shown.evaluate("element => element.scrollIntoView()")
    screen(tab, name)
