"""What a supervisor does when a worker fails, with workers that follow a plan."""

import subprocess
import sys

import pytest

from victor.crawl.workers.batching import RangeTask
from victor.crawl.workers.worker import Aborted, Supervisor, WorkerFailure, check_platform
from victor.crawl.workers.worker_main import Answer, RangeAnswer
from victor.documents.outcome import Outcome
from victor.errors import ConfigError
from victor.sources import Input, ReadOptions
from victor.sources.ranges import Range, RangeReader
from victor.sources.record import Record

CRASH = WorkerFailure("crashed", "status 3")
KILLED = WorkerFailure("crashed", "SIGKILL", external=True)


class PaperWorker:
    """Dies over records as a plan says: by the ids of a batch, the deaths to come."""

    def __init__(self, plan, log):
        self.plan, self.log = plan, log
        self.log.append("start")

    def await_ready(self):
        if self.plan.get("load"):
            raise self.plan["load"].pop()

    def is_ready(self):
        return self.plan.get("next is ready", True)

    def send(self, work):
        self.work = work

    def answer(self, seconds):
        is_range = isinstance(self.work, RangeTask)
        key = "range" if is_range else "".join(record.id for record in self.work)
        self.log.append(key)
        if self.plan.get(key):
            raise self.plan[key].pop()
        if is_range:
            return RangeAnswer(["of the range"], batches=1)
        return Answer([outcome(record) for record in self.work], 0.5, 100)

    def kill(self):
        self.log.append("kill")

    def stop(self):
        self.log.append("stop")


def outcome(record):
    return Outcome(record.source, record.number, "written", "ok")


class InPlace:
    """Reads ranges in this process."""

    def range(self, task):
        return RangeReader(task.source, task.reading, task.range)

    def abort(self):
        pass

    def close(self):
        pass


def supervised(plan, recycle=100):
    log = []
    return Supervisor(lambda: PaperWorker(plan, log), 1.0, recycle, InPlace()), log


def cleaned(supervisor, ids):
    supervisor.begin([Record("in", number, b"", id=id) for number, id in enumerate(ids)])
    return [(outcome.number, outcome.reason) for outcome in supervisor.finish()]


def test_a_batch_that_kills_its_worker_is_tried_page_by_page():
    supervisor, log = supervised({"abc": [CRASH], "b": [CRASH]})
    assert cleaned(supervisor, "abc") == [(0, "ok"), (1, "crashed"), (2, "ok")]
    assert log == ["start", "abc", "stop", "start", "a", "b", "stop", "start", "c"]


def test_a_range_whose_worker_is_killed_from_outside_is_tried_as_it_is(ranged):
    supervisor, log = supervised({"range": [KILLED, KILLED]})
    supervisor.begin_range(ranged)
    assert supervisor.finish_range().outcomes == ["of the range"]
    assert [each for each in log if each != "start"] == ["range", "stop", "range", "stop", "range"]


def test_a_range_that_kills_its_worker_is_cleaned_batch_by_batch(ranged):
    supervisor, log = supervised({"range": [CRASH], "abc": [CRASH], "b": [CRASH]})
    supervisor.begin_range(ranged)
    answer = supervisor.finish_range()
    assert [(each.number, each.reason) for each in answer.outcomes] == [
        (0, "ok"), (1, "crashed"), (2, "ok"),
    ]  # fmt: skip
    assert answer.met is None
    assert answer.unnamed == []
    assert log == ["start", "range", "stop", "start", "abc", "stop", "start", "a", "b", "stop",
                   "start", "c"]  # fmt: skip


@pytest.fixture
def ranged(tmp_path):
    """A range of three records with the identifiers a, b and c."""
    lines = "WARC/1.0\r\nWARC-Type: resource\r\nContent-Type: text/html\r\n"
    records = [
        f"{lines}WARC-Record-ID: {id}\r\nContent-Length: 3\r\n\r\n<p>\r\n\r\n" for id in "abc"
    ]
    (tmp_path / "in.warc").write_text("".join(records), newline="")
    source = Input(str(tmp_path / "in.warc"), "warc")
    return RangeTask(source, ReadOptions(), Range(b"WARC/", 0, None), 0, 0)


def test_a_batch_whose_worker_is_killed_from_outside_is_tried_as_it_is():
    supervisor, log = supervised({"ab": [KILLED, KILLED]})
    assert cleaned(supervisor, "ab") == [(0, "ok"), (1, "ok")]
    assert [each for each in log if each != "start"] == ["ab", "stop", "ab", "stop", "ab"]


def test_a_page_that_is_killed_again_and_again_fails():
    supervisor, log = supervised({"ab": [KILLED] * 9, "b": [KILLED] * 9})
    assert cleaned(supervisor, "ab") == [(0, "ok"), (1, "crashed")]
    assert (log.count("ab"), log.count("a"), log.count("b")) == (4, 1, 4)


@pytest.mark.parametrize("reason", ["timeout", "memory"])
def test_the_reason_of_the_death_is_that_of_the_failure(reason):
    supervisor, _ = supervised({"a": [WorkerFailure(reason, "")]})
    assert cleaned(supervisor, "a") == [(0, reason)]


def test_a_worker_is_replaced_after_its_share_when_the_next_one_is_ready():
    plan = {"next is ready": False}
    supervisor, log = supervised(plan, recycle=1)
    for id in "abc":
        cleaned(supervisor, id)
    assert log == ["start", "a", "start", "b", "c"]
    plan["next is ready"] = True
    cleaned(supervisor, "d")
    assert log[5:] == ["stop", "d"]


def test_workers_that_never_get_ready_are_an_error_of_the_call():
    supervisor, _ = supervised({"load": [CRASH] * 9})
    with pytest.raises(ConfigError, match="--memory"):
        cleaned(supervisor, "a")


def test_a_worker_that_is_killed_while_it_loads_is_started_again():
    supervisor, _ = supervised({"load": [KILLED]})
    assert cleaned(supervisor, "a") == [(0, "ok")]


def test_nothing_is_started_after_an_abort():
    supervisor, log = supervised({"a": [KILLED]})
    supervisor.begin([Record("in", 0, b"", id="a")])
    supervisor.abort()
    with pytest.raises(Aborted):
        supervisor.finish()
    supervisor.close()
    assert log == ["start", "kill", "a", "stop", "start", "stop"]


def test_usage_is_summed_over_workers():
    supervisor, _ = supervised({}, recycle=1)
    for id in "abcd":
        cleaned(supervisor, id)
    assert supervisor.usage == (2.0, 100)


def test_a_system_without_posix_modules_is_refused(monkeypatch):
    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "resource", None)
    with pytest.raises(ConfigError, match="no module fcntl and no module resource"):
        check_platform()


def test_the_command_says_so_without_a_traceback(tmp_path):
    """A Python without the modules, signals and contexts that Windows lacks."""
    program = """
import multiprocessing.context, signal, sys
sys.modules["fcntl"] = sys.modules["resource"] = None
del multiprocessing.context.ForkServerContext, signal.SIGKILL, signal.SIGHUP
from victor.cli import main
main()
"""
    (tmp_path / "a.html").write_text("<p>A page.")
    command = [sys.executable, "-P", "-c", program, "crawl", "a.html", "--output", "out"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert "crawls need Linux, macOS or another POSIX system" in run.stderr
    assert "Traceback" not in run.stderr
    assert not (tmp_path / "out").exists()
