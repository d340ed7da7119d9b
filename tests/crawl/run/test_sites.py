"""Crawls in two passes: the same bytes for any workers, after kills, and after damages."""

import json
import os
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from victor.config import Limits
from victor.crawl.run.run import Job, crawl
from victor.documents.spec import CrawlSpec
from victor.errors import ConfigError
from victor.sites.sightings import site_of
from victor.sources import Input, expand

STORY = "The mill stood empty for years, and then, in the spring of that year, {} came. "
NOTICE = (
    "<div class=notice>We use small files, as all do, to see who you are, where you come from, "
    "and what you read; by reading on you agree, and if not, please, close this window.</div>"
)
NAMES = ("two sisters", "a dog", "the baker", "a ship", "three cats", "the rain", "a bell")
SPEC = CrawlSpec(labeler="kimatu")
PARTS = 5
N_PAGES = 50


def page(number):
    name = NAMES[number % len(NAMES)] + " called " + "abcdefghij"[number % 10] * (3 + number // 10)
    return f"{NOTICE}<h1>{name}</h1><div><p>{STORY.format(name) * 4}</div>"


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    """Rows of pages of seven sites, and of nine that are alone."""
    path = tmp_path_factory.mktemp("rows") / "pages.jsonl"
    sites = [f"s{n % 7}" if n < N_PAGES - 9 else f"alone{n}" for n in range(N_PAGES)]
    pages = [
        {"url": f"http://{site}.example/{n}", "html": page(n), "id": str(n)}
        for n, site in enumerate(sites)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in pages))
    return path


@pytest.fixture
def job(rows, tmp_path):
    return Job(expand([str(rows)]), tmp_path / "out", SPEC, part_records=10, sites=True)


@pytest.fixture(scope="module")
def undisturbed(rows, written, tmp_path_factory):
    """What a run that nothing disturbs writes."""
    folder = tmp_path_factory.mktemp("undisturbed") / "out"
    crawl(Job(expand([str(rows)]), folder, SPEC, part_records=10, sites=True))
    return written(folder)


