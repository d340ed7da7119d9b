"""Importers: each layout is read from files made here, and damage is named."""

import json
from dataclasses import replace
from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rows import tables
from victor.base.labels import UNLABELLED, Label
from victor.corpus.gold import GoldPage, label_page, parse_cleaneval, read_cleaneval, read_jsonl
from victor.corpus.pages import canonical_table, from_letters, to_letters
from victor.errors import CorpusError
from victor.page.table.texts import segment_texts

ROWS = tables(__file__)

ROW, CLEANED = ROWS["row"], ROWS["cleaned"]


def write_jsonl(folder, *rows, pages=("7",)):
    (folder / "html").mkdir(exist_ok=True)
    for page in pages:
        (folder / "html" / f"{page}.html").write_bytes(b"<p>\xff page " + page.encode())
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    (folder / "gold.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def test_jsonl_row(tmp_path):
    (page,) = read_jsonl(write_jsonl(tmp_path, {**ROW, "licence": "CC0"}))
    assert page.html == b"<p>\xff page 7"
    assert (page.id, page.url, page.site) == ("7", ROW["url"], "example.co.uk")
    assert (page.language, page.kind, page.licence) == ("en", "article", "CC0")
    assert page.gold == "Title\nText"
    assert page.segments == (("h", "Title"), ("p", "Text"))
    assert page.labelled is None
    assert page.metadata == {"source": "somewhere"}


def test_missing_pages_are_reported_and_passed_over(tmp_path):
    corpus = read_jsonl(write_jsonl(tmp_path, {**ROW, "id": "8"}, ROW, {**ROW, "id": "9"}))
    assert len(corpus) == 1
    assert corpus.missing == ("8", "9")
    assert [page.id for page in corpus] == ["7"]


def test_labelled_blocks(tmp_path):
    names = ["header", "text", "other", "ambiguous", "comment"]
    (tmp_path / "blocks").mkdir()
    (tmp_path / "blocks" / "7.blocks.jsonl").write_text(
        "".join(
            json.dumps({"label": n, "text": n} | ({"kind": "headline"} if n == "header" else {}))
            + "\n"
            for n in names
        )
    )
    (page,) = read_jsonl(write_jsonl(tmp_path, ROW))
    labels = [Label.HEADER, Label.TEXT, Label.OTHER, UNLABELLED, UNLABELLED]
    assert page.labelled == tuple(zip(labels, names, strict=True))
    assert page.kinds == ("headline", "", "", "", "")


def test_what_is_missing_or_unknown_in_a_corpus_is_named(tmp_path):
    with pytest.raises(CorpusError, match=r"gold\.jsonl: cannot be read"):
        read_jsonl(tmp_path)
    with pytest.raises(CorpusError, match=r"no \.txt files"):
        read_cleaneval(tmp_path)
    (tmp_path / "blocks").mkdir()
    (tmp_path / "blocks" / "7.blocks.jsonl").write_text('{"label": "tekst", "text": "a"}')
    with pytest.raises(CorpusError, match=r"7\.blocks\.jsonl: unknown label 'tekst'; known are h"):
        list(read_jsonl(write_jsonl(tmp_path, ROW)))


def test_cleaneval_segments():
    assert parse_cleaneval(CLEANED) == (
        "http://www.example.org/a",
        (("p", "lead"), ("h", "The Title"), ("p", "Some <b> text"), ("l", "An item")),
    )


@pytest.mark.parametrize(("text", "read"), ROWS["cleaneval_entities_are_those_that_we_write"])
def test_cleaneval_entities_are_those_that_we_write(text, read):
    assert parse_cleaneval(text)[1] == (("p", read),)


@given(st.lists(st.text("ab&<>;/ltgampqu \n", min_size=1), max_size=4))
def test_cleaneval_gives_back_what_is_written(texts):
    written = "".join(f"<p>{escape(text, quote=False)}\n" for text in texts)
    read = [text for _, text in parse_cleaneval(written)[1]]
    assert read == [shown for text in texts if (shown := " ".join(text.split()))]


def test_cleaneval_text_that_only_looks_like_an_address():
    assert parse_cleaneval("URLs are short.") == (None, (("p", "URLs are short."),))
    assert parse_cleaneval("URL http://e.org\n<p>x") == ("http://e.org", (("p", "x"),))
    assert parse_cleaneval("") == (None, ())


def test_cleaneval(tmp_path):
    (tmp_path / "1.html").write_bytes(b"<p>one")
    (tmp_path / "1-cleaned.txt").write_bytes(CLEANED.encode("utf-8-sig"))
    (tmp_path / "2.html").write_bytes(b'<text id="http://b.net/?a=1&amp;b" encoding="x"><p>two')
    (tmp_path / "2.txt").write_bytes("<p>caf\xe9 \x93q\x94".encode("latin-1"))
    (tmp_path / "3.txt").write_bytes(b"<p>no page")
    corpus = read_cleaneval(tmp_path)
    first, second = corpus
    assert (first.id, first.site) == ("1", "example.org")
    assert first.gold == "lead\nThe Title\nSome <b> text\nAn item"
    assert (second.url, second.gold) == ("http://b.net/?a=1&b", "café “q”")
    assert corpus.missing == ("3",)


# --- labels of a gold standard --------------------------------------------------------------------


TEXTS = ROWS["texts"]
PAGE = ROWS["markup"].format(*TEXTS).encode()


def test_no_gold_standard():
    with pytest.raises(CorpusError, match="page bees has no gold standard; leave it out"):
        label_page(GoldPage("bees", PAGE))


def gold_of(*, labels=None, segments=None, **numbers):
    """A gold standard of the page from numbers of its texts."""
    made = {name: "\n".join(TEXTS[n] for n in given) for name, given in numbers.items()}
    if segments:
        made["segments"] = tuple((kind, TEXTS[n]) for kind, n in segments)
    if labels:
        made["labelled"] = tuple(zip(from_letters(labels).tolist(), TEXTS, strict=True))
    return GoldPage("bees", PAGE, **made)


@pytest.mark.parametrize(("given", "labels", "f1"), ROWS["gold"].values(), ids=ROWS["gold"])
def test_labels_of_a_gold_standard(given, labels, f1):
    page, score, _ = label_page(gold_of(**given))
    assert segment_texts(canonical_table(page.html)) == TEXTS
    assert to_letters(page.labels) == labels
    assert (score and round(score.f1, 2)) == f1
    assert page.gold == gold_of(**given).gold


def test_kinds_of_the_source_are_kept():
    kinds = ("other", "other", "headline", "text", "text", "text", "heading", "caption", "other")
    page, _, _ = label_page(replace(gold_of(labels="oohttth?o"), kinds=kinds))
    assert page.metadata["kinds"] == [*kinds]


@pytest.mark.parametrize("html", [b"", b"<p> </p>", b"<script>x</script>"])
def test_pages_without_text(html):
    page, score, _ = label_page(GoldPage("empty", html, gold="Some text."))
    assert (page.labels.tolist(), score.recall) == ([], 0)
