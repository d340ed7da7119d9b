"""`victor explain`: pages and models, for people and as JSON, and what is wrong with a call."""

import json
import os
import re
import subprocess

import numpy as np
import pytest
from click import unstyle
from msgspec.structs import replace

import victor as package
from victor.api import CleanerSpec
from victor.base.labels import LABEL_NAMES
from victor.cli.screen import cells
from victor.config import load
from victor.explain import (
    edge_kinds,
    explain,
    grouped,
    important,
    learnt,
    sentences,
    strongest,
)
from victor.explain.terms import AFTER, BEFORE, BIAS
from victor.labelers import LABELERS
from victor.labelers.crf import CrfLabeler
from victor.model.extractor import FeatureExtractor
from victor.model.model import Model
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


@pytest.fixture(params=[80, 120])
def width(request, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(request.param))
    return request.param


# --- models, for people --------------------------------------------------------------------------


def test_the_summary_of_a_page(run, folder, small_model, small_model_file):
    page = sorted(folder.iterdir())[0]
    out = run(page).out
    summary, decisions = decisions_of(out)
    result = package.clean(page.read_bytes(), model=small_model)
    kept = [block for block in result.blocks if block.kept]
    assert f"by model {small_model_file}".replace(" ", "") in summary.replace(" ", "")
    assert f"Kept {len(kept)} of {len(result.blocks)} blocks (" in summary
    assert f"dropped {len(result.blocks) - len(kept)}." in summary
    assert "Dropped most often: " in summary
    limit = max(b.marginals["other"] for b in kept if b.reason == "kept")
    assert f"the probability that a block is boilerplate, is at most {limit:.2f}." in summary
    assert f"Below are the {len(decisions)} least certain decisions." in summary
    assert "--block N, or words of a block" in summary
    assert len(out.splitlines()) <= 40
    assert len(decisions) == 8
    for number, line in decisions.items():
        assert re.search("Kept" if result.blocks[number].kept else "Dropped", line)


def test_a_small_page_needs_no_choice(run):
    summary, decisions = decisions_of(run("-", stdin=PAGE).out)
    assert [*decisions] == [0, 1]
    assert "Below" not in summary


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(("-l", "dom"), "Threshold 0.5: blocks are kept if p(other), the probability that a block"),
     (("-m", "default"), "No fixed threshold (expected-f): nothing of this page is kept.")],
)  # fmt: skip
def test_the_threshold_in_words(victor, arguments, said):
    page = "<nav><ul>" + "<li><a href=/>Menu</a>" * 30 + "</ul></nav>"
    out = victor("explain", *arguments, "-", stdin=page.encode()).out
    assert said in " ".join(out.split())


def test_every_block_with_its_marginals_and_groups(run, small_model, width):
    labeler = CrfLabeler(small_model)
    verdict = labeler.label(labeler.table([PAGE]))
    expected = grouped(explain(small_model, verdict.table), top=2)
    cleaner = CleanerSpec().cleaner_of(labeler)
    result = cleaner.clean(PAGE)
    said = sentences(labeler, result.in_batch[0], cleaner.scope)
    _, blocks = blocks_of(run("--all", "-", stdin=PAGE).out)
    for number, lines in blocks.items():
        shares = verdict.marginals[number].tolist()
        label = result.blocks[number].label
        assert lines[0] == (
            f"block {number}  {label}  (header {shares[0]:.3f}, text {shares[1]:.3f}, "
            f"other {shares[2]:.3f})"
        )
        shown = " ".join(" ".join(lines).split())
        assert said[number].text in shown
        score = expected[number]
        assert f"{score.log_odds:+.2f} score as {score.label.lower_name}" in shown
        for rank, group in enumerate(expected[number].groups):
            assert any(
                line.split()[0] == f"{group.weight:+.2f}" and group.name in line for line in lines
            )
            for part in group.parts if group.module and rank < 6 else ():
                assert f"{part.weight:+.2f} {part.meaning}" in shown


def test_what_is_written_adds_up(run):
    """All groups; each number is rounded."""
    _, blocks = blocks_of(run("--all", "-", stdin=PAGE).out)
    for lines in blocks.values():
        total, *rows = [float(line.split()[0]) for line in lines if re.match(r" {2,6}[+-]\d", line)]
        assert sum(rows) == pytest.approx(total, abs=0.005 * (len(rows) + 1))


@pytest.mark.parametrize("arguments", [(), ("-l", "dom"), ("-l", "kimatu")])
def test_lines_fit_the_terminal(victor, folder, small_model_file, width, arguments):
    page = sorted(folder.iterdir())[0]
    out = victor("explain", *(arguments or ("-m", small_model_file)), "--all", page).out
    widths = [cells(line) for line in out.splitlines()]
    assert width - 12 < max(widths) <= width


