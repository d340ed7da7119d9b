"""The first visit: what to do is one line, and the help has keys and guidelines."""

import pytest
from playwright.sync_api import expect

WELCOME = "Correct the labels, then press D"


@pytest.fixture
def new(site, open_tool, request):
    return open_tool(site.url, request.node.name, "walk", viewport={"width": 1366, "height": 820})


@pytest.mark.slow
def test_who_has_saved_nothing_is_told_what_to_do(new):
    notice = new.page.locator("#notice")
    expect(notice).to_contain_text(WELCOME)
    new.keys("t")
    expect(notice).to_have_text("")
    new.wait_for_save()
    new.page.reload()
    new.wait_for_page("walk")
    expect(notice).to_have_text("")


def test_the_help_has_keys_and_guidelines(new):
    new.keys("?")
    dialog = new.page.get_by_role("dialog", name="Help")
    expect(dialog.get_by_role("heading", name="Help")).to_be_focused()
    expect(dialog.get_by_text("Correct what the model suggests")).to_be_in_viewport(ratio=1)
    expect(dialog.get_by_role("row", name="Ctrl+Z undo")).to_be_visible()
    dialog.get_by_role("button", name="Guidelines").click()
    heading = dialog.get_by_role("heading", name="Guidelines")
    expect(heading).to_be_focused()
    expect(heading).to_be_in_viewport()
    expect(dialog.get_by_text("Three questions decide nearly everything")).to_be_visible()
    new.keys("t")  # would label, but a dialog is open
    new.keys("Escape")
    expect(dialog).to_be_hidden()
    new.keys("h")  # the focus is back
    new.wait_for_labels("h" + "o" * 11)
