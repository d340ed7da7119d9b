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
    """Opens the tool in a tab that tells no folder of this machine."""

    def answering(values):
        def answer(route):
            given = route.fetch()
            route.fulfill(response=given, json=given.json() | values)

        return answer

    def open_tool(name, page):
        tab = new_tab(1280, 720)
        tab.route("**/api/session", answering({"store": "annotations.sqlite"}))
        tab.goto(f"{site.url}#{urlencode({'annotator': name, 'page': site.ids[page]})}")
        tab.locator("#frame[data-page]:not([aria-busy])").wait_for()
        tab.keyboard.press("Escape")  # takes the welcome away
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


def test_ending(site, annotator, save, screen):
    *others, last = site.ids
    for page in others:
        save("Max", page, state="done")
    tab = annotator("Max", last)
    wait_for_suggestion(tab)
    tab.keyboard.press("d")
    tab.locator("#ending-heading").wait_for()
    screen(tab, "annotate-ending")
