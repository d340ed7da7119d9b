"""`victor explain`: pages and models, for people and as JSON, and what is wrong with a call."""

import json
import re

import numpy as np
import pytest
from click import unstyle
from msgspec.structs import replace

import victor as package
from victor.api import CleanerSpec
from victor.config.layers import load
from victor.explain.contributions import explain
from victor.explain.model_summary import learnt
from victor.explain.sentences import sentences
from victor.model.extractor import FeatureExtractor
from victor.model.trees import Gate
from victor.training.dataset import analyze
from victor.training.training import train

PAGE = (
    b"<h1>On bees</h1><p>Bees live in colonies, \x1b[31m and so do ants. [red]They work[/red].</p>"
)
HOSTILE = (
    "<h1>On \x9b31m bees</h1><p>Bees live \u202e in colonies \x07 and \u2028 so do ants; "
    f"{'ants' * 500} {'ä' + chr(0x301) * 3000} {'蟻' * 200}.</p>"
    f"<p class='{'ants' * 500} \u202e'><a href=/>[red]More[/red]</a></p>"
).encode()


@pytest.fixture(autouse=True)
def terminal(monkeypatch):
    """80 columns and the usual kind, wherever the tests run."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)


@pytest.fixture
def run(victor, small_model_file):
    """Function: `victor explain` with the small model."""
    return lambda *arguments, stdin=b"": victor(
        "explain", "-m", small_model_file, *arguments, stdin=stdin
    )


def blocks_of(out):
    """The head of the output, and number to the lines of every block."""
    head, *blocks = out.strip("\n").split("\n\n")
    return head, {int(lines.split()[1]): lines.splitlines() for lines in blocks}


def decisions_of(out):
    """The summary, and number to the sentence of every block that has a line."""
    summary, rows = out.strip("\n").split("\n\n")
    lines = re.sub(r"\n {10,}", " ", rows).splitlines()
    return " ".join(summary.split()), {int(line.split()[0]): line for line in lines}


def records(out):
    return [json.loads(line) for line in out.splitlines()]


# --- pages, for people ---------------------------------------------------------------------------


def test_the_summary_of_a_page(run, folder, small_model, small_model_file):
    page = sorted(folder.iterdir())[0]
    summary, decisions = decisions_of(run(page).out)
    result = package.clean(page.read_bytes(), model=small_model)
    kept = [block for block in result.blocks if block.kept]
    assert f"by model {small_model_file}".replace(" ", "") in summary.replace(" ", "")
    assert f"Kept {len(kept)} of {len(result.blocks)} blocks (" in summary
    assert f"dropped {len(result.blocks) - len(kept)}." in summary
    assert "Dropped most often for: " in summary
    assert "No fixed threshold: expected-f chose the labels." in summary
    assert "Below are the 8 least certain decisions." in summary
    assert len(decisions) == 8
    other = result.marginals[:, 2]
    fifth = np.sort(np.abs(other - 0.5))[4]  # three may be there as others decided about them
    assert {*np.flatnonzero(np.abs(other - 0.5) <= fifth).tolist()} <= {*decisions}
    for number, line in decisions.items():
        assert re.search("Kept" if result.blocks[number].kept else "Dropped", line)


def test_every_block_with_sentence_and_groups_that_add_up(run, small_model):
    head, blocks = blocks_of(run("--all", "-", stdin=PAGE).out)
    assert "The groups add up to the score of the block." in " ".join(head.split())
    cleaner = CleanerSpec(small_model).cleaner()
    result = cleaner.clean(PAGE)
    said = sentences(cleaner.labeler, result.in_batch[0], cleaner.scope)
    assert len(blocks) == len(result.blocks)
    for block in result.blocks:
        lines = blocks[block.number]
        shares = ", ".join(f"{name} {p:.3f}" for name, p in block.marginals.items())
        assert lines[0] == f"block {block.number}  {block.label}  ({shares})"
        assert said[block.number].text in " ".join(" ".join(lines).split())
        total, *rows = [float(line.split()[0]) for line in lines if re.match(r" {2,6}[+-]\d", line)]
        assert sum(rows) == pytest.approx(total, abs=0.005 * (len(rows) + 1))


@pytest.mark.parametrize(
    ("words", "numbers"),
    [("1", [1]), ("bees", [0, 1]), ("ON  bees", [0]), ("live in", [1]), ("7", [2])],
)
def test_a_block_is_found_by_number_or_words(run, words, numbers):
    page = PAGE + b"<p>In 1987 there were more."
    assert [*blocks_of(run("-b", words, "-", stdin=page).out)[1]] == numbers


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("labeler", [None, "dom"])
def test_no_page_drives_the_terminal(victor, form, labeler):
    arguments = ["explain", "-l", labeler] if labeler else ["explain"]
    out = victor(*arguments, "--format", form, "-", stdin=HOSTILE).out
    assert all(c.isprintable() or c == "\n" for c in out)
    if form == "json":
        assert len(records(out)) == 3
    else:
        assert max(map(len, out.splitlines())) <= 80


def test_colours_are_for_terminals(run, monkeypatch):
    plain = run("-b", "1", "-", stdin=PAGE).out
    assert "\x1b" not in plain
    monkeypatch.setattr("click.utils.should_strip_ansi", lambda _, color: color is False)
    coloured = run("-b", "1", "-", stdin=PAGE).out
    assert "\x1b[" in coloured
    assert [line.rstrip() for line in unstyle(coloured).splitlines()] == plain.splitlines()
    monkeypatch.setenv("NO_COLOR", "1")
    assert run("-b", "1", "-", stdin=PAGE).out == plain


def test_a_page_whose_text_only_scripts_hold_is_explained_as_it_is_cleaned(run):
    text = " ".join(f"On day {n} forty volunteers walked out on to the mud." for n in range(30))
    data = json.dumps({"articleBody": text})
    script = f"<script type=application/ld+json>{data}</script>"
    page = f"<title>Mud</title><div id=app>Loading</div>{script}"
    head, blocks = blocks_of(run("--all", "-", stdin=page.encode()).out)
    assert "next to no text; these are the blocks of its json-ld" in " ".join(head.split())
    assert any("forty volunteers" in " ".join(lines) for lines in blocks.values())


# --- any system, as JSON -------------------------------------------------------------------------


FIELDS = {
    "page", "system", "experts", "decision", "block", "label", "kept", "reason", "sentence",
    "probabilities", "text", "grouped", "findings",
}  # fmt: skip


def test_lines_of_json_add_up(run, small_model, small_model_file):
    blocks = records(run("--format", "json", "-k", "1", "-", stdin=PAGE).out)
    result = package.clean(PAGE, model=small_model)
    log_odds = explain(small_model, result.in_batch[0].table).contributions().sum(axis=1)
    for record, block in zip(blocks, result.blocks, strict=True):
        assert record.keys() == FIELDS
        assert (record["page"], record["system"]) == ("-", f"model {small_model_file}")
        assert record["experts"] == {}
        assert record["decision"] == {"method": "expected-f"}
        assert (record["block"], record["text"]) == (block.number, block.text)
        assert (record["label"], record["kept"]) == (block.label, block.kept)
        assert record["probabilities"] == block.marginals
        odds, groups = record["grouped"], record["grouped"]["groups"]
        assert odds["against"] == "other"
        assert odds["log_odds"] == pytest.approx(log_odds[block.number], abs=1e-9)
        assert sum(group["weight"] for group in groups) == pytest.approx(odds["log_odds"], abs=1e-9)
        for group in groups:
            assert len(group["parts"]) <= 1
            parts = sum(part["weight"] for part in group["parts"]) + group["more"]
            assert parts == pytest.approx(group["weight"], abs=1e-9)
        assert record["findings"] == []
    assert [r["block"] for r in records(run("-f", "json", "-b", "1", "-", stdin=PAGE).out)] == [1]


# --- experts -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def leaning_file(expert_model, tmp_path_factory):
    """A model whose gate gives its second expert two thirds of every page."""
    trees = expert_model.potentials
    weights = trees.gate.weights.copy()
    weights[-1] = np.log([1, 2])
    leaning = replace(trees, gate=Gate(trees.gate.experts, weights))
    path = tmp_path_factory.mktemp("experts") / "leaning.victor"
    replace(expert_model, potentials=leaning).save(path)
    return path


def test_the_experts_of_a_page_and_what_they_weigh(victor, leaning_file):
    assert (
        "experts: forum 0.67, article 0.33\n"
        in victor("explain", "-m", leaning_file, "-", stdin=PAGE).out
    )
    for record in records(victor("explain", "-m", leaning_file, "-f", "json", "-", stdin=PAGE).out):
        assert record["experts"] == pytest.approx({"forum": 2 / 3, "article": 1 / 3})


def test_a_model_says_which_experts_it_has(victor, leaning_file, tree_file):
    assert (
        "experts for types of pages: article, forum\n" in victor("explain", "-m", leaning_file).out
    )
    assert "experts for" not in victor("explain", "-m", tree_file).out
    for file, experts in ((leaning_file, ["article", "forum"]), (tree_file, [])):
        (record,) = records(victor("explain", "-m", file, "-f", "json").out)
        assert record["experts"] == experts
        assert json.loads(victor("models", file).out).get("experts", []) == experts


# --- models alone --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tree_file(annotated, tmp_path_factory):
    """A model with potentials of trees and edges by kind."""
    settings = [
        "template=[{column: '{word.count,inside.nav}', offset: '{-1..1}'}]", "discretize=null",
        "features=[words, {ancestors: {names: [nav]}}, relations]", "crf.edges=relation.before",
        "trees.count=10", "trees.depth=3",
    ]  # fmt: skip
    extractor = FeatureExtractor(load("crf", settings))
    path = tmp_path_factory.mktemp("trees") / "trees.victor"
    train(analyze(annotated[:12], extractor), extractor).save(path)
    return path


@pytest.mark.parametrize("kind", ["trees", "linear"])
def test_a_model(victor, tree_file, small_model_file, kind):
    file = tree_file if kind == "trees" else small_model_file
    summary = learnt(package.load_model(file), 2)
    out = victor("explain", "-m", file, "-k", "2").out
    head, modules, edges = out.strip("\n").split("\n\n")
    assert f"potentials are {kind}" in " ".join(head.split())
    shown = " ".join(modules.split())
    for module in summary.modules:
        assert f"{module.size:.3f} {module.name}" in shown
        assert all(row.words in shown for row in module.rows)
    assert ("bias" in modules) == (kind == "linear")
    assert ("by relation.before [0]" in " ".join(edges.split())) == (kind == "trees")
    rows = [line.split()[-4:] for line in edges.splitlines()[-3 * len(summary.edges) :]]
    assert rows == [
        [first, *(f"{value:+.3f}" for value in row.values())]
        for edge in summary.edges for first, row in edge.transitions.items()
    ]  # fmt: skip
    assert max(map(len, out.splitlines())) <= 80


# --- what is wrong with a call -------------------------------------------------------------------
