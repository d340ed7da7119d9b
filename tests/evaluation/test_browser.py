"""The report in a real browser: it is drawn, light and dark, and asks for nothing."""

import pytest
from axe import violations


def test_curves_are_drawn_and_worst_pages_show_colours_and_marks(opened_file, by_chance_report):
    page = opened_file(by_chance_report, viewport={"width": 1200, "height": 1400})
    page.locator("details.more").evaluate_all("found => found.forEach(one => one.open = true)")
    sizes = page.locator("img").evaluate_all("found => found.map(image => image.naturalWidth)")
    assert (len(sizes), min(sizes) > 400) == (4, True)
    worst = page.locator("details.page").first
    assert worst.locator("table.blocks").is_visible(), "the worst page is open"
    assert not page.locator("details.page").nth(1).locator("table.blocks").is_visible()
    colours = {}
    for name, sign in (("kept", "✓"), ("dropped", "·"), ("lost", "−"), ("wrong", "+")):
        cell = worst.locator(f"td.system.outcome-{name}").first
        assert cell.inner_text().startswith(sign)
        colours[name] = cell.evaluate("cell => getComputedStyle(cell).backgroundColor")
    assert len({*colours.values(), "rgba(0, 0, 0, 0)"}) == 5
    fold = worst.locator("td.fold details").first
    fold.locator("summary").click()
    assert fold.locator("li").first.is_visible()


@pytest.mark.slow
def test_both_schemes_are_accessible_and_differ(opened_file, by_chance_report):
    colours, drawings = set(), set()
    for scheme in ("light", "dark"):
        viewport = {"width": 380, "height": 800}
        page = opened_file(by_chance_report, color_scheme=scheme, viewport=viewport)
        colours.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        drawings.add(page.evaluate("document.querySelector('img').currentSrc"))
        assert page.evaluate("document.documentElement.scrollWidth") <= 380
        for details in page.locator("details").all()[:3]:
            details.evaluate("one => one.open = true")
        assert not violations(page)
    assert len(colours) == len(drawings) == 2
