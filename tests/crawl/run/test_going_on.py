"""Runs that go on after something happened to their inputs, parts or states."""

import errno
import io
import json
import os
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from victor.base import files
from victor.crawl.run.part_writer import PartWriter
from victor.crawl.run.run import Job, crawl
from victor.crawl.workers import batching
from victor.documents.spec import CrawlSpec
from victor.errors import ConfigError, OutputError
from victor.sources import Input, ranges

QUICK = CrawlSpec(labeler="kimatu")
WORDS = "honey wax bees comb queen drone hive swarm nectar pollen".split()


def page(number):
    text = " ".join(WORDS[(number * place) % 10] for place in range(1, 60))
    return f"<title>Page {number}</title><h1>{number}</h1><p>{text}.</p>".encode()


def stored(number):
    """A record of a page, not packed."""
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page(number)
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:{number}>\r\n"
        f"Content-Type: application/http\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def rows(numbers):
    return b"".join(
        json.dumps({"id": str(n), "html": page(n).decode()}).encode() + b"\n" for n in numbers
    )


CONTENTS = {
    "a.warc": b"".join(map(stored, range(9))),
    "b.jsonl": rows(range(10, 16)),
    "c.html": page(20),
    "d.html": page(21),
    "e.warc": b"".join(map(stored, range(30, 36))),
}
RECORDS = 9 + 6 + 2 + 6


@pytest.fixture(scope="module", autouse=True)
def small_units():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ranges, "RANGE_BYTES", 1_000)
        patch.setattr(batching, "BATCH_BYTES", 1_500)
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("inputs")


@pytest.fixture(autouse=True)
def inputs(folder):
    """Every test begins with the same inputs."""
    for name, content in CONTENTS.items():
        if not (folder / name).exists() or (folder / name).read_bytes() != content:
            (folder / name).write_bytes(content)


def job_over(folder, out, **more):
    names = [Input(str(folder / name), name.rpartition(".")[2]) for name in CONTENTS]
    return Job(names, out, QUICK, part_records=4, **more)


def interrupt_at(count):
    def watch(totals, piece):
        if totals.read >= count:
            raise KeyboardInterrupt

    return watch


def made(folder, out, stopped, **more):
    """A run, whole or stopped after so many records."""
    job = job_over(folder, out, **more)
    if stopped is None:
        assert crawl(job).read == RECORDS
    else:
        with pytest.raises(KeyboardInterrupt):
            crawl(job, interrupt_at(stopped))


@pytest.fixture(scope="module")
def models(folder, tmp_path_factory):
    """A finished run, and one that was stopped."""
    for name, content in CONTENTS.items():
        (folder / name).write_bytes(content)
    outs = tmp_path_factory.mktemp("models")
    made(folder, outs / "whole", None)
    made(folder, outs / "stopped", 18)
    return SimpleNamespace(whole=outs / "whole", stopped=outs / "stopped")


@pytest.fixture
def going_on(folder, models, tmp_path):
    """Function: a copy of a run that was stopped; crawl it on and say what was told."""

    def prepare(model="stopped", **more):
        out = tmp_path / "out"
        shutil.copytree(getattr(models, model), out)
        told = []
        job = job_over(folder, out, **more)
        return SimpleNamespace(out=out, told=told, run=lambda: crawl(job, tell=told.append))

    return prepare


def changed_in_the_middle(path, at):
    """Other bytes of the same number, with the old date."""
    status, content = path.stat(), bytearray(path.read_bytes())
    content[at : at + 3] = b"Ant"
    path.write_bytes(content)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


@pytest.mark.parametrize(
    ("name", "at"),
    [
        ("a.warc", CONTENTS["a.warc"].index(b"<title>Page 5") + 60),
        ("b.jsonl", CONTENTS["b.jsonl"].index(b"<title>Page 12") + 60),
        ("c.html", 60),
    ],
)
def test_an_input_that_changed_where_it_was_read_is_refused(folder, going_on, name, at):
    run = going_on()
    changed_in_the_middle(folder / name, at)
    with pytest.raises(ConfigError, match=rf"{name} has changed: records \d.*bring the old file"):
        run.run()
    shutil.rmtree(run.out)
    run = going_on("whole")
    with pytest.raises(ConfigError, match=name):
        run.run()


