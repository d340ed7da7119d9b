"""The zoo, small: whatever is asked of a hostile page gives a result or one typed error."""

import pytest
from hostile.zoo import ALL
from hostile.zoo.inputs import Input
from hostile.zoo.judge import Judge, judged
from hostile.zoo.systems import REASONS, SYSTEMS, Subject, findings
from hostile.zoo.texts import ARTICLES, CZECH, SCRIPT_MARK, page, page_text

from victor.errors import PageError

MOST = 4_000
"""Bytes of an input, unless its smallest size is larger."""
CORE = 16
"""Every sixteenth input is met on every run of the suite, the others where slow tests are run."""


def failures(entry, systems):
    """What came out wrong: system, step and what it is."""
    data = entry.small(MOST)
    return [
        (system, step, finding.outcome, finding.detail)
        for system in systems
        for step, finding in findings(system, Subject(entry, data))
        if finding.failed
    ]


def chosen(first, step):
    return [pytest.param(entry, id=entry.name) for entry in [*ALL.values()][first::step]]


@pytest.mark.parametrize("entry", chosen(0, CORE))
def test_core(entry):
    assert not failures(entry, SYSTEMS)


@pytest.mark.slow
@pytest.mark.parametrize(
    "entry", [entry for first in range(1, CORE) for entry in chosen(first, CORE)]
)
def test_all_but_explanations(entry):
    """Explaining a page takes as long as all else together."""
    assert not failures(entry, [system for system in SYSTEMS if system != REASONS])


# --- the zoo itself ------------------------------------------------------------------------------


def test_it_is_large_and_grows():
    assert len(ALL) >= 260
    for entry in ALL.values():
        assert len(entry.small(MOST)) <= 30_000, entry.name
    grown = [entry for entry in ALL.values() if len(entry.make(0.02)) > len(entry.make(0.001))]
    assert len(grown) > len(ALL) / 2


def test_an_input_is_the_same_at_every_call():
    for entry in [*ALL.values()][::5]:
        assert entry.small(MOST) == entry.small(MOST), entry.name


def test_every_input_whose_encoding_is_known_holds_its_sentence():
    for entry in ALL.values():
        if entry.group == "encodings" and entry.key and entry.encoding:
            text = entry.make(0.001).decode(entry.encoding, "replace")
            assert entry.key in text or "&#" in text, entry.name


# --- the judge fails what is wrong ---------------------------------------------------------------


def judge(data=b"", *, full=False, **more):
    return Judge(Input("made/up", lambda _: data, **more), data, full=full)


def czech(**more):
    data = page_text(CZECH.markup, language="cs").encode()
    return judge(data, key=CZECH.key, language="cs", **more)


def test_garbled_text_is_a_failure():
    garbled = "\n".join(CZECH.paragraphs).encode().decode("cp1250", "replace")
    assert czech().blocks(garbled).outcome == "mojibake"
    assert czech().blocks("\n".join(CZECH.paragraphs).replace("ř", "\ufffd")).outcome == "mojibake"
    assert not czech(encoding=None).blocks(garbled).failed
    assert not czech().blocks("\n".join(CZECH.paragraphs)).failed


def test_a_lost_sentence_is_a_failure_of_its_own():
    assert czech().blocks(CZECH.paragraphs[0]).outcome == "lost"


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("a\0b", "damaged"),
        ("a\ud800b", "damaged"),
        (SCRIPT_MARK, "leaked"),
        ("zugbrueckenwaerter", "alive"),
        ("root:x:0:0", "alive"),
        ("words", "ok"),
    ],
)
def test_outputs_are_searched(text, outcome):
    assert judge().output(text, is_text=True).outcome == outcome


def test_text_of_scripts_may_stand_in_html():
    assert not judge().output(SCRIPT_MARK, is_text=False).failed


def raising(error):
    def run():
        raise error

    return run


def test_errors_are_typed_or_failures():
    assert judged(raising(ValueError("no")), judge()).outcome == "untyped"
    assert judged(raising(MemoryError()), judge()).outcome == "memory"
    assert judged(raising(PageError("failed", "wraps another")), judge()).outcome == "untyped"
    limit = raising(PageError("too-many-bytes", "large"))
    assert judged(limit, judge(), cleaning=True).outcome == "refused"
    assert judged(limit, judge(full=True)).outcome == "typed"
    large = judge(full=True, expected="too-many-bytes")
    assert judged(limit, large, cleaning=True).outcome == "typed"


def test_what_has_to_be_refused_must_be():
    assert judge(expected="not-html").accepted().outcome == "accepted"
    assert judge(full=True, expected="too-many-bytes").accepted().outcome == "accepted"
    assert judge(expected="too-many-bytes").accepted().outcome == "ok"


def test_articles_hold_their_keys():
    for article in ARTICLES.values():
        assert sum(article.key in paragraph for paragraph in article.paragraphs) == 1
    assert SCRIPT_MARK.encode() in page("")
