"""Annotated pages: what is written is read again, and what changed since is noticed."""

import json
import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rows import tables
from victor.base.labels import UNLABELLED, Label
from victor.corpus.pages import (
    INDEX,
    AnnotatedPage,
    Drift,
    annotate,
    block_labels,
    carry,
    current_labels,
    folds,
    read_corpus,
    segment_hash,
    segment_places,
    site,
    write_corpus,
)
from victor.errors import ConfigError, CorpusError, OutputError
from victor.page.parsing.events import record
from victor.page.table.segment import segment
from victor.page.table.texts import segment_texts

ROWS = tables(__file__)

HTML = "<h1>Včely</h1><p>They <b>fly</b>.<p>Menu".encode()
H, T, O = Label  # noqa: E741
U = UNLABELLED


def page(page_id="bees", **fields):
    return annotate(page_id, HTML, np.array([H, T, T, U, O]), **fields)


FULL = page("all-fields", **ROWS["fields"])


def same(a, b):
    names = AnnotatedPage.__slots__
    for name in set(names) - {"labels"}:
        assert getattr(a, name) == getattr(b, name), name
    assert a.labels.tolist() == b.labels.tolist()
    assert a.labels.dtype == b.labels.dtype == np.uint8


class TestWriteAndRead:
    def test_all_that_was_written(self, tmp_path):
        pages = [page(), FULL, annotate("empty", b"", np.array([], dtype=np.uint8))]
        assert write_corpus(tmp_path / "deep" / "corpus", pages) == 3
        read = list(read_corpus(tmp_path / "deep" / "corpus"))
        assert len(read) == 3
        for before, after in zip(pages, read, strict=True):
            same(before, after)

    def test_a_corpus_is_not_overwritten(self, tmp_path):
        write_corpus(tmp_path, [page()])
        with pytest.raises(OutputError, match="is not empty; choose another folder"):
            write_corpus(tmp_path, [page("other")])
        assert [one.id for one in read_corpus(tmp_path)] == ["bees"]

    def test_ids_are_not_repeated(self, tmp_path):
        with pytest.raises(CorpusError, match="two pages have the id bees"):
            write_corpus(tmp_path, [page(), page("other"), page()])


BAD_IDS = ROWS["bad_ids"]


class TestIds:
    @pytest.mark.parametrize("page_id", BAD_IDS)
    def test_of_no_plain_file_are_not_written(self, tmp_path, page_id):
        folder = tmp_path / "a" / "b" / "corpus"
        before = set(tmp_path.rglob("*"))
        with pytest.raises(CorpusError, match=re.escape(f"page id {page_id!r}")):
            write_corpus(folder, [page(page_id)])
        written = {path.name for path in set(tmp_path.rglob("*")) - before}
        assert written <= {"a", "b", "corpus", "html", INDEX}
        assert not list(folder.glob("html/*"))

    @pytest.mark.parametrize("page_id", ["a.b", "..", "včela 1", "x" * 200, "-", "a=b&c", "東京"])
    def test_of_plain_files_are_fine(self, tmp_path, page_id):
        write_corpus(tmp_path / "corpus", [page(page_id)])
        assert [one.id for one in read_corpus(tmp_path / "corpus")] == [page_id]
        assert {path.parent.name for path in tmp_path.rglob("*.html")} == {"html"}


@pytest.mark.parametrize(("change", "message"), ROWS["values"])
def test_a_value_that_is_wrong_is_named_when_its_row_is_read(tmp_path, change, message):
    write_corpus(tmp_path, [page("first"), page("second")])
    first, second = (tmp_path / INDEX).read_text().splitlines()
    (tmp_path / INDEX).write_text(f"{first}\n{json.dumps(json.loads(second) | change)}\n")
    reading = read_corpus(tmp_path)
    assert next(reading).id == "first"
    with pytest.raises(CorpusError, match=rf"{INDEX}, line 2: {message.replace('?', '[?]')}"):
        next(reading)


@pytest.mark.parametrize("text", ["včely", " Vče-ly! ", "V\u00adČ E\nL Y", "VČELY\U0001f41d"])
def test_hashes_do_not_see_case_space_and_signs(text):
    assert segment_hash(text) == segment_hash("Včely") != segment_hash("Vcely")


