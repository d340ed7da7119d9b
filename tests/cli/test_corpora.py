"""`victor align`, `corpus` and `evaluate`: what no session in tests/cases/cli shows."""

import hashlib
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from victor.corpus.pages import read_corpus, write_corpus
from victor.errors import ConfigError

ANNOTATIONS = Path(__file__).parents[2] / "annotations"
FAST = ("-c", "crf", "-s", "crf.max_iterations=2")


@pytest.fixture
def corpus(annotated, tmp_path):
    """An annotated corpus of some of our pages, every second one with a gold text."""
    golds = [f"The gold text of {page.id}." if n % 2 else "" for n, page in enumerate(annotated)]
    pages = zip(annotated[:8], golds, strict=False)
    write_corpus(tmp_path / "corpus", (replace(page, gold=gold) for page, gold in pages))
    return tmp_path / "corpus"


@pytest.fixture
def plain(tmp_path):
    """Gold texts and pages."""
    folder, rows = tmp_path / "plain", []
    (folder / "html").mkdir(parents=True)
    for number in range(5):
        text = f"Bees of hive {number} fly out early. " * 3
        page = f"<body><ul><li><a href=/>Home</a></ul><h1>Hive {number}</h1><p>{text}</p></body>"
        (folder / "html" / f"p{number}.html").write_text(page)
        rows.append({"id": f"p{number}", "text": text, "type": "article"})
    (folder / "gold.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


@pytest.mark.parametrize("jobs", [1, 2])
def test_align_by_the_policy_says_what_it_changed(victor, plain, tmp_path, jobs):
    run = victor("align", plain, "-o", tmp_path / "out", "--policy", "-j", jobs)
    assert "headline 5" in run.err
    pages = list(read_corpus(tmp_path / "out"))
    assert [page.labels.tolist() for page in pages] == [[2, 255, 1]] * 5


def test_check_reports_labels_whose_text_has_moved(victor, corpus):
    first, second = sorted((corpus / "html").iterdir())[:2]
    first.write_bytes(re.sub(rb"(<body[^>]*>)", rb"\1<p>a new paragraph</p>", first.read_bytes()))
    second.write_bytes(b"<p>quite another page")
    run = victor("align", corpus, "--check")
    assert (run.status, run.err) == (1, "2 of 8 pages have drifted\n")
    moved, lost = run.out.splitlines()
    assert moved.startswith(f"{first.stem}: ")
    assert lost.endswith("1 segments now, 0 carried over, 1 without a label")


def test_labels_of_a_corpus_build_it_again(victor, tmp_path):
    page, corpus = b"<h1>On bees</h1><p>Bees live in colonies.</p>", tmp_path / "bees"
    for folder in ("html", "blocks"):
        (corpus / folder).mkdir(parents=True)
    (corpus / "html/a.html").write_bytes(page)
    blocks = [{"label": "ambiguous", "kind": "headline", "text": "On bees"},
              {"label": "text", "kind": "text", "text": "Bees live in colonies."}]  # fmt: skip
    (corpus / "blocks/a.blocks.jsonl").write_text("\n".join(map(json.dumps, blocks)))
    (corpus / "gold.jsonl").write_text(json.dumps({"id": "a", "text": blocks[1]["text"]}))
    origin = {"corpus": "bees", "id": "a", "sha256": hashlib.sha256(page).hexdigest(),
              "repository": "https://code.example/bees/pages", "commit": "c0ffee",
              "path": "a.html"}  # fmt: skip
    (tmp_path / "sources.jsonl").write_text(json.dumps(origin))
    labels = tmp_path / "bees.jsonl"
    run = victor("corpus", "export", corpus, "--sources", tmp_path / "sources.jsonl", "-o", labels)
    assert (run.status, json.loads(labels.read_text())["kinds"]) == (0, "H1t1")
    assert victor("corpus", "build", labels, "--from", corpus, "-o", tmp_path / "1").status == 0
    assert victor("align", tmp_path / "1", "-o", tmp_path / "aligned").status == 0
    (corpus / "html/a.html").write_bytes(page + b" ")
    for folder, said in ((corpus, "html/a.html is not the file"), (tmp_path, "missing: a: ")):
        run = victor(
            "corpus", "build", labels, "--from", folder, "-o", tmp_path / folder.name / "o"
        )
        assert (run.status, said in run.err) == (1, True)


# --- evaluate -------------------------------------------------------------------------------------


def titles(run):
    """System, protocol and decision of every table."""
    return re.findall(r"== (.*)", run.out)


def test_the_decision_and_the_pages_of_a_score(victor, corpus, small_model_file):
    call = "evaluate", corpus, "-m", small_model_file
    every, content = victor(*call), victor(*call, "-t", "0.3", "--with-content")
    assert titles(every) == ["small (as it is; expected-f)"]
    assert titles(content) == ["small (as it is; threshold 0.3)"]
    counts = [re.findall(r"^all +(\d+)", run.out, re.MULTILINE) for run in (every, content)]
    assert [count[0] for count in counts] == ["8", "4"]  # pages of words
    assert int(counts[1][1]) < int(counts[0][1])  # blocks


def test_no_scores_of_words_without_gold_texts(victor, small_model_file):
    run = victor("evaluate", ANNOTATIONS, "-m", small_model_file, "--with-content")
    assert "no page has a gold text" in run.err
    assert "words\n" not in run.out


@pytest.mark.parametrize("command", ["evaluate", "sweep"])
def test_marginals_are_saved_where_nobody_reads_on(
    victor, corpus, small_model_file, tmp_path, monkeypatch, command
):
    def closed(message, *, err=False):
        if not err:
            raise ConfigError("nobody reads on")

    monkeypatch.setattr("click.echo", closed)
    victor(command, corpus, "-m", small_model_file, "--save", tmp_path / "out")
    assert len([*(tmp_path / "out").iterdir()]) == 1


def test_a_configured_best_path_is_scored_by_its_threshold(victor, corpus):
    setting = "decide={method: viterbi, threshold: 0.3}"
    run = victor("evaluate", corpus, "-k", "2", *FAST, "-s", setting)
    assert titles(run) == ["crf (2 folds by site; threshold 0.3)"]
    assert "viterbi" in run.err


def test_systems_without_a_model_stand_beside_one_that_learns_in_folds(victor, corpus, tmp_path):
    (tmp_path / "mine.yaml").write_text("labeler: kimatu\nbase: kimatu\n")
    mine = tmp_path / "mine.yaml"
    run = victor("evaluate", corpus, "-c", "density-paper", "-c", mine, "-L", "density", "-k", "2")
    assert [title.partition(" (")[0] for title in titles(run)[:3]] == [
        "density-paper", "mine", "density-trained",
    ]  # fmt: skip
    comparison = run.out[run.out.index("== mine (as it is; threshold 0.5) against") :]
    for measure in ("words", "blocks"):
        of_measure = comparison[comparison.index(f"{measure}\n") :]
        assert re.search(r"^f1 +[+-]\d\.\d{4} +[+-]\S+ … [+-]", of_measure, re.MULTILINE)


# --- ablate ---------------------------------------------------------------------------------------


def test_groups_are_dropped_in_turn_or_those_asked_for(victor, corpus):
    """A configuration of three modules, one of which no entry of the template reads."""
    call = ("ablate", corpus, *FAST, "-k", 2, "-n", 6, "-s", "discretize=null",
            "-s", "features=[words, characters, document]",
            "-s", "template=[{column: word.count}, {column: char.alpha-rel}]")  # fmt: skip
    run = victor(*call)
    rows = {line.split()[0]: line.split() for line in run.out.splitlines()[2:]}
    assert (run.status, {*rows}) == (0, {"words", "characters", "document"})
    assert (rows["document"][2], rows["document"][-1]) == ("0", "+0.0000")
    assert len({len(line) for line in run.out.splitlines()}) == 1
    asked = victor(*call, "-g", "words", "-g", "document").out.splitlines()
    assert {line.split()[0] for line in asked[2:]} == {"words", "document"}
