"""Files beside a saved page: which are served, and that nothing else is."""

import os

import pytest

from victor.errors import PageError
from victor.page.safe_page import asset


@pytest.fixture
def page(tmp_path):
    """A page with files beside it, links that lead out or nowhere, a pipe and a folder."""
    folder = tmp_path / "saved"
    (folder / "p_files").mkdir(parents=True)
    (folder / "p.html").write_text("<p>x")
    (folder / "p_files" / "a.css").write_text("p{}")
    (folder / "p_files" / "b.gif").write_bytes(b"GIF89a")
    (folder / "secret.txt").write_text("secret")
    (tmp_path / "outside.css").write_text("p{}")
    (folder / "link.css").symlink_to(tmp_path / "outside.css")
    (folder / "folder").symlink_to(tmp_path)
    (folder / "loop.css").symlink_to("loop.css")
    os.mkfifo(folder / "pipe.css")
    (folder / "folder.css").mkdir()
    return folder / "p.html"


def test_files_are_served_as_they_are(page):
    assert asset(page, "p_files/b.gif") == (b"GIF89a", "image/gif")
    assert asset(page, "p_files/a.css") == (b"p{}", "text/css; charset=utf-8")


@pytest.mark.parametrize(
    "path",
    ["../outside.css", "p_files/../../outside.css", "none.css", "secret.txt", "p.html", "p_files",
     "", ".", "/etc/passwd", "..\\outside.css", "C:\\outside.css", "a\0.css", "x.css/../../.css",
     "link.css", "folder/outside.css", "loop.css", "pipe.css", "folder.css"],
)  # fmt: skip
def test_nothing_else_is_served(page, path):
    with pytest.raises(PageError) as caught:
        asset(page, path)
    assert caught.value.reason == "no-asset"


def test_what_is_too_large_is_not_read(page, monkeypatch):
    monkeypatch.setattr("victor.page.safe_page.LARGEST", 5)
    with pytest.raises(PageError):
        asset(page, "p_files/b.gif")
