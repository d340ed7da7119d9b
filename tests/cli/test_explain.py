"""`victor explain`: tables of a page and of a model, the file, and what is wrong with a call."""

import re
import sys
from dataclasses import replace

import numpy as np
import pytest

from victor.config import load
from victor.explain import edge_kinds, explain, important, strongest
from victor.explain.neighbours import AFTER, BEFORE
from victor.explain.terms import BIAS
from victor.labelers.crf import CrfLabeler
from victor.labels import LABEL_NAMES
from victor.model.extractor import FeatureExtractor
from victor.model.model import Model
from victor.training.dataset import analyze
from victor.training.training import train

PAGE = (
    b"<h1>On bees</h1><p>Bees live in colonies, \x1b[31m and so do ants. [red]They work[/red].</p>"
)


@pytest.fixture
def run(victor, small_model_file):
    """Function: `victor explain` with the small model."""
    return lambda *arguments, stdin=b"": victor(
        "explain", "-m", small_model_file, *arguments, stdin=stdin
    )


def tables(out):
    """Title, head and rows of every printed table."""
    parts = [part.splitlines() for part in out.strip("\n").split("\n\n")]
    return [(lines[0], lines[1].split(), [re.split("  +", r.strip()) for r in lines[2:]])
            for lines in parts]  # fmt: skip


@pytest.mark.slow
def test_every_block_with_its_marginals_and_reasons(run, small_model):
    labeler = CrfLabeler(small_model)
    verdict = labeler.label(labeler.table([PAGE]))
    explanation = explain(small_model, verdict.table)
    shown = tables(run("-k", "3", "-", stdin=PAGE).out)
    for block, ((title, head, rows), reasons) in enumerate(
        zip(shown, explanation.reasons(top=3), strict=True)
    ):
        shares = "  ".join(
            f"{name} {p:.3f}"
            for name, p in zip(
                ("header", "text", "other"), explanation.marginals[block], strict=True
            )
        )
        label = ("header", "text", "other")[verdict.labels[block]]
        assert title.startswith(f"block {block}  {label}  ({shares})  ")
        assert head == ["log-odds", "feature", "value"]
        expected = [(reasons.log_odds, f"{reasons.label.lower_name} against other")]
        parts = (*reasons.speaks_for, *reasons.speaks_against, reasons.rest)
        expected += [(part.weight, part.name) for part in parts]
        assert [row[:2] for row in rows] == [[f"{w:+.3f}", name] for w, name in expected]


@pytest.mark.slow
def test_the_least_sure_blocks_or_those_asked_for(run, folder):
    page = sorted(folder.iterdir())[0]
    few = run(page)
    assert len(tables(few.out)) == 20
    assert re.match(r"victor: the 20 least sure of \d+ blocks; --all shows all", few.err)
    everything = run("--all", page)
    assert everything.err == ""
    n = int(re.search(r"of (\d+) blocks", few.err)[1])
    assert len(tables(everything.out)) == n
    some = run("-b", "5", "-b", "2", "-b", "5", page)
    assert [title.split()[1] for title, _, _ in tables(some.out)] == ["2", "5"]


@pytest.mark.slow
def test_no_page_drives_the_terminal(run):
    out = run("-", stdin=PAGE).out
    assert "\x1b" not in out
    assert "[red]They work" in out


@pytest.mark.slow
def test_the_file(run, tmp_path):
    file = tmp_path / "out.html"
    result = run("--html", file, "-", stdin=PAGE)
    assert (result.status, result.out, result.err) == (0, "", "")
    assert "Bees live in colonies" in file.read_text(encoding="utf-8")
    assert tables(run("--html", file, "-b", "1", "-", stdin=PAGE).out)[0][0].startswith("block 1")


def test_the_model(run, small_model):
    weights, bias, transitions = tables(run("-k", "7").out)
    assert [row[2] for row in weights[2]] == [weight.name for weight in strongest(small_model, 7)]
    assert weights[1] == ["header", "text", "feature", "value"]
    assert float(bias[2][0][2]) == 0
    printed = [[float(cell) for cell in row[1:]] for row in transitions[2]]
    assert printed == pytest.approx(small_model.edges.values[0].round(3), abs=1e-3)


