"""Footnotes in the ways that generators of pages write them; all pages are made here."""

import re
from collections import Counter

import pytest
from lxml import html

from tests.test_cases import CASES, cases_of
from victor.render import article, markdown, text
from victor.render.forms import Page

ALL = {
    case.name: (case.page.decode(), case.views["markdown"])
    for case in cases_of(CASES / "markdown" / "conventions_of_notes.md")
}


@pytest.fixture
def shown(judge):
    def shown(page, write=markdown, **options):
        render = getattr(write, "render", write)
        return render(Page(judge(page, **options), markup=page.encode(), url="http://x.cz/"))

    return shown


def words(source):
    source = re.sub(r"!\[\]\([^)]*\)", "", source)
    return Counter(re.findall(r"[^\W\d_]{2,}", source))


@pytest.mark.parametrize("name", ALL)
def test_words_are_those_of_the_text(judge, shown, name):
    page = ALL[name][0]
    assert words(shown(page)) == words(text.render(Page(judge(page))))


@pytest.mark.parametrize("name", ALL)
def test_other_forms_have_the_same_notes(shown, name):
    page, source = ALL[name]
    marks = len(re.findall(r"\[\^\w+\](?!:)", source))
    tree = html.fromstring(shown(page, article))
    targets = [link.get("href")[1:] for link in tree.iterfind(".//sup/a")]
    assert len(targets) == marks
    assert {*targets} == {each.get("id") for each in tree.iterfind(".//li") if each.get("id")}
