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
