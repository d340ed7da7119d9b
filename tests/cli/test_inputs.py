"""What cannot be read, or is no file: it is named, counted and makes nobody wait."""

import io
import json
import os
import tarfile
import zipfile

import pytest

PAGE = b"<p>Bees live in colonies, and what one of them finds the others soon know, for they dance."


@pytest.fixture
def pages(tmp_path):
    folder = tmp_path / "pages"
    (folder / "closed").mkdir(parents=True)
    (folder / "open.html").write_bytes(PAGE)
    return folder


@pytest.fixture
def closed(pages, monkeypatch):
    """A folder with a page, in which a folder cannot be listed (not even by root)."""
    (pages / "closed" / "lost.html").write_bytes(PAGE)
    scandir = os.scandir

    def guarded(path="."):
        if str(path) == str(pages / "closed"):
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", guarded)
    return pages / "closed"


def test_a_folder_that_cannot_be_listed_is_a_failure(victor, closed, tmp_path):
    for command in (["clean"], ["normalize"], ["crawl", "-o", tmp_path / "corpus"]):
        run = victor(*command, closed.parent)
        assert (run.status, "unreadable 1" in run.err) == (1, True)
        assert "Bees live in colonies" in run.out or command[0] == "crawl"
        assert f"{closed}: cannot be read" in run.err or command[0] == "crawl"
        named = victor(*command, closed)  # by itself, it is a wrong call
        assert (named.status, "cannot be read: Permission denied" in named.err) == (2, True)
    assert str(closed) in json.loads((tmp_path / "corpus/failed.jsonl").read_text())["source"]


@pytest.mark.skipif(os.name == "nt", reason="there are no pipes among files")
def test_a_pipe_among_the_pages_makes_nobody_wait(victor, pages):
    os.mkfifo(pages / "x.html")
    (pages / "y.html").symlink_to("x.html")
    run = victor("clean", "-l", "kimatu", pages)
    assert (run.status, run.out.count("Bees live")) == (0, 1)


def test_links_in_an_archive_are_no_pages(victor, tmp_path):
    links = {"symbolic.html": (tarfile.SYMTYPE, "/etc/passwd"), "hard.html": (tarfile.LNKTYPE, "a")}
    with tarfile.open(tmp_path / "in.tar", "w") as archive:
        page = tarfile.TarInfo("a.html")
        page.size = len(PAGE)
        archive.addfile(page, io.BytesIO(PAGE))
        for name, (kind, target) in links.items():
            link = tarfile.TarInfo(name)
            link.type, link.linkname = kind, target
            archive.addfile(link)
    with zipfile.ZipFile(tmp_path / "in.zip", "w") as archive:
        archive.writestr("b.html", PAGE)
        link = zipfile.ZipInfo("x.html")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    inputs = tmp_path / "in.tar", tmp_path / "in.zip"
    run = victor("crawl", "-l", "kimatu", *inputs, "-o", tmp_path / "corpus")
    assert (run.status, "wrote 2 of 2 pages" in run.err) == (0, True)
