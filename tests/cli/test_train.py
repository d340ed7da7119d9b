"""`victor train` and `victor adapt`: labelled pages to a model file, and what is said of it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from victor import load_model, model_names
from victor.config.layers import load
from victor.corpus.pages import read_marked, write_corpus
from victor.labelers.crf import model_file
from victor.model.extractor import FeatureExtractor

PAPER = Path(__file__).parents[2] / "docs" / "examples" / "papers" / "victor-czech.html"
QUICK = ("-c", "crf", "-s", "crf.max_iterations=2")


@pytest.fixture(scope="module")
def corpus(annotated, tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages") / "corpus"
    write_corpus(folder, annotated[:4])
    return folder


def test_adapt_writes_a_model_and_says_what_it_gained(victor, corpus, tmp_path):
    path = tmp_path / "mine.victor"
    run = victor("adapt", corpus, "-o", path)
    assert (run.status, run.out) == (0, "")
    assert "3 folds by site" in run.err
    card = json.loads(victor("models", path).out)
    assert card["adapted"]["pages"] == 4
    assert card["training"] == load_model().card["training"]
    run = victor("adapt", corpus, "-m", "crf", "-o", tmp_path / "crf.victor")
    assert (run.status, (tmp_path / "crf.victor").exists()) == (2, False)


def test_train_writes_the_model_that_the_card_describes(victor, corpus, tmp_path):
    path = tmp_path / "my.victor"
    run = victor("train", corpus, *QUICK, "-k", 3, "--about", "A\ttest.", "-o", path)
    assert (run.status, run.out) == (0, "")
    assert "the shipped model is better on these pages" in run.err
    model = load_model(path)
    card = json.loads(victor("models", path).out)
    assert (card, model.config.crf.max_iterations) == (model.card, 2)
    assert (card["training"]["pages"], card["about"]) == (4, "A test.")
    assert card["training"]["corpora"] == {corpus.name: 4}
    assert card["scores"]["folds by site"] == 3
    printed = victor("evaluate", corpus, "-k", "3", "-t", "0.5", *QUICK).out
    block_f = next(line for line in printed.split("blocks\n")[1].splitlines() if "all" in line)
    assert card["scores"]["threshold 0.5"]["block F"] == float(block_f.split()[6])
    config, again = tmp_path / "config.yaml", tmp_path / "again.victor"
    config.write_text(victor("models", path, "--config").out)
    victor("train", corpus, "-c", config, "-k", 3, "--about", "A test.", "-o", again)
    assert again.read_bytes() == path.read_bytes()


@pytest.mark.parametrize(("n_sites", "is_told"), [(50, True), (51, False)])
def test_few_sites_are_told_of_adapting_without_a_fold(n_sites, is_told, victor, tmp_path):
    page = read_marked("a", b"<p>Home<p data-victor='text'>Bees live in colonies.")
    pages = [replace(page, id=f"p{n}", site=f"site{n}") for n in range(n_sites)]
    write_corpus(tmp_path / "annotations", pages)
    run = victor("train", tmp_path / "annotations", *QUICK, "-o", tmp_path / "m")
    assert ("`victor adapt`" in run.err) == is_told
    run = victor("train", tmp_path / "annotations", *QUICK, "-k", 2, "-o", tmp_path / "m")
    assert "shipped model" not in run.err  # it was trained on a corpus of this name


def test_what_density_learnt_cleans(victor, corpus, tmp_path):
    path = tmp_path / "learnt.yaml"
    run = victor("train", corpus, "-l", "density", "-o", path)
    assert (run.status, f"--config {path}" in run.err) == (0, True)
    page = sorted((corpus / "html").iterdir())[0]
    assert victor("clean", "-l", "density", "-c", path, page).out.strip()


def test_every_shipped_model_says_what_it_is_for_and_what_it_learnt_from():
    assert set(model_names()) >= {"crf", "czech", "default"}
    for name in model_names():
        card = load_model(name).card
        assert card["about"]
        assert sum(card["training"]["corpora"].values()) == card["training"]["pages"]
        assert "not stated" not in card["training"]["licences"]
    assert sum(model_file(name).stat().st_size for name in model_names()) < 4_000_000


def test_the_system_of_the_2008_paper_cleans_a_page(victor, annotated, tmp_path):
    write_corpus(tmp_path / "corpus", annotated[:20])
    model, fast = tmp_path / "my.victor", ("--set", "crf.max_iterations=15")
    trained = victor("train", tmp_path / "corpus", "-c", "victor-paper", *fast, "-o", model)
    assert trained.status == 0, trained.err
    cleaned, everything = (victor("clean", "-m", model, *more, PAPER).out for more in ([], ["-t1"]))
    assert "V sobotu ráno začal za obcí výlov rybníka" in cleaned
    assert "Archiv" not in cleaned
    assert "Archiv" in everything, "the threshold is what drops the menu"


def test_a_star_marks_what_the_configuration_switches_on(victor):
    lines = victor("features", "--list", "-c", "victor2007").out.splitlines()
    configured = {column.name for column in FeatureExtractor(load("victor2007")).features.columns}
    assert {line.split()[1] for line in lines if line.startswith("*")} == configured
    assert len(lines) > len(configured)