def test_the_least_sure_blocks_or_those_asked_for(run, folder, small_model):
    page = sorted(folder.iterdir())[0]
    other = package.clean(page.read_bytes(), model=small_model).marginals[:, 2]
    head, everything = blocks_of(run("--all", page).out)
    assert [*everything] == [*range(len(other))]
    assert "least certain" not in head
    _, decisions = decisions_of(run(page).out)
    fifth = np.sort(np.abs(other - 0.5))[4]  # three may be there as others decided about them
    assert {*np.flatnonzero(np.abs(other - 0.5) <= fifth).tolist()} <= {*decisions}
    assert [*blocks_of(run("-b", "5", "-b", "2", "-b", "5", page).out)[1]] == [2, 5]


@pytest.mark.parametrize(
    ("words", "numbers"),
    [("1", [1]), ("bees", [0, 1]), ("ON  bees", [0]), ("live in", [1]), ("7", [2])],
)
def test_a_block_is_found_by_number_or_words(run, words, numbers):
    page = PAGE + b"<p>In 1987 there were more."
    assert [*blocks_of(run("-b", words, "-", stdin=page).out)[1]] == numbers


@pytest.mark.parametrize(("n", "is_too_many"), [(20, False), (21, True)])
def test_words_may_name_many_blocks(run, n, is_too_many):
    result = run("-b", "many", "-", stdin=b"<p>How many times?" * n)
    assert (result.status == 2) == is_too_many
    assert ("21 blocks hold 'many': give more words, or a number" in result.err) == is_too_many


def test_the_scope_is_that_of_clean(victor, run):
    page = b"<title>Bees</title><h1>Bees</h1><p>" + b"Bees live in colonies, and ants do. " * 9
    out = victor("explain", "--format", "json", "--scope", "article", "-", stdin=page).out
    assert [record["kept"] for record in records(out)] == [True, True]
    out = victor("explain", "--drop", "p", "-", stdin=page).out
    assert "Dropped by your selectors (--drop)" in " ".join(out.split())


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("labeler", [None, "dom"])
def test_no_page_drives_the_terminal(run, victor, form, labeler):
    arguments = ["explain", "-l", labeler] if labeler else ["explain"]
    out = victor(*arguments, "--format", form, "-", stdin=HOSTILE).out
    assert all(c.isprintable() or c == "\n" for c in out)
    if form == "json":
        assert len(records(out)) == 3
    else:
        assert max(map(cells, out.splitlines())) <= 80


def test_colours_are_for_terminals(run, monkeypatch):
    plain = run("-", stdin=PAGE).out
    assert "\x1b" not in plain
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    coloured = run("-", stdin=PAGE).out
    assert "\x1b[" in coloured
    assert [line.rstrip() for line in unstyle(coloured).splitlines()] == plain.splitlines()
    monkeypatch.setenv("NO_COLOR", "1")
    assert run("-", stdin=PAGE).out == plain


def test_an_encoding_without_blocks_gets_plain_bars(process, small_model_file):
    run = process(
        "explain", "-m", small_model_file, "--all", "-",
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
    )  # fmt: skip
    out, err = run.communicate(PAGE + "<p>Žluťoučký kůň.".encode())
    assert (run.returncode, err) == (0, b"")
    lines = out.decode("ascii").splitlines()
    assert any(re.search(r"#+\|", line) for line in lines)
    assert any("?lu?ou?k" in line for line in lines)


# --- any system, as JSON -------------------------------------------------------------------------


def test_lines_of_json_add_up(run, small_model, small_model_file):
    blocks = records(run("--format", "json", "-k", "1", "-", stdin=PAGE).out)
    result = package.clean(PAGE, model=small_model)
    log_odds = explain(small_model, result.in_batch[0].table).log_odds()
    for record, block in zip(blocks, result.blocks, strict=True):
        assert record["page"] == "-"
        assert record["system"] == f"model {small_model_file}"
        assert record["decision"] == {"method": "expected-f"}
        assert (record["block"], record["text"]) == (block.number, block.text)
        assert (record["label"], record["kept"]) == (block.label, block.kept)
        assert record["probabilities"] == block.marginals
        odds = record["log_odds"]
        assert odds["against"] == "other"
        assert odds["weight"] == pytest.approx(log_odds[block.number], abs=1e-9)
        groups = odds["groups"]
        assert sum(group["weight"] for group in groups) == pytest.approx(odds["weight"], abs=1e-9)
        for group in groups:
            assert len(group["parts"]) <= 1
            parts = sum(part["weight"] for part in group["parts"]) + group["more"]["weight"]
            assert parts == pytest.approx(group["weight"], abs=1e-9)
        assert record["findings"] == []


