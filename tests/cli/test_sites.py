"""`victor sites`, and `victor clean` and `victor crawl` with what it counted."""

import json

import pytest
from click.testing import CliRunner

from victor.cli.crawl import command as crawl_command
from victor.errors import ConfigError

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
def crawl(rows, tmp_path):
    """Function: texts of sites and folder to the part that a crawl of the rows writes."""

    def run(sites, folder, *options):
        out = tmp_path / folder
        arguments = [rows, "-o", out, "-l", "kimatu", "--sites", sites, *options]
        result = CliRunner().invoke(crawl_command, [*map(str, arguments)])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code == 0, result.output
        (part,) = out.glob("data/part-*.jsonl")
        return part

    return run


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


def test_pages_of_a_folder_are_of_one_site(victor, files, tmp_path):
    run = victor("sites", files, "-o", tmp_path / "sites")
    assert run.status == 0
    assert run.err.endswith(f"1 frequent texts of 1 sites, 3 pages: {tmp_path / 'sites'}\n")
    before = victor("clean", "-l", "kimatu", files / "mill.html").out
    run = victor("clean", "-l", "kimatu", "--sites", tmp_path / "sites", files / "mill.html")
    assert before.startswith("We use small files")
    assert "We use small files" not in run.out
    assert STORIES["mill"] in run.out


def test_processes_know_the_texts_too(victor, files, tmp_path):
    victor("sites", files, "-o", tmp_path / "sites")
    options = ("clean", "-l", "kimatu", "--sites", tmp_path / "sites", files, files, "-f", "text")
    assert victor(*options, "-j", "2").out == victor(*options).out


def test_a_crawl_knows_the_site_of_each_page(victor, crawl, rows, tmp_path):
    run = victor("sites", rows, "-o", tmp_path / "sites")
    assert "1 frequent texts of 2 sites, 4 pages" in run.err
    part = crawl(tmp_path / "sites", "out")
    texts = [json.loads(line)["text"] for line in part.read_text().splitlines()]
    assert ["We use small files" in text for text in texts] == [False, False, False, True]
    again = crawl(tmp_path / "sites", "again", "--part-records", 10, "-j", 2)
    assert again.read_bytes() == part.read_bytes()


def test_a_crawl_with_other_texts_is_another_run(victor, crawl, rows, tmp_path):
    victor("sites", rows, "-o", tmp_path / "a")
    victor("sites", rows, "-s", "site.pages=4", "-o", tmp_path / "b")
    crawl(tmp_path / "a", "out")
    with pytest.raises(ConfigError, match="texts of sites: was"):
        crawl(tmp_path / "b", "out")
    crawl(tmp_path / "a", "out")


def test_pages_that_fail_are_counted(victor, files, tmp_path):
    (files / "x.jsonl").write_text("no row\n")
    (files / "big.html").write_text("<p>much text " * 100)
    options = ("-s", "limits.bytes=1000", "-o", tmp_path / "sites")
    run = victor("sites", files, *options)
    assert run.status == 1
    assert "1 frequent texts of 1 sites, 3 pages" in run.err
    assert "2 of 5 pages failed: " in run.err
    assert "too-many-bytes 1" in run.err


@pytest.mark.parametrize("system", [(), ("-l", "bte"), ("-m", "default")])
@pytest.mark.parametrize("command", ["clean", "crawl"])
def test_other_systems_have_no_use_for_texts_of_sites(victor, files, tmp_path, command, system):
    output = () if command == "clean" else ("-o", tmp_path / "out")
    run = victor(command, files, "--sites", tmp_path / "sites", *system, *output)
    assert run.status == 2
    assert run.err == "victor: --sites is of use with --labeler kimatu only\n"


def test_what_is_missing_is_said_before_any_page(victor, files, tmp_path):
    run = victor("clean", "-l", "kimatu", "--sites", tmp_path / "none", files)
    assert (run.status, run.out) == (2, "")
    assert f"no texts of sites at {tmp_path / 'none'}; `victor sites" in run.err
    run = victor("sites", files, "-o", tmp_path / "no" / "sites")
    assert run.status == 2
    assert "make it first" in run.err
