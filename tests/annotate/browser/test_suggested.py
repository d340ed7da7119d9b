"""Suggestions: shown apart from labels, and nobody's labels until a person confirms the page."""

import re

import pytest
from playwright.sync_api import expect

WALK = "hhtttttttooo"
"""What the labeler suggests for the small page."""
SURE = 97
FAR = "o" * 2000 + "h" + "t" * 30 + "o" * 969
"""A suggestion for the large page, none of it on the first screen."""


@pytest.fixture
def suggesting(site, open_tool, request):
    """Opens a page for which a labeler suggests given letters."""

    def start(page, letters):
        tool = open_tool(site.url, request.node.name, site.labelled[0])

        def answer(route):
            content = route.fetch().json()
            made = {"labeler": "made", "labels": letters, "confidence": [SURE] * len(letters)}
            route.fulfill(json=content | {"suggestion": made, "suggesting": False})

        tool.page.route(f"**/api/page/{site.ids[page]}?*", answer)
        tool.page.reload()
        tool.wait_for_page(site.labelled[0])
        tool.page.evaluate("(id) => (location.hash = location.hash.replace(/page=.*/, id))",
                           f"page={site.ids[page]}")  # fmt: skip
        tool.page.reload()
        tool.wait_for_page(page)
        return tool

    return start


SUGGESTED = """() => {
  const letters = [];
  const shown = document.querySelector("#frame iframe").contentDocument;
  for (const element of shown.querySelectorAll("v-b")) {
    letters[Number(element.dataset.v)] = element.dataset.s ?? "o";
  }
  return letters.join("");
}"""


def suggested(tool):
    return tool.page.evaluate(SUGGESTED)


def confirm(tool, page):
    tool.keys("d")
    tool.page.locator(f'#frame[data-page]:not([data-page="{tool.ids[page]}"])').wait_for()


def test_confirming_makes_suggestions_labels(suggesting, request):
    tool = suggesting("walk", WALK)
    assert suggested(tool) == WALK
    assert tool.labels() == "o" * 12
    assert tool.stored("walk", request.node.name)["revision"] == 0
    button = tool.page.locator(".bar").get_by_role("button", name="Confirm")
    expect(button).to_have_attribute("title", re.compile("becomes your labels"))
    tool.keys("o", "t", "x")  # the labeler says header, header, text
    tool.wait_for_labels("ot?" + "o" * 9)
    assert suggested(tool) == "ooo" + WALK[3:]
    confirm(tool, "walk")
    stored = tool.stored("walk", request.node.name)
    assert (stored["labels"], stored["state"]) == ("ot?tttttt" + "ooo", "done")


@pytest.mark.slow
def test_a_page_that_is_left_is_not_confirmed(suggesting, request):
    tool = suggesting("walk", WALK)
    for key in ("n", "ArrowLeft"):
        tool.keys(key)
        tool.page.locator(f'#frame[data-page]:not([data-page="{tool.ids["walk"]}"])').wait_for()
        stored = tool.stored("walk", request.node.name)
        assert (stored["labels"], stored["state"]) == ("o" * 12, "no-content")
        tool.page.evaluate("(id) => (location.hash = location.hash.replace(/page=.*/, id))",
                           f"page={tool.ids['walk']}")  # fmt: skip
        tool.page.reload()
        tool.wait_for_page("walk")
        assert suggested(tool) == "o" * 12  # the page has a state: nothing is suggested any more


@pytest.mark.slow
def test_an_empty_page_is_not_done_while_the_model_works(suggesting, request):
    tool = suggesting("walk", WALK)
    waiting = {"suggestion": None, "suggesting": True}
    tool.page.unroute_all()
    tool.page.route(f"**/api/page/{tool.ids['walk']}?*", lambda route: route.fulfill(
        json=route.fetch().json() | waiting))  # fmt: skip
    tool.page.route("**/suggestion", lambda route: route.fulfill(json=waiting))
    tool.page.reload()
    tool.wait_for_page("walk")
    tool.keys("d")
    expect(tool.page.locator("#notice")).to_contain_text("still at work")
    tool.keys("t", "d")
    tool.page.locator(f'#frame[data-page]:not([data-page="{tool.ids["walk"]}"])').wait_for()
    assert tool.stored("walk", request.node.name)["labels"] == "t" + "o" * 11