def test_an_input_that_is_only_a_copy_is_none_that_changed(folder, models, going_on, written):
    run = going_on()
    for name, content in CONTENTS.items():
        (folder / name).unlink()
        (folder / name).write_bytes(content)
    run.run()
    assert any(text.startswith("4 inputs are other files") for text in run.told)
    assert without_inputs(written(run.out)) == without_inputs(written(models.whole))


def without_inputs(files):
    return {name: data for name, data in files.items() if name != "state/inputs.jsonl"}


def test_what_was_not_read_yet_may_change(folder, going_on, written, tmp_path):
    run = going_on()
    changed_in_the_middle(folder / "e.warc", CONTENTS["e.warc"].rindex(b"<p>") + 9)
    run.run()
    crawl(job_over(folder, tmp_path / "new"))
    assert without_inputs(written(run.out)) == without_inputs(written(tmp_path / "new"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (CONTENTS["a.warc"] + b"more", r"a.warc had ([\d,]+) bytes and has "),
        (CONTENTS["a.warc"][:-9], r"a.warc had ([\d,]+) bytes and has "),
        (b"", r"a.warc had ([\d,]+) bytes and has 0"),
        (None, r"a.warc had ([\d,]+) bytes and has 0"),
    ],
)
def test_an_input_of_another_size_is_named(folder, going_on, content, message):
    (folder / "a.warc").unlink()
    if content is not None:
        (folder / "a.warc").write_bytes(content)
    with pytest.raises(ConfigError, match=message):
        going_on().run()


def test_an_input_that_changes_under_way_is_noticed(folder, going_on):
    run = going_on()
    job = job_over(folder, run.out)

    def watch(totals, piece):
        changed_in_the_middle(folder / "a.warc", CONTENTS["a.warc"].index(b"<p>") + 9)

    with pytest.raises(ConfigError, match=r"a\.warc has changed"):
        crawl(job, watch)
    assert not (run.out / "run.json").exists()


def test_remote_inputs_are_compared_as_well(tmp_path):
    fsspec = pytest.importorskip("fsspec")
    remote = fsspec.filesystem("memory")
    remote.pipe("/weather/a.jsonl", rows(range(12)))
    job = Job([Input("memory://weather/a.jsonl", "jsonl")], tmp_path / "out", QUICK, part_records=4)
    with pytest.raises(KeyboardInterrupt):
        crawl(job, interrupt_at(6))
    remote.pipe("/weather/a.jsonl", rows(range(12)).replace(b"honey", b"sugar", 1))
    with pytest.raises(ConfigError, match=r"memory://weather/a\.jsonl has changed"):
        crawl(job)
    remote.pipe("/weather/a.jsonl", rows(range(12)))
    assert crawl(job).read == 12


def test_standard_input_is_compared_as_it_is_passed_over(tmp_path, monkeypatch, written):
    job = Job([Input("-", "stdin")], tmp_path / "out", QUICK, part_records=4)

    def run(content, job=job, **more):
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content)))
        return crawl(job, **more)

    with pytest.raises(KeyboardInterrupt):
        run(rows(range(12)), watch=interrupt_at(9))
    other = rows(range(12)).replace(b"honey", b"sugar", 1)
    with pytest.raises(ConfigError, match="standard input is another"):
        run(other)
    run(rows(range(12)))
    run(rows(range(12)), replace(job, folder=tmp_path / "whole"))
    assert written(job.folder) == written(tmp_path / "whole")


