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


def test_another_system(victor, tmp_path, browsed):
    file = tmp_path / "shown.html"
    assert victor("demo", "-l", "density", "-o", file, "-", stdin=PAGE).status == 0
    assert '"system":"density"' in file.read_text(encoding="utf-8")
    assert victor("demo", "-l", "density", "-m", "crf", "-", stdin=PAGE).status == 2


def test_what_is_no_page_is_counted(victor, tmp_path, browsed):
    result = victor("demo", "-", "-o", tmp_path / "x.html", stdin=b"%PDF-1.4 x")
    assert result.status == 1
    assert "PDF" in result.err
    assert not (tmp_path / "x.html").exists()
    assert browsed == []


def test_one_page_only(victor, tmp_path, browsed):
    for name in "ab":
        (tmp_path / f"{name}.html").write_bytes(PAGE)
    result = victor("demo", tmp_path)
    assert result.status == 2
    assert "holds 2 pages; name one of them" in result.err


def test_parts_of_the_page(victor, tmp_path, browsed):
    page, file = tmp_path / "bees.html", tmp_path / "shown.html"
    page.write_bytes(b"<h1>On bees</h1>" + PAGE)
    assert victor("demo", page, "-o", file, "--scope", "article").status == 0
    result = package.clean(page, scope="article")
    assert result.text.startswith("On bees")
    assert file.read_text(encoding="utf-8") == result.demo()
