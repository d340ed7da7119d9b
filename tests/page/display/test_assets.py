"""Files beside a saved page: which are served, and that nothing else is."""

import os

import pytest

from victor.errors import PageError
from victor.page.safe_page import asset


@pytest.fixture
def page(tmp_path):
    folder = tmp_path / "saved"
    (folder / "p_files").mkdir(parents=True)
    (folder / "p.html").write_text("<p>x")
    (folder / "p_files" / "a.css").write_text("p{}")
    (folder / "p_files" / "b.gif").write_bytes(b"GIF89a")
    (folder / "secret.txt").write_text("secret")
    (tmp_path / "outside.css").write_text("p{}")
    return folder / "p.html"


def test_files_are_served_as_they_are(page):
    assert asset(page, "p_files/b.gif") == (b"GIF89a", "image/gif")
    assert asset(page, "p_files/a.css") == (b"p{}", "text/css; charset=utf-8")


@pytest.mark.parametrize(
    "path",
    ["../outside.css", "p_files/../../outside.css", "none.css", "secret.txt", "p.html", "p_files",
     "", ".", "/etc/passwd", "..\\outside.css", "C:\\outside.css", "a\0.css", "x.css/../../.css"],
)  # fmt: skip
def test_nothing_else_is_served(page, path):
    with pytest.raises(PageError) as caught:
        asset(page, path)
    assert caught.value.reason == "no-asset"


def test_links_that_lead_out_are_not_followed(page):
    (page.parent / "link.css").symlink_to(page.parents[1] / "outside.css")
    (page.parent / "folder").symlink_to(page.parents[1])
    (page.parent / "loop.css").symlink_to("loop.css")
    for path in ("link.css", "folder/outside.css", "loop.css"):
        with pytest.raises(PageError):
            asset(page, path)


def test_what_is_no_file_is_not_opened(page):
    os.mkfifo(page.parent / "pipe.css")
    (page.parent / "folder.css").mkdir()
    for path in ("pipe.css", "folder.css"):
        with pytest.raises(PageError):
            asset(page, path)


def test_what_is_too_large_is_not_read(page, monkeypatch):
    monkeypatch.setattr("victor.page.safe_page.LARGEST", 5)
    with pytest.raises(PageError):
        asset(page, "p_files/b.gif")
