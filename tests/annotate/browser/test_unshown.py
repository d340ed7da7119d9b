"""Pages that cannot be shown as they were, or not at all: nobody is kept from the other pages."""

import sqlite3
from contextlib import closing

from annotate.browser.conftest import SMALL
from annotate.conftest import running
from playwright.sync_api import expect

from victor.annotate.collect import collect

SHEET = '<link rel="stylesheet" href="style.css">'
N_PAGES, BARE, BROKEN = 12, (0, 4, 11), 6
"""How many pages there are, which lack their style sheet, and which cannot be shown."""


def saved(folder, bodies):
    """Ids of pages in files of this folder, in the order in which they are listed."""
    folder.mkdir()
    for number, body in enumerate(bodies):
        (folder / f"{number:02}.html").write_text(f"<!doctype html><title>{number}</title>{body}")
    return {page.file.stem: page.id for page in collect([str(folder)])}


def test_twelve_pages_to_the_ending(open_tool, tmp_path):
    ids = saved(tmp_path / "pages", [SHEET * (n in BARE) + SMALL for n in range(N_PAGES)])
    with running(["--no-suggestions", "pages"], tmp_path) as (url, _):
        with closing(sqlite3.connect(tmp_path / "annotations.sqlite")) as store, store:
            store.execute("UPDATE page SET cut = 0 WHERE id = ?", [ids[f"{BROKEN:02}"]])
        tool = open_tool(url, "anna", "00", ids=ids)
        for number in range(N_PAGES):
            if number == BROKEN:
                skip_and_come_back(tool, number)
                tool.keys("b")
            else:
                tool.wait_for_page(f"{number:02}")
                tool.keys("h", "t", "d")
        ending = tool.page.locator("#ending")
        expect(ending).to_contain_text("11 done, 1 broken")
        expect(tool.page.get_by_role("alert")).to_be_hidden()
        tool.page.reload()
        ending.wait_for()
    told_missing(open_tool.errors)


def skip_and_come_back(tool, number):
    """Goes past a page that cannot be shown by the keys for that, and back."""
    alert, after = tool.page.get_by_role("alert"), f"{number + 1:02}"
    expect(alert).to_contain_text("cannot be shown")
    tool.keys("d")
    expect(alert).to_contain_text("cannot be shown")  # nobody has seen what it says
    tool.keys("]")
    tool.wait_for_page(after)
    expect(alert).to_be_hidden()
    tool.keys("[")
    expect(alert).to_contain_text("cannot be shown")
    tool.keys("s")
    tool.wait_for_page(after)
    tool.page.reload()
    tool.wait_for_page(after)
    tool.page.goto(f"{tool.page.url.partition('#')[0]}#annotator=anna")
    tool.page.reload()
    tool.wait_for_page(after)  # the next visit does not open on it again
    tool.keys("[")
    expect(alert).to_contain_text("cannot be shown")


def told_missing(errors):
    """The browser tells of files that are not there; there must be no other error."""
    allowed = ("404 (Not Found)", "422 (Unprocessable", "MIME type ('application/json')")
    assert all(any(one in error for one in allowed) for error in errors), errors
    errors.clear()
