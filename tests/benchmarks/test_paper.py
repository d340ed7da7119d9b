"""The paper's experiments as scripts, on our own pages: they run, and count what they say."""

import re
import runpy
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from paper import block_scores

from victor.base.labels import UNLABELLED, Label
from victor.config.layers import load
from victor.model.extractor import FeatureExtractor
from victor.training.dataset import analyze

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "benchmarks" / "victor_paper.py"
FAST = ("--set", "crf.max_iterations=3", "--folds", "2", "--pages", "24")


@pytest.fixture
def run(monkeypatch, capsys):
    """Function: experiment and options to what it prints."""

    def run(experiment, *options):
        arguments = [experiment, str(ROOT / "annotations"), *FAST, *options]
        monkeypatch.setattr("sys.argv", [SCRIPT.name, *arguments])
        runpy.run_path(str(SCRIPT), run_name="__main__")
        return capsys.readouterr().out

    return run


def row(out, measure):
    """First value of every row of a measure."""
    lines = [line for line in out.splitlines() if line.startswith(measure + "  ")]
    return [line.removeprefix(measure).split()[0] for line in lines]


def rows_of(out, first):
    """Rows of the table whose first line begins so, as lists of cells."""
    lines = out.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith(first))
    table = []
    for line in lines[start:]:
        if not line.strip():
            break
        table.append(re.split(r"\s{2,}", line.strip()))
    return table


@pytest.mark.slow
def test_labels_are_counted(run, annotated):
    out = run("labels", "--pages", "56")
    counts = {name: cells for name, *cells in rows_of(out, "header ")}
    dataset = analyze(annotated, FeatureExtractor(load("victor-paper")))
    ours = Counter(dataset.labels.tolist())
    for label in Label:
        assert int(counts[label.name.lower()][0].replace(",", "")) == ours[label]
    assert counts["other"][2:] == ["81,528", "92.53"]
    assert counts["total"][2] == "88,108"
    pages = {name: cells for name, *cells in rows_of(out, "pages ")}
    assert pages["with content"] == ["47", "271"]
    share = 100 * ours[Label.OTHER] / (ours.total() - ours[UNLABELLED])
    assert pages["accuracy of all other, all pages"][0].split()[0] == f"{share:.2f}"


def test_measures_are_those_of_the_counts():
    confusion = np.array([[6, 2, 2], [1, 50, 9], [0, 10, 120]])
    sums = np.array([[*confusion.ravel(), 1.5, 1.0, 1.2, 2.0]])
    found = dict(zip(block_scores.MEASURES, block_scores.measures(sums)[0], strict=True))
    assert found == pytest.approx(
        {
            "precision": 100 * 59 / 69,
            "recall": 100 * 59 / 70,
            "F": 100 * 118 / 139,
            "accuracy, unlabelled": 100 * 179 / 200,
            "accuracy": 100 * 176 / 200,
            "F header": 100 * 12 / 17,
            "F text": 100 * 100 / 122,
            "word precision": 75,
            "word recall": 50,
            "word F": 60,
        }
    )
