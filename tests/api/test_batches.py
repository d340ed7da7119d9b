"""Many pages: order, limits, failures that cost one page only and at most one more pass."""

from itertools import islice, repeat

import numpy as np
import pytest
from msgspec.structs import replace

import victor
from victor import Cleaner, ConfigError, FeatureError, PageError, Source
from victor.config.schema import Config, Limits
from victor.labelers.crf import CrfLabeler
from victor.model.decide import Decision
from victor.model.extractor import BATCH_BYTES

GOOD = b"<p>A good page about bees, which says that they live in colonies.</p>"
POISON = b"<p>poison</p>"


@pytest.mark.slow
def test_a_batch_gives_what_its_pages_give(annotated, cleaner):
    together = list(cleaner.clean_many([page.html for page in annotated]))
    for page, result in zip(annotated, together, strict=True):
        alone = cleaner.clean(page.html)
        assert alone.reason == result.reason
        assert alone.metadata == result.metadata
        assert np.allclose(alone.marginals, result.marginals, atol=1e-9)
        assert alone.render("records") == result.render("records")
        assert alone.html == result.html


def test_order_is_kept_whatever_fails(labeler):
    limits = Limits(bytes=1000, blocks=5)
    gone = PageError("gone", "it is gone")
    pages = {
        "one": GOOD, "gone": gone, "big": b"x" * 1001, "none": None, "two": GOOD,
        "blocks": b"<p>one" * 6, "number": 3, "empty": b"", "text": "<p>a text", "three": GOOD,
    }  # fmt: skip
    sources = [Source(page, name) for name, page in pages.items()]
    results = list(Cleaner(labeler, limits=limits).clean_many(sources))
    assert [result.url for result in results] == list(pages)
    reasons = {result.url: result.reason for result in results if result.error is not None}
    assert reasons == {
        "gone": "gone", "big": "too-many-bytes", "none": "not-a-page", "blocks": "too-many-blocks",
        "number": "not-a-page",
    }  # fmt: skip
    assert results[1].error is gone
    for result in results:
        assert (result.error is None) == (result.reason in ("ok", "no-text", "no-content"))
    failed = results[2]
    assert (failed.text, failed.html, failed.blocks) == ("", "", ())
    assert failed.labels.shape == (0,)
    assert failed.marginals.shape == (0, 3)


def test_nothing_gives_nothing(cleaner):
    assert list(cleaner.clean_many([])) == []


# --- limits --------------------------------------------------------------------------------------


def test_bytes_of_a_text_are_those_of_its_utf8(labeler):
    cleaner = Cleaner(labeler, limits=Limits(bytes=20))
    texts = ["<p>" + "ž" * 8, "<p>" + "ž" * 9, "<p>" + "z" * 18]
    for pages in (texts, [text.encode() for text in texts]):
        reasons = [result.reason for result in cleaner.clean_many(pages)]
        assert [reason == "too-many-bytes" for reason in reasons] == [False, True, True]


def test_limits_are_inclusive(labeler):
    cleaner = Cleaner(labeler, limits=Limits(bytes=len(GOOD), blocks=1))
    assert cleaner.clean(GOOD).reason == "ok"


def test_a_slow_page_is_an_error_of_that_page(labeler):
    cleaner = Cleaner(labeler, limits=Limits(seconds=1e-9))
    (result,) = cleaner.clean_many([GOOD])
    assert result.reason == "too-slow"
    assert "limits.seconds" in str(result.error)


def test_a_slow_batch_is_tried_again_page_by_page(spy, monkeypatch):
    """Pages that are slow only together are no errors."""
    clock = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: clock[0])

    def take_long(pages):
        clock[0] += 100.0 if len(pages) > 1 else 1.0

    spied = spy(take_long)
    results = list(Cleaner(spied, limits=Limits(seconds=60)).clean_many([GOOD] * 3))
    assert [len(pages) for pages in spied.seen] == [3, 1, 1, 1]
    assert [result.reason for result in results] == ["ok"] * 3


