"""Links in a folder: those that lead out of it are not followed but counted, with the reason."""

import io
import os
import tarfile
import zipfile

import pytest

from victor.annotate.collect import collect
from victor.sources.inputs import expand

pytestmark = pytest.mark.skipif(os.name == "nt", reason="who makes links there needs the right to")

PAGE = b"<p>Bees live in colonies, and what one of them finds the others soon know, for they dance."
SECRET = b"<p>Nobody who cleans a folder of strangers wants to have what is written in this file."


@pytest.fixture
def pages(tmp_path):
    """A folder with a page, beside it what nobody named."""
    folder = tmp_path / "pages"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "a.html").write_bytes(PAGE)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "secret.html").write_bytes(SECRET)
    return folder


OUT = {
    "file.html": "../other/secret.html",
    "folder": "../other",
    "device.html": "/dev/zero",
    "over-a-link.html": "../between/secret.html",
    "nothing.html": "../none.html",
}


@pytest.fixture
def with_links(pages, tmp_path):
    (tmp_path / "between").symlink_to("other")
    for name, target in OUT.items():
        (pages / name).symlink_to(target)
    return pages


def test_links_that_lead_out_are_failures_of_their_own(victor, with_links, tmp_path):
    for call in ("clean -l kimatu", "normalize"):
        run = victor(*call.split(), with_links)
        assert (run.status, "link-outside 5" in run.err) == (1, True)
        assert "Bees live in colonies" in run.out
        assert "Nobody who cleans" not in run.out
    told = []
    assert len([*collect([str(with_links)], tell=told.append)]) == 1
    assert len(told) == 5
    run = victor("crawl", "-l", "kimatu", with_links, "-o", tmp_path / "corpus")
    assert (run.status, "link-outside 5" in run.err) == (1, True)
    text = b"".join(path.read_bytes() for path in (tmp_path / "corpus" / "data").iterdir())
    assert b"Bees live" in text
    assert b"Nobody who" not in text


def test_links_that_are_named_are_followed(victor, pages, tmp_path):
    (tmp_path / "folder").symlink_to("pages")
    (tmp_path / "page.html").symlink_to("other/secret.html")
    (pages / "x.html").symlink_to(f"{pages}/deep/../deep/a.html")
    run = victor("clean", "-l", "kimatu", tmp_path / "folder", tmp_path / "page.html")
    assert run.status == 0
    assert run.out.count("Bees live") == 2  # the link to a page of its folder is one, too
    assert "Nobody who" in run.out


def test_circles_of_links_end(victor, pages):
    for number in range(3):
        (pages / f"loop{number}").symlink_to(".")
        (pages / "deep" / f"loop{number}").symlink_to("..")
    (pages / "self.html").symlink_to("self.html")
    run = victor("clean", "-l", "kimatu", pages)
    assert run.status == 1
    assert run.out.count("Bees live") == 1
    assert "unreadable 1" in run.err
    assert "self.html: cannot be read: Too many levels of symbolic links" in run.err
    (pages / "self.html").unlink()
    run = victor("clean", "-l", "kimatu", f"{pages}/**/*.html")
    assert (run.status, run.out.count("Bees live")) == (0, 1)


def test_patterns_of_folders(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = ("a.html", "x/b.html", "x/y/c.html", "x/y/d.txt", ".z/e.html", "x/.z/f.html")
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(PAGE)
    wanted = {
        "**/*.html": ["a.html", "x/b.html", "x/y/c.html"],
        "x/**/*.html": ["x/b.html", "x/y/c.html"],
        "x/**/y/*.html": ["x/y/c.html"],
        "**/y/**/c*": ["x/y/c.html"],
        "x/y/**": ["x/y/c.html", "x/y/d.txt"],
        f"{tmp_path}/x/**/c.html": [f"{tmp_path}/x/y/c.html"],
    }
    for pattern, found in wanted.items():
        assert [each.name for each in expand([pattern])] == found, pattern


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
