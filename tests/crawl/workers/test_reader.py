"""What becomes of an input when the process that reads it ends; most follow a plan here."""

import os
import zipfile
from contextlib import closing

import pyarrow
import pytest
from pyarrow import parquet

from victor.crawl.workers.batching import RangeTask
from victor.crawl.workers.reader import Reader
from victor.crawl.workers.reader_main import AllRead, Announced, Read, ReaderOptions, read_tasks
from victor.crawl.workers.worker import Aborted, WorkerFailure, starter
from victor.errors import ConfigError
from victor.sources import Input, ReadOptions, read
from victor.sources.ranges import Range
from victor.sources.record import Damage, Record

CRASH = WorkerFailure("memory", "no memory")
KILLED = WorkerFailure("crashed", "SIGKILL", external=True)
ARCHIVE = Input("in.zip", "zip")


class PaperProcess:
    """Reads so many records; dies over some of them, or on the way to them, as a plan says."""

    def __init__(self, plan, log):
        self.plan, self.log = plan, log

    def await_ready(self):
        self.log.append("start")
        self._die("start")

    def send(self, task):
        self.said = self._said(task)

    def message(self):
        return next(self.said)

    def _said(self, task):
        waiting = []
        for number in range(self.plan.get("count", 5)):
            self._die(f"to {number}")
            if task.is_careful:
                yield Announced(number)
            if number >= task.skip:
                self._die(number)
                waiting.append(Record(task.source.name, number, b"<p>"))
                if task.is_careful or len(waiting) == 2:
                    yield Read(waiting, 10 * number)
                    waiting = []
        if waiting:
            yield Read(waiting, 10 * number)
        yield AllRead(77)

    def _die(self, where):
        if self.plan.get(where):
            raise self.plan[where].pop()

    def kill(self):
        self.log.append("kill")

    def stop(self):
        self.log.append("stop")


def planned(plan):
    log = []
    return Reader(lambda: PaperProcess(plan, log)), log


def told(items):
    return [(one.number, one.reason if isinstance(one, Damage) else "ok") for one in items]


OK = [(number, "ok") for number in range(5)]


def lost(number, reason="memory"):
    return [*OK[:number], (number, reason), *OK[number + 1 :]]


@pytest.mark.parametrize("number", range(5))
@pytest.mark.parametrize(
    ("deaths", "reason"),
    [(0, ""), (1, ""), (2, "memory"), (3, "memory"), (99, "memory")],
)
def test_a_record_over_which_the_reader_dies_twice_is_passed_by(number, deaths, reason):
    reader, log = planned({number: [CRASH] * deaths})
    assert told(reader.read(ARCHIVE, ReadOptions())) == (lost(number) if reason else OK)
    assert log.count("start") == 1 + min(deaths, 2)
    assert reader.tell() == (30 if reason and number == 4 else 40)


@pytest.mark.parametrize(("deaths", "expected"), [(3, OK), (4, lost(2, "crashed"))])
def test_a_reader_that_is_killed_from_outside_gets_more_attempts(deaths, expected):
    reader, _ = planned({2: [KILLED] * deaths})
    assert told(reader.read(ARCHIVE, ReadOptions())) == expected


def test_neighbours_may_all_be_deadly():
    reader, _ = planned({number: [CRASH] * 99 for number in (1, 2, 4)})
    assert told(reader.read(ARCHIVE, ReadOptions())) == [
        (0, "ok"), (1, "memory"), (2, "memory"), (3, "ok"), (4, "memory"),
    ]  # fmt: skip


@pytest.mark.parametrize("number", [0, 3, 4])
@pytest.mark.parametrize("skip", range(6))
def test_where_no_record_can_be_passed_by_the_rest_is_one_damage(number, skip):
    # Wherever a run goes on, it gives the items that the first run would have given.
    reader, _ = planned({f"to {number}": [CRASH] * 99})
    whole = lost(number)[: number + 1]
    assert told(reader.read(ARCHIVE, ReadOptions(), skip)) == whole[skip:]


def test_the_rest_of_a_range_ends_where_the_range_does(tmp_path):
    task = RangeTask(ARCHIVE, ReadOptions(), Range(b"WARC/", 0, 500), 0, 0)
    for plan, met in [({}, 77), ({3: [CRASH] * 99}, 77), ({"to 3": [CRASH] * 99}, 500)]:
        found = planned(plan)[0].range(task)
        assert len(told(found)) == (4 if "to 3" in plan else 5)
        assert found.met == met


def test_a_reader_that_cannot_even_start_ends_the_run():
    reader, _ = planned({"start": [CRASH]})
    with pytest.raises(ConfigError, match="larger --memory"):
        next(reader.read(ARCHIVE, ReadOptions()))


def test_who_stops_in_the_middle_gets_a_new_process_for_the_next_input():
    reader, log = planned({})
    with closing(reader.read(ARCHIVE, ReadOptions())) as items:
        next(items)
    assert told(reader.read(ARCHIVE, ReadOptions())) == OK
    assert told(reader.read(ARCHIVE, ReadOptions())) == OK
    assert log == ["start", "stop", "start"]


def test_a_run_that_is_aborted_starts_no_other_process():
    reader, log = planned({1: [CRASH] * 99})
    items = reader.read(ARCHIVE, ReadOptions())
    reader.abort()
    with pytest.raises(Aborted):
        next(items)
    assert log == []


# --- True processes ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def reader():
    """A reader of 190 MB; it needs some 130 MB to begin with."""
    with closing(Reader(starter(ReaderOptions(190_000_000, os.getcwd()), read_tasks))) as reader:
        yield reader


def test_a_member_that_takes_all_memory_is_named(reader, tmp_path):
    path, options = tmp_path / "in.zip", ReadOptions(max_bytes=200_000_000)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for number in range(600):
            archive.writestr(f"{number}.html", bytes(200_000_000 if number == 300 else 5))
    found = [*reader.read(Input(str(path), "zip"), options)]
    assert [page.number for page in found] == [*range(600)]
    assert (found[300].reason, "--memory" in found[300].message) == ("memory", True)
    assert [page.id for page in found if isinstance(page, Record)] == [
        f"{number}.html" for number in range(600) if number != 300
    ]


def test_rows_that_take_all_memory_are_named_and_those_behind_them_read(reader, tmp_path):
    path, schema = tmp_path / "in.parquet", pyarrow.schema([("html", pyarrow.binary())])
    with parquet.ParquetWriter(path, schema, compression="zstd", use_dictionary=False) as writer:
        for size in (5, 300_000_000, 5):
            writer.write_table(pyarrow.table([[bytes(size)]], schema=schema))
    before, found, behind = reader.read(Input(str(path), "parquet"), ReadOptions())
    assert (found.reason, found.message[:12]) == ("memory", "rows 1 to 1 ")
    assert [before.body, behind.body] == [bytes(5)] * 2


def test_what_is_read_apart_is_what_is_read_here(reader, tmp_path):
    path, options = tmp_path / "in.jsonl", ReadOptions(max_bytes=10)
    path.write_text('{"html": "<p>a"}\nno JSON\n{"html": "<p>far too long"}\n' * 200)
    source = Input(str(path), "jsonl")
    assert [*reader.read(source, options)] == [*read(source, options)]
    assert [*reader.read(source, options, 599)] == [*read(source, options, 599)]
    assert reader.tell() == path.stat().st_size
    gone = Input(str(tmp_path / "gone.zip"), "zip")
    assert [*reader.read(gone, options)] == [*read(gone, options)]
