"""kill -9 of workers and of the run itself: what comes out in the end is the same."""

import os
import random
import signal
import time
from contextlib import suppress
from pathlib import Path

import pytest

from victor.config import Limits
from victor.crawl.run.run import Job
from victor.crawl.run.run import crawl as crawl_here
from victor.documents.spec import CrawlSpec
from victor.errors import ConfigError
from victor.sources import expand

PARTS = 6
ARGUMENTS = ("-l", "kimatu", "-j", 2, "--part-records", 10)


def job(pages, out):
    """The same as `ARGUMENTS` say."""
    inputs = expand([str(pages)])
    return Job(inputs, out, CrawlSpec(labeler="kimatu", limits=Limits()), part_records=10)


@pytest.fixture(scope="module")
def undisturbed(pages, written, tmp_path_factory):
    out = tmp_path_factory.mktemp("undisturbed") / "out"
    crawl_here(job(pages, out))
    return written(out)


def await_part(running, out, number):
    """Wait until a part is done, or the run."""
    while running.poll() is None and not (out / f"state/part-{number:05d}.json").exists():
        time.sleep(0.002)


def descendants(pid):
    """Processes below a process."""
    below = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            below.setdefault(parent, []).append(int(folder.name))
    pids = [pid]
    for each in pids:
        pids += below.get(each, [])
    return pids[1:]


def workers(pid):
    """Processes that the server of a run forked."""
    return [below for each in descendants(pid) for below in descendants(each)]


def kill(pids):
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


@pytest.mark.slow
def test_workers_that_are_killed(pages, crawl, written, undisturbed, tmp_path):
    out = tmp_path / "out"
    chosen = random.Random(1)
    with crawl(pages, "-o", out, *ARGUMENTS) as running:
        for part in range(PARTS - 2):
            await_part(running, out, part)
            kill(chosen.sample(pids, 1) if (pids := workers(running.pid)) else [])
        _, messages = running.communicate()
    assert running.returncode == 0, messages
    assert written(out) == undisturbed


def test_a_run_that_is_killed_goes_on_and_leaves_no_worker(
    pages, crawl, written, undisturbed, tmp_path
):
    out = tmp_path / "out"
    statuses = []
    for part in (0, 3):
        with crawl(pages, "-o", out, *ARGUMENTS) as running:
            await_part(running, out, part)
            below = descendants(running.pid)
            running.kill()
            running.communicate()
        statuses.append(running.returncode)
        await_end(below)
    assert -signal.SIGKILL in statuses
    crawl_here(job(pages, out))
    assert written(out) == undisturbed


def await_end(pids):
    """Processes end a moment after what they depend on; those that do not, fail the test."""
    for _ in range(6_000):
        if all(map(has_ended, pids)):
            return
        time.sleep(0.01)
    pytest.fail("a process outlived the run")


def has_ended(pid):
    """Is it gone, or has it ended and nobody has asked how."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    return True


@pytest.mark.slow
def test_workers_die_with_the_run_whatever_they_do(
    poisoned_model, poisoned_options, crawl, tmp_path
):
    """One sleeps in C and holds the interpreter's lock when the run is killed."""
    (tmp_path / "bad.html").write_text("<p>POISON-SLEEP")
    more = (*poisoned_options, "--set", "limits.seconds=600")
    with crawl(tmp_path / "bad.html", "-o", tmp_path / "out", *more) as running:
        while not (sleeping := asleep(poisoned_model.parent, workers(running.pid))):
            assert running.poll() is None
            time.sleep(0.01)
        running.kill()
        running.communicate()
    await_end(sleeping)


def asleep(folder, pids):
    """Those that say that they sleep."""
    return [pid for pid in pids if (folder / f"asleep-{pid}").exists()]


def test_two_runs_cannot_share_a_folder(pages, crawl, tmp_path):
    out = tmp_path / "out"
    with crawl(pages, "-o", out, *ARGUMENTS) as running:
        while running.poll() is None and not (out / "state/options.json").exists():
            time.sleep(0.002)
        os.kill(running.pid, signal.SIGSTOP)
        with pytest.raises(ConfigError, match="another run is using"):
            crawl_here(job(pages, out))
        os.kill(running.pid, signal.SIGCONT)
        _, messages = running.communicate()
    assert running.returncode == 0, messages
