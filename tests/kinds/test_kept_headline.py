"""The text of a model has no headline in the scope main, and no heading that nothing follows."""

import numpy as np
import pytest

from victor.base.labels import Label
from victor.config.schema import Scope
from victor.kinds.headings import kept_headlines
from victor.kinds.scope import finish
from victor.page.table.segment import parse_pages
from victor.page.table.texts import block_texts
from victor.page.verdict.verdict import Verdict, marginals

PROSE = "<p>The ferry carried its first passengers on Monday, nine weeks after it had stopped.</p>"
TITLE = "<title>Ferry to Skarne sails again - The Skarne Mail</title>"
SITE = "<meta property=og:site_name content='The Skarne Mail'>"


def verdict_of(pages, *, dropped=(), by_model=True):
    """A verdict that keeps all blocks but some, headings as headers."""
    table = parse_pages(pages)
    is_kept = np.array([text not in dropped for text in block_texts(table)], dtype=bool)
    probabilities = marginals(is_kept * 1.0, table.heading_level > 0)
    labels = probabilities.argmax(axis=1).astype(np.uint8)
    return Verdict(table, labels, probabilities, "threshold", by_model=by_model)


def texts_of(page, *, scope=Scope(), **options):  # noqa: B008  (frozen)
    verdict = finish(verdict_of([page], **options), [page.encode()], scope)
    return [
        text for text, kept in zip(block_texts(verdict.table), verdict.kept, strict=True) if kept
    ]


def headlines_of(page, **options):
    verdict = verdict_of([page], **options)
    texts = block_texts(verdict.table)
    return [texts[block] for block in kept_headlines(verdict.table, verdict.labels).tolist()]


@pytest.mark.parametrize(
    ("heading", "headlines"),
    [
        ("<h1>Anything</h1>", ["Anything"]),
        ("<h2>Ferry to Skarne sails again</h2>", ["Ferry to Skarne sails again"]),
        ("<h2>Anything</h2>", []),
        ("<h3>Ferry to Skarne sails</h3>", ["Ferry to Skarne sails"]),
        ("<h3>Ferry to Lowmark</h3>", []),
        ("<h2>Ferry to Skarne: all about it</h2>", ["Ferry to Skarne: all about it"]),
        ("<h2>Ferry to Skarne: all that is known</h2>", []),
        ("<h1>Ferry to Skarne sails again</h1><h1>Anything</h1>", ["Ferry to Skarne sails again"]),
        ("<h1>The Skarne Mail</h1><h2>Ferry to Skarne</h2>", ["Ferry to Skarne"]),
        (f"<h1>{'word ' * 50}</h1>", ["word " * 49 + "word"]),
        (f"<h1>{'word ' * 51}</h1>", []),
        ("<h1></h1>", []),
    ],
)
def test_a_headline_is_a_heading_like_the_title_before_the_text(heading, headlines):
    assert headlines_of(TITLE + SITE + heading + PROSE) == headlines


@pytest.mark.parametrize(("between", "is_one"), [(2, True), (3, False)])
def test_a_headline_may_come_a_little_after_the_text_begins(between, is_one):
    heading = "<h2>Ferry to Skarne sails again</h2>"
    page = TITLE + PROSE + "<p>Short one</p>" * between + heading
    assert bool(headlines_of(page)) == is_one


@pytest.mark.parametrize(("words", "is_one"), [("Ferry to Skarne", True), ("Ferry to", False)])
def test_a_later_h1_has_to_be_like_the_title(words, is_one):
    title = "<title>Ferry to Skarne sails again today</title>"
    assert bool(headlines_of(f"{title}{PROSE * 5}<h1>{words}</h1>{PROSE}")) == is_one


def test_a_headline_that_is_dropped_leaves_subheads_alone():
    page = f"{TITLE}<h1>Ferry to Skarne sails again</h1><h2>Ferry to Skarne</h2>{PROSE}"
    assert headlines_of(page, dropped=["Ferry to Skarne sails again"]) == []
    assert headlines_of(page) == ["Ferry to Skarne sails again"]


def test_every_page_of_a_batch_has_its_own_headline():
    pages = [f"<title>{name}</title><h1>{name}</h1>{PROSE}" for name in ("Bees", "Ants")]
    verdict = verdict_of([pages[0], "", "<p>Nothing</p>", pages[1]])
    texts = block_texts(verdict.table)
    headlines = kept_headlines(verdict.table, verdict.labels)
    assert [texts[block] for block in headlines.tolist()] == ["Bees", "Ants"]


PAGE = f"{TITLE}<h1>Ferry to Skarne</h1>{PROSE}<h2>Sheep first</h2>{PROSE}<h2>Discussion</h2>"
HEADINGS = {"Ferry to Skarne", "Sheep first", "Discussion"}


@pytest.mark.parametrize(
    ("options", "headings"),
    [
        ({}, {"Sheep first"}),
        ({"by_model": False}, HEADINGS),
        ({"scope": Scope(headline=True)}, {"Ferry to Skarne", "Sheep first"}),
        ({"scope": Scope(name="article")}, {"Ferry to Skarne", "Sheep first"}),
        ({"scope": Scope(name="article", headline=False)}, {"Sheep first"}),
    ],
)
def test_a_model_keeps_the_headline_where_the_scope_has_it(options, headings):
    assert HEADINGS.intersection(texts_of(PAGE, **options)) == headings


@pytest.mark.parametrize(
    ("end", "is_kept"),
    [
        ("<h2>Discussion</h2>", False),
        ("<h2>Discussion</h2><p>Yes.", True),
        ("<h2>Rope</h2><h2>Discussion</h2>", True),  # a list of names may be content
    ],
)
def test_a_last_heading_needs_something_below_it(end, is_kept):
    assert ("Discussion" in texts_of(PROSE + end)) == is_kept


def test_headings_alone_stay():
    assert texts_of("<h2>Rope</h2>") == ["Rope"]


def test_what_goes_by_rule_says_so():
    verdict = finish(verdict_of([PAGE]), [PAGE.encode()], Scope())
    reasons = dict(zip(block_texts(verdict.table), verdict.reasons(), strict=True))
    assert reasons["Ferry to Skarne"] == reasons["Discussion"] == "scope"
    assert reasons["Sheep first"] == "kept"
    assert Label.OTHER in verdict.labels
