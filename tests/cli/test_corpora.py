"""`victor align`, `train`, `evaluate` and `models`: from annotated pages to scores and back."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from victor import load_model, model_names
from victor.corpus.pages import read_corpus, write_corpus
from victor.errors import ConfigError
from victor.labelers.load import model_file

ANNOTATIONS = Path(__file__).parents[2] / "annotations"


@pytest.fixture
def corpus(annotated, tmp_path):
    """An annotated corpus of some of our pages, every one with a gold text."""
    folder = tmp_path / "corpus"
    golds = {page.id: f"The gold text of {page.id}." for page in annotated}
    write_corpus(folder, (replace(page, gold=golds[page.id]) for page in annotated[:16]))
    return folder


@pytest.fixture
def plain(tmp_path):
    """Gold texts and pages; the page of one gold text is missing."""
    folder = tmp_path / "plain"
    (folder / "html").mkdir(parents=True)
    rows = []
    for number in range(6):
        text = f"Bees of hive {number} fly out early. " * 3
        page = f"<body><ul><li><a href=/>Home</a></ul><h1>Hive {number}</h1><p>{text}</p></body>"
        if number:
            (folder / "html" / f"p{number}.html").write_text(page)
        rows.append({"id": f"p{number}", "text": f"Hive {number}\n{text}", "type": "article"})
    (folder / "gold.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


# --- align ---------------------------------------------------------------------------------------


def test_align_leaves_named_elements_unlabelled(victor, plain, tmp_path):
    for page in (plain / "html").iterdir():
        page.write_text(page.read_text() + "<div class=commentList><p>Reply to this.</div>")
    victor("align", plain, "-o", tmp_path / "out", "--dont-care-in", "comment")
    pages = list(read_corpus(tmp_path / "out"))
    assert [page.labels.tolist() for page in pages] == [[2, 0, 1, 255]] * 5
    run = victor("align", plain, "-o", tmp_path / "other", "--dont-care-in", "12")
    assert run.status == 2
    assert "--dont-care-in: '12' has no letter" in run.err


def test_align_by_the_policy_says_what_it_changed(victor, plain, tmp_path):
    rows = [json.loads(line) for line in (plain / "gold.jsonl").read_text().splitlines()]
    rows = [{**row, "text": row["text"].partition("\n")[2]} for row in rows]
    (plain / "gold.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    run = victor("align", plain, "-o", tmp_path / "out", "--policy")
    assert "policy: blocks changed by rule: headline 5" in run.err
    pages = list(read_corpus(tmp_path / "out"))
    assert [page.labels.tolist() for page in pages] == [[2, 255, 1]] * 5
    run = victor("align", plain, "-o", tmp_path / "other", "-f", "corpus", "--policy")
    assert run.status == 2
    assert "--policy is for --format" in run.err
    run = victor("align", plain, "-o", tmp_path / "other", "--except", "entry")
    assert run.status == 2
    assert "give --policy, too" in run.err


def test_align_gives_the_same_in_two_processes(victor, plain, tmp_path):
    one = victor("align", plain, "-o", tmp_path / "one")
    two = victor("align", plain, "-o", tmp_path / "two", "-j", "2")
    assert one.out == two.out
    index = [(tmp_path / name / "pages.jsonl").read_bytes() for name in ("one", "two")]
    assert index[0] == index[1]


def test_align_reads_pages_with_labels(victor, tmp_path, annotated):
    for source, output in ((ANNOTATIONS, "marked"), (tmp_path / "marked", "again")):
        assert victor("align", source, "-f", "corpus", "-o", tmp_path / output).status == 0
        pages = [page.id for page in read_corpus(tmp_path / output)]
        assert pages == [page.id for page in annotated]


def test_check_reports_labels_whose_text_has_moved(victor, corpus):
    assert victor("align", corpus, "--check").status == 0
    first, second = sorted((corpus / "html").iterdir())[:2]
    first.write_bytes(re.sub(rb"(<body[^>]*>)", rb"\1<p>a new paragraph</p>", first.read_bytes()))
    second.write_bytes(b"<p>quite another page")
    run = victor("align", corpus, "--check")
    assert run.status == 1
    assert run.err == "2 of 16 pages have drifted\n"
    moved, lost = run.out.splitlines()
    assert re.match(
        rf"{first.stem}: \d+ labels, \d+ segments now, \d+ carried over, 1 without", moved
    )
    assert lost.endswith("1 segments now, 0 carried over, 1 without a label")


# --- train and models ----------------------------------------------------------------------------


def test_train_writes_the_model_that_the_card_describes(victor, corpus, tmp_path):
    path = tmp_path / "my.victor"
    run = victor(
        "train",
        corpus,
        "-o",
        path,
        "-c",
        "crf",
        "-s",
        "crf.max_iterations=3",
        "--about",
        "A\ttest.",
    )
    assert (run.status, run.out) == (0, "")
    assert run.err.startswith("trained on 16 pages of ")
    model = load_model(path)
    assert model.config.crf.max_iterations == 3
    card = json.loads(victor("models", path).out)
    assert card == model.card
    assert card["training"]["pages"] == 16
    assert card["training"]["licences"] == ["CC0-1.0"]
    assert card["training"]["corpora"] == {corpus.name: 16}
    assert card["about"] == "A test."


def test_scores_by_cross_validation_go_on_the_card(victor, corpus, tmp_path):
    path = tmp_path / "my.victor"
    fast = ["-c", "crf", "-s", "crf.max_iterations=3"]
    assert victor("train", corpus, "-o", path, "-k", "2", *fast).status == 0
    scores = json.loads(victor("models", path).out)["scores"]
    assert scores["folds by site"] == 2
    printed = victor("evaluate", corpus, "-k", "2", "-t", "0.5", *fast).out
    block_f = next(line for line in printed.split("blocks\n")[1].splitlines() if "all" in line)
    assert scores["threshold 0.5"]["block F"] == float(block_f.split()[6])
    assert 0 < scores["expected-f"]["block F"] < 1
    assert victor("train", corpus, "-o", path, "-k", "99", *fast).status == 2


def test_a_printed_configuration_trains_the_same_model(victor, corpus, tmp_path):
    first, second, config = (tmp_path / name for name in ("1.victor", "2.victor", "config.yaml"))
    victor(
        "train", corpus, "-o", first, "-c", "crf", "-s", "crf.max_iterations=3", "-s", "split=tag"
    )
    config.write_text(victor("models", first, "--config").out)
    victor("train", corpus, "-o", second, "-c", config)
    assert first.read_bytes() == second.read_bytes()


def test_every_shipped_model_says_what_it_is_for_and_what_it_learnt_from():
    assert set(model_names()) >= {"crf", "czech", "default"}
    for name in model_names():
        card = load_model(name).card
        assert card["about"]
        assert sum(card["training"]["corpora"].values()) == card["training"]["pages"]
        assert "not stated" not in card["training"]["licences"]
    assert sum(model_file(name).stat().st_size for name in model_names()) < 4_000_000


# --- evaluate ------------------------------------------------------------------------------------


def titles(run):
    """System, protocol and decision of every table."""
    return re.findall(r"== (.*)", run.out)


def test_evaluate_a_model(victor, corpus, small_model_file):
    run = victor("evaluate", corpus, "-m", small_model_file)
    assert run.status == 0
    assert titles(run) == ["small (as it is; expected-f)"]
    for part in ("words\n", "blocks\n", "gold \\ label", "by other decisions", "threshold 0.5"):
        assert part in run.out
    only = victor("evaluate", corpus, "-m", small_model_file, "-t", "0.3")
    assert titles(only) == ["small (as it is; threshold 0.3)"]
    assert "other decisions" not in only.out


def test_no_scores_of_words_without_gold_texts(victor, small_model_file):
    run = victor("evaluate", ANNOTATIONS, "-m", small_model_file, "--decide", "expected-f")
    assert "no page has a gold text: only blocks are scored" in run.err
    assert "words\n" not in run.out
    assert titles(run) == ["small (as it is; expected-f)"]


def test_held_out_sites_are_scored_alone(victor, corpus):
    run = victor("evaluate", corpus, "--holdout", "0.3", "-c", "crf", "-s", "crf.max_iterations=2")
    trained, held = map(int, re.findall(r"on (\d+) pages of other sites, (\d+) held", run.out)[0])
    assert (trained + held, held > 0) == (16, True)
    pages = next(line for line in run.out.splitlines() if line.startswith("all "))
    assert int(pages.split()[1]) == held


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
    run = victor(
        "evaluate", corpus, "-k", "2", "-c", "crf", "-s", "crf.max_iterations=2", "-s", setting
    )
    assert titles(run) == ["crf (2 folds by site; threshold 0.3)"]
    assert "viterbi" in run.err


def test_configurations_of_labelers_are_scored_as_they_are(victor, corpus, tmp_path):
    (tmp_path / "mine.yaml").write_text("labeler: kimatu\nbase: kimatu\n")
    run = victor("evaluate", corpus, "-c", "density-paper", "-c", tmp_path / "mine.yaml")
    assert titles(run)[:2] == [
        "density-paper (as it is; threshold 0.5)", "mine (as it is; threshold 0.5)",
    ]  # fmt: skip
    comparison = run.out[run.out.index("== mine (as it is; threshold 0.5) against") :]
    assert re.search(r"^f1 +[+-]\d\.\d{4} +[+-]\S+ … [+-]", comparison, re.MULTILINE)


def test_what_a_labeler_learnt_cleans(victor, corpus, tmp_path):
    path = tmp_path / "learnt.yaml"
    run = victor("train", corpus, "-l", "density", "-o", path)
    assert run.status == 0, run.err
    assert f"--labeler density --config {path}" in run.err
    page = sorted((corpus / "html").iterdir())[0]
    cleaned = victor("clean", "-l", "density", "-c", path, page)
    assert cleaned.status == 0
    assert cleaned.out.strip()