HARMS = {
    "parts removed": lambda out: [(out / f"data/part-0000{n}.jsonl").unlink() for n in (0, 2, 3)],
    "a part emptied": lambda out: (out / "data/part-00001.jsonl").write_bytes(b""),
    "all data removed": lambda out: shutil.rmtree(out / "data"),
    "a state removed": lambda out: (out / "state/part-00001.json").unlink(),
    "states emptied": lambda out: [
        (out / f"state/part-0000{n}.json").write_bytes(b"") for n in (0, 5)
    ],
    "states damaged": lambda out: [
        path.write_bytes(path.read_bytes().replace(b'"written": 4', b'"written": 5'))
        for path in (out / "state").glob("part-*.json")
    ],
    "results removed": lambda out: [
        (out / name).unlink() for name in ("run.json", "failed.jsonl", "README.md")
    ],
}


@pytest.mark.slow
@pytest.mark.parametrize("harm", HARMS)
def test_what_is_lost_is_made_again(models, going_on, written, harm):
    run = going_on("whole")
    HARMS[harm](run.out)
    assert written(run.out) != written(models.whole)
    assert run.run().read == RECORDS
    assert written(run.out) == written(models.whole)
    is_told = any(text.startswith("made again") for text in run.told)
    assert is_told == (harm != "results removed")


def test_what_somebody_changed_is_named_and_made_again_when_it_is_deleted(
    models, going_on, written
):
    run = going_on("whole")
    part = run.out / "data/part-00001.jsonl"
    part.write_bytes(part.read_bytes().replace(b"honey", b"sugar", 1))
    cut = run.out / "data/part-00003.jsonl"
    cut.write_bytes(cut.read_bytes()[:50])
    with pytest.raises(ConfigError, match=r"delete(?s:.*)part-00001(?s:.*)part-00003.*50 bytes"):
        run.run()
    part.unlink()
    cut.unlink()
    run.run()
    assert written(run.out) == written(models.whole)


def test_a_lost_part_of_an_input_that_changed_is_refused(folder, going_on):
    run = going_on("whole")
    (run.out / "data/part-00001.jsonl").unlink()
    (run.out / "state/part-00001.json").unlink()
    changed_in_the_middle(folder / "a.warc", CONTENTS["a.warc"].index(b"<title>Page 1") + 60)
    with pytest.raises(ConfigError, match=r"a\.warc has changed"):
        run.run()


@pytest.mark.parametrize("content", [None, b"", b"{}", b"[1", b"\xff"])
def test_options_that_are_lost_are_told(going_on, content):
    run = going_on()
    path = run.out / "state/options.json"
    path.unlink() if content is None else path.write_bytes(content)
    with pytest.raises(ConfigError, match=r"options\.json is missing or damaged|another version"):
        run.run()


def test_without_notes_all_that_was_read_is_compared(models, going_on, written):
    run = going_on()
    (run.out / "state/inputs.jsonl").unlink()
    run.run()
    assert any(text.startswith("4 inputs are other files") for text in run.told)
    assert without_inputs(written(run.out)) == without_inputs(written(models.whole))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "advice"),
    [(errno.ENOSPC, "free space"), (errno.EROFS, "make it writable"), (errno.EIO, "error")],
)
def test_what_cannot_be_written_is_told_with_the_place(
    models, going_on, written, monkeypatch, number, advice
):
    run = going_on()

    def add(part, piece):
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patch:
        patch.setattr(PartWriter, "add", add)
        with pytest.raises(OutputError, match=f"{run.out}.*{advice}; run the same command"):
            run.run()
    assert not [*Path(run.out).rglob(".unfinished*")]
    if number == errno.ENOSPC:
        run.run()
        assert written(run.out) == written(models.whole)


@pytest.mark.slow
@pytest.mark.parametrize("step", [1, 4, 7, 11, 18, 27])
def test_wherever_writing_ends_the_run_goes_on(folder, models, written, tmp_path, step):
    """A run dies before something comes to the disk for the n-th time, as if it were killed."""
    job, steps = job_over(folder, tmp_path / "out"), []
    sync = files._sync

    def die(path):
        steps.append(path)
        if len(steps) == step:
            raise KeyboardInterrupt
        sync(path)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "_sync", die)
        with pytest.raises(KeyboardInterrupt):
            crawl(job)
    crawl(job)
    assert without_inputs(written(job.folder)) == without_inputs(written(models.whole))
