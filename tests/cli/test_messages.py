"""What mistakes of a first afternoon are answered with: one line that tells what to do."""

import pytest

PAGE = "<p>Bees live in colonies, and every colony has one queen.</p>" * 9
FILES = {
    "page.html": PAGE.encode(),
    "picture.html": b"\x89PNG\r\n\x1a\n" + bytes(40),
    "paper.html": b"%PDF-1.7 ...",
    "old.victor": b"not a zip archive",
    "bad.yaml": b"base: crf\nfilter: {least_words: 3\n",
}
MISTAKES = {
    "clean picture.html": "it is a picture (PNG), not HTML; `victor crawl` reads",
    "clean paper.html": "it is a PDF document, not HTML",
    "clean -m old.victor page.html": "old.victor is not a model file that `victor train`",
    "clean -m folder page.html": "folder is not a model file",
    "train folder -o m.victor": "label pages with `victor annotate` and export them",
    "clean -t 20x page.html": "'20x' is no threshold: give a number from 0 to 1, such as 0.2",
    "crawl page.html -c bad.yaml -o out": "bad.yaml: line 3, while parsing a flow mapping",
    "clean page.html -o page.html": "page.html is a file: name a folder, or write one file by >",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("call", MISTAKES)
def test_a_mistake_is_answered_with_what_to_do(call, victor, folder):
    run = victor(*call.split())
    assert run.status in (1, 2)
    assert MISTAKES[call] in " ".join(run.err.split())


def test_what_was_written_is_said(victor, folder):
    run = victor("clean", "page.html", "-o", "texts")
    assert run.err == "victor: wrote 1 page to texts\n"
    assert (folder / "texts" / "page.txt").exists()


def test_json_has_metadata_anyway(victor, folder):
    plain = victor("clean", "-f", "json", "page.html").out
    assert victor("clean", "-f", "json", "--with-metadata", "page.html").out == plain
