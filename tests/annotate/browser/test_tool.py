"""What one person does on a page, and what other tabs and lost connections do to the changes."""

import re

import pytest
from playwright.sync_api import expect

NOTHING = "o" * 12


@pytest.fixture
def walk(site, open_tool, request):
    """The small page, opened by an annotator named after the test."""
    return open_tool(site.url, request.node.name, "walk")


def saved_as(tool, letters, request):
    """Waits until the page shows these labels; the server has to have them."""
    tool.wait_for_labels(letters)
    tool.wait_for_save()
    assert tool.stored("walk", request.node.name)["labels"] == letters


@pytest.mark.slow
def test_a_passage_is_two_clicks(walk, request):
    walk.block(2).click()
    walk.wait_for_passage(1)
    walk.block(5).hover()
    walk.wait_for_passage(4)
    walk.block(5).click()
    walk.keys("1")
    walk.block(0).dblclick()
    saved_as(walk, "hottttoooooo", request)
    walk.wait_for_passage(0)


ROWS = "<tr><td>Monday<td>9 to 5<tr><td>Tuesday<td>-"
WHOLE = f"<p>Open:<table>{ROWS}</table><ul><li>by bus<li>on foot<ul><li>slowly</ul></ul><p>Contact"


def test_one_key_labels_a_whole_list_or_table(serving, open_tool, tmp_path):
    (tmp_path / "page.html").write_text(f"<!doctype html><title>t</title>{WHOLE}")
    arguments = ["annotate", "serve", "--no-open", "page.html", "--no-suggestions"]
    with serving("from victor.cli import main; main()", arguments, tmp_path) as url:
        tool = open_tool(url, "anna")
        tool.keys("j", "j", "Shift+t")  # from the second cell of the table
        tool.wait_for_labels("otttt" + "oooo")
        expect(tool.page.locator("#block")).to_contain_text("Block 6 of 9")  # behind it
        tool.keys("1", "l")  # the list, with the list within it, takes the chosen label
        tool.wait_for_labels("otttthhho")
        tool.keys("k", "Shift+o")  # the inner list alone
        tool.wait_for_labels("otttthhoo")
        tool.keys("Control+z", "Control+z")
        tool.wait_for_labels("otttt" + "oooo")
        tool.keys("Home", "l")
        expect(tool.page.locator("#notice")).to_have_text("This block is in no list or table")
        tool.wait_for_save()
        tool.keys("?")
        help_row = tool.page.get_by_role("row", name="L give the whole list or table the chosen")
        expect(help_row).to_be_visible()


@pytest.mark.slow
def test_undo_redo_and_clear(walk, request):
    undo, redo, clear = (walk.page.locator(f"#{name}") for name in ("undo", "redo", "clear"))
    expect(undo).to_be_disabled()
    walk.keys("t", "h")
    walk.keys("Control+z")
    saved_as(walk, "tooooooooooo", request)
    undo.click()
    saved_as(walk, NOTHING, request)
    expect(undo).to_be_disabled()
    redo.click()
    walk.keys("Control+Shift+z")
    saved_as(walk, "thoooooooooo", request)
    expect(redo).to_be_disabled()
    clear.click()
    saved_as(walk, NOTHING, request)
    walk.keys("Control+z")
    saved_as(walk, "thoooooooooo", request)


CONFLICT = "409"


def two_tabs(site, open_tool, name):
    """Two tabs of one annotator; returns the second, which is in conflict with the first."""
    first = open_tool(site.url, name, "walk")
    second = open_tool(site.url, name, "walk", context=first.page.context)
    first.keys("h")
    first.wait_for_save()
    second.keys("j", "j", "t")
    expect(second.page.get_by_role("alert")).to_contain_text("1 change not saved, but kept here")
    expect(second.page.locator("#saved")).to_have_text("Not saved")
    assert [CONFLICT in error for error in open_tool.errors] == [True]
    open_tool.errors.clear()
    return second


@pytest.mark.slow
def test_two_tabs_keep_the_labels_of_both(site, open_tool, request):
    second = two_tabs(site, open_tool, request.node.name)
    second.keys("j", "t")
    second.page.get_by_role("button", name="Keep both").click()
    saved_as(second, "hototooooooo", request)
    expect(second.page.get_by_role("alert")).to_be_hidden()


@pytest.mark.slow
def test_a_lost_connection_loses_no_label(walk, open_tool, request):
    walk.page.route("**/save", lambda route: route.abort())
    walk.keys("h", "t")
    expect(walk.page.get_by_role("alert")).to_contain_text("2 changes not saved, but kept here")
    walk.keys("j", "t")
    expect(walk.page.locator("#saved")).to_have_text("Not saved")
    walk.page.unroute("**/save")  # it keeps retrying
    saved_as(walk, "htotoooooooo", request)
    assert all("Failed to load resource" in error for error in open_tool.errors)
    open_tool.errors.clear()


@pytest.mark.slow
def test_leaving_with_unsaved_labels_asks(walk, open_tool):
    dialogs = []
    walk.page.on("dialog", lambda dialog: (dialogs.append(dialog.type), dialog.dismiss()))
    walk.page.route("**/save", lambda route: route.abort())
    walk.keys("h")
    expect(walk.page.locator("#saved")).to_have_text("Not saved")
    walk.page.close(run_before_unload=True)
    walk.page.unroute("**/save")  # it keeps retrying
    walk.wait_for_save()
    assert dialogs == ["beforeunload"]
    open_tool.errors.clear()


@pytest.mark.slow
def test_suggestions(site, open_tool, request):
    page = site.labelled[2]
    tool = open_tool(site.url, request.node.name, page)
    expect(tool.page.locator("#least-certain")).to_be_visible()
    suggestion = tool.stored(page, request.node.name)["suggestion"]
    confidence = suggestion["confidence"]
    doubtful = [block for block, percent in enumerate(confidence) if percent < 90]
    marked = tool.frame.locator("v-b[data-c]").evaluate_all("all => all.map(b => +b.dataset.v)")
    assert sorted(set(marked)) == doubtful
    tool.keys("u")
    least = confidence.index(min(confidence))
    expect(tool.page.locator("#block")).to_contain_text(
        re.compile(rf"Block {least + 1} of .* {min(confidence)} %")
    )
    tool.keys("h")
    expect(tool.block(least)).not_to_have_attribute("data-c", re.compile("."))
    tool.wait_for_labels("o" * least + "h" + "o" * (len(confidence) - least - 1))


@pytest.mark.slow
def test_adapting_says_in_a_sentence_what_it_gained(walk):
    running, gained = {"state": "running", "message": ""}, "Adapted to 3 pages, the model gains"
    answers = iter([running, {"state": "done", "message": gained}])

    def answer(route):
        is_start = route.request.method == "POST"
        route.fulfill(json=running if is_start else next(answers), status=202 if is_start else 200)

    walk.page.route("**/api/adapt", answer)
    walk.keys("r")
    notice = walk.page.locator("#notice")
    expect(notice).to_have_text("Adapting the model to the finished pages…")
    expect(notice).to_have_text(gained)
    assert next(answers, None) is None


@pytest.mark.slow
def test_a_server_that_does_not_answer_at_the_start_is_reported(site, browser):
    tab = browser.new_page()
    tab.route("**/api/session", lambda route: route.abort())
    tab.goto(site.url)
    message = "The tool cannot start: the server does not answer"
    expect(tab.get_by_role("alert")).to_contain_text(message)
    tab.close()