FIELDS = {
    "page", "system", "decision", "block", "label", "kept", "reason", "sentence", "probabilities",
    "text", "log_odds", "findings",
}  # fmt: skip


@pytest.mark.parametrize("name", LABELERS)
def test_every_labeler_says_what_it_can(victor, folder, name):
    page = sorted(folder.iterdir())[0]
    blocks = records(victor("explain", "-l", name, "--format", "json", page).out)
    result = CleanerSpec(labeler=name).cleaner().clean(page.read_bytes())
    assert [block["label"] for block in blocks] == [block.label for block in result.blocks]
    for block in blocks:
        assert block.keys() == FIELDS
        assert block["log_odds"] is None
        assert block["findings"]
        assert all(finding["meaning"] for finding in block["findings"])
    summary, decisions = decisions_of(victor("explain", "-l", name, page).out)
    assert f"by labeler {name}" in summary
    assert len(decisions) == min(8, len(blocks))
    head, shown = blocks_of(victor("explain", "-l", name, "--all", page).out)
    assert f"by labeler {name}" in " ".join(head.split())
    assert all(len(lines) >= 3 for lines in shown.values())


def test_json_has_all_blocks_or_those_asked_for(run, folder):
    page = sorted(folder.iterdir())[0]
    n = len(package.clean(page.read_bytes()).blocks)
    assert [r["block"] for r in records(run("--format", "json", page).out)] == [*range(n)]
    assert [r["block"] for r in records(run("--format", "json", "-b", "3", page).out)] == [3]