def rows_of(folder):
    files = sorted(folder.glob("data/part-*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text().splitlines()]


def test_pages_of_sites_are_judged_again_and_others_are_not(job, tmp_path):
    crawl(job)
    alone = replace(job, folder=tmp_path / "alone", sites=False)
    crawl(alone)
    together, before = rows_of(job.folder), rows_of(alone.folder)
    assert len(together) == len(before) == N_PAGES
    for one, other in zip(before, together, strict=True):
        if "alone" in site_of(one["url"]):
            assert one == other
            assert "We use small files" in other["text"]
        else:
            assert "We use small files" not in other["text"]


def test_a_model_judges_again(job, tmp_path):
    """By trees, whose change is small: what they change is in the confidence."""
    jobs = [
        replace(job, spec=CrawlSpec(model="crf"), folder=tmp_path / str(sites), sites=sites)
        for sites in (False, True)
    ]
    for each in jobs:
        crawl(each)
    before, after = (rows_of(each.folder) for each in jobs)
    pairs = list(zip(before, after, strict=True))
    assert all(one == other for one, other in pairs if "alone" in site_of(one["url"]))
    assert any(one["confidence"] != other["confidence"] for one, other in pairs)


def test_any_number_of_workers_gives_the_same_bytes(job, written, undisturbed):
    crawl(replace(job, jobs=3, recycle=1))
    assert written(job.folder) == undisturbed


def test_sightings_are_gone_when_the_run_is_done(job):
    crawl(job)
    assert not (job.folder / "state/sights").exists()
    run = json.loads((job.folder / "run.json").read_text())
    assert run["options"]["sites"] is True


def test_a_finished_run_is_left_as_it_is(job):
    totals = crawl(job)
    before = {path: path.stat().st_mtime_ns for path in job.folder.glob("data/part-*")}
    told = []
    assert crawl(job, tell=told.append) == totals
    assert before == {path: path.stat().st_mtime_ns for path in job.folder.glob("data/part-*")}
    assert not told


class Interrupt:
    """Interrupts a pass after so many records."""

    def __init__(self, count):
        self.count = count

    def __call__(self, totals, piece):
        if totals.read >= self.count:
            raise KeyboardInterrupt


@pytest.mark.parametrize("count", [1, 20, N_PAGES])
@pytest.mark.parametrize("which", ["watch", "watch_first"])
def test_a_run_that_was_interrupted_goes_on(job, written, undisturbed, which, count):
    with pytest.raises(KeyboardInterrupt):
        crawl(job, **{which: Interrupt(count)})
    crawl(job)
    assert written(job.folder) == undisturbed


def test_a_first_pass_goes_on_where_it_was(job):
    with pytest.raises(KeyboardInterrupt):
        crawl(job, watch_first=Interrupt(25))
    read = []
    crawl(job, watch_first=lambda totals, piece: read.append(totals.read))
    assert 0 < read[-1] < N_PAGES


def test_lost_parts_are_made_again_from_a_new_first_pass(job, written, undisturbed):
    crawl(job)
    (job.folder / "data/part-00001.jsonl").unlink()
    (job.folder / "data/part-00003.jsonl").write_bytes(b"")
    crawl(job)
    assert written(job.folder) == undisturbed


@pytest.mark.parametrize("name", ["data/part-00001.sights", "state/part-00000.json"])
def test_lost_sightings_are_made_again(job, written, undisturbed, name):
    with pytest.raises(KeyboardInterrupt):
        crawl(job, watch=Interrupt(20))
    (job.folder / "state/sights" / name).unlink()
    crawl(job)
    assert written(job.folder) == undisturbed


def test_altered_sightings_are_refused(job):
    with pytest.raises(KeyboardInterrupt):
        crawl(job, watch=Interrupt(20))
    part = job.folder / "state/sights/data/part-00001.sights"
    part.write_bytes(part.read_bytes()[:-1] + b"\1")
    with pytest.raises(ConfigError, match="was changed since it was written"):
        crawl(job)


@pytest.mark.parametrize("which", ["watch", "watch_first"])
def test_an_input_that_changes_between_is_refused(job, tmp_path, which):
    """Its size stays; the first pass has read what the second would not."""
    copied = tmp_path / "pages.jsonl"
    copied.write_bytes(Path(job.inputs[0].name).read_bytes())
    job = replace(job, inputs=expand([str(copied)]))
    with pytest.raises(KeyboardInterrupt):
        crawl(job, **{which: Interrupt(20)})
    copied.write_bytes(copied.read_bytes().replace(b"a dog", b"a hog"))
    with pytest.raises(ConfigError, match="has changed"):
        crawl(job)


def test_standard_input_cannot_be_read_twice(job):
    with pytest.raises(ConfigError, match="save standard input to a file first"):
        crawl(replace(job, inputs=[Input("-", "jsonl")]))
    assert not job.folder.exists()


@pytest.mark.parametrize("form", ["jsonl", "texts"])
def test_a_missing_package_is_told_before_the_first_pass(job, monkeypatch, form):
    monkeypatch.setitem(sys.modules, "orjson", None)
    with pytest.raises(ConfigError, match="needs the package orjson"):
        crawl(replace(job, form=form))
    assert not job.folder.exists()


def test_damaged_records_fail_in_both_passes_and_cost_no_other(job, rows, tmp_path):
    lines = rows.read_text().splitlines()
    lines[5] = "no row"
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_text("\n".join(lines))
    totals = crawl(replace(job, inputs=expand([str(damaged)])))
    assert totals.read == N_PAGES
    assert totals.failed.total() == 1
    assert totals.written == N_PAGES - 1


@pytest.mark.parametrize("spec", [CrawlSpec(labeler="bte"), CrawlSpec(labeler="density")])
def test_labelers_that_judge_pages_alone_are_refused(job, spec):
    with pytest.raises(ConfigError, match="judges every page alone"):
        crawl(replace(job, spec=spec))


def test_limits_that_a_page_breaks_are_those_of_both_passes(job):
    spec = replace(SPEC, limits=Limits(bytes=600))
    totals = crawl(replace(job, spec=spec))
    assert totals.failed["too-many-bytes"]
    assert totals.read == N_PAGES


@pytest.mark.slow
@pytest.mark.parametrize("moment", range(10))
def test_a_run_that_is_killed_goes_on(job, rows, moment, start, written, undisturbed):
    """By SIGKILL, a tenth of the run later each time."""
    options = ("-o", job.folder, "-l", "kimatu", "--sites", "--part-records", 10)
    with start(rows, *options) as running:
        time.sleep(0.25 + 0.15 * moment)
        os.kill(running.pid, signal.SIGKILL)
        running.communicate()
    crawl(job)
    assert written(job.folder) == undisturbed


@pytest.fixture
def start(request):
    """The fixture `crawl`, which starts a process, beside the function of that name."""
    return request.getfixturevalue("crawl")
