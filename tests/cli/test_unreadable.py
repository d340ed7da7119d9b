"""What cannot be read is named, counted and ends with status 1; what is no HTML says what it is."""

import json
import os

import pytest

PAGE = b"<p>Bees live in colonies, and what one of them finds the others soon know, for they dance."
WHY = "Permission denied"


@pytest.fixture
def pages(tmp_path, monkeypatch):
    """A folder with a page, and below it a folder that cannot be listed (not even by root)."""
    pages = tmp_path / "pages"
    (pages / "closed").mkdir(parents=True)
    (pages / "open.html").write_bytes(PAGE)
    (pages / "closed" / "lost.html").write_bytes(PAGE)
    scandir = os.scandir

    def guarded(path="."):
        if str(path) == str(pages / "closed"):
            raise PermissionError(13, WHY, str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", guarded)
    return pages


@pytest.mark.parametrize("command", ["clean", "normalize"])
def test_a_folder_that_cannot_be_listed_is_a_failure(command, victor, pages):
    run = victor(command, pages)
    assert (run.status, "unreadable 1" in run.err) == (1, True)
    assert "Bees live in colonies" in run.out
    assert f"{pages / 'closed'}: cannot be read" in run.err


def test_a_crawl_names_it(victor, pages, tmp_path):
    run = victor("crawl", "-l", "kimatu", pages, "-o", tmp_path / "corpus")
    assert (run.status, "unreadable 1" in run.err) == (1, True)
    (failure,) = map(json.loads, (tmp_path / "corpus" / "failed.jsonl").read_text().splitlines())
    assert str(pages / "closed") in json.dumps(failure)


@pytest.mark.parametrize("command", [("clean",), ("crawl", "-o", "out")])
def test_a_named_folder_that_cannot_be_listed_is_a_wrong_call(command, victor, pages, tmp_path):
    run = victor(*command, pages / "closed")
    assert run.status == 2
    assert f"closed cannot be read: {WHY}" in run.err
