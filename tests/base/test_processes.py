"""Processes that work on pages: what a job does to one of them, and what others notice."""

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial

import pytest

from victor.annotate.suggestions import LabelerFile, check_labeler
from victor.base.processes import Calls, ordered
from victor.errors import ConfigError, ModelError, PageError

ENDLESS = 3600
"""Seconds that a job sleeps that is never to end."""


@pytest.fixture
def one():
    with closing(Calls(1)) as processes:
        yield processes


def test_jobs_run_in_other_processes(one):
    assert one.call(os.getpid) == one.call(os.getpid) != os.getpid()


@pytest.mark.parametrize(
    ("job", "argument", "reason"),
    [
        (int, "x", "failed"),
        (bytes, 1 << 40, "memory"),
        (os._exit, 3, "crashed"),
        (os._exit, 0, "crashed"),
    ],
)
def test_a_job_that_fails_costs_itself_only(one, job, argument, reason):
    with pytest.raises(PageError) as caught:
        one.call(job, argument)
    assert caught.value.reason == reason
    assert one.call(abs, -1) == 1


def test_a_job_that_takes_too_long_is_ended():
    with closing(Calls(1, seconds=1)) as one:
        before = one.call(os.getpid)
        with pytest.raises(PageError) as caught:
            one.call(time.sleep, ENDLESS)
        assert caught.value.reason == "timeout"
        assert one.call(os.getpid) != before


def test_errors_of_ours_come_back_as_they_are(one):
    with pytest.raises(ModelError, match="nobody"):
        one.call(check_labeler, LabelerFile("nobody", ""))


def test_a_process_that_somebody_has_killed_is_replaced(one):
    process = one.call(os.getpid)
    os.kill(process, signal.SIGKILL)
    time.sleep(0.5)
    assert one.call(os.getpid) != process


def test_the_end_of_the_server_ends_jobs_and_a_thread_may_begin_them():
    with ThreadPoolExecutor(1) as threads:
        processes = threads.submit(Calls, 1).result()
        assert processes.call(abs, -1) == 1
        endless = threads.submit(processes.call, time.sleep, ENDLESS)
        time.sleep(0.2)
        processes.close()
        with pytest.raises(PageError):
            endless.result(60)


DOUBLING = partial(eval, "lambda work: __import__('os')._exit(3) if work == 'exit' else 2 * work")
"""A child of a test knows no module of the tests."""


def test_answers_come_in_the_order_of_the_work():
    found = [*ordered(DOUBLING, [3, "exit", 1, 2], 2, seconds=60, memory=None)]
    assert [getattr(each, "reason", each) for each in found] == [6, "crashed", 2, 4]


def test_processes_that_cannot_begin_are_an_error_of_the_run():
    with pytest.raises(ConfigError, match="end before their first page"):
        next(ordered(partial(os._exit, 3), [1], 1, seconds=60, memory=None))
