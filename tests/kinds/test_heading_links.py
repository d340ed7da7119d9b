"""Links that serve a heading, to edit it or to its place, are no words of it."""

import numpy as np
import pytest

import victor
from victor.base.labels import Label
from victor.config.schema import Scope
from victor.kinds.scope import finish
from victor.page.table.segment import parse_pages
from victor.page.verdict.verdict import Verdict, marginals
from victor.render import json_page as records
from victor.render import text
from victor.render.forms import Page

EDIT = "<span class=mw-editsection><span>[</span>{}<span>]</span></span>"
LINK = "<a href=/w?section=1>{}</a>"
SIGN = "<a href=#bees>{}</a>"
PROSE = "In spring the keeper looks into every hive and writes down how much honey is left. " * 3


def finished(page, *, by_model=True):
    """The verdict on a page of which all blocks are kept."""
    table = parse_pages([page])
    labels = np.full(len(table), Label.TEXT, dtype=np.uint8)
    probabilities = marginals(np.ones(len(table)), np.zeros(len(table), dtype=bool))
    verdict = Verdict(table, labels, probabilities, "expected-f", by_model=by_model)
    return finish(verdict, [page.encode()], Scope(name="full"))


def shown(page, **options):
    return text.render(Page(finished(page, **options))).removesuffix("\n")


@pytest.mark.parametrize(
    "heading",
    [
        f"<h2><span>Bees</span>{EDIT.format(LINK.format('edit'))}</h2>",
        f"<h3>Bees{EDIT.format(LINK.format('editovat zdroj'))}</h3>",
        f"<h2>Bees{EDIT.format(LINK.format('编辑'))}</h2>",
        f"<h2>Bees {EDIT.format(LINK.format('edit') + ' | ' + LINK.format('edit source'))}</h2>",
        f"<h2>{EDIT.format(LINK.format('Bearbeiten'))} <span>Bees</span></h2>",
        f"<h2>Bees <span>[{LINK.format('edit')}]</span></h2>",
        f"<h2>Bees<span>[{LINK.format('edit')}]</span></h2>",
        f"<h2>Bees {LINK.format('[edit]')}</h2>",
        f"<h2>Bees{SIGN.format('¶')}{EDIT.format(LINK.format('edit'))}</h2>",
        f"<h2>Bees {SIGN.format('¶')}</h2>",
        f"<h2>{SIGN.format('#')} Bees</h2>",
        f"<h2>{SIGN.format('§')}Bees</h2>",
        f"<h2>Bees <span>{SIGN.format('🔗')}</span></h2>",
        f"<dl><dt>Bees{SIGN.format('¶')}</dl>",
    ],
)
def test_they_go(heading):
    assert shown(f"{heading}<p>{PROSE}") == f"Bees\n\n{PROSE.strip()}"


@pytest.mark.parametrize(
    ("heading", "words"),
    [
        ("<h2>Notes [1]</h2>", "Notes [1]"),
        (f"<h2>Bees [{LINK.format('edit')}]</h2>", "Bees [edit]"),  # in no element of its own
        ("<h2>Array[int]</h2>", "Array[int]"),
        (f"<h2>Array[{LINK.format('int')}]</h2>", "Array[int]"),
        (f"<h2><i>Array</i><i>[</i>{LINK.format('int')}<i>]</i></h2>", "Array[int]"),
        (f"<h2>Notes<sup>{LINK.format('[1]')}</sup></h2>", "Notes[1]"),
        (f"<h2>Notes<sup>[{LINK.format('note')}]</sup></h2>", "Notes[note]"),
        (f"<h2>Notes [{LINK.format('1')}]</h2>", "Notes [1]"),
        (f"<h2>Notes {EDIT.format(LINK.format('a'))}</h2>", "Notes [a]"),
        (f"<h2>Notes [see {LINK.format('bees')}]</h2>", "Notes [see bees]"),
        (f"<h2>[{LINK.format('Notes')}]</h2>", "[Notes]"),
        (f"<h2>[{LINK.format('Mites')}] in hives [{LINK.format('new')}] today</h2>",
         "[Mites] in hives [new] today"),
        ("<h2><a href=/a>Bees <i>[</i><i>video</i><i>]</i></a></h2>", "Bees [video]"),
        (f"<h2>Bees ({LINK.format('video')})</h2>", "Bees (video)"),
        ("<h2>Bees #</h2>", "Bees #"),
        ("<h2><a href=/a>Do <i>Bees</i>?</a></h2>", "Do Bees?"),
        (f"<h2>{SIGN.format('???')}</h2>", "???"),
        (f"<p>Bees [{LINK.format('edit')}]</p>", "Bees [edit]"),
        (f"<p>Bees {SIGN.format('→')}</p>", "Bees →"),
    ],
)  # fmt: skip
def test_words_of_a_heading_stay(heading, words):
    assert shown(f"{heading}<p>{PROSE}") == f"{words}\n\n{PROSE.strip()}"


@pytest.mark.parametrize(("n", "end"), [(39, ""), (40, "¶")])
def test_headings_of_many_parts_are_left_alone(n, end):
    heading = f"<h2>{'<b>Bee </b>' * n}{SIGN.format('¶')}</h2>"
    assert shown(f"{heading}<p>{PROSE}").startswith(("Bee " * n + end).strip() + "\n")


@pytest.mark.parametrize(("n", "end"), [(78, ""), (79, f" [{'x' * 79}]")])
def test_long_links_are_words_of_a_heading(n, end):
    heading = f"<h2>Bees {LINK.format('[' + 'x' * n + ']')}</h2>"
    assert shown(f"{heading}<p>{PROSE}").startswith(f"Bees{end}\n")


def test_published_systems_keep_what_they_keep():
    page = f"<h2>Bees{EDIT.format(LINK.format('edit'))}</h2>"
    assert shown(page, by_model=False) == "Bees[edit]"


def test_records_tell_what_a_heading_lost():
    verdict = finished(f"<h2>Bees {SIGN.format('¶')}</h2><p>{PROSE}")
    assert '"removed":[{"reason":"heading-link","text":"¶"}]' in records.records(Page(verdict))


def test_a_wiki_has_no_such_links_in_any_form():
    sections = "".join(
        f"<h2><span id={name}>{name}</span>{EDIT.format(LINK.format('edit'))}</h2><p>{PROSE}</p>"
        for name in ("Spring", "Summer", "Winter")
    )
    page = f"<title>Hives</title><h1>Hives</h1><p>{PROSE}</p>{sections}".encode()
    result = victor.clean(page)
    assert "\nSpring\n" in result.text
    assert "\n## Summer\n" in result.markdown
    assert not any("edit" in form for form in (result.text, result.markdown, result.article))


@pytest.mark.parametrize(
    "page",
    ["<a href=/x><h2>Bees ¶</h2></a>", "<a href=/x><div><h1>News »</h1></div></a>",
     "<a href=/x><div>¶</div><h1>Bees</h1></a>"],
)  # fmt: skip
def test_the_search_ends_where_the_link_is_around_the_heading(page):
    assert shown(page)
