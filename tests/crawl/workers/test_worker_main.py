"""What a worker answers when a batch goes wrong inside it."""

import pytest

from victor.crawl.documents.document import Outcome
from victor.crawl.workers.worker_main import Answer, Broken, answer
from victor.errors import FeatureError, PageError
from victor.sources.record import Record

RECORDS = [Record("in", number, b"") for number in range(3)]


def raising(error):
    def process(records):
        raise error

    return process


def kept(records, reason="ok"):
    return [Outcome(each.source, each.number, "written", reason) for each in records]


def test_outcomes_come_with_what_they_cost():
    found = answer(kept, RECORDS)
    assert isinstance(found, Answer)
    assert [outcome.number for outcome in found.outcomes] == [0, 1, 2]
    assert found.seconds >= 0
    assert found.peak > 1_000_000


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (MemoryError(), "memory"),
        (PageError("too-strange", "of a page"), "too-strange"),
        (ZeroDivisionError("by zero"), "crashed"),
    ],
)
def test_an_exception_breaks_the_batch(error, reason):
    found = answer(raising(error), RECORDS)
    assert isinstance(found, Broken)
    assert found.reason == reason


def test_what_is_no_fault_of_a_page_is_an_answer_of_its_own():
    error = FeatureError("a module breaks its contract")
    assert answer(raising(error), RECORDS) is error


def test_a_page_that_wants_too_much_memory_breaks_its_batch():
    found = answer(lambda records: kept(records[:2]) + kept(records[2:], "memory"), RECORDS)
    assert isinstance(found, Broken)
    assert found.reason == "memory"
