"""Whole runs: every record accounted for; the same bytes for any number of workers and kills."""

import gzip
import json
import os
import shutil
from dataclasses import replace

import pytest
from msgspec import structs
from sources.containers import CONTAINERS, N

from victor.config.schema import Filter, Limits
from victor.crawl.run import Job, crawl, shard
from victor.documents.process import CrawlSpec
from victor.errors import ConfigError
from victor.sources.inputs import Input, ReadOptions, expand

N_PAGES, N_ROWS = 24, 500
QUICK = CrawlSpec(labeler="kimatu", limits=Limits())


@pytest.fixture(scope="module")
def inputs(pages, annotated, tmp_path_factory):
    """A folder of pages, a WARC in gzip members, and lines of JSON that are packed as a whole."""
    from sources.conftest import Warc

    folder = tmp_path_factory.mktemp("inputs")
    (folder / "pages").mkdir()
    for page in sorted(pages.iterdir())[:N_PAGES]:
        shutil.copy(page, folder / "pages")
    records = [Warc.page(annotated[number].html, number) for number in range(N_PAGES)]
    requests = [Warc.record(b"GET / HTTP/1.1\r\n\r\n", kind="request") for _ in records]
    pairs = (each for pair in zip(requests, records, strict=True) for each in pair)
    (folder / "all.warc.gz").write_bytes(b"".join(map(gzip.compress, pairs)))
    rows = (json.dumps({"html": f"<p>Row {n} of bees and of hives."}) for n in range(N_ROWS))
    (folder / "rows.jsonl.gz").write_bytes(gzip.compress("\n".join(rows).encode()))
    return folder


@pytest.fixture
def job(inputs, tmp_path):
    return Job(expand([str(inputs)]), tmp_path / "out", QUICK, part_size=100_000, jobs=2)


@pytest.fixture(scope="module")
def undisturbed(inputs, written, tmp_path_factory):
    out = tmp_path_factory.mktemp("undisturbed") / "out"
    crawl(Job(expand([str(inputs)]), out, QUICK, part_size=100_000))
    return written(out)


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def rows(folder):
    return [line for path in sorted(folder.glob("data/part-*")) for line in lines(path)]


def test_every_record_is_accounted_for(job):
    total = crawl(replace(job, spec=structs.replace(QUICK, filter=Filter(least_words=200))))
    assert total.skipped == {"warc-request": N_PAGES}
    assert total.read == 3 * N_PAGES + N_ROWS
    assert total.dropped["too-little-text"] >= N_ROWS
    assert total.written + total.dropped.total() == 2 * N_PAGES + N_ROWS
    run = json.loads((job.folder / "run.json").read_text())
    assert run["totals"] == total.totals()
    assert run["parts"] == len([*job.folder.glob("data/part-*")])
    assert len(rows(job.folder)) == total.written


@pytest.mark.parametrize("jobs", [1, 3])
def test_any_number_of_workers_gives_the_same_bytes(job, written, undisturbed, jobs):
    crawl(replace(job, jobs=jobs))
    assert written(job.folder) == undisturbed


def test_every_container_is_read_in_parts(tmp_path):
    for name, content in CONTAINERS.items():
        (tmp_path / name).write_bytes(content)
    job = Job(expand([str(tmp_path)]), tmp_path / "out", CrawlSpec(labeler="none"), jobs=2)
    total = crawl(replace(job, part_size=20_000))
    # Two of each are skipped at most: what says how the file was made.
    assert total.pages == total.written == N * len(CONTAINERS)
    addresses = [(row["file_path"], row["url"] or row["id"]) for row in rows(job.folder)]
    assert len({*addresses}) == len(addresses)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_packed_file_is_read_in_parts_of_a_thousand_records(tmp_path, jobs):
    texts = [f"Bee {n} of the hive." for n in range(2_001)]
    packed = gzip.compress("\n".join(json.dumps({"html": f"<p>{t}"}) for t in texts).encode())
    (tmp_path / "rows.jsonl.gz").write_bytes(packed)
    inputs = expand([str(tmp_path / "rows.jsonl.gz")])
    job = Job(inputs, tmp_path / "out", CrawlSpec(labeler="none"), jobs=jobs)
    assert crawl(job).written == len(texts)
    assert [row["text"].strip() for row in rows(job.folder)] == texts
    sizes = [len(lines(path)) for path in sorted(job.folder.glob("data/part-*"))]
    assert sizes == [1_000, 1_000, 1]


def interrupted(job, count):
    """Have a run end by an interrupt after so many parts."""
    made = []

    def watch(state, share):
        made.append(share)
        if len(made) == count:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        crawl(job, watch)
    assert made == sorted(made)


