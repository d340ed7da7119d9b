"""What a worker answers when a batch goes wrong, and how it lets go of the server."""

import subprocess
import sys
from multiprocessing import forkserver

import pytest

from victor.crawl.workers.worker_main import BrokenBatch, answer
from victor.documents.outcome import Outcome
from victor.errors import FeatureError, PageError
from victor.sources.record import Record

RECORDS = [Record("in", number, b"") for number in range(3)]


def raising(error):
    def process(records):
        raise error

    return process


def kept(records, reason="ok"):
    return [Outcome(each.source, each.number, "written", reason) for each in records]


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (MemoryError(), "memory"),
        (PageError("too-strange", "of a page"), "too-strange"),
        (ZeroDivisionError("by zero"), "crashed"),
    ],
)
def test_an_exception_breaks_the_batch(error, reason):
    reply = answer(raising(error), RECORDS)
    assert isinstance(reply, BrokenBatch)
    assert reply.reason == reason


def test_what_is_no_fault_of_a_page_is_an_answer_of_its_own():
    error = FeatureError("a module breaks its contract")
    assert answer(raising(error), RECORDS) is error


def test_a_page_that_wants_too_much_memory_breaks_its_batch():
    reply = answer(lambda records: kept(records[:2]) + kept(records[2:], "memory"), RECORDS)
    assert isinstance(reply, BrokenBatch)
    assert reply.reason == "memory"


def test_this_python_has_the_attribute():
    """If not, idle workers still end with the run, but a busy one only after its batch."""
    assert hasattr(forkserver._forkserver, "_forkserver_alive_fd")


def test_a_limit_that_is_used_up_leaves_no_room_though_freed_memory_is_left():
    script = (
        "from victor.crawl.workers.worker_main import has_room, limit_memory\n"
        "freed = [bytes(1000) for _ in range(9000)]\n"
        "before = has_room()\n"
        "del freed[::2]\n"
        "limit_memory(1_000_000)\n"
        "print(before, len(bytes(1000)), has_room())"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["True", "1000", "False"]
