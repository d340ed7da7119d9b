"""What is exported is what is imported again."""

import dataclasses
import sqlite3
from contextlib import closing

import numpy as np
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.annotate.blocks import block_table
from victor.annotate.exchange import (
    Imported,
    annotated_pages,
    import_pages,
    mark,
    read,
    write,
)
from victor.annotate.revisions import Save
from victor.annotate.store import Store
from victor.base.labels import UNLABELLED, Label
from victor.corpus.pages import annotate, canonical_table


def written(pages, folder, form="corpus"):
    assert write(form, pages, folder, pytest.fail) == len(pages)
    return [*read(folder)]


def import_page(store, imported, annotator=None):
    """The problems of one annotation that is imported."""
    (result,) = import_pages(store, [imported], annotator)
    if result.error is not None:
        raise result.error
    return result.problems


@settings(max_examples=15)
@given(data=st.data(), form=st.sampled_from(("corpus", "html")))
def test_any_page(tmp_path_factory, data, form):
    pages = []
    for number, html in enumerate(data.draw(strategies.batch(2))):
        n = len(block_table(html).block_of_segment)
        values = st.lists(st.sampled_from([*Label, UNLABELLED]), min_size=n, max_size=n)
        labels = np.array(data.draw(values), np.uint8)
        pages.append(annotate(f"page-{number}", html, labels, url="http://a.example/", kind="blog"))
    folder = tmp_path_factory.mktemp("round") / "out"
    for page, (received, problems) in zip(pages, written(pages, folder, form), strict=True):
        assert (received.html, received.url, received.kind) == (page.html, page.url, page.kind)
        assert received.labels.tolist() == page.labels.tolist()
        assert problems == ()


class TestForms:
    def test_gold_texts_of_pages_with_content_only(self, tmp_path):
        pages = [annotate("a", b"<h1>A b<p>c", np.array([0, 1])), annotate("b", b"<p>c", [2])]
        first, second = written(pages, tmp_path / "out")
        assert first.page.gold == "A b\n\nc\n"
        assert second.page.gold is None

    @pytest.mark.parametrize("name", ["one.htm", "one.SHTML"])
    def test_marked_files_without_an_index(self, tmp_path, name):
        (tmp_path / name).write_bytes(b"<p data-victor=text>a<p>b")
        (tmp_path / "notes.txt").write_text("x")
        for source in (tmp_path, tmp_path / name):
            (imported,) = read(source)
            assert (imported.page.id, imported.page.labels.tolist()) == ("one", [1, 2])

    def test_labels_whose_text_is_gone(self, tmp_path):
        written([annotate("a", b"<p>one<p>two", [1, 1])], tmp_path / "out")
        (tmp_path / "out" / "html" / "a.html").write_bytes(b"<p>one<p>three")
        (imported,) = read(tmp_path / "out")
        assert imported.page.labels.tolist() == [1, UNLABELLED]
        assert imported.problems == ("1 of 2 pieces of text have no label any more",)


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "annotations.sqlite") as opened:
        yield opened


class TestStore:
    def test_what_a_letter_per_block_cannot_say(self, store):
        page = annotate("a", b"<p>one two <b>three</b><p>four", np.array([1, 0, UNLABELLED]))
        assert import_page(store, Imported(page)) == (
            "1 blocks had several labels; each took that of most words",
        )
        assert store.revisions.labels("a", "import") == "t?"

    def test_annotators_and_states(self, store):
        page = annotate("a", b"<p>one<p>two", [1, 2], metadata={"state": "broken", "more": 1})
        by_eva = {**page.metadata, "annotator": "eva"}
        import_page(store, Imported(dataclasses.replace(page, metadata=by_eva)))
        import_page(store, Imported(page), "petr")
        import_page(store, Imported(dataclasses.replace(page, metadata={})))
        heads = {head.annotator: head for head in store.revisions.heads()}
        assert {name: head.state for name, head in heads.items()} == {
            "eva": "broken",
            "petr": "broken",
            "import": "done",
        }
        assert store.pages.metadata("a") == {"more": 1}

    def test_the_same_again_is_no_revision(self, store):
        page = annotate("a", b"<p>one<p>two", [1, 2])
        for _ in range(2):
            import_page(store, Imported(page))
        assert store.revisions.head("a", "import").step == 1
        import_page(store, Imported(dataclasses.replace(page, metadata={"state": "skip"})))
        assert store.revisions.head("a", "import")[3:] == ("skip", 2)
        import_page(store, Imported(dataclasses.replace(page, labels=np.array([2, 2], np.uint8))))
        assert store.revisions.head("a", "import")[3:] == ("no-content", 3)

    def test_an_error_costs_only_its_page(self, store):
        pages = [annotate(name, b"<p>one", [1]) for name in ("a", "../b", "a", "b")]
        pages[2] = annotate("a", b"<p>two", [1])
        results = [*import_pages(store, map(Imported, pages))]
        assert [(result.page, result.error is None) for result in results] == [
            ("a", True), ("../b", False), ("a", False), ("b", True),
        ]  # fmt: skip
        assert [head.page for head in store.revisions.heads()] == ["a", "b"]

    def test_labels_that_do_not_fit_any_more(self, store):
        import_page(store, Imported(annotate("a", b"<p>one", [1])))
        with closing(sqlite3.connect(store.path)) as other, other:
            other.execute("UPDATE page SET cut = cut + 1")
        messages = []
        assert list(annotated_pages(store, complain=messages.append)) == []
        assert messages == ["page a: its labels do not fit its blocks any more; left out"]

    def test_a_page_without_content_has_no_labels(self, store):
        import_page(store, Imported(annotate("a", b"<p>one<p>two", [1, 2])), "eva")
        store.revisions.save("a", Save("eva", [(1, 1, "h")], state="no-content"))
        (page,) = annotated_pages(store)
        assert page.labels.tolist() == [2, 2]
        assert page.metadata == {"annotator": "eva", "state": "no-content"}


def test_whose_labels_count(store):
    """Those saved last, but what was imported only where nobody finished the page."""
    import_page(store, Imported(annotate("a", b"<p>one", [1])))
    assert [page.metadata["annotator"] for page in annotated_pages(store)] == ["import"]
    for annotator, state in (("eva", "done"), ("petr", "no-content"), ("jan", "skip")):
        store.revisions.save("a", Save(annotator, labels="t", state=state))
    import_page(store, Imported(annotate("a", b"<p>one", [0])))
    assert [page.labels.tolist() for page in annotated_pages(store)] == [[2]]
    assert [page.labels.tolist() for page in annotated_pages(store, "eva")] == [[1]]
    assert [*annotated_pages(store, "jan")] == []


def test_marks_stand_around_text():
    page = annotate("page", b"<td>One<br> an advert <br>two &amp; more<!-- x --> text", [1, 2, 1])
    assert mark(page) == (
        b'<td><victor-mark data-victor="text">One</victor-mark><br> an advert <br>'
        b'<victor-mark data-victor="text">two &amp; more<!-- x --> text</victor-mark>'
    )


@pytest.mark.parametrize(
    "html", [b"<p data-victor=text>a", "<meta charset=utf-16><p>a".encode("utf-16"),
             b"<plaintext>a<b>b"],
)  # fmt: skip
def test_a_page_that_cannot_be_marked_is_left_out_with_a_word(tmp_path, html):
    n, told = len(canonical_table(html).segments), []
    pages = [annotate("a", html, [1] * n), annotate("b", b"<p>b", [1])]
    assert write("html", pages, tmp_path / "out", told.append) == 1
    assert len(told) == 1
    assert [r.page.id for r in read(tmp_path / "out")] == ["b"]
