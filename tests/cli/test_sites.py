"""`--sites` of `victor clean` and `victor crawl`."""

import json

import pytest

NOTICE = (
    "<div class=notice>We use small files, as all do, to see who you are, where you come from, "
    "and what you read; by reading on you agree, and if not, please, close this window.</div>"
)
STORIES = {
    "mill": "The mill stood empty for years, and then, one spring, two sisters came and bought it.",
    "river": "The river rose for a week, slowly at first, and took the lower bridge with it.",
    "fair": "The fair came back in June, with lights and horses, and stayed until the rain began.",
}


def page(story):
    return f"{NOTICE}<h1>A {story}</h1><div><p>{STORIES[story]}<p>{STORIES[story][::-1]}</div>"


@pytest.fixture
def rows(tmp_path):
    """JSONL of three pages of one site, and one of another."""
    addresses = [f"http://news.example/{story}" for story in STORIES]
    rows = [
        {"url": url, "html": page(story)} for url, story in zip(addresses, STORIES, strict=True)
    ]
    rows.append({"url": "http://other.example/", "html": page("mill")})
    path = tmp_path / "pages.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def files(tmp_path):
    """A folder of the three pages as files."""
    folder = tmp_path / "files"
    folder.mkdir()
    for story in STORIES:
        (folder / f"{story}.html").write_text(page(story))
    return folder


def test_pages_of_a_folder_are_of_one_site(victor, files):
    before = victor("clean", "-l", "kimatu", files)
    run = victor("clean", "-l", "kimatu", "--sites", files)
    assert before.out.count("We use small files") == 3
    assert "We use small files" not in run.out
    assert all(story in run.out for story in STORIES.values())


def test_a_page_alone_is_cleaned_as_ever(victor, files):
    one = files / "mill.html"
    for system in (("-l", "kimatu"), ("-m", "crf"), ()):
        assert victor("clean", *system, "--sites", one).out == victor("clean", *system, one).out


@pytest.mark.parametrize("system", [("-l", "kimatu"), ()])
def test_any_number_of_processes_gives_the_same_texts(victor, files, system):
    options = ("clean", *system, "--sites", files, "-f", "markdown")
    assert victor(*options, "-j", 2).out == victor(*options).out


def test_standard_input_is_read_once(victor, files, monkeypatch):
    text = page("fair").encode()
    run = victor("clean", "-l", "kimatu", "--sites", files, "-", stdin=text)
    assert "We use small files" not in run.out


def test_pages_that_fail_are_named_once(victor, files):
    (files / "none.html").write_bytes(b"%PDF-1.4")
    run = victor("clean", "-l", "kimatu", "--sites", files)
    assert run.status == 1
    assert run.err.count("none.html") == 1
    assert "We use small files" not in run.out


@pytest.mark.parametrize("command", ["clean", "crawl"])
def test_other_systems_judge_pages_alone(victor, files, tmp_path, command):
    output = () if command == "clean" else ("-o", tmp_path / "out")
    run = victor(command, files, "--sites", "-l", "bte", *output)
    assert run.status == 2
    assert run.err.startswith("victor: bte judges every page alone; leave --sites out")
    assert not (tmp_path / "out").exists()


def test_a_crawl_knows_the_site_of_each_page(victor, rows, tmp_path):
    run = victor("crawl", rows, "-o", tmp_path / "out", "-l", "kimatu", "--sites")
    assert run.status == 0
    assert "3 pages of 1 site judge each other" in run.err
    (part,) = tmp_path.glob("out/data/part-*.jsonl")
    texts = [json.loads(line)["text"] for line in part.read_text().splitlines()]
    assert ["We use small files" in text for text in texts] == [False, False, False, True]


def test_a_crawl_in_two_passes_is_another_run(victor, rows, tmp_path):
    out = tmp_path / "out"
    assert victor("crawl", rows, "-o", out, "-l", "kimatu").status == 0
    run = victor("crawl", rows, "-o", out, "-l", "kimatu", "--sites")
    assert run.status == 2
    assert "sites: was null, is true" in run.err


def test_a_crawl_cannot_read_standard_input_twice(victor, tmp_path):
    run = victor("crawl", "-", "--kind", "jsonl", "-o", tmp_path / "out", "--sites", stdin=b"")
    assert run.status == 2
    assert "save standard input to a file first" in run.err


def test_viterbi_knows_no_sites(victor, files):
    run = victor("clean", "-m", "crf", "--decide", "viterbi", "--sites", files)
    assert run.status == 2
    assert "viterbi knows no sites" in run.err
