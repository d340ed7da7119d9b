"""The way through the pages: what the tool says at each step, and where it goes next."""

import pytest
from playwright.sync_api import expect


@pytest.fixture
def tool(site, open_tool, request):
    return open_tool(site.url, request.node.name, "walk", viewport={"width": 1366, "height": 820})


def order_of(tool):
    """The names of the pages in the list, in its order."""
    names = {page_id: name for name, page_id in tool.ids.items()}
    rows = tool.page.locator("#list button").all()
    return [names[row.get_attribute("data-id")] for row in rows]


@pytest.mark.slow
def test_the_list_holds_what_its_filter_says(tool):
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
def test_done_goes_to_the_next_page_that_is_to_do(tool):
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
