"""`victor sweep`: tables, files and presets, from stored marginals and from annotated pages."""

import sys
from dataclasses import replace

import numpy as np
import pytest

from victor import load_model
from victor.config.layers import load
from victor.corpus.pages import write_corpus
from victor.evaluation.predictions import collect, reliabilities
from victor.evaluation.thresholds import MEASURES, area, best_f, best_precision, best_recall, curve
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
    for name, noise, decision in (
        ("good", 1.0, Decision("expected-f")),
        ("poor", 3.0, Decision(threshold=0.25)),
    ):
        weights = right * random.exponential(size=right.shape) ** noise
        marginals = weights / weights.sum(axis=1, keepdims=True)
        predictions[name] = collect(
            dataset, marginals, system=name, protocol="by hand", decision=decision
        )
        predictions[name].save(folder / f"{name}.npz")
    return folder, predictions


@pytest.fixture
def corpus(pages, tmp_path):
    write_corpus(tmp_path / "corpus", pages)
    return tmp_path / "corpus"


def cells(out, name):
    """The numbers of the rows of a name."""
    return [line[len(name) :].split() for line in out.splitlines() if line.startswith(name)]


def shown(*values):
    return [f"{value:.4f}" for value in values]


def test_the_tables_show_the_curve(victor, stored):
    folder, found = stored
    run = victor("sweep", folder / "good.npz")
    assert (run.status, run.err) == (0, "")
    drawn = curve(found["good"])
    assert run.out.startswith(
        f"== good (by hand): 12 pages, {len(found['good'].labels)} blocks, "
        f"{len(drawn.thresholds)} thresholds\n"
    )
    for place, measure in enumerate(reversed(MEASURES)):
        assert f"{measure}, area {area(drawn, measure):.4f}" in run.out
        best, own = best_f(drawn, measure), drawn.configured[measure]
        numbers = (best.threshold, best.precision, best.recall, best.f1)
        assert cells(run.out, "best F")[place] == shown(*numbers)
        assert cells(run.out, "as configured: expected-f")[place] == [
            "-", *shown(own.precision, own.recall, own.f1)
        ]  # fmt: skip
        for name, point in (
            ("best recall at precision >= 0.95", best_recall(drawn, measure, 0.95)),
            ("best recall at precision >= 0.9 ", best_recall(drawn, measure, 0.9)),
            ("best precision at recall >= 0.95", best_precision(drawn, measure, 0.95)),
        ):
            if point is not None:
                numbers = shown(point.threshold, point.precision, point.recall, point.f1)
                assert numbers in cells(run.out, name)
    for name, said in reliabilities(found["good"]).items():
        assert [name, *shown(said.error)] in [line.split() for line in run.out.splitlines()]
    assert drawn.presets
    for name, reached in drawn.presets.points.items():
        assert cells(run.out, name)[0] == shown(*reached)


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
    assert [part in line for part, line in zip(said, run.err.splitlines(), strict=True)] == [
        True
    ] * 4
    model = load_model(path)
    assert (model.presets, model.presets.to_json()) == (expected, expected.to_json())
    assert model.card["scores"]["protocol"] == found["good"].protocol
    run = victor("sweep", folder / "good.npz", folder / "poor.npz", "--store", path)
    assert (run.status, "one system" in run.err) == (2, True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-c", "default"], "needs a folder of annotated pages"),
        (["--report", "a.html"], "--report makes a folder"),
        (["--store", __file__], "not a model"),
    ],
)
def test_wrong_calls_end_before_the_work(victor, stored, options, message):
    folder, _ = stored
    run = victor("sweep", folder / "good.npz", *options)
    assert run.status == 2
    assert message in run.err
    assert run.out == ""


def test_a_file_without_predictions_is_refused(victor, tmp_path):
    (tmp_path / "a.npz").write_bytes(b"nothing")
    run = victor("sweep", tmp_path / "a.npz")
    assert run.status == 2
    assert "holds no predictions" in run.err
    assert "pickle" not in run.err  # NumPy offers to read the file unsafely


def test_a_report_needs_its_packages_before_the_work(victor, stored, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    monkeypatch.chdir(tmp_path)
    run = victor("sweep", stored[0] / "good.npz", "--report", "a")
    assert (run.status, "victor-crf[train]" in run.err) == (2, True)
    assert not [*tmp_path.iterdir()]
    monkeypatch.undo()
    run = victor("sweep", stored[0] / "good.npz", "--report", tmp_path / "a")
    assert (run.status, f"{tmp_path}/a/index.html" in run.err) == (0, True)
