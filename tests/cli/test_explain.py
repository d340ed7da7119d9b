"""`victor explain`, `compare` and `demo`: pages and models, for people and as JSON."""

import json
from pathlib import Path

import numpy as np
import pytest
from click import unstyle
from msgspec.json import encode
from msgspec.structs import replace

import victor as package
from victor.explain.contributions import explain
from victor.explain.groups import grouped
from victor.model.trees import Gate

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


def records(out):
    return [json.loads(line) for line in out.splitlines()]


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
