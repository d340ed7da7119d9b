"""The first prompt under axe, light and dark; Tab reaches every control."""

import pytest
from axe import violations
from playwright.sync_api import expect


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_name_prompt(site, browser, scheme):
    page = browser.new_page(color_scheme=scheme)
    page.goto(site.url)
    expect(page.get_by_role("dialog", name="Who annotates?")).to_be_visible()
    assert not violations(page)
    page.close()


@pytest.mark.slow
def test_tab_reaches_every_control(site, open_tool):
    tool = open_tool(site.url, "tabbing", "walk")
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
