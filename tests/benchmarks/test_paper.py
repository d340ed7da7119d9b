"""The paper's three experiments as scripts, on our own pages: they run, and count what they say."""

import runpy
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "benchmarks" / "paper"
FAST = ("--set", "crf.max_iterations=3", "--folds", "2", "--pages", "24")


@pytest.fixture
def run(monkeypatch, capsys):
    """Function: script and arguments to what it prints."""
    monkeypatch.syspath_prepend(FOLDER)
    monkeypatch.delitem(sys.modules, "experiment", raising=False)

    def run(script, *arguments):
        path = FOLDER / f"{script}.py"
        monkeypatch.setattr("sys.argv", [path.name, str(ROOT / "annotations"), *FAST, *arguments])
        runpy.run_path(str(path), run_name="__main__")
        return capsys.readouterr().out

    return run


@pytest.fixture
def experiment(monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)
    monkeypatch.delitem(sys.modules, "experiment", raising=False)
    return import_module("experiment")


def heads(out):
    """Column names of the tables."""
    return [line.split() for line in out.splitlines() if line.startswith("%")]


def row(out, measure):
    """First value of every row of a measure."""
    lines = [line for line in out.splitlines() if line.startswith(measure + "  ")]
    return [line.removeprefix(measure).split()[0] for line in lines]


@pytest.mark.slow
def test_ten_fold_leaves_pages_without_content_out(run, annotated):
    out = run("ten_fold", "--pages", "56")
    assert heads(out) == [["%", "victor2008", "crf", "published"]]
    assert out.count("47 pages of") == 2, "nine of our pages have nothing to keep"
    assert 0 < float(row(out, "precision")[0]) < 100
    assert "82.6 to 83.1" in out
    assert row(out, "word F") == ["-"], "our pages have no gold text"


@pytest.mark.slow
def test_language_features_are_compared(run):
    out = run("language_features", "--config", "victor2008")
    assert heads(out) == [["%", "off", "on", "on", "-", "off"]]
    cells = next(line for line in out.splitlines() if line.startswith("F text  ")).split()
    off, on, difference = float(cells[2]), float(cells[5]), float(cells[8])
    assert on - off == pytest.approx(difference, abs=0.011)
    assert difference != 0, "the features are in use"


@pytest.mark.slow
def test_pages_without_content_are_added(run):
    out = run("empty_pages", "--config", "crf", "--pages", "56")
    assert "56 pages of 44 sites" in out
    assert "9 pages without content" in out
    lines = {line.split("  ")[0]: line for line in out.splitlines()}
    cells = [cell.split(" [")[0].split()[-1] for cell in lines["precision"].split("]")[:-1]]
    assert len(set(cells)) == 4, "what is learnt makes a difference, and what is scored"
    assert float(cells[1]) < float(cells[0]), "pages without content hold no true positive"
    assert "80.75" in out


@pytest.mark.slow
def test_what_is_wrong_is_one_line(run):
    with pytest.raises(SystemExit, match="choose k"):
        run("ten_fold", "--folds", "99")


def test_measures_are_those_of_the_counts(experiment):
    confusion = np.array([[6, 2, 2], [1, 50, 9], [0, 10, 120]])
    sums = np.array([[*confusion.ravel(), 1.5, 1.0, 1.2, 2.0]])
    found = dict(zip(experiment.MEASURES, experiment.measures(sums)[0], strict=True))
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


def test_a_setting_does_not_differ_from_itself(experiment):
    scores = experiment.Scores(np.random.default_rng(0).random((20, len(experiment.MEASURES))))
    assert set((scores - scores).cells("+")) == {"+0.00 [+0.0, +0.0]"}
