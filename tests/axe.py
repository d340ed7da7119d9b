"""Accessibility of a page in the browser: axe-core (WCAG 2 A and AA, and its best practices).

    from axe import violations

    assert not violations(page)

`page` is one of Playwright. axe is evaluated in the page, so no policy of the page stops it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Page

RUN = """async ([context, options]) => (await axe.run(context, options)).violations"""


def violations(page: Page, *, without: Sequence[str] = (), rules: Sequence[str] = ()) -> list[str]:
    """What axe has to object to: a line for every element, with the rule and what is wrong.

    Args:
        page: as it is shown at the moment.
        without: selectors of elements that are left out with all in them, e.g. frames that show
            the pages of others. axe does not enter frames here.
        rules: names of the only rules to be checked; all of axe by default.
    """
    from axe_playwright_python.base import AXE_SCRIPT

    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(AXE_SCRIPT)
    options: dict[str, Any] = {"resultTypes": ["violations"], "iframes": False}
    if rules:
        options["runOnly"] = {"type": "rule", "values": list(rules)}
    context = {"include": [["html"]], "exclude": [[selector] for selector in without]}
    return [
        f"{violation['id']}: {' '.join(node['target'])}: {node['failureSummary']}"
        for violation in page.evaluate(RUN, [context, options])
        for node in violation["nodes"]
    ]
