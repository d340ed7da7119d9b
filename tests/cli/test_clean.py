"""`victor clean` and `normalize`: what no session in tests/cases/cli shows."""

import json
import os
import sys
from unittest.mock import Mock

import pytest
from msgspec.structs import replace

from victor.config.schema import Filter

PAGE = b"<html><body><h1>On bees</h1><p>" + b"Bees live in colonies, and so do ants. " * 5


def test_a_file_whose_name_is_not_utf8(victor, tmp_path):
    with open(bytes(tmp_path) + b"/v\xe8ela.html", "wb") as file:
        file.write(PAGE)
    run = victor("clean", "-l", "none", "-f", "records", tmp_path)
    assert json.loads(run.out.splitlines()[0])["url"].endswith("v\ufffdela.html")


def test_output_is_utf8_whatever_the_locale(process, small_model_file):
    page = "<p>Žluťoučký kůň úpěl ďábelské ódy, a to celou noc až do rána.</p>".encode()
    running = process(
        "clean", "-m", small_model_file, "-t", "1", stdin=-1, stdout=-1, stderr=-1,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )  # fmt: skip
    out, err = running.communicate(page)
    assert (running.returncode, err) == (0, b"")
    assert "Žluťoučký kůň" in out.decode()


CZECH_PAGE = f"<p>{'Včely žijí v úlech a v zimě spí, aby na jaře zase mohly létat. ' * 6}".encode()


@pytest.fixture
def filtering(small_model, tmp_path):
    """Path of a model that keeps Czech pages of ten words and more, and their Czech paragraphs."""
    page_filter = Filter(identifier="beesley", languages=("cs",), least_words=10, paragraphs="drop")
    path = tmp_path / "filtering.victor"
    replace(small_model, config=small_model.config.replace(filter=page_filter)).save(path)
    return path


def test_a_page_that_the_filter_drops_gives_its_reason_and_no_text(victor, filtering):
    short, odd = "<p>Krátký text.".encode(), CZECH_PAGE + b"\x01" * 9
    for page, reason in (
        (PAGE, "language"), (short, "too-little-text"), (odd, "invalid-characters")
    ):  # fmt: skip
        run = victor("clean", "-m", filtering, "-t", "1", "-f", "html", stdin=page)
        assert (run.status, run.out, f"{reason} 1" in run.err) == (0, "", True)


def test_two_processes_give_what_one_gives(victor, filtering, folder, tmp_path):
    large, czech = tmp_path / "large.html", tmp_path / "czech.html"
    with large.open("wb") as file:
        file.truncate(20_000_001)
    czech.write_bytes(CZECH_PAGE)
    pages = [large, *sorted(folder.iterdir())[:4], czech, "-"]
    runs = [victor("clean", "-m", filtering, "-f", "records", "-j", jobs, *pages, stdin=CZECH_PAGE)
            for jobs in "12"]  # fmt: skip
    one, two = ((run.status, run.out, run.err) for run in runs)
    assert one == two
    assert "too-many-bytes" in two[2]
    assert "language" in two[2]


def test_what_all_pages_are_holds_in_every_process(victor, expert_model_file, tmp_path):
    page = tmp_path / "page.html"
    page.write_bytes(b"<h1>Bees</h1><nav><a href=/>Home</a></nav><p>Bees live in colonies.")
    for told, jobs in (("article", 1), ("forum", 2)):
        options = "-m", expert_model_file, "--type", told, "-j", jobs, "-f", "json"
        rows = [json.loads(row) for row in victor("clean", *options, *[page] * 5).out.splitlines()]
        assert [row["page_type"] for row in rows] == [told] * 5
        assert {"Home" in row["text"] for row in rows} == {told == "forum"}


def test_an_error_of_ours_costs_its_page_only(victor, monkeypatch):
    text = "victor.page.verdict.verdict.Verdict.plain_text"
    monkeypatch.setattr(text, Mock(side_effect=ValueError("no\nway")))
    monkeypatch.setattr("victor.kitten.normalize.normalize", Mock(side_effect=ZeroDivisionError))
    for command, said in (("clean -l none", "ValueError: no: way"), ("normalize", "ZeroDivision")):
        run = victor(*command.split(), stdin=b"<div>a")
        assert (run.status, said in run.err) == (1, True)


def test_what_is_unusual_is_counted(victor, monkeypatch):
    monkeypatch.setattr("victor.kitten.normalize.is_strict", lambda markup: False)
    run = victor("normalize", stdin=b"<div>a")
    assert (run.status, "not as usual" in run.err) == (0, True)


@pytest.mark.parametrize("command", ["clean", "normalize"])
def test_a_missing_package_is_one_error_of_the_call(victor, folder, monkeypatch, command):
    monkeypatch.setitem(sys.modules, "sentencex", None)
    run = victor(command, "-f", "sentences", folder)
    assert (run.status, run.out, run.err.count("\n")) == (2, "", 1)
    assert "pip install 'victor-crf[crawl]'" in run.err
