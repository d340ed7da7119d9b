"""`--type`: what all pages are, for the commands that clean with a model."""

import json

import pytest

PAGE = b"<h1>Bees</h1><nav><a href=/>Home</a></nav><p>Bees live in colonies of one queen."


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "page.html"
    path.write_bytes(PAGE)
    return path


def test_clean(victor, expert_model_file, page):
    rows = {
        told: json.loads(
            victor("clean", "-f", "json", "-m", expert_model_file, "--type", told, page).out
        )
        for told in ("article", "forum")
    }
    assert {told: row["page_type"] for told, row in rows.items()} == {
        "article": "article", "forum": "forum",
    }  # fmt: skip
    assert "Home" not in rows["article"]["text"]
    assert "Home" in rows["forum"]["text"]


def test_clean_in_several_processes(victor, expert_model_file, page):
    options = "-m", expert_model_file, "--type", "forum", "-j", 2, "-f", "json"
    run = victor("clean", *options, *[page] * 5)
    assert [json.loads(line)["page_type"] for line in run.out.splitlines()] == ["forum"] * 5


def test_crawl(victor, expert_model_file, page, tmp_path):
    out = tmp_path / "out"
    options = "-m", expert_model_file, "-o", out
    assert victor("crawl", page, "--type", "forum", *options).status == 0
    (part,) = out.glob("data/part-*.jsonl")
    assert json.loads(part.read_text())["page_type"] == "forum"
    again = victor("crawl", page, *options)
    assert again.status != 0, "it would mix what two experts decided"


@pytest.mark.parametrize("command", ["clean", "explain", "crawl"])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--type", "forums"), "did you mean forum?"),
        (("--type", "forum", "-l", "kimatu"), "leave the type out"),
        (("--type", "forum", "-m", "crf"), "the model has no experts for types of pages"),
    ],
)
def test_what_nothing_knows(victor, page, tmp_path, command, options, message):
    out = ("-o", tmp_path / "out") if command == "crawl" else ()
    run = victor(command, page, *options, *out)
    assert run.status == 2
    assert message in " ".join(run.err.split())
    assert not (tmp_path / "out").exists()


def test_a_type_is_of_pages(victor, expert_model_file):
    run = victor("explain", "-m", expert_model_file, "--type", "forum")
    assert run.status == 2
    assert "--type needs a page" in run.err
