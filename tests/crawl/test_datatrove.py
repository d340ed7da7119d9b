"""Pipelines of datatrove: the same texts as `victor crawl`, every page accounted for."""

import copy
import datetime
import json
import pickle
import subprocess
import sys
from itertools import chain

import dill
import pytest
from datatrove.data import Document
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.writers.jsonl import JsonlWriter

from victor.config import Filter, Limits
from victor.crawl.datatrove import VictorReader, VictorStep
from victor.crawl.run.run import Job, crawl
from victor.documents.spec import CrawlSpec
from victor.errors import ConfigError, ModelError
from victor.sources import expand

QUICK = CrawlSpec(labeler="kimatu", filter=Filter(identifier="beesley", least_words=80))
ALL = CrawlSpec(labeler="none")
PAGE = "<title>Bees</title><p>Bees live in colonies, and so they have for a very long time.</p>"
POISON = """
import os

import numpy as np

from victor.features.base import Column, Measure


def build():
    return Measure((Column("poison.none", "bool", "never"),), compute)


def compute(table):
    if "POISON" in table.chars.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass"):
        os._exit(3)
    return {"poison.none": np.zeros(len(table), dtype=bool)}
"""


def executor(inputs, out, spec=QUICK, tasks=2, workers=1):
    pipeline = [
        VictorReader(str(inputs), exclusion_writer=JsonlWriter(f"{out}/damaged")),
        VictorStep(spec, exclusion_writer=JsonlWriter(f"{out}/dropped")),
        JsonlWriter(f"{out}/texts", expand_metadata=True),
    ]
    return LocalPipelineExecutor(pipeline, tasks, workers, logging_dir=f"{out}/logs")


def counts(stats, step):
    """Totals of a step; a name of one event is a number, of measurements a dictionary."""
    counted = json.loads(json.dumps(stats.stats[step].to_dict()["stats"]))
    return {name: value for name, value in counted.items() if isinstance(value, int)}


@pytest.fixture(scope="module")
def by_victor(crawled_folder, tmp_path_factory):
    """Totals and rows of `victor crawl`."""
    out = tmp_path_factory.mktemp("victor")
    totals = crawl(Job(expand([str(crawled_folder)]), out, QUICK))
    return totals, [
        json.loads(line) for line in (out / "data/part-00000.jsonl").read_text().splitlines()
    ]


@pytest.fixture(scope="module")
def run(crawled_folder, tmp_path_factory):
    """Statistics and folder of the same by datatrove."""
    out = tmp_path_factory.mktemp("datatrove")
    return executor(crawled_folder, out).run(), out


def flat(row):
    """A row of `victor crawl` with all metadata side by side."""
    known = {**row, **row["metadata"]}
    more = json.loads(known.pop("more") or "{}")
    del known["metadata"], known["markdown"]
    return {**more, **known}


def test_texts_and_metadata_are_those_of_victor_crawl(by_victor, run, lines):
    _, rows = by_victor
    expected = {row["id"]: flat(row) for row in rows}
    assert len(expected) == len(rows)
    assert lines(run[1] / "texts") == expected
    (czech,) = (row for row in expected.values() if row["url"] == "http://a.example/cs")
    assert czech["encoding"] == "windows-1250"
    assert "žluťoučký kůň" in czech["text"]
    assert (czech["title"], czech["language"]) == ("Kůň", "cs")


def test_statistics_add_up_to_those_of_victor_crawl(by_victor, run):
    totals, _ = by_victor
    stats, _ = run
    reading, cleaning = counts(stats, 0), counts(stats, 1)
    assert reading["total"] == totals.read == reading["forwarded"] + reading["failed"]
    assert cleaning["total"] == reading["forwarded"]
    assert cleaning["forwarded"] == totals.written == counts(stats, 2)["total"]
    assert cleaning["forwarded"] + cleaning["dropped"] == cleaning["total"]
    dropped = {f"dropped_{reason}": n for reason, n in totals.dropped.items()}
    assert len(dropped) > 2
    assert dropped.items() <= cleaning.items()
    assert sum(dropped.values()) == cleaning["dropped"]
    assert {f"failed_{reason}": n for reason, n in totals.failed.items()} == {
        name: n for name, n in reading.items() if name.startswith("failed_")
    }


def test_what_does_not_go_on_is_written_aside(by_victor, run, lines):
    totals, _ = by_victor
    rows = lines(run[1] / "dropped").values()
    dropped = [row["metadata"] for row in rows]
    reasons = [row["filter_reason"] for row in dropped]
    assert {reason: reasons.count(reason) for reason in reasons} == totals.dropped
    assert all(row["url"] and row["file_path"] for row in dropped)
    # Of pages that were cleaned, what was kept is there.
    assert {row["metadata"]["filter_reason"] for row in rows if "text" in row} == {
        "too-little-text"
    }
    (damaged,) = lines(run[1] / "damaged").values()
    assert damaged["metadata"]["filter_reason"] == "damaged-warc"
    assert damaged["metadata"]["message"]


@pytest.mark.slow
def test_another_run_skips_tasks_that_ended(crawled_folder, run, lines, tmp_path):
    out = tmp_path / "again"
    executor(crawled_folder, out).run()
    files = sorted((out / "texts").iterdir())
    assert len(files) == 2
    (out / "logs/completions/00001").unlink()
    files[1].write_bytes(b"broken off")
    before = files[0].stat().st_mtime_ns
    executor(crawled_folder, out).run()
    assert files[0].stat().st_mtime_ns == before
    assert lines(out / "texts") == lines(run[1] / "texts")