def test_a_run_that_was_interrupted_goes_on_and_says_what_it_keeps(job, written, undisturbed):
    interrupted(replace(job, jobs=1), 2)
    assert not (job.folder / "run.json").exists()
    said = []
    crawl(job, tell=said.append)
    assert written(job.folder) == undisturbed
    assert said[0].startswith(f"going on with the run in {job.folder}: kept 2 finished parts")
    before = {path: path.stat().st_mtime_ns for path in job.folder.glob("data/part-*")}
    crawl(job, tell=said.append)
    assert len(said) == 1, "a run that is done has nothing to go on with"
    assert before == {path: path.stat().st_mtime_ns for path in job.folder.glob("data/part-*")}


def test_what_is_lost_or_cut_is_made_again(job, written, undisturbed):
    crawl(job)
    first, second, third, *_ = sorted(job.folder.glob("data/part-*"))
    first.unlink()
    second.write_bytes(second.read_bytes()[:-1])
    (job.folder / "state" / f"{third.stem}.json").write_text("{")
    for name in ("data/.unfinished-0123456789abcdef", "state/.unfinished-fedcba9876543210"):
        (job.folder / name).mkdir()
        (job.folder / name / "part-00002.jsonl").write_text("half a li")
    crawl(job)
    assert written(job.folder) == undisturbed


def test_dropped_pages_are_kept_aside_if_asked_for(job):
    spec = structs.replace(QUICK, filter=Filter(least_words=200), keep_dropped=True)
    total = crawl(replace(job, spec=spec))
    dropped = lines(job.folder / "dropped.jsonl")
    assert len(dropped) == total.dropped.total()
    assert all(each["text"] for each in dropped if each["reason"] == "too-little-text")
    assert [each["source"] for each in dropped] == sorted(each["source"] for each in dropped)


def test_names_may_be_of_any_bytes(job, tmp_path):
    pages = {
        "a\udcff.html": "<p>Bees live in hives.",
        "b\udcff.html": "%PDF-1.4",
        "c\udcff.pdf": "",
    }
    for name, content in pages.items():
        (tmp_path / name).write_text(content)
    spec = CrawlSpec(labeler="none", keep_dropped=True)
    crawl(replace(job, inputs=expand([f"{tmp_path}/{name}" for name in pages]), spec=spec))
    (row,) = rows(job.folder)
    beside = (lines(job.folder / f"{name}.jsonl") for name in ("dropped", "failed"))
    names = [row["file_path"], *(each["source"] for (each,) in beside)]
    assert names == [f"{tmp_path}/{name}".replace("\udcff", "\ufffd") for name in pages]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"spec": CrawlSpec(labeler="none")}, "model: was .*kimatu.*is.*none"),
        ({"spec": structs.replace(QUICK, filter=Filter(least_words=3))}, "filter: was"),
        ({"part_size": 20}, "part size: was 100000, is 20"),
        ({"form": "vertical"}, "output: was 'jsonl', is 'vertical'"),
        ({"inputs": [Input("elsewhere.html", "html")]}, r"elsewhere\.html"),
        ({"reading": ReadOptions(html_column="content")}, "columns: was"),
    ],
)
def test_other_options_refuse_to_go_on(job, pages, change, message):
    job = replace(job, inputs=expand([str(pages / "000.html")]))
    crawl(job)
    with pytest.raises(ConfigError, match=message):
        crawl(replace(job, **change))


@pytest.mark.parametrize("content", [b"<p>longer", b"<p>y"])
def test_inputs_that_changed_refuse_to_go_on(job, tmp_path, content):
    page = tmp_path / "a.html"
    page.write_bytes(b"<p>x")
    job = replace(job, inputs=expand([str(page)]))
    crawl(job)
    page.write_bytes(content)
    os.utime(page, (1, 1))
    with pytest.raises(ConfigError, match=r"a\.html"):
        crawl(job)
    job = replace(job, inputs=expand([str(page)]), folder=tmp_path / "again")
    with pytest.raises(ConfigError, match=r"a\.html"):  # it changes under way
        crawl(job, lambda state, share: page.write_bytes(b"<p>and longer") and None)


@pytest.mark.parametrize("content", [None, b"", b"{}", b"[1", b"\xff"])
@pytest.mark.parametrize("name", ["options.json", "inputs.jsonl"])
def test_options_that_are_lost_are_told(job, pages, name, content):
    job = replace(job, inputs=expand([str(pages / "000.html")]))
    crawl(job)
    (job.folder / "state" / name).unlink()
    if content is not None:
        (job.folder / "state" / name).write_bytes(content)
    with pytest.raises(ConfigError):
        crawl(job)


def test_shards_together_are_the_whole(job, pages, tmp_path):
    inputs = expand([str(pages)])
    whole = crawl(replace(job, inputs=inputs))
    found, read = [], 0
    for number in (1, 2, 3):
        folder = tmp_path / f"shard{number}"
        read += crawl(replace(job, inputs=shard(inputs, number, 3), folder=folder)).read
        found += rows(folder)
    assert read == whole.read
    assert sorted(each["id"] for each in found) == sorted(each["id"] for each in rows(job.folder))
