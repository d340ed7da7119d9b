"""Records become outcomes: one each, in order, whatever the pages are."""

import pickle

import numpy as np
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rows import tables
from victor.api import Cleaner, load_cleaner
from victor.config.schema import Filter, Limits
from victor.documents.page_filter import REASONS, PageFilter
from victor.documents.process import Processor, model_name
from victor.documents.row import Paragraph
from victor.errors import ConfigError, ModelError
from victor.labelers.labeler import build_labeler
from victor.labelers.rules import RuleLabeler
from victor.render.forms import Shown
from victor.sources.record import Record

ROWS = tables(__file__)

CZECH = "Radnice včera oznámila, že se oprava mostu protáhne do konce příštího roku. "
ENGLISH = "The town hall said yesterday that the repair of the bridge will take another year. "
ANY = PageFilter(Filter())


@pytest.fixture(scope="module")
def everything():
    """A cleaner that keeps every block."""
    return Cleaner(build_labeler("none"))


def markup(text, head=""):
    return f"<html><head>{head}</head><body><h1>Most</h1><p>{text}</p></body></html>".encode()


def records(*bodies, **known):
    return [Record("in", number, body, **known) for number, body in enumerate(bodies)]


def fate(outcome):
    return (outcome.status, outcome.reason)


def process(cleaner, page_filter, records, **options):
    return Processor(cleaner, page_filter, **options)(records)


def only(cleaner, page_filter, record, **options):
    (outcome,) = process(cleaner, page_filter, [record], **options)
    return outcome


# Outcomes


def test_one_outcome_a_record_in_order(everything):
    bodies = [markup(CZECH), b"%PDF-1.4", b"", markup(ENGLISH), b"<frameset><frame src=a>",
              b"<urlset></urlset>", b"<p>\xef\xbf\xbd\xef\xbf\xbd x", markup(CZECH)]  # fmt: skip
    outcomes = process(everything, ANY, records(*bodies))
    assert [outcome.number for outcome in outcomes] == list(range(8))
    assert [fate(outcome) for outcome in outcomes] == [
        ("written", "ok"), ("dropped", "not-html"), ("dropped", "no-text"), ("written", "ok"),
        ("dropped", "frames"), ("dropped", "sitemap"), ("dropped", "invalid-characters"),
        ("written", "ok"),
    ]  # fmt: skip
    assert [outcome.row is not None for outcome in outcomes] == [
        outcome.status == "written" for outcome in outcomes
    ]
    assert process(everything, ANY, []) == []


@settings(derandomize=True, deadline=None, max_examples=40)
@given(st.data())
def test_never_an_exception_for_a_page(everything, data):
    bodies = data.draw(
        st.lists(strategies.page() | st.binary(max_size=200) | st.text(max_size=100), max_size=5)
    )
    outcomes = process(everything, ANY, records(*bodies))
    assert len(outcomes) == len(bodies)
    for outcome in outcomes:
        assert outcome.status in ("written", "dropped")
        assert outcome.status == "written" or outcome.reason in REASONS


class Poisoned:
    """A labeler that does what it is told at pages with a word in them."""

    def __init__(self, error):
        self._labeler = build_labeler("none")
        self._error = error

    def __getattr__(self, name):
        return getattr(self._labeler, name)

    def table(self, pages):
        if any(b"poison" in page for page in pages):
            raise self._error
        return self._labeler.table(pages)


def limited(**limits):
    return Cleaner(build_labeler("none"), limits=Limits(**limits))


@pytest.mark.parametrize(
    ("cleaner", "options", "reason"),
    [
        (limited(bytes=200), {}, "too-many-bytes"),
        (limited(output=50), {}, "too-much-output"),
        (limited(output=50), {"markdown": Shown()}, "too-much-output"),
        (Cleaner(Poisoned(ZeroDivisionError("x"))), {}, "failed"),
        (Cleaner(Poisoned(MemoryError())), {}, "memory"),
    ],
)
def test_a_page_fails_alone(cleaner, options, reason):
    bad = b"<p>poison" + b" x" * 200
    outcomes = process(cleaner, ANY, records(b"<p>a", bad, b"<p>b"), **options)
    assert [fate(outcome) for outcome in outcomes] == [
        ("written", "ok"), ("failed", reason), ("written", "ok"),
    ]  # fmt: skip


def test_what_is_wrong_for_all_pages_is_raised():
    with pytest.raises(ModelError):
        process(Cleaner(Poisoned(ModelError("damaged"))), ANY, records(b"<p>poison"))


def test_a_filter_that_breaks_costs_one_page(everything, monkeypatch):
    page_filter = PageFilter(Filter())
    identify = page_filter.identify

    def broken(text):
        if "Most" in text:
            raise RuntimeError("engine")
        return identify(text)

    monkeypatch.setattr(page_filter, "identify", broken)
    outcomes = process(everything, page_filter, records(b"<p>a", markup(CZECH)))
    assert [fate(outcome) for outcome in outcomes] == [("written", "ok"), ("failed", "failed")]
    assert outcomes[1].message == "engine"


# Documents


