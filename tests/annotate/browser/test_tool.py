"""What one person does, page by page, and what other tabs and lost connections do to that."""

import re

import pytest
from annotate.browser.conftest import running
from playwright.sync_api import expect

NOTHING = "o" * 12


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


def test_one_key_labels_a_whole_list_or_table(open_tool, tmp_path):
    (tmp_path / "page.html").write_text(f"<!doctype html><title>t</title>{WHOLE}")
    arguments = ["annotate", "serve", "--no-open", "page.html", "--no-suggestions"]
    with running(arguments, tmp_path) as url:
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


# --- the first visit, the way through the pages, and the end --------------------------------------


@pytest.mark.slow
def test_who_has_saved_nothing_is_told_what_to_do(walk):
    notice = walk.page.locator("#notice")
    expect(notice).to_contain_text("Correct the labels, then press D")
    walk.keys("t")
    expect(notice).to_have_text("")
    walk.wait_for_save()
    walk.page.reload()
    walk.wait_for_page("walk")
    expect(notice).to_have_text("")


def test_the_help_has_keys_and_guidelines(walk):
    walk.keys("?")
    dialog = walk.page.get_by_role("dialog", name="Help")
    expect(dialog.get_by_role("heading", name="Help")).to_be_focused()
    expect(dialog.get_by_text("Correct what the model suggests")).to_be_in_viewport(ratio=1)
    expect(dialog.get_by_role("row", name="Ctrl+Z undo")).to_be_visible()
    dialog.get_by_role("button", name="Guidelines").click()
    heading = dialog.get_by_role("heading", name="Guidelines")
    expect(heading).to_be_focused()
    expect(heading).to_be_in_viewport()
    expect(dialog.get_by_text("Three questions decide nearly everything")).to_be_visible()
    walk.keys("t")  # would label, but a dialog is open
    walk.keys("Escape")
    expect(dialog).to_be_hidden()
    walk.keys("h")  # the focus is back
    walk.wait_for_labels("h" + "o" * 11)


def order_of(tool):
    """The names of the pages in the list, in its order."""
    names = {page_id: name for name, page_id in tool.ids.items()}
    rows = tool.page.locator("#list button").all()
    return [names[row.get_attribute("data-id")] for row in rows]


@pytest.mark.slow
def test_the_list_holds_what_its_filter_says(walk):
    tool = walk
    tool.keys("q")
    order = order_of(tool)
    assert len(order) == len(tool.ids)
    tool.page.locator("#filter").select_option("todo")
    tool.row(order[0]).click()
    tool.wait_for_page(order[0])
    tool.page.locator(".bar").get_by_role("button", name="Confirm").click()
    tool.wait_for_page(order[1])
    assert order_of(tool) == order[1:]
    tool.page.locator("#filter").select_option("done")
    expect(tool.page.locator("#list button")).to_have_count(1)
    assert order_of(tool) == order[:1]


@pytest.mark.slow
def test_done_goes_to_the_next_page_that_is_to_do(walk):
    tool = walk
    tool.keys("q")
    order = order_of(tool)
    for page in (order[0], order[2]):
        tool.row(page).click()
        tool.wait_for_page(page)
        tool.keys("s")
        tool.wait_for_page(order[order.index(page) + 1])
    tool.row(order[1]).click()
    tool.wait_for_page(order[1])
    tool.keys("d")
    tool.wait_for_page(order[3])
    tool.row(order[-1]).click()
    tool.wait_for_page(order[-1])
    tool.keys("d")
    tool.wait_for_page(order[3])  # the first that is left


@pytest.fixture
def finished(walk):
    """The tool after the last page, all pages done but one without content."""
    walk.keys("c", "h", "t", "t")
    for _ in range(len(walk.ids) - 1):
        current = walk.page.locator("#frame").get_attribute("data-page")
        walk.keys("d")
        other = f'#frame[data-page]:not([data-page="{current}"]):not([aria-busy])'
        walk.page.locator(other).wait_for()
        walk.keys("c")  # nothing is taken over
    walk.keys("n")
    walk.page.locator("#ending").wait_for()
    return walk


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


# --- suggestions: nobody's labels until a person confirms the page ------------------------------

WALK = "hhtttttttooo"
"""What the labeler suggests for the small page."""


@pytest.fixture
def suggesting(site, open_tool, request):
    """Opens a page for which a labeler suggests given letters."""

    def start(page, letters):
        tool = open_tool(site.url, request.node.name, site.labelled[0])

        def answer(route):
            content = route.fetch().json()
            made = {"labeler": "made", "labels": letters, "confidence": [97] * len(letters)}
            route.fulfill(json=content | {"suggestion": made, "suggesting": False})

        tool.page.route(f"**/api/page/{site.ids[page]}?*", answer)
        tool.page.reload()
        tool.wait_for_page(site.labelled[0])
        tool.reopen(page)
        return tool

    return start


def test_confirming_makes_suggestions_labels(suggesting, request):
    tool = suggesting("walk", WALK)
    assert tool.suggested() == WALK
    assert tool.labels() == "o" * 12
    assert tool.stored("walk", request.node.name)["revision"] == 0
    button = tool.page.locator(".bar").get_by_role("button", name="Confirm")
    expect(button).to_have_attribute("title", re.compile("becomes your labels"))
    tool.keys("o", "t", "x")  # the labeler says header, header, text
    tool.wait_for_labels("ot?" + "o" * 9)
    assert tool.suggested() == "ooo" + WALK[3:]
    tool.keys("d")
    tool.wait_for_another("walk")
    stored = tool.stored("walk", request.node.name)
    assert (stored["labels"], stored["state"]) == ("ot?tttttt" + "ooo", "done")


@pytest.mark.slow
def test_a_page_that_is_left_is_not_confirmed(suggesting, request):
    tool = suggesting("walk", WALK)
    for key in ("n", "ArrowLeft"):
        tool.keys(key)
        tool.wait_for_another("walk")
        stored = tool.stored("walk", request.node.name)
        assert (stored["labels"], stored["state"]) == ("o" * 12, "no-content")
        tool.reopen("walk")
        assert tool.suggested() == "o" * 12  # the page has a state: nothing is suggested any more


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
    tool.wait_for_another("walk")
    assert tool.stored("walk", request.node.name)["labels"] == "t" + "o" * 11
