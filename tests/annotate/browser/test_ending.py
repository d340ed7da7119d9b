"""After the last page: what was done, a model, and the way back."""

import pytest
from playwright.sync_api import expect


@pytest.fixture
def finished(site, open_tool, request):
    """The tool after the last page, all pages done but one without content."""
    tool = open_tool(site.url, request.node.name, "walk", viewport={"width": 1366, "height": 820})
    tool.keys("c", "h", "t", "t")
    for _ in range(len(site.ids) - 1):
        current = tool.page.locator("#frame").get_attribute("data-page")
        tool.keys("d")
        other = f'#frame[data-page]:not([data-page="{current}"]):not([aria-busy])'
        tool.page.locator(other).wait_for()
        tool.keys("c")  # nothing is taken over
    tool.keys("n")
    tool.page.locator("#ending").wait_for()
    return tool


@pytest.mark.slow
def test_the_end_shows_what_was_done(finished, request):
    page = finished.page
    expect(page.get_by_role("heading", name="All 6 pages done")).to_be_focused()
    ending = page.locator("#ending")
    expect(ending).to_contain_text("5 done, 1 no content. Everything is saved.")
    expect(page.get_by_role("alert")).to_be_hidden()
    done = "[data-command=state-done]"
    for control in (".labels", "#undo", "#state", done):  # there is no page to label
        expect(page.locator(control)).to_be_hidden()
    finished.keys("t", "h", "c", "Control+z")
    finished.keys("ArrowLeft")
    finished.page.locator("#frame[data-page]:not([aria-busy])").wait_for()
    assert finished.stored("walk", request.node.name)["labels"] == "htt" + "o" * 9
    finished.keys("ArrowRight")


@pytest.mark.slow
def test_adapting_is_offered(finished):
    told = {"state": "done", "message": "Adapting gains nothing"}
    finished.page.route("**/api/adapt", lambda route: route.fulfill(json=told))
    finished.page.locator("#ending").get_by_role("button", name="Adapt the model").click()
    expect(finished.page.locator("#notice")).to_have_text("Adapting gains nothing")
