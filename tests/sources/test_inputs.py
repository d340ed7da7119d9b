"""What the names of inputs stand for."""

import io
import os
import sys
from types import SimpleNamespace

import fsspec
import pytest
from sources.containers import zipped

from tests.rows import tables
from victor.errors import ConfigError
from victor.sources.inputs import PAGES, Input, ReadOptions, expand, kind_of
from victor.sources.reading import read
from victor.sources.record import Damage, Record

ROWS = tables(__file__)
FILES = {
    "b.html": "html", "a/x.HTM": "html", "a/c.warc.gz": "warc", "d.jsonl.zst": "jsonl",
    "e.tar.gz": "tar", "f.zip": "zip", "g.parquet": "parquet", "h.tgz": "tar", "i.ndjson": "jsonl",
    "j.warc.zst": "warc",
}  # fmt: skip


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name in (*FILES, "style.css", "notes.txt"):
        path = tmp_path / "crawl" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"<p>" + name.encode())
    monkeypatch.chdir(tmp_path)
    return "crawl"


def names(found):
    return [one.name for one in found]


def test_a_folder_stands_for_what_can_be_read_in_it(folder):
    found = expand([folder])
    assert names(found) == sorted(f"crawl/{name}" for name in FILES)
    assert {one.name.removeprefix("crawl/"): one.kind for one in found} == FILES


def test_patterns_lists_and_repetitions(folder, tmp_path):
    (tmp_path / "list.txt").write_text(
        "# ours\n\n crawl/*.html \ncrawl/g.parquet\ncrawl/b.html\n-\n", encoding="utf-8"
    )
    found = expand(["crawl/f.zip", "@list.txt", "crawl/**/*.gz", "crawl/f.zip"])
    wanted = ["crawl/f.zip", "crawl/b.html", "crawl/g.parquet", "-"]
    assert names(found) == [*wanted, "crawl/a/c.warc.gz", "crawl/e.tar.gz"]
    assert found[3] == Input("-", "stdin")


def test_a_file_of_any_name_can_be_named(folder):
    assert expand(["crawl/notes.txt"]) == [Input("crawl/notes.txt", "unknown")]


@pytest.mark.parametrize(
    "name",
    ["", "none.html", "crawl/*.none", "@none.txt", "@", "crawl/empty", "none://a/b", "memory://no"],
)
def test_what_is_not_there_is_a_configuration_error(folder, tmp_path, name):
    (tmp_path / "crawl" / "empty").mkdir()
    with pytest.raises(ConfigError):
        expand([name])


@pytest.fixture
def memory():
    files = fsspec.filesystem("memory")
    files.pipe({"/crawl/b.html": b"<p>b", "/crawl/in/a.html": b"<p>a", "/crawl/c.css": b""})
    yield
    files.rm("/crawl", recursive=True)


@pytest.mark.usefixtures("memory")
def test_urls_of_fsspec():
    tree = ["memory:///crawl/b.html", "memory:///crawl/in/a.html"]
    assert names(expand(["memory://crawl"])) == tree
    assert names(expand(["memory://crawl/*.html"])) == tree[:1]
    (one,) = expand(["memory://crawl/in/a.html"])
    assert [page.body for page in read(one, ReadOptions())] == [b"<p>a"]
    assert next(read(one, ReadOptions(max_bytes=2))).body == b"<p>"


def test_the_url_of_a_file_may_look_like_a_pattern(tmp_path):
    (tmp_path / "a[1].html").write_text("<p>")
    (tmp_path / "a1.txt").write_text("<p>")
    for name, n in (("a[1].html", 1), ("a[1].txt", 1)):
        assert len(expand([f"file://{tmp_path}/{name}"])) == n
    with pytest.raises(ConfigError):
        expand([f"file://{tmp_path}/b.html"])


def test_urls_of_the_web_are_pages_unless_they_name_an_archive():
    """Nothing is looked up before it is read."""
    urls = ["http://none.example/", "HTTPS://none.example/a.html", "http://none.example/x.warc?y=1"]
    assert names(expand(urls)) == urls
    assert all(each.is_web_page for each in expand(urls))
    archive = "http://none.example/a.warc.gz"
    assert expand([archive], PAGES) == [Input(archive, "warc")]
    assert not Input(archive, kind_of(archive)).is_web_page


def test_a_page_of_the_web_is_one_record(serve):
    html = {"Content-Type": "Text/HTML; charset=koi8-r"}
    routes = {"/a": (200, html, b"<p>page"), "/moved": (302, {"Location": "/a"}, b"")}
    with serve(routes) as (server, asked):
        moved, missing = expand([f"{server}/moved", f"{server}/missing"])
        (page,) = read(moved, ReadOptions(max_bytes=7))
        (large,) = read(moved, ReadOptions(max_bytes=6))
        (gone,) = read(missing, ReadOptions())
    assert page == Record(
        f"{server}/moved", 0, b"<p>page", f"{server}/a", charset="koi8-r", media_type="text/html"
    )
    assert isinstance(large, Damage)
    assert (large.reason, large.message) == ("too-large", "larger than 6 bytes")
    assert isinstance(gone, Damage)
    assert (gone.reason, gone.url) == ("http-error", f"{server}/missing")
    assert asked == ["/moved", "/a"] * 2 + ["/missing"]


def test_a_url_may_be_told_to_be_something_else(serve, monkeypatch):
    """Then fsspec opens it as it opens all other files."""
    opened = []

    def open_remote(name, mode, **options):
        opened.append((name, mode))
        return io.BytesIO(b'{"html": "<p>a"}')

    monkeypatch.setattr(fsspec, "open", open_remote)
    (row,) = read(*expand(["http://none.example/download"]), ReadOptions(kind="jsonl"))
    assert row.body == "<p>a"
    assert {*opened} == {("http://none.example/download", "rb")}


@pytest.mark.parametrize(("name", "content", "kind", "expected"), ROWS["read"])
def test_an_input_is_known_by_its_bytes_or_as_told(
    tmp_path, monkeypatch, name, content, kind, expected
):
    path = tmp_path / name
    if name == "-":
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content)))
    elif content is not None:
        path.write_bytes(content)
    is_there = name == "-" or path.exists()
    (source,) = expand([name if name == "-" else str(path)]) if is_there else [Input(name, "html")]
    (found,) = read(source, ReadOptions(kind=kind))
    assert (found.reason if isinstance(found, Damage) else found.body) == expected
    assert found.number == 0
    assert expected != "unknown-kind" or "leave it out" in found.message


def test_a_zip_from_a_pipe_is_read(monkeypatch):
    reading, writing = os.pipe()
    os.write(writing, zipped({"a.html": "<p>a"}))
    os.close(writing)
    with open(reading, "rb") as pipe:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=pipe))
        (page,) = read(Input("-", "stdin"), ReadOptions())
    assert page.body == b"<p>a"


def test_an_unknown_kind_is_a_configuration_error():
    with pytest.raises(ConfigError, match="warc"):
        ReadOptions(kind="arc")
