"""`victor adapt`: labelled pages and a shipped model to a model file."""

import json
from dataclasses import replace

import pytest

from victor.corpus.pages import read, read_marked, write_corpus
from victor.labelers.load import load_model


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
    assert card["training"] == load_model().card["training"]
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


QUICK = ("-c", "crf", "-s", "crf.max_iterations=2")


def test_train_says_that_the_shipped_model_is_better(victor, corpus, tmp_path):
    run = victor("train", corpus, *QUICK, "-k", 3, "-o", tmp_path / "mine.victor")
    assert run.status == 0
    assert "the shipped model is better on these pages: expected word F 0." in run.err
    assert "(3 folds by site); `victor adapt` starts from the shipped model" in run.err


@pytest.mark.parametrize(("n_sites", "is_told"), [(50, True), (51, False)])
def test_few_sites_are_told_of_adapting_without_a_fold(n_sites, is_told, victor, tmp_path):
    page = read_marked("a", b"<p>Home<p data-victor='text'>Bees live in colonies.")
    pages = [replace(page, id=f"p{n}", site=f"site{n}") for n in range(n_sites)]
    write_corpus(tmp_path / "corpus", pages)
    run = victor("train", tmp_path / "corpus", *QUICK, "-o", tmp_path / "m")
    assert ("served better by `victor adapt`" in run.err) == is_told


def test_nothing_is_said_of_pages_that_the_shipped_model_was_trained_on(victor, corpus, tmp_path):
    write_corpus(tmp_path / "annotations", read(corpus))
    run = victor("train", tmp_path / "annotations", *QUICK, "-k", 2, "-o", tmp_path / "m")
    assert run.status == 0
    assert "shipped model" not in run.err
