"""Footnotes in the ways that generators of pages write them; all pages are made here."""

import re
from collections import Counter

import pytest
from lxml import html

from tests.test_cases import CASES, cases_of
from victor.render import article, markdown, text
from victor.render.forms import Page
from victor.render.tei import render as tei

ALL = {
    case.name: (case.page.decode(), case.views["markdown"])
    for case in cases_of(CASES / "markdown" / "conventions_of_notes.md")
}
NONE = {
    "equations": "<p>See <a href=#eq1>1</a> and (<a href=#eq2>2</a>).<p id=eq1>x<p id=eq2>y",
    "theorems": "<p>By (<a href=#thm>1</a>).<h3><a name=thm></a>Theorem 1</h3><p>It holds.",
    "raised links to headings": "<p>a<sup><a href=#b>2</a></sup>.<h2 id=b>Wasps</h2><p>They sting.",
    "links in brackets to figures": "<p>See [<a href=#f-1-g1>1</a>].<p id=f-1-g1>Bees hum.",
    "powers": "<p>x<sup>2</sup> is<p><sup>2</sup>H is deuterium.",
    "numbers that are not raised": "<p>Bees<sup>1</sup>.<h2>Notes</h2><p>1. Hive.<p><b>1</b> Comb.",
    "notes in a paragraph of other text": (
        "<p>Bees<sup><a href=#x>1</a></sup> hum<sup><a href=#y>2</a></sup>.<p>Notes: "
        "<a name=x>1</a>. They sleep.<br><a name=y>2</a>. They sting."
    ),
    "a raised number in another link": (
        "<p>Bees<sup><a href=/x>1</a></sup>.<hr><p><sup>1</sup> They sleep."),
    "the alphabet": "<p><a href=#A>A</a> <a href=#B>B</a><p id=A>Ant.<p id=B>Bee.",
    "a note alone": "<aside class=sidenote>They sleep.</aside><p>Bees hum.",
    "a mark without its note": "<p>Bees hum<sup class=footnote-ref><a href=#fn1>1</a></sup>.",
}  # fmt: skip


@pytest.fixture
def shown(judge):
    def shown(page, write=markdown, **options):
        render = getattr(write, "render", write)
        return render(Page(judge(page, **options), markup=page.encode(), url="http://x.cz/"))

    return shown


@pytest.mark.parametrize("name", NONE)
def test_what_is_no_note(shown, name):
    assert "[^" not in shown(NONE[name])


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
    labels = re.findall(r"^\[\^(\w+)\]: ", source, re.MULTILINE)
    marks = len(re.findall(r"\[\^\w+\](?!:)", source))
    tree = html.fromstring(shown(page, article))
    targets = [link.get("href")[1:] for link in tree.iterfind(".//sup/a")]
    assert len(targets) == marks
    assert {*targets} == {each.get("id") for each in tree.iterfind(".//li") if each.get("id")}
    assert re.findall(r'<note [^>]*n="(\w+)"', shown(page, tei)) == labels


def marked(n, note="They rest."):
    """A mark that something leads back to, n tags before it."""
    place = f"<a id=r></a>{'<i></i>' * n}"
    return f"<p>Bees {place}<a href=#x1>1</a>.<p id=x1><a href=#r>^</a> {note}"


LIMITS = {
    "tags between a mark and what leads back to it": (2, 3, marked),
    "links of a note that are looked at": (
        19,
        20,
        lambda n: (
            "<p>Bees<a id=r href=#x1>1</a>.<p id=x1>They "
            + "<a href=#q>rest</a> " * n
            + "<a href=#r>^</a>"
        ),
    ),
    "numbers in a row": (
        2,
        1,
        lambda n: (
            "<p>Bees<sup>1</sup> hum<sup>2</sup>."
            + "".join([f"<p><sup>{k + 1}</sup> They rest." for k in range(n)])
        ),
    ),
    "elements around a note that name it": (
        3,
        4,
        lambda n: (
            f"<p>Bees<sup>1</sup>.<div class=notes>{'<div>' * (n - 1)}<p><sup>1</sup> They rest."
        ),
    ),
}


@pytest.mark.parametrize("name", LIMITS)
def test_notes_are_found_up_to_a_number(shown, name):
    at, beyond, page = LIMITS[name]
    for n, is_found in ((at, True), (beyond, False)):
        assert ("]: They" in shown(page(n))) == is_found, (n, shown(page(n)))


@pytest.mark.parametrize(("n", "is_hidden"), [(24, True), (25, False)])
def test_what_leads_back_is_short(shown, n, is_hidden):
    text = "back to the text".ljust(n, "s")
    page = f"<p>Bees<sup><a id=r href=#x>1</a></sup>.<p id=x>They rest. <a href=#r>{text}</a>"
    assert (text not in shown(page)) == is_hidden
