"""The article page in Chromium: nothing runs, only images are fetched, the words are there."""

import pytest
from markup_elements import letters

from tests.rows import tables
from victor.api import Cleaner
from victor.labelers.labeler import build_labeler

ROWS = tables(__file__)

NOWHERE = "http://victor.test/"
"""An address that exists only in the browser."""
SHOULD_NOT_RUN = "fetch('/ran');document.title='ran'"
HOSTILE = ROWS["hostile"]


@pytest.fixture(scope="module")
def cleaner():
    return Cleaner(build_labeler("none"))


@pytest.fixture(scope="module")
def visit(browser):
    """Function: show a page; gives what it asked for, by kind, and its window."""
    window = browser.new_page()
    served, asked = {}, []

    def answer(route):
        request = route.request
        if request.url == NOWHERE:
            route.fulfill(body=served["page"], content_type="text/html; charset=utf-8")
        else:
            asked.append((request.resource_type, request.url))
            route.fulfill(body="", content_type="image/png")

    window.route("**/*", answer)

    def visit(page):
        served["page"] = page
        asked.clear()
        window.goto(NOWHERE, wait_until="networkidle")
        return list(asked), window

    yield visit
    window.close()


def check(visit, result):
    asked, window = visit(result.render("article", headline=False, posts=False))
    assert {kind for kind, _ in asked} <= {"image"}
    assert window.url == NOWHERE
    assert window.title() != "ran"
    assert window.evaluate("document.scripts.length") == 0
    handlers = """[...document.querySelectorAll('*')].flatMap(element =>
        [...element.attributes].filter(each => each.name.startsWith('on'))).length"""
    assert window.evaluate(handlers) == 0
    window.evaluate("document.querySelector('.about')?.remove()")
    said = window.evaluate("document.querySelector('article').textContent")
    assert letters(said) == letters(result.text)
    return asked


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_nothing_of_a_hostile_page_lives(visit, cleaner, name):
    page = HOSTILE[name].replace("RUN", SHOULD_NOT_RUN)
    result = cleaner.clean(page.encode(), NOWHERE + "page")
    check(visit, result)


@pytest.mark.slow
def test_images_are_fetched(visit, cleaner):
    result = cleaner.clean(b"<h1>a</h1><p>b <img src=/i.png alt=c> d", NOWHERE + "page")
    assert check(visit, result) == [("image", NOWHERE + "i.png")]


@pytest.mark.slow
def test_what_the_checks_see(visit):
    """The checks above can fail: the hostile pages themselves run."""
    asked, window = visit(HOSTILE["handlers"].replace("RUN", SHOULD_NOT_RUN))
    assert window.title() == "ran"
    assert "fetch" in {kind for kind, _ in asked}
