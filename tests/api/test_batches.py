"""Many pages: order, limits, failures that cost one page only and at most one more pass."""

from itertools import islice, repeat

import numpy as np
import pytest
from msgspec.structs import replace

import victor
from victor import Cleaner, ConfigError, FeatureError, PageError, Source
from victor.config.schema import Config, Limits
from victor.labelers.crf import CrfLabeler
from victor.labelers.labeler import build_labeler
from victor.model.decide import Decision
from victor.model.extractor import BATCH_BYTES

GOOD = b"<p>A good page about bees, which says that they live in colonies.</p>"
POISON = b"<p>poison</p>"


class Spy:
    """A labeler that notes how often it saw every page, and may raise an error on poison."""

    name = "spy"

    def __init__(self, labeler, error=None):
        self._error, self.seen = error, []
        self.limits, self.label, self.made = labeler.limits, labeler.label, labeler.table

    def table(self, pages):
        self.seen.append(list(pages))
        if self._error is not None and any(b"poison" in page for page in pages):
            raise self._error
        return self.made(pages)


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


# --- limits --------------------------------------------------------------------------------------


def test_bytes_of_a_text_are_those_of_its_utf8(labeler):
    cleaner = Cleaner(labeler, limits=Limits(bytes=20))
    texts = ["<p>" + "ž" * 8, "<p>" + "ž" * 9, "<p>" + "z" * 18]
    for pages in (texts, [text.encode() for text in texts]):
        reasons = [result.reason for result in cleaner.clean_many(pages)]
        assert [reason == "too-many-bytes" for reason in reasons] == [False, True, True]
    inclusive = Cleaner(labeler, limits=Limits(bytes=len(GOOD), blocks=1))
    assert inclusive.clean(GOOD).reason == "ok"


def test_a_slow_page_is_an_error_of_that_page(labeler):
    cleaner = Cleaner(labeler, limits=Limits(seconds=1e-9))
    (result,) = cleaner.clean_many([GOOD])
    assert result.reason == "too-slow"
    assert "limits.seconds" in str(result.error)


def test_a_slow_batch_is_tried_again_page_by_page(labeler, monkeypatch):
    """Pages that are slow only together are no errors."""
    spy, clock = Spy(labeler), [0.0]
    monkeypatch.setattr("time.monotonic", lambda: clock[0])

    def take_long(pages):
        clock[0] += 100.0 if len(pages) > 1 else 1.0
        return labeler.table(pages)

    spy.made = take_long
    results = list(Cleaner(spy, limits=Limits(seconds=60)).clean_many([GOOD] * 3))
    assert [len(pages) for pages in spy.seen] == [3, 1, 1, 1]
    assert [result.reason for result in results] == ["ok"] * 3


def test_limits_are_those_of_the_model(small_model):
    config = small_model.config.replace(limits=Limits(blocks=1))
    strict = replace(small_model, config=config)
    assert Cleaner(CrfLabeler(strict)).limits.blocks == 1
    (result,) = victor.clean_many([b"<p>one<p>two"], model=strict)
    assert result.reason == "too-many-blocks"
    assert Config().limits == Cleaner(CrfLabeler(small_model)).limits


# --- failures ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "reason"),
    [(RuntimeError("broken"), "failed"), (MemoryError(), "failed"),
     (RecursionError("deep"), "failed"), (PageError("odd-page", "it is odd"), "odd-page"),
     (FeatureError("column x is missing"), "feature-failed")],
)  # fmt: skip
def test_whatever_a_page_breaks_it_costs_that_page_only(labeler, error, reason):
    cleaner = Cleaner(Spy(labeler, error))
    first, broken, last = cleaner.clean_many([GOOD, POISON, GOOD])
    assert (first.reason, broken.reason, last.reason) == ("ok", reason, "ok")
    assert str(error) in str(broken.error)
    assert error in (broken.error, broken.error.__cause__)
    assert reason != "failed" or type(error).__name__ in str(broken.error)
    with pytest.raises((PageError, type(error))):
        cleaner.clean(POISON)


@pytest.mark.parametrize(("n_good", "n_poisoned"), [(7, 1), (0, 20)])
def test_poisoned_pages_cost_one_more_pass(labeler, n_good, n_poisoned):
    spy = Spy(labeler, RuntimeError("broken"))
    pages = [b"<p>page %d" % number for number in range(n_good)]
    results = list(Cleaner(spy).clean_many([*pages[:3], *[POISON] * n_poisoned, *pages[3:]]))
    assert [result.reason for result in results].count("failed") == n_poisoned
    seen = [page for batch in spy.seen for page in batch]
    assert [seen.count(page) for page in pages] == [2] * n_good
    assert seen.count(POISON) == 2 * n_poisoned


def test_what_is_wrong_for_all_pages_stops(labeler):
    with pytest.raises(ConfigError):
        list(Cleaner(Spy(labeler, ConfigError("no method"))).clean_many([GOOD, POISON]))
    with pytest.raises(ConfigError, match="viterbi"):
        Cleaner(build_labeler("none"), decision=Decision("viterbi")).clean(GOOD)


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


def test_large_pages_are_cleaned_one_by_one(labeler):
    spied = Spy(labeler)
    large = b"<p>" + b"many words " * (BATCH_BYTES // 10)
    results = list(Cleaner(spied).clean_many([GOOD, large, GOOD, large]))
    assert [len(pages) for pages in spied.seen] == [1, 1, 1, 1]
    assert len(results) == 4
