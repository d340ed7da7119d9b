"""`victor adapt`: labelled pages and a shipped model to a model file."""

import json

import pytest

from victor.corpus.pages import write_corpus


@pytest.fixture(scope="module")
def corpus(annotated, tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages") / "corpus"
    write_corpus(folder, annotated[:4])
    return folder


def test_it_writes_a_model_and_says_what_it_gained(victor, corpus, tmp_path):
    path = tmp_path / "mine.victor"
    run = victor("adapt", corpus, "-o", path)
    assert (run.status, run.out) == (0, "")
    assert "expected word F 0." in run.err
    assert "on pages left out (3 folds by site" in run.err
    card = json.loads(victor("models", path).out)
    assert card["adapted"]["pages"] == 4
    assert card["training"]["pages"] > 4000
    page = victor("clean", "-m", path, corpus / "html" / f"{card_page(corpus)}.html")
    assert page.status == 0
    assert page.out


def card_page(corpus):
    """Id of the first page."""
    return json.loads((corpus / "pages.jsonl").read_text().splitlines()[0])["id"]


def test_what_cannot_be_adapted(victor, corpus, tmp_path):
    run = victor("adapt", corpus, "-m", "crf", "-o", tmp_path / "mine.victor")
    assert run.status == 2
    assert "only a model of trees" in run.err
    run = victor("adapt", corpus, "-o", tmp_path / "missing" / "mine.victor")
    assert run.status == 2
    assert "make it first" in run.err
    assert not list(tmp_path.iterdir())