def test_a_document_holds_what_record_and_page_say(everything):
    head = (
        '<title>Oprava</title><meta name="date" content="2020-02-02">'
        '<meta name="author" content="A">'
    )
    known = {"url": "http://a.cz/", "id": "x", "date": "2024-01-01"}
    metadata = {"dump": "D", "author": "B"}
    record = Record("in.warc", 7, markup(CZECH, head), **known, metadata=metadata)
    outcome = only(everything, ANY, record)
    document = outcome.row
    assert (document.id, document.url, document.date) == ("x", "http://a.cz/", "2024-01-01")
    assert document.title == "Oprava"
    assert document.text == f"Most\n\n{CZECH.strip()}\n"
    assert outcome.paragraphs == (
        Paragraph("Most", True, 0.0, kind="heading", start=0),
        Paragraph(CZECH.strip(), False, 0.0, start=6),
    )
    assert document.model == "none"
    assert document.kept_share == 1.0
    assert (document.file_path, document.dump) == ("in.warc", "D")
    assert document.metadata.published == "2020-02-02"
    assert pickle.loads(pickle.dumps(outcome)) == outcome


@pytest.mark.parametrize(
    ("declared", "text", "language", "has_score"),
    ROWS["every_document_has_a_language"],
)
def test_every_document_has_a_language(everything, declared, text, language, has_score):
    body = f'<html lang="{declared}"><p>{text}</p>'
    document = only(everything, ANY, Record("in", 0, body)).row
    assert document.language == language
    assert (document.language_score is not None) == has_score


def test_what_the_record_says_counts(everything):
    record = Record("in", 0, "<p>žluť".encode("cp1250"), charset="windows-1250")
    assert only(everything, ANY, record).row.text == "žluť\n"
    broken = Record("in", 0, b"<p>x", metadata=None)
    assert only(everything, ANY, broken).reason == "failed"
    for status, reason in {199: "http-status", 200: "ok", 299: "ok", 301: "http-status"}.items():
        page = Record("in", 0, b"<p>x", metadata={"http_status": status})
        assert only(everything, ANY, page).reason == reason


def test_markdown_beside_the_text_shows_what_is_asked_for(everything):
    page = records(b"<h1>Most</h1><p>A <a href=http://b.cz/>bridge</a>, <b>closed</b>.")
    plain = only(everything, ANY, *page).row
    whole = only(everything, ANY, *page, markdown=Shown()).row
    bare = only(everything, ANY, *page, markdown=Shown(links=False, formatting=False)).row
    assert (plain.text, plain.markdown) == ("Most\n\nA bridge, closed.\n", None)
    assert (whole.text, bare.text) == (plain.text, plain.text)
    assert whole.markdown == "# Most\n\nA [bridge](http://b.cz/), **closed**.\n"
    assert bare.markdown == "# Most\n\nA bridge, closed.\n"


def test_shares_and_confidence_are_those_of_the_kept_words():
    cleaner = load_cleaner()
    navigation = "".join(f'<li><a href="/{i}">Odkaz {i}</a></li>' for i in range(40))
    body = f"<html><body><nav><ul>{navigation}</ul></nav>{'<p>' + CZECH * 5 + '</p>'}</body></html>"
    record = Record("in", 0, body)
    document = only(cleaner, ANY, record).row
    (result,) = cleaner.clean_many([body])
    verdict, _ = result.in_batch
    kept, words = verdict.kept, verdict.table.words
    assert 0 < kept.sum() < len(kept)
    assert document.kept_share == pytest.approx(words[kept].sum() / words.sum(), abs=1e-4)
    surest = 1 - verdict.marginals[kept, 2].min()
    least = 1 - verdict.marginals[kept, 2].max()
    assert least - 1e-4 <= document.confidence <= surest + 1e-4
    assert (
        document.model == model_name(cleaner.labeler) == cleaner.labeler.model.card["fingerprint"]
    )


# Filters


def reasons(cleaner, page_filter, *bodies, **options):
    return [each.reason for each in process(cleaner, page_filter, records(*bodies), **options)]


def test_characters_that_nobody_can_read(everything):
    strict, lax = (PageFilter(Filter(most_invalid=share)) for share in (0.0, 1.0))
    one_of_many = markup(CZECH * 10 + "\ufffd")
    assert reasons(everything, strict, one_of_many) == ["invalid-characters"]
    assert reasons(everything, ANY, one_of_many) == ["ok"]
    controls = b"<p>" + bytes(range(1, 9)) * 10 + CZECH.encode()
    assert reasons(everything, ANY, controls, controls.decode()) == ["invalid-characters"] * 2
    assert reasons(everything, lax, controls) == ["ok"]
    letters = [f"<p>{CZECH}".encode(encoding) for encoding in ("utf-16", "utf-16-le")]
    japanese = "<meta charset=iso-2022-jp><p>日本語の文章です。".encode("iso2022_jp")
    assert reasons(everything, ANY, *letters, japanese) == ["ok"] * 3


