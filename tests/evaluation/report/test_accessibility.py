"""The report under axe, light and dark."""

import pytest
from axe import violations


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_report_has_no_violations(browser, by_chance_report, scheme):
    page = browser.new_page(color_scheme=scheme, viewport={"width": 1200, "height": 1400})
    page.goto(by_chance_report.as_uri())
    for details in page.locator("details").all()[:3]:
        details.evaluate("one => one.open = true")
    assert not violations(page)
    page.close()