@pytest.fixture(scope="module")
def tree_file(annotated, tmp_path_factory):
    """A model with potentials of trees and edges by kind."""
    settings = [
        "template=[{column: '{word.count,inside.nav}', offset: '{-1..1}'}]", "discretize=null",
        "features=[words, ancestors, relations]", "crf.edges=relation.before",
        "trees.count=10", "trees.depth=3",
    ]  # fmt: skip
    extractor = FeatureExtractor(load("crf", settings))
    model = train(analyze(annotated[:12], extractor), extractor)
    values = np.random.default_rng(0).normal(size=model.edges.values.shape)
    path = tmp_path_factory.mktemp("trees") / "trees.victor"
    replace(model, edges=replace(model.edges, values=values)).save(path)
    return path


@pytest.mark.slow
def test_a_page_by_trees(victor, tree_file, tmp_path):
    model = Model.load(tree_file)
    labeler = CrfLabeler(model)
    explanation = explain(model, labeler.table([PAGE]))
    shown = tables(victor("explain", "-m", tree_file, "-k", "99", "-", stdin=PAGE).out)
    for (_, _, rows), reasons in zip(shown, explanation.reasons(top=99), strict=True):
        parts = (*reasons.speaks_for, *reasons.speaks_against, reasons.rest)
        assert [row[1] for row in rows[1:]] == [part.name for part in parts]
        names = {f"{name} [{at:+d}]".replace("+0", "0") for name, at in model.potentials.inputs}
        assert {part.name for part in parts} <= {*names, BIAS, BEFORE, AFTER, "0 more"}
    file = tmp_path / "out.html"
    victor("explain", "-m", tree_file, "--html", file, "-", stdin=PAGE)
    assert f'"{BEFORE}"' in file.read_text(encoding="utf-8")


def test_a_model_with_trees(victor, tree_file):
    model = Model.load(tree_file)
    inputs, edges = tables(victor("explain", "-m", tree_file, "-k", "3").out)
    expected = important(model, 3)
    assert inputs[0].startswith("the 3 inputs that explain most")
    assert inputs[1] == ["share", "input"]
    assert inputs[2] == [[f"{row.share:.3f}", row.name] for row in expected]
    assert edges[0].endswith("by relation.before")
    assert edges[1] == ["edge", "header", "text", "other"]
    printed = [(*row[:2], *map(float, row[2:])) for row in edges[2]]
    assert printed == [
        (kind, f"{name} →", *values)
        for kind, transitions in edge_kinds(model)
        for name, values in zip(LABEL_NAMES, transitions.round(3).tolist(), strict=True)
    ]


@pytest.mark.slow
def test_a_table_on_a_terminal(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    out = run("-", stdin=PAGE).out
    assert "┃" in out or "|" in out
    assert "[red]They work" in out
    assert "word.count" in out


@pytest.mark.slow
def test_a_table_on_a_terminal_without_rich(run, monkeypatch):
    plain = run("-", stdin=PAGE).out
    monkeypatch.setitem(sys.modules, "rich", None)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert run("-", stdin=PAGE).out == plain


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["explain"], "name a page to explain, or a model"),
        (["explain", "-m", "default", "-b", "1"], "need a page"),
        (["explain", "-b", "1", "--all", "-"], "exclude each other"),
        (["explain", "-b", "99", "-"], "no block 99: the page has 2 blocks"),
        (["explain", "-m", "nowhere", "-"], "no model 'nowhere'"),
        (["explain", "nowhere.html"], "no file or folder"),
    ],
)
def test_what_is_wrong_with_a_call(victor, arguments, message):
    result = victor(*arguments, stdin=PAGE)
    assert result.status == 2
    assert message in result.err
    assert len(result.err.splitlines()) == 1


def test_a_folder_of_several_pages(run, folder):
    result = run(folder)
    assert result.status == 2
    assert "holds 12 pages; name one" in result.err


def test_a_page_that_is_too_long(run, tmp_path):
    large = tmp_path / "large.html"
    with large.open("wb") as file:
        file.truncate(20_000_001)
    result = run(large)
    assert result.status == 1
    assert result.err.splitlines()[-1] == "victor: 1 of 1 pages failed: too-many-bytes 1"


def test_a_page_without_text_says_so(run):
    result = run("-", stdin=b"")
    assert (result.status, result.out) == (0, "")
    assert "-: the page has no text" in result.err
