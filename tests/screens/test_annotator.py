"""Screens of the annotator."""

import re
from urllib.parse import urlencode

import pytest

SMALL = {"width": 1120, "height": 600}
"""Of pages with much hatching, whose pictures take many bytes."""
SAVE = """async ([id, body]) => {
  const token = document.querySelector('meta[name="victor-token"]').content;
  const headers = { "Content-Type": "application/json", "X-Victor-Token": token };
  const options = { method: "POST", headers, body: JSON.stringify(body) };
  return (await fetch(`/api/page/${id}/save`, options)).json();
}"""


@pytest.fixture
def annotator(site, new_tab):
    """Opens the tool in a tab that tells no time and no folder of this machine."""

    def answering(values):
        def answer(route):
            given = route.fetch()
            route.fulfill(response=given, json=given.json() | values)

        return answer

    def open_tool(name, page):
        tab = new_tab(1280, 720)
        tab.route("**/api/queue?*", answering({"per_hour": None}))
        tab.route("**/api/summary?*", answering({"seconds": 840, "store": "annotations.sqlite"}))
        tab.goto(f"{site.url}#{urlencode({'annotator': name, 'page': site.ids[page]})}")
        tab.locator("#frame[data-page]:not([aria-busy])").wait_for()
        close = tab.get_by_role("button", name="Got it")
        if close.is_visible():  # to those who have not saved labels yet
            close.click()
        tab.locator("#hint").wait_for(state="hidden")
        return tab

    return open_tool


@pytest.fixture
def save(site, annotator):
    """Stores labels of a page, and its state, under a name."""

    def store(name, page, letters=None, state="todo"):
        letters = letters or site.gold[page]
        runs = re.finditer(r"(.)\1*", letters)
        changes = [[run.start(), run.end() - 1, run[1]] for run in runs if run[1] != "o"]
        tab = annotator(name, page)
        body = {"annotator": name, "base": 0, "changes": changes, "state": state}
        answer = tab.evaluate(SAVE, [site.ids[page], body])
        assert "revision" in answer, answer
        tab.close()

    return store


def block_of(tab, number):
    return tab.frame_locator("#frame iframe").locator(f'v-b[data-v="{number}"]').first


def wait_for_suggestion(tab):
    tab.locator("#least-certain:visible").wait_for()


def test_first_visit(site, new_tab, screen):
    tab = new_tab(1280, 720)
    tab.goto(site.url)
    tab.get_by_label("Name").fill("Marie")
    tab.get_by_role("button", name="Begin").click()
    tab.get_by_role("heading", name="First steps").wait_for()
    wait_for_suggestion(tab)
    screen(tab, "annotate-first-visit")


def test_labelled_page_with_the_list(annotator, save, screen):
    save("Eva", "smallhours-tram", state="done")
    save("Eva", "saltmarsh-oysters")
    tab = annotator("Eva", "saltmarsh-oysters")
    wait_for_suggestion(tab)
    tab.locator("#pages-button").click()
    tab.locator("#filter").select_option("")
    tab.locator("#list li").nth(3).wait_for()
    tab.frame_locator("#frame iframe").locator('v-b[data-l="h"]').first.scroll_into_view_if_needed()
    tab.set_viewport_size(SMALL)
    screen(tab, "annotate-page")


def test_selecting(site, annotator, screen):
    page = "slowmile-lamplighter"
    tab = annotator("Jan", page)
    wait_for_suggestion(tab)
    first, last = (match.start() for match in list(re.finditer("t", site.gold[page]))[:4:3])
    block_of(tab, first).click()
    block_of(tab, last).hover()
    tab.get_by_text(re.compile(r"^Blocks .* selected")).wait_for()
    screen(tab, "annotate-selecting")


def test_suggestion(annotator, screen):
    tab = annotator("Ida", "saltmarsh-oysters")
    wait_for_suggestion(tab)
    tab.keyboard.press("u")
    tab.get_by_text(re.compile(r"^Block .*suggested")).wait_for()
    tab.set_viewport_size(SMALL)
    screen(tab, "annotate-suggestion")


def test_help(annotator, screen):
    tab = annotator("Ida", "saltmarsh-oysters")
    wait_for_suggestion(tab)
    tab.keyboard.press("?")
    tab.locator("#help-dialog[open]").wait_for()
    screen(tab, "annotate-help")


def test_differences(site, annotator, save, screen):
    page = "gorsefield-seven-walks"
    gold = site.gold[page]
    save("Jana", page)
    save("Petr", page, f"{gold[:10]}tot{gold[13:16]}oo{gold[18:]}")
    tab = annotator("Olga", page)
    wait_for_suggestion(tab)
    tab.keyboard.press("m")
    tab.locator("#compare-a").select_option("Jana")
    tab.locator("#compare-b").select_option("Petr")
    tab.locator("#compare-dialog").get_by_role("button", name="Compare").click()
    panel = tab.locator("#differences")
    panel.locator("li").first.wait_for()
    panel.locator("li").first.locator("[data-letter]").first.click()
    panel.locator("li[data-decided]").wait_for()
    tab.locator('#saved[data-state="saved"]').wait_for()
    screen(tab, "annotate-differences")


def test_ending(site, annotator, save, screen):
    *others, last = site.ids
    for page in others:
        save("Max", page, state="done")
    tab = annotator("Max", last)
    wait_for_suggestion(tab)
    tab.keyboard.press("d")
    tab.locator("#ending-heading").wait_for()
    screen(tab, "annotate-ending")


TRAINED = {
    "state": "done",
    "done": 480,
    "total": 480,
    "pages": 20,
    "before": 0.7658,
    "after": 0.7964,
    "message": "20 pages, 5 folds by site; the adapted model suggests from now on",
    "model": "annotations.victor",
    "every": 5,
    "base": "default",
    "curve": [
        [5, 0.7503, 0.7528],
        [10, 0.7238, 0.7359],
        [15, 0.7187, 0.7353],
        [20, 0.7658, 0.7964],
    ],
}
"""What `victor adapt` says of the first pages of annotations/."""


def test_adapting(annotator, screen):
    tab = annotator("Ota", "gorsefield-seven-walks")
    wait_for_suggestion(tab)
    tab.route("**/api/adapt", lambda route: route.fulfill(json=TRAINED))
    tab.keyboard.press("r")
    tab.get_by_role("cell", name="0.796").wait_for()
    screen(tab, "annotate-adapt")
