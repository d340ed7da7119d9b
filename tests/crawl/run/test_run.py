"""Whole runs: every record accounted for, the same bytes for any number of workers."""

import json
from dataclasses import replace

import pytest

from victor.config import Filter
from victor.crawl.run.run import Job, crawl, shard
from victor.documents.spec import CrawlSpec
from victor.errors import ConfigError, VictorError
from victor.sources import Input, ReadOptions, expand

QUICK = CrawlSpec(labeler="kimatu")


@pytest.fixture
def job(pages, tmp_path):
    return Job(expand([str(pages)]), tmp_path / "out", QUICK, part_records=25)


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_every_record_is_accounted_for(job):
    totals = crawl(replace(job, spec=replace(QUICK, filter=Filter(least_words=200))))
    assert totals.read == 60
    assert totals.written
    assert totals.dropped["too-little-text"]
    assert totals.written + totals.dropped.total() == 60
    run = json.loads((job.folder / "run.json").read_text())
    assert run["totals"]["written"] == totals.written
    assert run["totals"]["dropped"] == totals.dropped
    assert run["parts"] == 3
    documents = [line for path in sorted(job.folder.glob("data/part-*")) for line in lines(path)]
    assert len(documents) == totals.written


def test_any_number_of_workers_gives_the_same_bytes(job, written, tmp_path):
    crawl(job)
    crawl(replace(job, folder=tmp_path / "again", jobs=3, recycle=1))
    assert written(job.folder) == written(tmp_path / "again")


def test_a_finished_run_is_left_as_it_is(job, written):
    totals = crawl(job)
    before = {path: path.stat().st_mtime_ns for path in job.folder.glob("data/part-*")}
    assert crawl(job) == totals
    assert before == {path: path.stat().st_mtime_ns for path in job.folder.glob("data/part-*")}


def interrupted(job, count):
    """Have a run end by an interrupt after so many records."""

    def watch(totals, batch):
        if totals.read >= count:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        crawl(job, watch)


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 25, 49, 60])
def test_a_run_that_was_interrupted_goes_on(job, written, tmp_path, count):
    whole = replace(job, folder=tmp_path / "whole")
    crawl(whole)
    interrupted(job, count)
    assert not (job.folder / "run.json").exists()
    crawl(job)
    assert written(job.folder) == written(whole.folder)


@pytest.mark.parametrize("is_killed_in_the_first_part", [True, False])
def test_a_run_that_goes_on_says_what_it_keeps(job, is_killed_in_the_first_part):
    interrupted(job, 30)
    states = sorted(job.folder.glob("state/part-*.json"))
    for state in states[0 if is_killed_in_the_first_part else 1 :]:
        state.unlink()
    kept = "0 finished parts with 0" if is_killed_in_the_first_part else "1 finished part with 25"
    said = []
    crawl(job, tell=said.append)
    assert said == [f"going on with the run in {job.folder}: kept {kept} records"]
    crawl(job, tell=said.append)
    assert len(said) == 1, "a run that is done has nothing to go on with"


@pytest.mark.slow
def test_what_a_killed_run_left_is_removed(job, written):
    crawl(job)
    whole = written(job.folder)
    (job.folder / "state" / "part-00002.json").unlink()
    for name in ("data/.unfinished-0123456789abcdef", "state/.unfinished-fedcba9876543210"):
        (job.folder / name).mkdir()
        (job.folder / name / "part-00002.jsonl").write_text("half a li")
    crawl(job)
    assert written(job.folder) == whole


def test_dropped_pages_are_kept_aside_if_asked_for(job):
    spec = replace(QUICK, filter=Filter(least_words=200), keep_dropped=True)
    totals = crawl(replace(job, spec=spec))
    dropped = lines(job.folder / "dropped.jsonl")
    assert len(dropped) == totals.dropped.total()
    short = [each for each in dropped if each["reason"] == "too-little-text"]
    assert short
    assert all(each["text"] for each in short)
    assert [each["source"] for each in dropped] == sorted(each["source"] for each in dropped)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"spec": CrawlSpec(labeler="none")}, "model: was .*kimatu.*is.*none"),
        ({"spec": replace(QUICK, filter=Filter(least_words=3))}, "filter: was"),
        ({"part_records": 20}, "part records: was 25, is 20"),
        ({"form": "texts"}, 'output: was "jsonl", is "texts"'),
        ({"inputs": [Input("elsewhere.html", "html")]}, "elsewhere.html is a new input"),
        ({"reading": ReadOptions(html_column="content")}, "columns: was"),
    ],
)
def test_other_options_refuse_to_go_on(job, change, message):
    crawl(job)
    with pytest.raises(ConfigError, match=message):
        crawl(replace(job, **change))


def test_a_run_that_wrote_nothing_binds_nobody(job):
    missing = replace(QUICK, filter=Filter(identifier="fasttext", model="nowhere.bin"))
    with pytest.raises(VictorError, match=r"nowhere\.bin"):
        crawl(replace(job, spec=missing))
    assert crawl(job).read == 60


def test_a_folder_with_other_files_is_refused(job):
    job.folder.mkdir()
    (job.folder / "thesis.tex").write_text("")
    with pytest.raises(ConfigError, match="empty folder"):
        crawl(job)


def test_shards_together_are_the_whole(job, tmp_path):
    whole = crawl(job)
    texts = {line["id"]: line for path in job.folder.glob("data/part-*") for line in lines(path)}
    texts_of_shards, read = {}, 0
    for number in (1, 2, 3):
        folder = tmp_path / f"shard{number}"
        read += crawl(replace(job, inputs=shard(job.inputs, number, 3), folder=folder)).read
        texts_of_shards |= {
            line["id"]: line for path in folder.glob("data/part-*") for line in lines(path)
        }
    assert read == whole.read
    assert texts_of_shards == texts


def test_more_shards_than_inputs_are_refused():
    with pytest.raises(ConfigError, match="at most 1"):
        shard([Input("a.warc", "warc")], 1, 2)


def test_no_records_give_no_parts(job, tmp_path):
    (tmp_path / "empty.jsonl").write_text("")
    totals = crawl(replace(job, inputs=expand([str(tmp_path / "empty.jsonl")])))
    assert totals.read == 0
    assert not [*job.folder.glob("data/part-*")]
