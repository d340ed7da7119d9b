"""Every screen of the tool under axe, light and dark; the keyboard alone reaches everything."""

import pytest
from axe import violations
from playwright.sync_api import expect

FRAME = "#frame iframe"
"""The annotated page: what is wrong in it is its own affair."""
SCHEMES = pytest.mark.parametrize("scheme", ["light", "dark"])


@pytest.fixture
def start(site, open_tool, request):
    def started(scheme, annotator=None, page=site.labelled[2], **options):
        return open_tool(site.url, annotator or request.node.name, page, color_scheme=scheme,
                         viewport={"width": 1366, "height": 820}, **options)  # fmt: skip

    return started


def check(tool):
    assert not violations(tool.page, without=[FRAME])


@SCHEMES
def test_every_screen(start, open_tool, scheme):
    tool = start(scheme)
    expect(tool.page.locator("#least-certain")).to_be_visible()
    check(tool)
    tool.keys("q")  # the list, and a message
    last = tool.page.locator("#list button").last
    last.click()
    tool.page.locator(f'#frame[data-page="{last.get_attribute("data-id")}"]').wait_for()
    tool.keys("ArrowRight")
    expect(tool.page.locator("#notice")).not_to_be_empty()
    check(tool)
    tool.keys("?")  # the help
    expect(tool.page.get_by_text("Three questions decide")).to_be_visible()
    check(tool)
    tool.keys("Escape")
    tool.page.route("**/save", lambda route: route.abort())
    tool.keys("h")  # which cannot be saved
    expect(tool.page.get_by_role("alert")).to_be_visible()
    check(tool)
    tool.page.unroute("**/save")
    tool.wait_for_save()
    tool.page.route("**/page/*", lambda route: route.fulfill(status=422, json={"error": "no"}))
    tool.keys("ArrowLeft")
    expect(tool.page.get_by_role("alert")).to_contain_text("cannot be shown: no")
    check(tool)
    tool.page.unroute("**/page/*")
    tool.keys("ArrowRight")  # to the last page, and then to the end
    tool.wait_for_page()
    tool.page.route("**/api/queue?*", lambda route: route.fulfill(
        json=route.fetch().json() | {"states": {"done": 6}}))  # fmt: skip
    tool.page.locator("#filter").evaluate("one => one.value = 'skip'")
    tool.keys("s")
    expect(tool.page.locator("#ending")).to_be_visible()
    check(tool)
    open_tool.errors.clear()


@pytest.mark.slow
@SCHEMES
def test_the_name_prompt(site, browser, scheme):
    page = browser.new_page(color_scheme=scheme)
    page.goto(site.url)
    expect(page.get_by_role("dialog", name="Who annotates?")).to_be_visible()
    assert not violations(page)
    page.close()


@pytest.mark.slow
def test_the_list_is_reached_and_left_by_keys(start, site):
    tool = start("light", page="walk")
    tool.keys("q")
    expect(tool.row("walk")).to_be_focused()
    tool.keys("Shift+Tab", "Enter")
    names = {page_id: name for name, page_id in site.ids.items()}
    rows = tool.page.locator("#list button")
    tool.wait_for_page(names[rows.nth(rows.count() - 2).get_attribute("data-id")])
    tool.keys("q", "ArrowRight")
    tool.wait_for_page("walk")
    tool.keys("t")
    tool.wait_for_labels("t" + "o" * 11)


@pytest.mark.slow
def test_tab_reaches_every_control(start):
    tool = start("light", page="walk")
    tool.keys("q")
    wanted = tool.page.evaluate(CONTROLS)
    reached = set()
    for _ in range(3 * len(wanted)):
        tool.keys("Tab")
        reached.add(tool.page.evaluate("document.activeElement?.dataset.test ?? null"))
    assert set(wanted) <= reached


CONTROLS = """() => {
  const all = document.querySelectorAll("body > :not(dialog) :is(button, select, input)");
  const shown = [...all].filter((one) => one.checkVisibility() && !one.disabled);
  shown.forEach((one, index) => (one.dataset.test = String(index)));
  return shown.map((one) => one.dataset.test);
}"""