def test_a_labeler_as_it_is_configured(victor, tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text("labeler: link-quota\nquota: 0.25\n")
    out = victor("explain", "-l", "link-quota", "-c", file, "-f", "json", "-", stdin=PAGE).out
    assert {record["findings"][0]["limit"] for record in records(out)} == {0.25}


def test_tables_kept_whole_say_so(victor):
    """What the labeler alone would drop is labelled as `victor clean` labels it."""
    rows = "".join(f"<tr><td>{n}<td>the name of thing {n}<td>{2 * n} words" for n in range(9))
    link = "<tr><td>9<td><a href=/9>the name of thing 9</a><td>18 words"
    page = f"<table><tr><th>Number<th>Name<th>Length{rows}{link}</table>".encode()
    result = CleanerSpec(labeler="link-quota").cleaner().clean(page)
    whole = [block.number for block in result.blocks if block.reason == "whole"]
    assert whole
    _, blocks = blocks_of(victor("explain", "--all", "-l", "link-quota", "-", stdin=page).out)
    assert {*whole} <= {*blocks}
    for number, lines in blocks.items():
        sentence = " ".join(lines[1].split())
        assert sentence.startswith("Kept whole with the table that") == (number in whole)
        assert max(map(cells, lines)) <= 80


def test_a_page_whose_text_only_scripts_hold_is_explained_as_it_is_cleaned(run):
    text = " ".join(f"On day {n} forty volunteers walked out on to the mud." for n in range(30))
    data = json.dumps({"articleBody": text})
    script = f"<script type=application/ld+json>{data}</script>"
    page = f"<title>Mud</title><div id=app>Loading</div>{script}"
    head, blocks = blocks_of(run("--all", "-", stdin=page.encode()).out)
    assert "next to no text; these are the blocks of its json-ld" in " ".join(head.split())
    assert any("forty volunteers" in " ".join(lines) for lines in blocks.values())


def test_the_file_of_a_labeler(victor, tmp_path):
    file = tmp_path / "out.html"
    result = victor("explain", "-l", "dom", "--html", file, "-", stdin=PAGE)
    assert (result.status, result.out, result.err) == (0, "", "")
    assert "Bees live in colonies" in file.read_text(encoding="utf-8")


def test_the_file(run, tmp_path):
    file = tmp_path / "out.html"
    result = run("--html", file, "-", stdin=PAGE)
    assert (result.status, result.out, result.err) == (0, "", "")
    assert "Bees live in colonies" in file.read_text(encoding="utf-8")
    assert [*blocks_of(run("--html", file, "-b", "1", "-", stdin=PAGE).out)[1]] == [1]


# --- models alone --------------------------------------------------------------------------------


def test_the_model(run, small_model, width):
    out = run("-k", "2").out
    head, weights, bias, transitions = out.strip("\n").split("\n\n")
    assert "linear weights of" in " ".join(head.split())
    groups = learnt(small_model, 2)
    shown = " ".join(weights.split())
    for group in groups:
        assert re.search(rf"{group.size:.2f} \S+ {re.escape(group.name)}", shown)
        for row in group.rows:
            header, text = row.numbers
            assert f"{header:+.2f} {text:+.2f} {row.meaning}" in shown
    assert "bias" in bias
    printed = [[*map(float, line.split()[-3:])] for line in transitions.splitlines()[-3 * 8 :]]
    tables = small_model.edges.tables[-8:].reshape(-1, 3)
    assert np.array(printed) == pytest.approx(tables.round(3), abs=1e-3)
    assert max(map(len, out.splitlines())) <= width


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
    tables = np.random.default_rng(0).normal(size=model.edges.tables.shape)
    path = tmp_path_factory.mktemp("trees") / "trees.victor"
    replace(model, edges=replace(model.edges, tables=tables)).save(path)
    return path


def test_a_page_by_trees(victor, tree_file, tmp_path):
    model = Model.load(tree_file)
    explanation = explain(model, CrfLabeler(model).table([PAGE]))
    blocks = records(
        victor("explain", "-m", tree_file, "-k", 99, "-f", "json", "-", stdin=PAGE).out
    )
    names = {f"{name} [{at:+d}]".replace("+0", "0") for name, at in model.potentials.inputs}
    for block, row in zip(blocks, explanation.contributions(), strict=True):
        parts = [part for group in block["log_odds"]["groups"] for part in group["parts"]]
        assert {part["name"] for part in parts} <= {*names, BIAS, BEFORE, AFTER}
        weights = dict(zip(explanation.names, row.tolist(), strict=True))
        assert all(part["weight"] == weights[part["name"]] for part in parts)
    file = tmp_path / "out.html"
    victor("explain", "-m", tree_file, "--html", file, "-", stdin=PAGE)
    assert f'"{BEFORE}"' in file.read_text(encoding="utf-8")


def test_a_model_with_trees(victor, tree_file):
    model = Model.load(tree_file)
    head, shares, edges = (
        victor("explain", "-m", tree_file, "-k", "1").out.strip("\n").split("\n\n")
    )
    groups = learnt(model, 1)
    assert "add up to 1" in " ".join(head.split())
    shown = " ".join(shares.split())
    for group in groups:
        assert f"{group.size:.3f} " in shown
        assert group.name in shown
    rows = edges.splitlines()
    assert "(relation.before [0])" in " ".join(rows[:2])
    printed = [re.split("  +", row.strip()) for row in rows[-3 * len(edge_kinds(model)) :]]
    assert [(*row[:2], *map(float, row[2:])) for row in printed] == [
        (kind, f"from {name}", *values)
        for kind, transitions in edge_kinds(model)
        for name, values in zip(LABEL_NAMES, transitions.round(3).tolist(), strict=True)
    ]


@pytest.mark.parametrize("kind", ["trees", "linear"])
def test_a_model_as_json(victor, tree_file, small_model_file, kind):
    file = tree_file if kind == "trees" else small_model_file
    (record,) = records(victor("explain", "-m", file, "-f", "json", "-k", 999).out)
    model = Model.load(file)
    assert (record["model"], record["potentials"]) == (str(file), kind)
    assert len(record["edges"]) == len(model.edges.values)
    rows = [row for group in record["groups"] for row in group["rows"]]
    if kind == "trees":
        assert sum(group["share"] for group in record["groups"]) == pytest.approx(1)
        assert len(rows) == len(important(model, None))
    else:
        assert len(rows) == len(strongest(model, None))
        assert record["bias"].keys() == {"header", "text"}
    assert all(row["meaning"] for row in rows)


# --- what is wrong with a call -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["explain"], "name a page to explain, or a model"),
        (["explain", "-m", "default", "-b", "1"], "need a page"),
        (["explain", "-b", "1", "--all", "-"], "exclude each other"),
        (["explain", "-b", "99", "-"], "no block 99: the page has 2 blocks"),
        (["explain", "-b", "title", "-"], "--block takes a number, or words of the block"),
        (["explain", "-m", "nowhere", "-"], "no model 'nowhere'"),
        (["explain", "nowhere.html"], "no file or folder"),
        (["explain", "-l", "dom", "-m", "crf", "-"], "leave one out"),
        (["explain", "-l", "dom"], "name a page"),
        (["explain", "-c", "dom", "-"], "name a --labeler with --config"),
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
    assert result.err.splitlines()[-1] == "victor: 1 of 1 page failed: too-many-bytes 1"


def test_a_page_without_text_says_so(run):
    result = run("-", stdin=b"")
    assert (result.status, result.out) == (0, "")
    assert "-: the page has no text" in result.err