@pytest.mark.slow
def test_tasks_in_processes_give_the_same(crawled_folder, run, lines, tmp_path):
    stats = executor(crawled_folder, tmp_path, workers=2).run()
    assert lines(tmp_path / "texts") == lines(run[1] / "texts")
    assert counts(stats, 1) == counts(run[0], 1)


def test_a_page_that_ends_its_process_costs_itself_only(annotated, tmp_path):
    from victor.config import load
    from victor.model.extractor import FeatureExtractor
    from victor.training.dataset import analyze
    from victor.training.training import train

    module = tmp_path / "poison.py"
    module.write_text(POISON)
    overrides = [f"features=[splits, words, {module}]", "crf.max_iterations=2",
                 "template=[{column: split.p}, {column: word.count}]",
                 "discretize={default: {scale: 10}}", "decide.threshold=1.0"]  # fmt: skip
    extractor = FeatureExtractor(load(None, overrides), trust_code=True)
    model = tmp_path / "poisoned.victor"
    train(analyze(annotated[:2], extractor), extractor).save(model)
    step = VictorStep(CrawlSpec(model=str(model), trust_code=True))
    pages = [PAGE, PAGE, f"<p>POISON{PAGE}", PAGE]
    documents = list(step.run(Document(page, str(i)) for i, page in enumerate(pages)))
    assert [document.id for document in documents] == ["0", "1", "3"]
    assert step.stats["failed_crashed"].total == step.stats["failed"].total == 1
    assert step.stats["total"].total == 4


def test_documents_of_other_readers_keep_what_they_know():
    date = datetime.datetime(2026, 1, 2, tzinfo=datetime.UTC)
    known = {"url": "http://a.example/", "date": date, "dump": "CC-MAIN-2026-01", "rank": 7}
    (document,) = VictorStep(ALL).run([Document(PAGE, "x", metadata=dict(known))])
    assert document.id == "x"
    assert "Bees live in colonies" in document.text
    assert document.media == []
    assert document.metadata["title"] == "Bees"
    assert document.metadata["model"] == "none"
    assert 0 < document.metadata["kept_share"] <= 1
    assert document.metadata["file_path"] is None
    assert {key: document.metadata[key] for key in known} == {**known, "date": date.isoformat()}


@pytest.mark.slow
@pytest.mark.parametrize("text", [None, "", "\ud800", "\0" * 50])
def test_documents_without_sense_are_dropped(text):
    step = VictorStep(QUICK)
    assert not list(step.run([Document(text, "x")]))
    assert step.stats["dropped"].total == 1


def test_no_documents_need_no_worker():
    step = VictorStep(ALL)
    assert list(step.run(None)) == list(step.run([])) == []


def test_every_input_belongs_to_one_task(tmp_path):
    for number in range(5):
        (tmp_path / f"{number}.html").write_text(PAGE)
    reader = VictorReader([str(tmp_path)])
    shares = [[page.metadata["file_path"] for page in reader.run(None, r, 3)] for r in range(3)]
    assert [len(share) for share in shares] == [2, 2, 1]
    assert sorted(chain(*shares)) == [one.name for one in expand([str(tmp_path)])]


def test_columns_of_rows_do_not_take_the_place_of_the_text(tmp_path, lines):
    row = {"html": PAGE, "id": "x", "text": "of another extractor", "score": 3}
    (tmp_path / "in.jsonl").write_text(json.dumps(row))
    executor(tmp_path / "in.jsonl", tmp_path, ALL, tasks=1).run()
    row = lines(tmp_path / "texts")["x"]
    assert "Bees live" in row["text"]
    assert (row["source_text"], row["score"]) == ("of another extractor", 3)


def test_a_reader_hands_on_what_came_before(tmp_path):
    (tmp_path / "a.html").write_text(PAGE)
    before = Document("text", "before")
    assert next(VictorReader(str(tmp_path)).run([before])) is before


@pytest.mark.slow
@pytest.mark.parametrize("copied", [lambda step: pickle.loads(pickle.dumps(step)),
                                    lambda step: dill.loads(dill.dumps(step)),
                                    copy.deepcopy])  # fmt: skip
def test_steps_can_be_sent(copied, crawled_folder):
    reader, step = copied(VictorReader(str(crawled_folder))), copied(VictorStep(QUICK))
    assert [*step.run(reader.run(None, 0, 2))]


def test_mistakes_are_found_before_any_task(tmp_path):
    with pytest.raises(ConfigError, match="no file or folder"):
        VictorReader(str(tmp_path / "nothing"))
    with pytest.raises((ConfigError, ModelError)):
        VictorStep(CrawlSpec(model=str(tmp_path / "nothing")))


def test_without_datatrove_its_extra_is_named():
    program = (
        "import sys; sys.modules['datatrove'] = None\n"
        "from victor.base.errors import ConfigError\n"
        "try:\n    import victor.crawl.datatrove\n"
        "except ConfigError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-P", "-c", program], stdout=-1, text=True, check=True)
    assert "pip install 'victor-crf[all]'" in done.stdout


def test_a_page_whose_text_is_beyond_the_limits_is_counted():
    step = VictorStep(CrawlSpec(labeler="none", limits=Limits(output=100)))
    pages = ["<p>" + "word " * words for words in (3, 500, 3)]
    documents = list(step.run(Document(page, str(i)) for i, page in enumerate(pages)))
    assert [document.id for document in documents] == ["0", "2"]
    assert step.stats["failed_too-much-output"].total == step.stats["failed"].total == 1
