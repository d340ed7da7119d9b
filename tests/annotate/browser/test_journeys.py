"""What one person does, page by page, and what other tabs and lost connections do to that."""

import re

import pytest
from axe import violations
from playwright.sync_api import expect

from tests.rows import tables, written_out

JOURNEYS = tables(__file__)


SEEN = {
    "see": "to_contain_text",
    "read": "to_have_text",
    "filled": "not_to_be_empty",
    "shown": "to_be_visible",
    "in view": "to_be_in_viewport",
    "hidden": "to_be_hidden",
    "disabled": "to_be_disabled",
    "focused": "to_be_focused",
}
"""Words for what is seen of elements; behind them stand selectors, of texts with these."""
DONE = ("click", "dblclick", "hover")
"""Words for what is done to a block."""


class Journey:
    """The words of the steps."""

    def __init__(self, start, ids, errors):
        self.tabs, self._start, self._ids, self._errors = [start()], start, ids, errors
        self.tool = self.tabs[0]

    def go(self, steps):
        for step in steps:
            for word, value in step.items():
                if word in SEEN:
                    self._see(SEEN[word], value)
                elif word in DONE:
                    getattr(self.tool.block(value), word)()
                else:
                    getattr(self, word.replace(" ", "_"))(value)

    def _shown(self, selector):
        return self.tool.page.locator(selector.format(**self._ids)).first

    def _see(self, assertion, value):
        selectors = [value] if isinstance(value, str) else value
        for selector in selectors:
            text = [value[selector]] if isinstance(value, dict) else []
            getattr(expect(self._shown(selector)), assertion)(*text)

    # what is done

    def keys(self, keys):
        self.tool.keys(*str(keys).split())

    def press(self, selector):
        self._shown(selector).click()

    def choose(self, values):
        for selector, value in values.items():
            self._shown(selector).select_option(value)

    def row(self, page):
        self.tool.row(page).click()
        self.at(page)

    def open(self, page):
        self.tool.reopen(page)

    def reload(self, page):
        self.tool.page.reload()
        self.at(page)

    def tab(self, number):
        """Go to a tab; the second is opened first."""
        while len(self.tabs) < number:
            self.tabs.append(self._start(context=self.tool.page.context))
        self.tool = self.tabs[number - 1]

    # what the server does

    def _route(self, path, respond):
        self.tool.page.route(path.format(**self._ids), respond)

    def refuse(self, path):
        self._route(path, lambda route: route.abort())

    def hang(self, path):
        self._route(path, lambda _route: None)

    def allow(self, path):
        self.tool.page.unroute(path.format(**self._ids))

    def answer(self, answers):
        """Give these answers, one after the other, and then the last."""
        for path, left in answers.items():
            self._route(
                path,
                lambda route, *, left=left: route.fulfill(
                    json=left.pop(0) if left[1:] else left[0]
                ),
            )

    def fail(self, answers):
        """Refuse these with a message."""
        for path, error in answers.items():
            answer = {"status": 422, "json": {"error": error}}
            self._route(path, lambda route, *, answer=answer: route.fulfill(**answer))

    def add(self, answers):
        """Give the answers of the server with these fields."""
        for path, more in answers.items():
            self._route(
                path, lambda route, *, more=more: route.fulfill(json=route.fetch().json() | more)
            )

    def suggest(self, letters):
        """Open the small page anew, and a labeler suggests these letters."""
        made = {"labeler": "made", "labels": letters, "confidence": [97] * len(letters)}
        self.add({"**/api/page/{walk}?*": {"suggestion": made, "suggesting": False}})
        self.tool.reopen("hostile")
        self.tool.reopen("walk")

    # what is seen

    def at(self, page):
        self.tool.wait_for_page(page)

    def not_at(self, page):
        self.tool.wait_for_another(page)

    def labels(self, letters):
        self.tool.wait_for_labels(written_out(letters))

    def suggested(self, letters):
        assert self.tool.suggested() == letters

    def saved(self, letters):
        """The page shows these labels, and the server has them."""
        self.labels(letters)
        self.tool.wait_for_save()
        assert self.tool.stored()["labels"] == written_out(letters)

    def stored(self, pages):
        for page, (letters, state) in pages.items():
            found = self.tool.stored(page)
            assert letters in (None, found["labels"])
            assert found["state"] == state

    def passage(self, count):
        self.tool.wait_for_passage(count)

    def list(self, pages):
        rows = [self._ids[page] for page in pages]
        expect(self.tool.page.locator("#list button")).to_have_count(len(rows))
        found = self.tool.page.locator("#list button").all()
        assert [row.get_attribute("data-id") for row in found] == rows

    def accessible(self, _):
        """Nothing is wrong for axe but in the annotated page, whose own affair that is."""
        assert not violations(self.tool.page, without=["#frame iframe"])

    def errors(self, expected):
        """There were errors, all of this kind."""
        assert self._errors
        assert all(re.search(expected, error) for error in self._errors), self._errors
        self._errors.clear()


def journeys():
    for name, steps in JOURNEYS.items():
        options = {}
        while steps[0].keys() <= {"quick", "page", "dark"}:
            options |= steps.pop(0)
        marks = [] if "quick" in options else [pytest.mark.slow]
        for scheme in ("light", "dark") if "dark" in options else ("light",):
            page = options.get("page", "walk")
            yield pytest.param(page, scheme, steps, id=f"{name}, {scheme}", marks=marks)


@pytest.mark.parametrize(("page", "scheme", "steps"), [*journeys()])
def test_a_journey(site, open_tool, request, page, scheme, steps):
    window = {"viewport": {"width": 1366, "height": 820}, "color_scheme": scheme}

    def start(**options):
        return open_tool(site.url, request.node.callspec.id, page, **(options or window))

    Journey(start, site.ids, open_tool.errors).go(steps)
