"""Runs whose workers read ranges of WARC files: the same records and bytes as in one piece."""

import gzip
import json
from dataclasses import replace

import pytest

from victor.crawl.run.run import Job, crawl
from victor.crawl.workers import batching
from victor.documents.spec import CrawlSpec
from victor.sources import expand, ranges

QUICK = CrawlSpec(labeler="kimatu")


def packed(number, page, *, named=True, inner=b""):
    """A record of a page; `inner` are bytes that are stored as they are."""
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page + inner
    name = f"WARC-Record-ID: <urn:x:{number}>\r\n" if named else ""
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\n{name}"
        f"WARC-Target-URI: http://a.example/{number}\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    level = 0 if inner else 6
    return gzip.compress(head.encode() + block + b"\r\n\r\n", level, mtime=0)


@pytest.fixture(scope="module")
def records(annotated):
    """Sixty records; two break off, some have no identifier, one holds a WARC."""
    pages = [annotated[number % len(annotated)].html for number in range(60)]
    all_of_them = [packed(n, page, named=n % 7 > 0) for n, page in enumerate(pages)]
    inner = b"".join(packed(f"inner{n}", pages[n]) for n in range(4))
    all_of_them[30] = packed(30, pages[30], inner=inner)
    for number in (11, 45):
        all_of_them[number] = all_of_them[number][:-200]
    return all_of_them


@pytest.fixture
def job(records, tmp_path, monkeypatch):
    """A run over two packed files, one that is not packed, and a page between them."""
    monkeypatch.setattr(ranges, "RANGE_BYTES", 10_000)
    (tmp_path / "a.warc.gz").write_bytes(b"".join(records[:40]))
    (tmp_path / "b.html").write_text("<p>A page of its own, with words enough.</p>")
    (tmp_path / "c.warc.gz").write_bytes(b"".join(records[40:]))
    (tmp_path / "d.warc").write_bytes(b"".join(map(gzip.decompress, records[:9])))
    names = [str(tmp_path / name) for name in ("a.warc.gz", "b.html", "c.warc.gz", "d.warc")]
    return Job(expand(names), tmp_path / "out", QUICK, part_records=13)


@pytest.mark.slow
def test_ranges_give_the_bytes_of_the_whole(job, written, tmp_path, monkeypatch):
    totals = crawl(job)
    assert totals.read == 70
    assert totals.failed["damaged-warc"] == 2
    crawl(replace(job, folder=tmp_path / "again", jobs=3, recycle=1))
    assert written(job.folder) == written(tmp_path / "again")
    monkeypatch.setattr(batching, "head_of", lambda source, reading: None)
    crawl(replace(job, folder=tmp_path / "whole"))
    assert without_states(written(job.folder)) == without_states(written(tmp_path / "whole"))


def without_states(files):
    """All but the states: where units begin differs."""
    return {name: data for name, data in files.items() if not name.startswith("state")}


@pytest.mark.slow
@pytest.mark.parametrize("form", ["vertical", "parquet"])
def test_rows_made_by_workers_are_those_of_the_writer(job, written, tmp_path, monkeypatch, form):
    crawl(replace(job, form=form))
    monkeypatch.setattr(batching, "head_of", lambda source, reading: None)
    monkeypatch.setattr("victor.crawl.run.run.WITH_ROWS", frozenset())
    crawl(replace(job, form=form, folder=tmp_path / "whole"))
    assert without_states(written(job.folder)) == without_states(written(tmp_path / "whole"))


@pytest.mark.slow
@pytest.mark.parametrize("count", [20, 45, 69])
def test_an_interrupted_run_goes_on_in_the_middle_of_a_range(job, written, tmp_path, count):
    whole = replace(job, folder=tmp_path / "whole")
    crawl(whole)

    def watch(totals, piece):
        if totals.read >= count:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        crawl(replace(job, jobs=2), watch)
    crawl(job)
    assert written(job.folder) == written(whole.folder)


def test_a_page_that_harms_its_worker_costs_itself(
    records, poisoned_options, crawled, tmp_path, annotated
):
    bad = {7: "POISON-EXIT", 20: "POISON-SLEEP", 21: "POISON-HOARD"}
    stored = [
        packed(n, f"<p>A page of {bad[n]}, or so it seems.".encode()) if n in bad else record
        for n, record in enumerate(records[:30])
    ]
    (tmp_path / "a.warc.gz").write_bytes(b"".join(stored))
    options = ("-j", 2, "--memory", 600, "--part-records", 16)
    out = tmp_path / "out"
    crawled(tmp_path / "a.warc.gz", "-o", out, *poisoned_options, *options)
    run = json.loads((out / "run.json").read_text())
    assert run["totals"]["read"] == 30
    failed = [json.loads(line) for line in (out / "failed.jsonl").read_text().splitlines()]
    assert [(each["number"], each["reason"]) for each in failed] == [
        (7, "crashed"), (11, "damaged-warc"), (20, "timeout"), (21, "memory"),
    ]  # fmt: skip
    assert failed[0]["url"] == "http://a.example/7"
