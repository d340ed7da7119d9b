"""Accepting suggestions: what a person has labelled stays, and the tool says what it did."""

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


def notice(tool):
    return tool.page.locator("#notice")


@pytest.mark.slow
def test_labels_given_by_hand_are_kept(suggesting):
    tool = suggesting("walk", WALK)
    tool.keys("o", "t", "x", "a")  # the labeler says header, header, text
    tool.wait_for_labels("ot?tttttt" + "ooo")
    expect(notice(tool)).to_have_text("6 blocks filled: 6 text; 3 of yours kept")
    tool.keys("Control+z")
    tool.wait_for_labels("ot?" + "o" * 9)
    tool.wait_for_save()


@pytest.mark.slow
def test_another_label_given_by_hand_is_kept_on_another_day(suggesting):
    tool = suggesting("walk", WALK)
    tool.keys("t", "o", "j", "o")  # the second and fourth block are other, as they were before
    tool.wait_for_save()
    tool.page.reload()
    tool.wait_for_page("walk")
    tool.keys("a")
    tool.wait_for_labels("toto" + "ttttt" + "ooo")
    expect(notice(tool)).to_have_text("6 blocks filled: 6 text; 3 of yours kept")


@pytest.mark.slow
def test_a_page_that_was_cleared_is_filled_like_a_new_one(suggesting):
    tool = suggesting("walk", WALK)
    tool.keys("t", "o", "c", "a")
    tool.wait_for_labels(WALK)
    expect(notice(tool)).to_have_text("9 blocks filled: 2 headers, 7 text")
    tool.keys("a")
    expect(notice(tool)).to_have_text("Nothing to fill; 9 of yours kept")
    tool.keys("j")
    expect(notice(tool)).to_be_empty()


@pytest.mark.slow
def test_what_was_filled_is_scrolled_to(suggesting):
    tool = suggesting("large", FAR)
    tool.keys("a")
    tool.wait_for_labels(FAR)
    expect(tool.block(2000)).to_be_in_viewport()
    expect(tool.page.locator("#block")).to_contain_text("Block 2001 of 3000: header")


@pytest.mark.slow
def test_the_page_stays_where_it_is_if_something_filled_is_in_view(suggesting):
    tool = suggesting("walk", WALK)
    tool.keys("End", "a")
    expect(tool.page.locator("#block")).to_contain_text("Block 12 of 12")