def test_limits_are_those_of_the_model(small_model):
    config = small_model.config.replace(limits=Limits(blocks=1))
    strict = replace(small_model, config=config)
    assert Cleaner(CrfLabeler(strict)).limits.blocks == 1
    (result,) = victor.clean_many([b"<p>one<p>two"], model=strict)
    assert result.reason == "too-many-blocks"
    assert Config().limits == Cleaner(CrfLabeler(small_model)).limits


# --- failures ------------------------------------------------------------------------------------


@pytest.mark.parametrize("error", [RuntimeError("broken"), MemoryError(), RecursionError("deep")])
def test_whatever_a_page_breaks_it_costs_that_page_only(spy, poisoned, error):
    results = list(Cleaner(spy(poisoned(error))).clean_many([GOOD, POISON, GOOD]))
    assert [result.reason for result in results] == ["ok", "failed", "ok"]
    assert type(error).__name__ in str(results[1].error)
    assert results[1].error.__cause__ is error


def test_an_error_of_a_page_keeps_its_reason(spy, poisoned, page_error):
    results = list(Cleaner(spy(poisoned(page_error))).clean_many([POISON, GOOD]))
    assert [result.reason for result in results] == ["odd-page", "ok"]


def test_a_poisoned_page_costs_one_more_pass(spy, poisoned):
    spied = spy(poisoned(RuntimeError("broken")))
    pages = [b"<p>page %d" % number for number in range(7)]
    results = list(Cleaner(spied).clean_many([*pages[:3], POISON, *pages[3:]]))
    assert [result.reason for result in results].count("failed") == 1
    seen = [page for batch in spied.seen for page in batch]
    assert all(seen.count(page) == 2 for page in [*pages, POISON])


def test_many_poisoned_pages_cost_no_more(spy, poisoned):
    spied = spy(poisoned(RuntimeError("broken")))
    results = list(Cleaner(spied).clean_many([POISON] * 20))
    assert {result.reason for result in results} == {"failed"}
    assert sum(map(len, spied.seen)) == 40


def test_what_is_wrong_for_all_pages_stops(spy, poisoned):
    with pytest.raises(ConfigError):
        list(Cleaner(spy(poisoned(ConfigError("no method")))).clean_many([GOOD, POISON]))


def test_what_a_feature_module_cannot_measure_costs_that_page(spy, poisoned):
    cleaner = Cleaner(spy(poisoned(FeatureError("column x is missing"))))
    first, second, third = cleaner.clean_many([GOOD, POISON, GOOD])
    assert first.text
    assert third.text
    assert (second.reason, str(second.error)) == ("feature-failed", "column x is missing")
    with pytest.raises(FeatureError, match="column x is missing"):
        cleaner.clean(POISON)


def test_a_decision_that_the_labeler_cannot_make_stops(spy):
    class NoPaths(type(spy())):
        def label(self, table, decision=None):
            from victor.model.decide import decide

            decide(np.zeros((len(table), 3)), table, decision)

    labeler = NoPaths(spy())
    with pytest.raises(ConfigError, match="viterbi"):
        Cleaner(labeler, decision=Decision("viterbi")).clean(GOOD)


# --- streams -------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    "page",
    [b"", GOOD, PageError("gone", "it is gone"), None],
    ids=["empty", "good", "gone", "none"],
)
def test_an_endless_stream_has_a_first_result(cleaner, page):
    def stream():
        yield from repeat(page, BATCH_BYTES // 1000)
        pytest.fail("results are kept back although nothing speaks against cleaning the pages")

    assert len(list(islice(cleaner.clean_many(stream()), 3))) == 3


def test_large_pages_are_cleaned_one_by_one(spy):
    spied = spy()
    large = b"<p>" + b"many words " * (BATCH_BYTES // 10)
    results = list(Cleaner(spied).clean_many([GOOD, large, GOOD, large]))
    assert [len(pages) for pages in spied.seen] == [1, 1, 1, 1]
    assert len(results) == 4
