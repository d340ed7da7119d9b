"""Pages that end their process, and kill -9 of workers and of the run: neighbours are the same."""

import json
import os
import random
import shutil
import signal
import time
from contextlib import suppress
from pathlib import Path

import pytest
from sources.containers import CONTAINERS, N

from victor.crawl.run import Job
from victor.crawl.run import crawl as crawl_here
from victor.documents.process import CrawlSpec
from victor.errors import ConfigError
from victor.sources.inputs import expand

ARGUMENTS = ("-l", "kimatu", "-j", 2)
POISON = {"POISON-EXIT": "crashed", "POISON-SLEEP": "timeout", "POISON-HOARD": "memory"}
SPEC = CrawlSpec(labeler="kimatu")


@pytest.fixture(scope="module")
def many(pages, tmp_path_factory):
    """A file of some thousand rows that is cut into parts of a megabyte."""
    path = tmp_path_factory.mktemp("many") / "rows.jsonl"
    texts = [page.read_text("utf-8", "replace") for page in sorted(pages.glob("*.html"))]
    with path.open("w") as file:
        for number in range(900):
            row = {"html": texts[number % len(texts)], "id": f"p{number}"}
            file.write(json.dumps(row) + "\n")
    return path


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def job(many, out):
    return Job(expand([str(many)]), out, SPEC.configured(None), part_size=1_000_000)


@pytest.fixture(scope="module")
def undisturbed(many, written, tmp_path_factory):
    out = tmp_path_factory.mktemp("undisturbed") / "out"
    crawl_here(job(many, out))
    return written(out)


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


def n_parts(out):
    """Parts that are done."""
    return len([*(out / "data").glob("part-*")])


def test_kills_at_random_moments_change_no_byte(many, crawl, written, undisturbed, tmp_path):
    out, luck, n_kills = tmp_path / "out", random.Random(), 0
    for _ in range(5):
        with crawl(many, "-o", out, *ARGUMENTS, "--part-size", 1) as running:
            n_before = n_parts(out)
            while running.poll() is None and n_parts(out) == n_before and luck.random() > 0.01:
                time.sleep(0.02)
            below = descendants(running.pid)
            if below and luck.random() < 0.5:
                with suppress(ProcessLookupError):
                    os.kill(luck.choice(below), signal.SIGKILL)
                time.sleep(luck.uniform(0, 1))
            running.kill()
            running.communicate()
        n_kills += running.returncode != 0
        await_end(below)
    with crawl(many, "-o", out, *ARGUMENTS, "--part-size", 1) as running:
        _, messages = running.communicate()
    assert running.returncode == 0, messages
    assert written(out) == undisturbed
    assert n_kills


def test_two_runs_cannot_share_a_folder(many, crawl, tmp_path):
    out = tmp_path / "out"
    with crawl(many, "-o", out, *ARGUMENTS, "--part-size", 1) as running:
        while running.poll() is None and not (out / "state/options.json").exists():
            time.sleep(0.002)
        os.kill(running.pid, signal.SIGSTOP)
        with pytest.raises(ConfigError, match="another run is using"):
            crawl_here(job(many, out))
        os.kill(running.pid, signal.SIGCONT)
        running.terminate()
        running.communicate()


def test_poisoned_pages_cost_themselves(pages, poisoned_options, crawled, tmp_path):
    good, bad = tmp_path / "good", tmp_path / "bad"
    shutil.copytree(pages, good)
    shutil.copytree(pages, bad)
    for number, word in zip((7, 23, 41), POISON, strict=True):
        (bad / f"{number:03d}-bad.html").write_text(f"<p>A page of {word}, or so it seems.")
    options = ("-j", 2, "--memory", 600, *poisoned_options)
    assert crawled("crawl", "good", "-o", "out-good", *options, cwd=tmp_path)[0] == 0
    status, messages = crawled("crawl", "bad", "-o", "out-bad", *options, cwd=tmp_path)
    assert status == 1, messages
    assert "failed 3 (" in messages
    failed = lines(tmp_path / "out-bad/failed.jsonl")
    assert [each["reason"] for each in failed] == [*POISON.values()]
    assert [each["source"][-12:] for each in failed] == [f"{n:03d}-bad.html" for n in (7, 23, 41)]
    (of_good,) = (tmp_path / "out-good/data").iterdir()
    (of_bad,) = (tmp_path / "out-bad/data").iterdir()
    assert of_bad.read_text().replace('"bad/', '"good/') == of_good.read_text()


def test_processes_of_clean_have_limits_too(crawled, poisoned_options, tmp_path):
    for number, word in enumerate(("words", "POISON-EXIT", "words", "POISON-SLEEP")):
        (tmp_path / f"{number}.html").write_text(f"<p>A page of {word}, or so it seems.")
    pages = sorted(map(str, tmp_path.glob("*.html")))
    arguments = (*pages, "-j", 2, "-o", tmp_path / "out", *poisoned_options)
    status, messages = crawled("clean", *arguments)
    assert (status, "status 3" in messages, "more than 5 s" in messages) == (1, True, True)
    assert [path.name for path in sorted((tmp_path / "out").iterdir())] == ["0.txt", "2.txt"]


def test_workers_die_with_the_run_whatever_they_do(
    poisoned_model, poisoned_options, crawl, tmp_path
):
    """One sleeps in C and holds the interpreter's lock when the run is killed."""
    (tmp_path / "bad.html").write_text("<p>POISON-SLEEP")
    more = (*poisoned_options, "--set", "limits.seconds=600")
    with crawl(tmp_path / "bad.html", "-o", tmp_path / "out", *more) as running:
        while not (sleeping := asleep(poisoned_model.parent, descendants(running.pid))):
            assert running.poll() is None
            time.sleep(0.01)
        running.kill()
        running.communicate()
    await_end(sleeping)


def asleep(folder, pids):
    """Those that say that they sleep."""
    return [pid for pid in pids if (folder / f"asleep-{pid}").exists()]


def test_a_record_whose_reading_takes_all_memory_ends_its_part_alone(crawled, tmp_path):
    import pyarrow
    import pyarrow.parquet

    pages = [b"<p>Bees and hives.", b"<p>" + b"a" * 250_000_000, b"<p>Honey and wax."]
    table = pyarrow.table({"html": pyarrow.array(pages, pyarrow.large_binary())})
    pyarrow.parquet.write_table(table, tmp_path / "a.parquet", row_group_size=1)
    (tmp_path / "b.html").write_text("<p>Queens and drones.")
    arguments = (tmp_path / "a.parquet", tmp_path / "b.html", "-o", tmp_path / "out", "-l", "none")
    status, messages = crawled("crawl", *arguments, "--memory", 400)
    assert status == 1, messages
    (failed,) = lines(tmp_path / "out/failed.jsonl")
    assert failed["reason"] == "memory"
    assert "wrote 3 of 4" in messages


def test_standard_input_is_kept_for_workers(crawl, tmp_path):
    (tmp_path / "in").write_bytes(CONTAINERS["pages.warc.gz"])
    for _ in range(2):
        with (
            (tmp_path / "in").open("rb") as stream,
            crawl("-", "-o", tmp_path / "out", "-l", "none", stdin=stream) as running,
        ):
            _, messages = running.communicate()
        assert running.returncode == 0, messages
        assert f"wrote {N} of {N} pages" in messages
    rows = [row for path in (tmp_path / "out/data").iterdir() for row in lines(path)]
    assert {row["file_path"] for row in rows} == {"-"}
