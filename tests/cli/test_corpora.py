"""`victor align`, `corpus` and `evaluate`: what no session in tests/cases/cli shows."""

import re
from dataclasses import replace

import pytest

from victor.corpus.pages import write_corpus
from victor.errors import ConfigError

FAST = ("-c", "crf", "-s", "crf.max_iterations=2")


@pytest.fixture
def corpus(annotated, tmp_path):
    """An annotated corpus of some of our pages, every second one with a gold text."""
    golds = [f"The gold text of {page.id}." if n % 2 else "" for n, page in enumerate(annotated)]
    pages = zip(annotated[:8], golds, strict=False)
    write_corpus(tmp_path / "corpus", (replace(page, gold=gold) for page, gold in pages))
    return tmp_path / "corpus"


# --- evaluate -------------------------------------------------------------------------------------


def titles(run):
    """System, protocol and decision of every table."""
    return re.findall(r"== (.*)", run.out)


def test_marginals_are_saved_where_nobody_reads_on(
    victor, corpus, small_model_file, tmp_path, monkeypatch
):
    def closed(message, *, err=False):
        if not err:
            raise ConfigError("nobody reads on")

    monkeypatch.setattr("click.echo", closed)
    victor("evaluate", corpus, "-m", small_model_file, "--save", tmp_path / "out")
    assert len([*(tmp_path / "out").iterdir()]) == 1


def test_a_configured_best_path_is_scored_by_its_threshold(victor, corpus):
    setting = "decide={method: viterbi, threshold: 0.3}"
    run = victor("evaluate", corpus, "-k", "2", *FAST, "-s", setting)
    assert titles(run) == ["crf (2 folds by site; threshold 0.3)"]
    assert "viterbi" in run.err


def test_systems_without_a_model_stand_beside_one_that_learns_in_folds(victor, corpus, tmp_path):
    (tmp_path / "mine.yaml").write_text("labeler: kimatu\nbase: kimatu\n")
    mine = tmp_path / "mine.yaml"
    run = victor("evaluate", corpus, "-c", "density-paper", "-c", mine, "-L", "density", "-k", "2")
    assert [title.partition(" (")[0] for title in titles(run)[:3]] == [
        "density-paper", "mine", "density-trained",
    ]  # fmt: skip
    comparison = run.out[run.out.index("== mine (as it is; threshold 0.5) against") :]
    for measure in ("words", "blocks"):
        of_measure = comparison[comparison.index(f"{measure}\n") :]
        assert re.search(r"^f1 +[+-]\d\.\d{4} +[+-]\S+ … [+-]", of_measure, re.MULTILINE)


# --- ablate ---------------------------------------------------------------------------------------


def test_groups_are_dropped_in_turn_or_those_asked_for(victor, corpus):
    """A configuration of three modules, one of which no entry of the template reads."""
    call = ("ablate", corpus, *FAST, "-k", 2, "-n", 6, "-s", "discretize=null",
            "-s", "features=[words, characters, document]",
            "-s", "template=[{column: word.count}, {column: char.alpha-rel}]")  # fmt: skip
    run = victor(*call)
    rows = {line.split()[0]: line.split() for line in run.out.splitlines()[2:]}
    assert (run.status, {*rows}) == (0, {"words", "characters", "document"})
    assert (rows["document"][2], rows["document"][-1]) == ("0", "+0.0000")
    assert len({len(line) for line in run.out.splitlines()}) == 1
    asked = victor(*call, "-g", "words", "-g", "document").out.splitlines()
    assert {line.split()[0] for line in asked[2:]} == {"words", "document"}
