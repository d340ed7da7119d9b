"""`victor explain`, `compare` and `demo`: pages and models, for people and as JSON."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from click import unstyle
from msgspec import to_builtins
from msgspec.json import encode
from msgspec.structs import replace

import victor as package
from victor.api import CleanerSpec
from victor.config.layers import load
from victor.explain.compare import compare
from victor.explain.contributions import explain
from victor.explain.groups import grouped
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


def trained(annotated, folder, *settings):
    """File of a model of few features of our pages."""
    extractor = FeatureExtractor(load("crf", ["discretize=null", *settings]))
    train(analyze(annotated[:8], extractor), extractor).save(folder / "few.victor")
    return folder / "few.victor"


@pytest.fixture(scope="module")
def tag_file(annotated, tmp_path_factory):
    """A model that cuts at every tag."""
    settings = ["split=tag", "crf.max_iterations=5", "template=[{column: word.count}]"]
    return trained(annotated, tmp_path_factory.mktemp("tags"), *settings)


@pytest.fixture(scope="module")
def tree_file(annotated, tmp_path_factory):
    """A model with potentials of trees and edges by kind."""
    settings = ["template=[{column: '{word.count,inside.nav}', offset: '{-1..1}'}]",
                "features=[words, {ancestors: {names: [nav]}}, relations]",
                "crf.edges=relation.before", "trees.count=5", "trees.depth=3"]  # fmt: skip
    return trained(annotated, tmp_path_factory.mktemp("trees"), *settings)


def blocks_of(out):
    """The head of the output, and number to the lines of every block."""
    head, *blocks = out.strip("\n").split("\n\n")
    return " ".join(head.split()), {int(lines.split()[1]): lines.splitlines() for lines in blocks}


def records(out):
    return [json.loads(line) for line in out.splitlines()]


# --- explain --------------------------------------------------------------------------------------


def test_the_summary_of_a_page(run, folder, small_model):
    page = sorted(folder.iterdir())[0]
    summary, rows = run(page).out.strip("\n").split("\n\n")
    lines = re.sub(r"\n {10,}", " ", rows).splitlines()
    result = package.clean(page.read_bytes(), model=small_model)
    kept = sum(block.kept for block in result.blocks)
    assert f"Kept {kept} of {len(result.blocks)} blocks (" in " ".join(summary.split())
    assert len(lines) == 8
    other = result.marginals[:, 2]
    fifth = np.sort(np.abs(other - 0.5))[4]  # three may be there as others decided about them
    shown = {int(line.split()[0]): line for line in lines}
    assert {*np.flatnonzero(np.abs(other - 0.5) <= fifth).tolist()} <= {*shown}
    for number, line in shown.items():
        assert ("Kept" if result.blocks[number].kept else "Dropped") in line


def test_every_block_with_sentence_and_groups_that_add_up(run, small_model):
    _, blocks = blocks_of(run("--all", "-", stdin=PAGE).out)
    cleaner = CleanerSpec(small_model).cleaner()
    result = cleaner.clean(PAGE)
    said = sentences(cleaner.labeler, result.in_batch[0], cleaner.scope)
    assert len(blocks) == len(result.blocks)
    for block in result.blocks:
        lines = blocks[block.number]
        assert lines[0].startswith(f"block {block.number}  {block.label}")
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


def test_words_of_too_many_blocks(run):
    many = run("-b", "bees", "-", stdin=b"<p>bees" * 21)
    assert (many.status, "21 blocks" in many.err) == (2, True)
    assert "no text" in run("-", stdin=b"<p>").err


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("labeler", [[], ["-l", "dom"]])
def test_no_page_drives_the_terminal(victor, form, labeler):
    out = victor("explain", *labeler, "--format", form, "-", stdin=HOSTILE).out
    assert all(c.isprintable() or c == "\n" for c in out)
    assert len(records(out)) == 3 if form == "json" else max(map(len, out.splitlines())) <= 80


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
    script = f"<script type=application/ld+json>{json.dumps({'articleBody': text})}</script>"
    page = f"<title>Mud</title><div id=app>Loading</div>{script}"
    head, blocks = blocks_of(run("--all", "-", stdin=page.encode()).out)
    assert "json-ld" in head
    assert any("forty volunteers" in " ".join(lines) for lines in blocks.values())


def test_lines_of_json_hold_all_that_people_see(run, small_model):
    result = package.clean(PAGE, model=small_model)
    groups = grouped(explain(small_model, result.in_batch[0].table), top=1)
    told = records(run("--format", "json", "-k", "1", "-", stdin=PAGE).out)
    for record, block, its in zip(told, result.blocks, groups, strict=True):
        assert (record["block"], record["text"]) == (block.number, block.text)
        assert (record["label"], record["kept"]) == (block.label, block.kept)
        assert record["probabilities"] == block.marginals
        assert record["grouped"] == json.loads(encode(its))


def test_the_experts_of_a_page_and_of_a_model(victor, expert_model, tmp_path):
    """The gate gives the second expert two thirds of every page."""
    trees, file = expert_model.potentials, tmp_path / "leaning.victor"
    weights = trees.gate.weights.copy()
    weights[-1] = np.log([1, 2])
    leaning = replace(trees, gate=Gate(trees.gate.experts, weights))
    replace(expert_model, potentials=leaning).save(file)
    call = "explain", "-m", file
    assert "experts: forum 0.67, article 0.33\n" in victor(*call, "-", stdin=PAGE).out
    for record in records(victor(*call, "-f", "json", "-", stdin=PAGE).out):
        assert record["experts"] == pytest.approx({"forum": 2 / 3, "article": 1 / 3})
    assert "article, forum\n" in victor(*call).out
    (record,) = records(victor(*call, "-f", "json").out)
    known = json.loads(victor("models", file).out)["experts"]
    assert record["experts"] == known == ["article", "forum"]


@pytest.mark.parametrize("kind", ["trees", "linear"])
def test_a_model(victor, tree_file, small_model_file, kind):
    file = tree_file if kind == "trees" else small_model_file
    summary = learnt(package.load_model(file), 2)
    out = victor("explain", "-m", file, "-k", "2").out
    _, modules, edges = out.strip("\n").split("\n\n")
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


# --- compare --------------------------------------------------------------------------------------


def test_differences_of_two_models(victor, folder, small_model_file, tag_file, tmp_path):
    models, pages = (small_model_file, tag_file), sorted(folder.iterdir())[:2]
    (tmp_path / "bad.html").write_bytes(b"%PDF-1.4")
    cleaned = [[package.clean(p.read_bytes(), model=m) for m in models] for p in pages]
    found = [each for pair in cleaned for each in compare(*pair)]
    run = victor("compare", *models, *pages, tmp_path / "bad.html")
    assert (run.status, "not-html 1" in run.err) == (1, True)
    lines = run.out.splitlines()
    assert max(map(len, lines)) <= 80
    rows = [line.split() for line in lines if re.match(r" *\d[\d-]*  \w+ +\d\.\d", line)]
    for (_, a, p, b, q, *text), difference in zip(rows, found, strict=True):
        assert (a, b) == difference.kind
        assert float(p) == pytest.approx(1 - difference.first.probabilities["other"], abs=1e-3)
        assert float(q) == pytest.approx(1 - difference.second.probabilities["other"], abs=1e-3)
        assert " ".join(text)[:20] == difference.text[:20]
    assert lines[-1] == f"{len(found)} blocks differ on 2 pages"
    *told, counts = records(victor("compare", "-f", "json", *models, *pages).out)
    assert [(each["text"], each["A"], each["B"]) for each in told] == [
        (each.text, *json.loads(json.dumps(to_builtins([each.first, each.second]))))
        for each in found
    ]
    assert (counts["pages"], counts["differences"]) == (2, len(found))
    assert sum(kind["words"] for kind in counts["kinds"]) == sum(
        len(each.text.split()) for each in found
    )


# --- demo -----------------------------------------------------------------------------------------


def test_a_demo_is_written_and_opened_if_somebody_wants_it(victor, tmp_path, monkeypatch):
    browsed, page, file = [], tmp_path / "bees.html", tmp_path / "shown.html"
    monkeypatch.setattr("webbrowser.open", browsed.append)
    page.write_bytes(PAGE * 9)
    assert victor("demo", page, "-o", file).out == f"wrote {file}\n"
    assert file.read_text("utf-8") == package.clean(PAGE * 9, url=str(page)).demo()
    assert browsed == [file.as_uri()]
    made = Path(victor("demo", "-", "--no-open", stdin=PAGE).out.removeprefix("wrote ").strip())
    assert made.name == "stdin.demo.html"
    assert victor("demo", "-", "-o", tmp_path / "x.html", stdin=b"%PDF-1.4 x").status == 1
    assert (len(browsed), (tmp_path / "x.html").exists()) == (1, False)
