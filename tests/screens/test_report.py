"""Screens of the report of an evaluation."""

from dataclasses import replace

import pytest

from victor.config.layers import load
from victor.evaluation.evaluation import by_folds
from victor.evaluation.report import ScoredSystem, write_report

ITERATIONS = (40, 4)
"""Of the training of two models, for a plot with two curves."""
N_PAGES = 14


def predicted(pages, iterations):
    """Cross-validated predictions, with the texts that the labels keep as gold texts."""
    config = load("crf", [f"crf.max_iterations={iterations}"])
    found = by_folds(pages, config, system=f"{iterations} iterations").predictions()
    golds = zip(found.pages, ScoredSystem(found).gold_texts, strict=True)
    return replace(found, pages=tuple(replace(page, gold=gold or None) for page, gold in golds))


@pytest.fixture(scope="module")
def report(annotated, tmp_path_factory):
    """The address of a report on some of our own pages."""
    pages = annotated[:N_PAGES]
    systems = [predicted(pages, iterations) for iterations in ITERATIONS]
    folder = tmp_path_factory.mktemp("report")
    return write_report(folder, systems, title="Two models on our own pages").as_uri()


@pytest.fixture
def tab(new_tab, report):
    tab = new_tab(1080, 860)
    tab.goto(report)
    return tab


def scroll_to(locator):
    locator.evaluate("element => element.scrollIntoView()")


def test_curve(tab, screen):
    scroll_to(tab.locator("#curve"))
    screen(tab, "report-curve")


def test_worst_page(tab, screen):
    """One on which words are both lost and wrongly kept."""
    worst = tab.locator("details.page")
    for outcome in ("lost", "wrong"):
        worst = worst.filter(has=tab.locator(f"td.system.outcome-{outcome}"))
    worst.first.evaluate("details => details.open = true")
    scroll_to(worst.first)
    screen(tab, "report-page")
