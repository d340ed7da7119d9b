"""`victor demo`: where the page goes, and what is opened."""

from pathlib import Path

import pytest

import victor as package

PAGE = b"<title>On bees</title>" + b"<p>Bees live in colonies, and ants do. " * 9


@pytest.fixture
def browsed(monkeypatch):
    """Addresses that were opened in the browser."""
    addresses = []
    monkeypatch.setattr("webbrowser.open", addresses.append)
    return addresses


def test_a_file_is_written_and_opened(victor, tmp_path, browsed):
    page, file = tmp_path / "bees.html", tmp_path / "shown.html"
    page.write_bytes(PAGE)
    result = victor("demo", page, "-o", file)
    assert (result.status, result.out, result.err) == (0, f"wrote {file}\n", "")
    assert file.read_text(encoding="utf-8") == package.clean(PAGE, url=str(page)).demo()
    assert browsed == [file.as_uri()]


def test_nothing_is_opened_if_nobody_wants_it(victor, browsed):
    result = victor("demo", "-", "--no-open", stdin=PAGE)
    file = Path(result.out.removeprefix("wrote ").strip())
    assert file.name == "stdin.demo.html"
    assert "Bees live in colonies" in file.read_text(encoding="utf-8")
    assert browsed == []


def test_what_is_no_page_is_counted(victor, tmp_path, browsed):
    result = victor("demo", "-", "-o", tmp_path / "x.html", stdin=b"%PDF-1.4 x")
    assert result.status == 1
    assert "PDF" in result.err
    assert not (tmp_path / "x.html").exists()
    assert browsed == []
