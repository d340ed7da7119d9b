"""From pages in a browser to a model: pages are labelled by mouse and keys, and trained on."""

import re
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import pytest
from annotate.browser.conftest import SERVE
from click.testing import CliRunner
from playwright.sync_api import expect

NAMES = {"h": "Header", "t": "Text", "?": "Unlabelled"}
KEYS = {"h": "h", "t": "t", "?": "x"}


def passages(letters):
    """Runs of equal labels as (first, last, letter), except for those of other."""
    first = 0
    for letter, run in groupby(letters):
        length = len(list(run))
        if letter != "o":
            yield first, first + length - 1, letter
        first += length


def by_mouse(tool, letters):
    for first, last, letter in passages(letters):
        tool.page.locator(".bar").get_by_role("button", name=NAMES[letter]).click()
        tool.block(first).click()
        tool.block(last).click()


def by_keys(tool, letters):
    """H, T and X label the selection and move the cursor behind it."""
    cursor = 0
    tool.keys("Home")
    for first, last, letter in passages(letters):
        tool.keys(*["j"] * (first - cursor), *["Shift+ArrowDown"] * (last - first), KEYS[letter])
        cursor = last + 1


def by_both(tool, letters):
    """A number chooses the label; a drag or two clicks on one block apply it."""
    for first, last, letter in passages(letters):
        tool.keys(str("hto?".index(letter) + 1))
        if first == last:
            tool.block(first).dblclick()
        else:
            tool.drag(first, last)
            tool.drop(last)


def victor(*arguments):
    from victor.cli.program import group

    result = CliRunner().invoke(group, [str(part) for part in arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_three_pages_become_a_model(site, gold, open_tool, tmp_path):
    tool = open_tool(site.url, "anna", site.labelled[0])
    tool.keys("q")
    for page, label in zip(site.labelled, (by_mouse, by_keys, by_both), strict=True):
        tool.row(page).click()
        tool.wait_for_page(page)
        tool.keys("c")  # begins without suggestions
        label(tool, gold[page])
        tool.wait_for_labels(gold[page])
        tool.keys("d")
        tool.row(page).locator('.state[data-state="done"]').wait_for()
        assert tool.stored(page, "anna")["labels"] == gold[page]
    assert "3 of 6 pages done" in tool.page.locator("#progress-text").inner_text()

    corpus, model = tmp_path / "corpus", tmp_path / "model.victor"
    victor("annotate", "export", corpus, "--store", site.store, "--annotator", "anna")
    settings = ("-s", "crf.max_iterations=30")
    victor("train", corpus, "--config", "crf", *settings, "--output", model)
    page = site.folder / "pages" / f"{site.labelled[1]}.html"
    cleaned = victor("clean", "--model", model, page)
    assert "Wilf Anning" in cleaned
    assert "Subscribe" not in cleaned


ROOT = Path(__file__).parents[3]
SMALL = ("nabrezi-poezie", "prace-podhori-pekar", "corvane-press")
"""Pages of three sites, of few blocks; the last one is not labelled."""
LONG = 60_000
"""Milliseconds to wait on a busy machine."""


@pytest.fixture
def small(serving, tmp_path):
    """The start address of a server with three small pages, and their gold labels."""
    from victor.annotate.collect import collect
    from victor.annotate.store import Store

    pages = [page for page in collect([str(ROOT / "annotations")]) if page.id in SMALL]
    with Store(tmp_path / "store.sqlite") as store:
        store.add(replace(page, labels=None) for page in pages)
    arguments = ["annotate", "serve", "--no-open", "-s", "store.sqlite", "-l", "none",
                 "--adapt-every", "0"]  # fmt: skip
    with serving(SERVE, arguments, tmp_path) as url:
        yield url, {page.id: page.labels for page in pages}


@pytest.mark.slow
def test_an_adapted_model_makes_the_suggestions(small, open_tool):
    url, labels = small
    tool = open_tool(url, "anna", SMALL[0], ids={page: page for page in SMALL})
    tool.keys("q")
    for page in SMALL[:2]:
        tool.row(page).click()
        tool.wait_for_page(page)
        tool.keys("c")
        by_keys(tool, labels[page])
        tool.keys("d")
        tool.row(page).locator('.state[data-state="done"]').wait_for()
    tool.row(SMALL[2]).click()
    tool.wait_for_page(SMALL[2])
    uncertain = tool.page.locator("#least-certain")
    expect(uncertain).to_have_attribute("title", re.compile("suggested by none"))

    tool.keys("r")
    notice = tool.page.locator("#notice")
    expect(notice).to_contain_text("Adapted to 2 pages", timeout=LONG)
    expect(notice).to_contain_text("suggests from now on; it is saved as store.victor")
    tool.page.reload()
    tool.wait_for_page(SMALL[2])
    expect(uncertain).to_have_attribute("title", re.compile("suggested by adapted"))
    suggested = tool.stored(SMALL[2], "anna")["suggestion"]["labels"]
    marked = tool.frame.locator("v-b[data-s]").evaluate_all("all => all.map(b => +b.dataset.v)")
    assert sorted(set(marked)) == [n for n, letter in enumerate(suggested) if letter != "o"]
    assert "t" in suggested
    assert "o" in suggested