def test_words_that_were_kept(everything):
    page = b"<p>one two three"
    assert reasons(everything, PageFilter(Filter(least_words=3)), page) == ["ok"]
    assert reasons(everything, PageFilter(Filter(least_words=4)), page) == ["too-little-text"]


@pytest.mark.parametrize("identifier", ["beesley", "cavnar", "fasttext"])
def test_target_languages(everything, identifier):
    try:
        page_filter = PageFilter(Filter(identifier=identifier, languages=("cs", "sk")))
    except ModelError as error:
        pytest.skip(str(error))
    menu = "<ul><li>Home<li>About us<li>Contact</ul>"
    pages = records(markup(menu + CZECH * 8), markup(ENGLISH * 8))
    czech, english = process(everything, page_filter, pages)
    assert (fate(czech), fate(english)) == (("written", "ok"), ("dropped", "language"))
    assert czech.row.language == "cs"
    assert 0 < czech.row.language_score <= 1


def test_least_probability(everything):
    page_filter = PageFilter(Filter(identifier="beesley", least_probability=0.999999))
    found = reasons(everything, page_filter, markup(CZECH * 8), b"<p>rok to je")
    assert found == ["ok", "language-uncertain"]


def test_aside_documents_of_dropped_pages(everything):
    page_filter = PageFilter(Filter(identifier="beesley", languages=("cs",), least_words=3))
    pages = records(markup(ENGLISH * 4), b"<p>x", markup(CZECH * 4), b"%PDF-1.4")
    plain = process(everything, page_filter, pages)
    aside = process(everything, page_filter, pages, keep_dropped=True)
    assert [fate(outcome) for outcome in aside] == [fate(outcome) for outcome in plain]
    assert [outcome.row is not None for outcome in plain] == [False, False, True, False]
    assert [outcome.row is not None for outcome in aside] == [True, True, True, False]
    assert (aside[0].row.language, aside[2]) == ("en", plain[2])


SCREEN = PageFilter(Filter(identifier="beesley", languages=("cs",), screen=True))


class Counting:
    """The labeler that keeps everything, and how many blocks it has labelled."""

    def __init__(self):
        self._labeler = build_labeler("none")
        self.blocks = 0

    def __getattr__(self, name):
        return getattr(self._labeler, name)

    def label(self, table, decision=None):
        self.blocks += len(table)
        return self._labeler.label(table, decision)


@pytest.mark.parametrize("keep_dropped", [False, True])
def test_pages_of_another_language_are_not_labelled_if_they_are_screened(keep_dropped):
    labeler = Counting()
    pages = records(markup(ENGLISH * 8), markup(CZECH * 8), markup(ENGLISH * 8), b"")
    outcomes = process(Cleaner(labeler), SCREEN, pages, keep_dropped=keep_dropped)
    assert [outcome.reason for outcome in outcomes] == ["language", "ok", "language", "no-text"]
    kept = [keep_dropped, True, keep_dropped, keep_dropped]
    assert [outcome.row is not None for outcome in outcomes] == kept
    assert labeler.blocks == (6 if keep_dropped else 2)


@pytest.mark.parametrize(("length", "labelled"), [(299, 1), (300, 0)])
def test_pages_of_little_text_are_not_screened(length, labelled):
    labeler = Counting()
    page = f"<p>{(ENGLISH * 9)[: length - 1]}x".encode()
    assert reasons(Cleaner(labeler), SCREEN, page) == ["language"]
    assert labeler.blocks == labelled


def test_a_screened_page_and_what_is_kept_of_it_are_of_the_language(everything):
    menu = f"<li><a href=/>{CZECH}</a>" * 30
    page = f"<nav>{menu}</nav><article>{ENGLISH * 4}</article>".encode()
    last = RuleLabeler("last", lambda table: 1.0 * (np.arange(len(table)) == len(table) - 1))
    assert reasons(Cleaner(last), SCREEN, page) == ["language"]
    page = f"<nav>{ENGLISH * 30}</nav><p>{CZECH * 4}</p>".encode()
    assert reasons(everything, SCREEN, page, keep_dropped=True) == ["language"]


def test_unknown_target_is_named_before_any_page():
    with pytest.raises(ConfigError, match=r"beesley knows cs, .*not xx; .*fasttext"):
        PageFilter(Filter(identifier="beesley", languages=("cs", "xx")))


def test_text_of_a_wet_is_kept_as_it_is(everything):
    text = "Bees  live in hives.\n\nThey make\thoney.\n"
    record = Record("a.wet", 7, text.encode(), url="http://www.Bees.example/x", is_text=True)
    outcome = only(everything, ANY, record)
    document = outcome.row
    assert (document.text, document.words, document.kept_share) == (text, 7, 1.0)
    assert [each.text for each in outcome.paragraphs] == text.strip().split("\n\n")
    assert document.domain == "bees.example"
    assert document.paragraphs.start == [0, 22]
    (dropped,) = process(everything, PageFilter(Filter(least_words=8)), [record])
    assert (dropped.status, dropped.reason) == ("dropped", "too-little-text")
    assert only(everything, ANY, Record("a.wet", 7, b" \n", is_text=True)).reason == "no-text"
