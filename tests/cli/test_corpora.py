"""`victor align`, `corpus` and `evaluate`: what no session in tests/cases/cli shows."""

import re
from dataclasses import replace

import pytest

from victor.corpus.pages import write_corpus
from victor.errors import ConfigError


@pytest.fixture
def corpus(annotated, tmp_path):
    """An annotated corpus of some of our pages, every second one with a gold text."""
    golds = [f"The gold text of {page.id}." if n % 2 else "" for n, page in enumerate(annotated)]
    pages = zip(annotated[:8], golds, strict=False)
    write_corpus(tmp_path / "corpus", (replace(page, gold=gold) for page, gold in pages))
    return tmp_path / "corpus"


def test_marginals_are_saved_where_nobody_reads_on(
    victor, corpus, small_model_file, tmp_path, monkeypatch
):
    def closed(message, *, err=False):
        if not err:
            raise ConfigError("nobody reads on")

    monkeypatch.setattr("click.echo", closed)
    victor("evaluate", corpus, "-m", small_model_file, "--save", tmp_path / "out")
    assert len([*(tmp_path / "out").iterdir()]) == 1


def test_systems_without_a_model_stand_beside_one_that_learns_in_folds(victor, corpus, tmp_path):
    (tmp_path / "mine.yaml").write_text("labeler: kimatu\nbase: kimatu\n")
    mine = tmp_path / "mine.yaml"
    run = victor("evaluate", corpus, "-c", "density-paper", "-c", mine, "-L", "density", "-k", "2")
    titles = re.findall(r"== (.*?) \(", run.out)
    assert titles[:3] == ["density-paper", "mine", "density-trained"]
    comparison = run.out[run.out.index("== mine (as it is; threshold 0.5) against") :]
    for measure in ("words", "blocks"):
        of_measure = comparison[comparison.index(f"{measure}\n") :]
        assert re.search(r"^f1 +[+-]\d\.\d{4} +[+-]\S+ … [+-]", of_measure, re.MULTILINE)
