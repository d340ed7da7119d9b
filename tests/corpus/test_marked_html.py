"""Pages whose labels are written into them."""

import json
import re
from pathlib import Path

import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rows import tables
from victor.base.labels import UNLABELLED, Label
from victor.corpus.pages import (
    annotate,
    canonical_table,
    read_marked,
    read_marked_corpus,
    segment_hash,
    to_letters,
)
from victor.errors import CorpusError
from victor.page.table.texts import segment_texts

H, T, O = Label  # noqa: E741
ROWS = tables(__file__)
OWN = Path(__file__).parents[2] / "annotations"
MARKED = (
    b'<html><body><nav>Menu</nav><h1 data-victor="header">Bees</h1>'
    b'<div class="post" data-victor="text">They <b>fly</b>.'
    b'<p data-victor="other">Advert <i data-victor="text">not</i></p>'
    b'<p data-victor="unlabelled">?1</p> End</div>Footer</body></html>'
)


def labelled(page):
    return list(zip(segment_texts(canonical_table(page.html)), page.labels.tolist(), strict=True))


def test_the_nearest_mark_decides():
    page = read_marked("bees", MARKED, site="a.example", kind="article")
    assert labelled(page) == [
        ("Menu", O), ("Bees", H), ("They", T), ("fly", T), (".", T), ("Advert", O), ("not", T),
        ("?1", UNLABELLED), ("End", T), ("Footer", O),
    ]  # fmt: skip
    assert (page.id, page.site, page.kind) == ("bees", "a.example", "article")


def test_the_marks_are_taken_out():
    page = read_marked("bees", MARKED)
    assert b"victor" not in page.html
    assert b'<div class="post">They <b>fly</b>' in page.html
    assert page.hashes == tuple(map(segment_hash, segment_texts(canonical_table(page.html))))


@pytest.mark.parametrize(("marked", "labels", "html"), ROWS["marks"])
def test_marks_may_be_written_in_any_way_and_are_taken_out(marked, labels, html):
    page = read_marked("x", marked.encode())
    assert (to_letters(page.labels), page.html) == (labels, html.encode())


@pytest.mark.parametrize("mark", ['="Text"', '="content"', '=""', "='text header'", ""])
def test_unknown_marks(mark):
    with pytest.raises(CorpusError, match=r"page x: mark .* is not one of header, text, other"):
        read_marked("x", f"<p data-victor{mark}>a".encode())


def test_marks_that_cannot_be_taken_out():
    page = '<meta charset="utf-16"><p data-victor="text">a'.encode("utf-16")
    with pytest.raises(CorpusError, match="page x: a mark cannot be taken out"):
        read_marked("x", page)


@pytest.mark.slow
@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    st.lists(
        st.one_of(
            strategies.markup(),
            st.sampled_from(ROWS["pieces"]),
        ),
        max_size=6,
    ).map("".join)
)  # fmt: skip
def test_hashes_are_those_of_the_page_without_marks(markup):
    """Whatever the marks stand in, reading a marked page equals annotating the plain one."""
    try:
        page = read_marked("x", markup.encode())
    except CorpusError:
        return
    assert annotate("x", page.html, page.labels).hashes == page.hashes


def test_pages_of_a_corpus_are_in_the_order_of_rows(tmp_path):
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "bees.html").write_bytes(MARKED)
    (tmp_path / "pages" / "a.html").write_bytes(b'<p data-victor="text">a')
    rows = {"id": "bees", "language": "en"}, {"id": "a", "url": "http://a.example"}
    (tmp_path / "pages.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    bees, other = read_marked_corpus(tmp_path)
    assert (bees.id, bees.language, bees.site) == ("bees", "en", "")
    assert (other.id, other.url, other.labels.tolist()) == ("a", "http://a.example", [T])


def test_rows_say_what_our_own_pages_are(annotated):
    rows = [json.loads(row) for row in (OWN / "pages.jsonl").read_text("utf-8").splitlines()]
    assert [row["id"] for row in rows] == sorted(path.stem for path in OWN.glob("pages/*.html"))
    for row, page in zip(rows, annotated, strict=True):
        marked = (OWN / "pages" / f"{page.id}.html").read_bytes()
        marked.decode(row["encoding"])
        assert re.sub(rb' data-victor="[^"]*"', b"", marked) == page.html
        assert row["content"] == bool((page.labels == T).any()), page.id
        assert row["set"] in ("general", "hard"), page.id