class TestCurrentLabels:
    def stored(self, texts, labels):
        return AnnotatedPage("p", b"", np.array(labels, np.uint8), tuple(map(segment_hash, texts)))

    @pytest.mark.parametrize(("texts", "labels", "moved", "lost"), ROWS["carried"])
    def test_labels_are_carried_with_their_text(self, texts, labels, moved, lost):
        carried_over, drift = current_labels(self.stored("abc", [H, T, O]), list(texts))
        assert carried_over.tolist() == labels
        assert drift == Drift("p", stored=3, found=len(texts), moved=moved, lost=lost)
        assert drift

    @settings(deadline=None, derandomize=True)
    @given(
        st.lists(st.tuples(st.sampled_from("abc.-"), st.sampled_from([H, T, O])), max_size=12),
        st.data(),
    )
    def test_a_label_never_goes_to_another_text(self, stored, data):
        texts, labels = [text for text, _ in stored], [label for _, label in stored]
        gone = data.draw(st.sets(st.integers(0, 11)))
        now = [text for at, text in enumerate(texts) if at not in gone]
        for at in data.draw(st.lists(st.integers(0, 12), max_size=3)):
            now.insert(at, "new")
        carried_over, drift = current_labels(self.stored(texts, labels), now)
        kept = [(segment_hash(t), int(x)) for t, x in zip(now, carried_over, strict=True) if x != U]
        possible = [(segment_hash(text), int(label)) for text, label in stored]
        assert subsequence(kept, possible)
        assert drift.lost == len(now) - len(kept)

    def test_a_long_page_with_many_equal_texts(self):
        """Separators all have the hash of no letters; comparing all with all would take minutes."""
        texts = [f"w{n}" if n % 2 else "|" for n in range(60_000)]
        page = self.stored(texts, [n % 3 for n in range(60_000)])
        now = [*texts[:30_000], "new", *texts[30_001:]]
        labels, drift = current_labels(page, now)
        assert drift == Drift("p", stored=60_000, found=60_000, moved=0, lost=1)
        assert np.flatnonzero(labels != page.labels).tolist() == [30_000]


def subsequence(part, whole):
    rest = iter(whole)
    return all(item in rest for item in part)


@pytest.mark.parametrize(("labels", "block"), ROWS["words_decide"])
def test_words_decide_the_label_of_a_block(labels, block):
    page = b"<p>one <b>two three</b> four <i>-</i></p><p>five</p>"
    labels = np.array([*labels, O], np.uint8)
    assert block_labels(labels, segment(record([page]), "block")).tolist() == [block, O]


def cut(page, alt_text=False, pre_lines=False):
    return segment(record([page], alt_text=alt_text), "tag", pre_lines=pre_lines)


def carried(page, labels, alt_text, pre_lines):
    table = cut(page, alt_text, pre_lines)
    carried_over = carry(
        np.array(labels, np.uint8), segment_places(cut(page)), segment_places(table)
    )
    return list(zip(segment_texts(table), carried_over.tolist(), strict=True))


class TestCarry:
    def test_lines_have_the_label_of_their_element(self):
        page = b"<p>a</p><pre>b\nc\n\n<b>d\ne</b>\n</pre>f"
        assert carried(page, [H, T, O, T], alt_text=False, pre_lines=True) == [
            ("a", H), ("b", T), ("c", T), ("d", O), ("e", O), ("f", T),
        ]  # fmt: skip

    def test_alternative_texts_have_the_label_before_them(self):
        page = b"<img alt=x><p>a<img alt=y><img><p>b<p><img alt=z><p>c"
        assert carried(page, [H, T, O], alt_text=True, pre_lines=False) == [
            ("x", H), ("a", H), ("y", H), ("b", T), ("z", T), ("c", O),
        ]  # fmt: skip


# --- sites, and folds by site ---------------------------------------------------------------------


@pytest.mark.parametrize(("url", "expected"), ROWS["site_of_a_url"])
def test_site_of_a_url(url, expected):
    assert site(url) == expected


site_lists = st.lists(st.sampled_from("abcdefgh"), min_size=6, max_size=60)


@settings(derandomize=True, deadline=None, max_examples=30)
@given(site_lists, st.integers(2, 4), st.integers(0, 3))
def test_no_site_is_in_two_folds(sites, k, seed):
    if len(set(sites)) < k:
        return
    fold = folds(sites, k, seed=seed)
    assert len(set(zip(sites, fold.tolist(), strict=True))) == len(set(sites))
    assert set(fold.tolist()) == set(range(k))
    # Dealt largest first, the folds differ by at most one largest site.
    sizes = np.bincount(fold, minlength=k)
    assert sizes.max() - sizes.min() <= max(Counter(sites).values())


def test_folds_are_balanced_by_pages():
    sites = ["big"] * 6 + [f"small{i}" for i in range(12)]
    assert np.bincount(folds(sites, 3)).tolist() == [6, 6, 6]


@pytest.mark.parametrize("k", [0, 1, 3])
def test_impossible_folds(k):
    with pytest.raises(ConfigError, match="2 sites"):
        folds(["a", "b", "b"], k)
