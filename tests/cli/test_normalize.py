"""`victor normalize`: what goes in, what comes out, and where."""

import pytest

PAGE = (
    b"<html lang=en><h1>On bees</h1><p>Dr. Smith keeps bees. They<br>are busy."
    b"<ul><li><a>Home</a></ul>"
)
SITEMAP = b"<urlset><url><loc>http://a.net/</loc></url></urlset>"


@pytest.fixture
def pages(tmp_path):
    """A folder of two pages, a sitemap beside them, and a place for output."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.html").write_bytes(PAGE)
    (tmp_path / "in" / "b.html").write_bytes(b"<p>caf\xe9 &amp; &#150;")
    (tmp_path / "map.xml").write_bytes(SITEMAP)
    return tmp_path


@pytest.mark.parametrize("jobs", [1, 2])
def test_one_file_per_page_and_sitemaps_are_counted(victor, pages, jobs):
    out = pages / "out"
    run = victor("normalize", "-j", jobs, "-o", out, pages / "in", pages / "map.xml")
    assert run.status == 1
    assert sorted(path.name for path in out.iterdir()) == ["a.xhtml", "b.xhtml"]
    assert "café &amp; –" in (out / "b.xhtml").read_text(encoding="utf-8")
    assert run.err.splitlines()[-1] == "victor: 1 of 3 pages failed: sitemap 1"


def test_what_is_unusual_is_counted(victor, monkeypatch):
    monkeypatch.setattr("victor.kitten.normalize.is_strict", lambda markup: False)
    run = victor("normalize", "-s", "limits.bytes=1000000", stdin=b"<div>a")
    assert run.status == 0
    assert "1 of 1 page is not as usual: not well formed as XHTML, its text only" in run.err


def test_converted_documents_are_sentences_too(victor):
    page = b"<document><header>Bees</header><page><textfield>Bees fly</textfield></page></document>"
    assert victor("normalize", "-f", "sentences", stdin=page).out == "Bees.\n\nBees fly.\n"


@pytest.mark.parametrize(
    ("limit", "reason"),
    [
        ("output=300", "too-much-output"),
        ("seconds=1.0e-9", "too-slow"),
        ("bytes=300", "too-many-bytes"),
    ],
)
def test_a_page_beyond_a_limit_costs_itself_only(victor, tmp_path, limit, reason):
    (tmp_path / "a.html").write_bytes(b"<p>a")
    (tmp_path / "b.html").write_bytes(b"<p>" + b"b " * 500)
    run = victor("normalize", "-s", f"limits.{limit}", "-o", tmp_path / "out", tmp_path)
    assert run.status == 1
    n_failed = 2 if reason == "too-slow" else 1
    assert run.err.splitlines()[-1] == f"victor: {n_failed} of 2 pages failed: {reason} {n_failed}"
    written = [path.stem for path in (tmp_path / "out").iterdir()] if n_failed == 1 else ["a"]
    assert written == ["a"]
