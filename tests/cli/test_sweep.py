"""`victor sweep`: tables, files and presets, from stored marginals."""

import sys
from dataclasses import replace

import numpy as np
import pytest

from victor import load_model
from victor.config.layers import load
from victor.evaluation.predictions import collect
from victor.evaluation.thresholds import curve
from victor.model.decide import Decision
from victor.model.extractor import FeatureExtractor
from victor.training.dataset import analyze


@pytest.fixture(scope="module")
def pages(annotated):
    """Some of our pages of six sites, with gold texts."""
    return [
        replace(page, gold=f"The gold text of {page.id}.", site=f"site{place % 6}")
        for place, page in enumerate(annotated[:12])
    ]


@pytest.fixture(scope="module")
def stored(pages, tmp_path_factory):
    """Two files of predictions on the same pages: one good, one poor; and what they hold."""
    folder = tmp_path_factory.mktemp("stored")
    dataset = analyze(pages, FeatureExtractor(load("crf")))
    random = np.random.default_rng(5)
    right = np.where(dataset.labels[:, None] == np.arange(3), 4.0, 1.0)
    predictions = {}
    decisions = {"good": Decision("expected-f"), "poor": Decision(threshold=0.25)}
    for name, noise in (("good", 1.0), ("poor", 3.0)):
        weights = right * random.exponential(size=right.shape) ** noise
        marginals = weights / weights.sum(axis=1, keepdims=True)
        known = {"system": name, "protocol": "by hand", "decision": decisions[name]}
        predictions[name] = collect(dataset, marginals, **known)
        predictions[name].save(folder / f"{name}.npz")
    return folder, predictions


def test_several_systems(victor, stored):
    run = victor("sweep", stored[0] / "good.npz", stored[0] / "poor.npz")
    assert run.status == 0
    assert [line[:7] for line in run.out.splitlines() if "==" in line] == ["== good", "== poor"]
    assert "as configured: threshold 0.25  " in run.out


def test_presets_are_stored_in_a_model(victor, stored, small_model_file, tmp_path):
    folder, found = stored
    path = tmp_path / "m.victor"
    path.write_bytes(small_model_file.read_bytes())
    run = victor("sweep", folder / "good.npz", "--store", path)
    expected = curve(found["good"]).presets
    said = ("balanced", "precision is not stored", "recall is not stored", "no page head")
    assert all(part in line for part, line in zip(said, run.err.splitlines(), strict=True))
    model = load_model(path)
    assert (model.presets, model.presets.to_json()) == (expected, expected.to_json())
    assert model.card["scores"]["protocol"] == found["good"].protocol
    of_words = next(iter(curve(found["good"]).configured.values()))
    scores = [score for score in model.card["scores"].values() if "f1" in score]
    assert round(of_words.f1, 4) in [score["f1"] for score in scores]
    run = victor("sweep", folder / "good.npz", folder / "poor.npz", "--store", path)
    assert (run.status, "one system" in run.err) == (2, True)


def test_a_report_needs_its_packages_before_the_work(victor, stored, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    monkeypatch.chdir(tmp_path)
    run = victor("sweep", stored[0] / "good.npz", "--report", "a")
    assert (run.status, "victor-crf[train]" in run.err) == (2, True)
    assert not [*tmp_path.iterdir()]
    monkeypatch.undo()
    run = victor("sweep", stored[0] / "good.npz", "--report", tmp_path / "a")
    assert (run.status, f"{tmp_path}/a/index.html" in run.err) == (0, True)
