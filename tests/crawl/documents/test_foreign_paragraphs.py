"""Paragraphs in another language than their page: kept, told or dropped."""

import pytest
from msgspec import to_builtins

from victor.api import Cleaner
from victor.config.schema import Filter
from victor.crawl import text_at
from victor.documents.page_filter import LanguageGuess, PageFilter
from victor.documents.process import Processor
from victor.labelers.labeler import build_labeler
from victor.sources.record import Record

CZECH = "Radnice včera oznámila, že se oprava mostu protáhne do konce příštího roku. "
ENGLISH = "The town hall said yesterday that the repair of the bridge will take another year. "
SLOVAK = "Radnica včera oznámila, že oprava mosta sa pretiahne až do konca budúceho roka. "
QUOTE = "„It is lovely.“"


@pytest.fixture(scope="module")
def everything():
    """A cleaner that keeps every block."""
    return Cleaner(build_labeler("none"))


@pytest.fixture(scope="module")
def fate(everything):
    """Function: settings and the inside of a page to its outcome."""

    def run(markup, cleaner=everything, **settings):
        page_filter = PageFilter(Filter(**{"identifier": "beesley", **settings}))
        (outcome,) = Processor(cleaner, page_filter)([Record("in", 0, markup.encode())])
        return outcome

    return run


def told(outcome):
    return [(p.text.split()[0], p.language) for p in outcome.paragraphs]


def starts(outcome):
    return [p.text.split()[0] for p in outcome.paragraphs]


MIXED = f"<h1>Most</h1><p>{CZECH * 3}<p>{ENGLISH}<p>{QUOTE}<p>{SLOVAK}<p>{CZECH}"


def test_paragraphs_stay_unless_asked(fate):
    outcome = fate(MIXED)
    assert starts(outcome) == ["Most", "Radnice", "The", "„It", "Radnica", "Radnice"]
    assert {language for _, language in told(outcome)} == {None}
    assert outcome.foreign_paragraphs == 0


def test_marked_paragraphs_stay_and_short_ones_are_not_told(fate):
    assert told(fate(MIXED, paragraphs="mark")) == [
        ("Most", None), ("Radnice", "cs"), ("The", "en"), ("„It", None), ("Radnica", "sk"),
        ("Radnice", "cs"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("settings", "left", "gone"),
    [
        ({}, ["Most", "Radnice", "„It", "Radnice"], 2),
        ({"identifier": "none"}, ["Most", "Radnice", "„It", "Radnice"], 2),
        ({"languages": ("cs", "sk")}, ["Most", "Radnice", "„It", "Radnica", "Radnice"], 1),
    ],
)
def test_dropped_paragraphs_are_in_no_wanted_language(fate, settings, left, gone):
    outcome = fate(MIXED, paragraphs="drop", **settings)
    assert starts(outcome) == left
    assert outcome.foreign_paragraphs == gone
    assert "The town" not in outcome.row.text
    assert {language for _, language in told(outcome)} <= {None, "cs", "sk"}


def test_a_page_that_is_dropped_for_its_language_says_so(fate):
    outcome = fate(f"<p>{ENGLISH * 3}<p>{ENGLISH}", languages=("cs",), paragraphs="drop")
    assert (outcome.status, outcome.reason) == ("dropped", "language")


@pytest.mark.parametrize(("least_words", "reason"), [(24, "ok"), (25, "too-little-text")])
def test_what_is_left_has_to_be_enough(fate, least_words, reason):
    assert len((CZECH * 2).split()) == 24
    settings = {"languages": ("cs",), "paragraphs": "drop", "least_words": least_words}
    assert fate(f"<p>{CZECH * 2}<p>{ENGLISH}", **settings).reason == reason


def test_data_tables_and_code_stay_whole(fate):
    row = "<tr><th>Jazyk<th>Věta<th>Rok<tr><td>česky<td>most<td>2001<tr><td>anglicky<td>"
    page = f"<p>{CZECH * 9}<table>{row}{ENGLISH}<td>2002</table><pre>{ENGLISH}</pre>"
    outcome = fate(page, paragraphs="drop")
    assert outcome.foreign_paragraphs == 0
    assert outcome.row.text.count("The town hall") == 2
    code = fate(page, paragraphs="mark").paragraphs[-1]
    assert code.text.startswith("The town")
    assert code.language is None


def test_nothing_is_foreign_beside_a_language_without_a_profile():
    page_filter = PageFilter(Filter(paragraphs="drop"))
    assert page_filter.wanted(LanguageGuess("nl", 0.9), "") == frozenset()
    assert page_filter.wanted(LanguageGuess("cs", 0.9), "") == {"cs"}


def test_rows_say_the_language_of_their_paragraphs(everything):
    page_filter = PageFilter(Filter(identifier="beesley", paragraphs="drop"))
    (outcome,) = Processor(everything, page_filter)([Record("in", 0, MIXED.encode())])
    row = to_builtins(outcome.row)
    assert row["paragraphs"]["language"] == [None, "cs", None, "cs"]
    assert text_at(row, 1.0) == row["text"]
