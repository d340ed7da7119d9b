"""Records become outcomes: one each, in order, whatever the pages are."""

import pickle

import numpy as np
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import to_builtins

from tests.rows import seen, tables, written_out
from victor.api import Cleaner
from victor.config.schema import Filter, Limits, Scope, from_data
from victor.crawl import text_at
from victor.documents.page_filter import REASONS, LanguageGuess, PageFilter
from victor.documents.process import Processor
from victor.documents.row import Paragraph
from victor.errors import ConfigError, ModelError
from victor.labelers.labeler import build_labeler
from victor.labelers.rules import RuleLabeler
from victor.render.forms import Shown
from victor.sources.record import Record

ROWS = tables(__file__)
GIVEN = {"records", "filter", "limits", "scope", "markdown", "keep_dropped", "p_other", "model"}
ANY = PageFilter(Filter())


@pytest.fixture(scope="module")
def everything():
    """A cleaner that keeps every block."""
    return Cleaner(build_labeler("none"))


def process(cleaner, page_filter, *bodies):
    return Processor(cleaner, page_filter)([Record("in", 0, body) for body in bodies])


def written(body):
    """A body with the texts that words in it stand for."""
    for _ in range(2):
        for name, text in ROWS["texts"].items():
            body = body.replace(name, text)
    return written_out(body)


def record(number, said):
    known = {"body": said, **(said if isinstance(said, dict) else {})}
    encoding, is_str = known.pop("encoding", "utf-8"), known.pop("is_str", False)
    if isinstance(known["body"], str):
        known["body"] = written(known["body"])
        known["body"] = known["body"] if is_str else known["body"].encode(encoding)
    return Record("in", number, **known)


class Counting:
    """A labeler that gives blocks these p(other), or keeps all, and counts what it has labelled."""

    def __init__(self, p_other):
        self.blocks = 0
        keep = 1 - np.array(p_other)
        self._labeler = RuleLabeler("none", lambda _: keep) if p_other else build_labeler("none")

    def __getattr__(self, name):
        return getattr(self._labeler, name)

    def label(self, table, decision=None):
        self.blocks += len(table)
        return self._labeler.label(table, decision)


def processor(case, labeler):
    """What processes the records of a case."""
    sections = {"limits": Limits, "scope": Scope}
    own = {name: from_data(sections[name], case[name], name) for name in sections if name in case}
    return Processor(
        Cleaner(labeler, **own),
        PageFilter(from_data(Filter, case.get("filter", {}), "filter")),
        Shown(**case["markdown"]) if "markdown" in case else None,
        case.get("keep_dropped", False),
    )


def columns_of(paragraphs):
    """Columns of paragraphs, and their first words."""
    columns = {name: [getattr(each, name) for each in paragraphs] for name in Paragraph._fields}
    return columns | {"first": [text.split()[0] for text in columns["text"]]}


@pytest.mark.parametrize("case", ROWS["cases"].values(), ids=ROWS["cases"])
def test_what_becomes_of_records(case):
    labeler = Counting(case.get("p_other", ()))
    records = [record(number, said) for number, said in enumerate(case["records"])]
    outcomes = processor(case, labeler)(records)
    assert [each.number for each in outcomes] == [*range(len(records))]
    assert pickle.loads(pickle.dumps(outcomes)) == outcomes
    statuses = {"ok": "written", **dict.fromkeys(REASONS, "dropped")}
    for each in outcomes:
        assert each.status == statuses.get(each.reason, "failed")
        assert each.row is not None or each.status != "written"
    found = {
        "reasons": [each.reason for each in outcomes],
        "rows": [to_builtins(each.row) for each in outcomes],
        "paragraphs": columns_of(outcomes[0].paragraphs) if outcomes else {},
        "labelled": labeler.blocks,
        "foreign": sum(each.foreign_paragraphs for each in outcomes),
    }
    assert case.keys() <= GIVEN | found.keys() | {"at"}
    for name in found.keys() & case.keys():
        assert seen(found[name], case[name]) == case[name], name
    for threshold, text in case.get("at", {}).items():
        stored = found["rows"][0] | ({"model": case["model"]} if "model" in case else {})
        assert lines(text_at(stored, threshold)) == lines(written(text))


def lines(text):
    """The text apart from blank lines and spaces, which depend on what is dropped between."""
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


@settings(derandomize=True, deadline=None, max_examples=40)
@given(st.data())
def test_never_an_exception_for_a_page(everything, data):
    bodies = data.draw(
        st.lists(strategies.page() | st.binary(max_size=200) | st.text(max_size=100), max_size=5)
    )
    outcomes = process(everything, ANY, *bodies)
    assert len(outcomes) == len(bodies)
    for outcome in outcomes:
        assert outcome.status in ("written", "dropped")
        assert outcome.status == "written" or outcome.reason in REASONS


class Poisoned(Counting):
    """A labeler that does what it is told at pages with a word in them."""

    def __init__(self, error):
        super().__init__(())
        self._error = error

    def table(self, pages):
        if any(b"poison" in page for page in pages):
            raise self._error
        return self._labeler.table(pages)


def test_a_page_fails_alone_but_what_is_wrong_for_all_is_raised():
    for error, reason in ((ZeroDivisionError("x"), "failed"), (MemoryError(), "memory")):
        outcomes = process(Cleaner(Poisoned(error)), ANY, b"<p>a", b"<p>poison", b"<p>b")
        assert [each.reason for each in outcomes] == ["ok", reason, "ok"]
    with pytest.raises(ModelError):
        process(Cleaner(Poisoned(ModelError("damaged"))), ANY, b"<p>poison")


def test_a_filter_that_breaks_costs_one_page(everything, monkeypatch):
    page_filter = PageFilter(Filter())
    monkeypatch.setattr(page_filter, "identify", {"a\n": LanguageGuess()}.__getitem__)
    outcomes = process(everything, page_filter, b"<p>a", b"<p>b")
    assert [each.reason for each in outcomes] == ["ok", "failed"]


@pytest.mark.parametrize(
    ("declared", "text", "language", "has_score"),
    ROWS["every_document_has_a_language"],
)
def test_every_document_has_a_language(everything, declared, text, language, has_score):
    (outcome,) = process(everything, ANY, f'<html lang="{declared}"><p>{written(text)}</p>')
    assert outcome.row.language == language
    assert (outcome.row.language_score is not None) == has_score


@pytest.mark.parametrize("identifier", ["beesley", "cavnar", "fasttext"])
def test_target_languages(everything, identifier):
    try:
        page_filter = PageFilter(Filter(identifier=identifier, languages=("cs", "sk")))
    except ModelError as error:
        pytest.skip(str(error))
    menu = "<ul><li>Home<li>About us<li>Contact</ul>"
    pages = [written(f"{menu}<p>{{{name}*8}}") for name in ("CZECH", "ENGLISH")]
    czech, english = process(everything, page_filter, *pages)
    assert (czech.reason, english.reason) == ("ok", "language")
    assert czech.row.language == "cs"
    assert 0 < czech.row.language_score <= 1


def test_unknown_target_is_named_before_any_page():
    with pytest.raises(ConfigError, match=r"beesley knows cs, .*not xx; .*fasttext"):
        PageFilter(Filter(identifier="beesley", languages=("cs", "xx")))


def test_nothing_is_foreign_beside_a_language_without_a_profile():
    page_filter = PageFilter(Filter(paragraphs="drop"))
    assert page_filter.wanted(LanguageGuess("nl", 0.9), "") == frozenset()
    assert page_filter.wanted(LanguageGuess("cs", 0.9), "") == {"cs"}
