"""What is exported is what is imported again."""

import dataclasses

import numpy as np
import pytest
import strategies
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from victor.annotate.blocks import block_table
from victor.annotate.exchange import (
    Imported,
    annotated_pages,
    import_pages,
    read,
    write,
)
from victor.annotate.revisions import Save
from victor.annotate.store import Store
from victor.base.labels import UNLABELLED, Label
from victor.corpus.pages import annotate, block_labels, read_folder, to_letters
from victor.errors import OutputError

EXACT = ("corpus", "html")


def refuse(message):
    pytest.fail(message)


def written(form, pages, folder):
    assert write(form, pages, folder, refuse) == len(pages)
    return [*read(form, folder)]


def import_page(store, imported, annotator=None):
    """The problems of one annotation that is imported."""
    (result,) = import_pages(store, [imported], annotator)
    if result.error is not None:
        raise result.error
    return result.problems


def block_letters(page):
    """A letter per block."""
    return to_letters(block_labels(page.labels, block_table(page.html)))


@pytest.mark.parametrize("form", EXACT)
def test_our_own_pages(annotated, tmp_path, form):
    imported_pages = written(form, annotated, tmp_path / "out")
    for page, received in zip(annotated, imported_pages, strict=True):
        assert received.problems == ()
        assert received.page.html == page.html
        assert received.page.labels.tolist() == page.labels.tolist()
        kept = ("id", "url", "site", "language", "kind", "licence")
        assert [getattr(received.page, name) for name in kept] == [
            getattr(page, name) for name in kept
        ]


@settings(
    derandomize=True,
    deadline=None,
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data(), form=st.sampled_from(EXACT))
def test_any_page(tmp_path_factory, data, form):
    pages = []
    for number, html in enumerate(data.draw(strategies.batch(2))):
        n = len(block_table(html).block_of_segment)
        values = st.lists(st.sampled_from([*Label, UNLABELLED]), min_size=n, max_size=n)
        pages.append(annotate(f"page-{number}", html, np.array(data.draw(values), np.uint8)))
    folder = tmp_path_factory.mktemp("round") / "out"
    for page, received in zip(pages, written(form, pages, folder), strict=True):
        assert received.page.html == page.html
        assert received.page.labels.tolist() == page.labels.tolist()


class TestForms:
    def test_what_other_commands_read(self, annotated, tmp_path):
        pages = annotated[:3]
        for form in EXACT:
            write(form, pages, tmp_path / form, refuse)
            for page, read_page in zip(pages, read_folder(tmp_path / form), strict=True):
                assert read_page.labels.tolist() == page.labels.tolist()

    def test_gold_texts_of_pages_with_content_only(self, tmp_path):
        pages = [annotate("a", b"<h1>A b<p>c", np.array([0, 1])), annotate("b", b"<p>c", [2])]
        first, second = written("corpus", pages, tmp_path / "out")
        assert first.page.gold == "A b\n\nc\n"
        assert second.page.gold is None

    def test_a_page_that_a_form_cannot_hold(self, tmp_path):
        pages = [annotate("a", b"<p data-victor=text>a", [1]), annotate("b", b"<p>b", [1])]
        messages = []
        assert write("html", pages, tmp_path / "out", messages.append) == 1
        assert messages == ["page a holds marks of its own; export it in another format"]
        assert [r.page.id for r in read("html", tmp_path / "out")] == ["b"]

    @pytest.mark.parametrize("form", EXACT)
    def test_nothing_is_overwritten(self, tmp_path, form):
        (tmp_path / "mine.txt").write_text("x")
        with pytest.raises(OutputError, match="is not empty; choose another folder"):
            write(form, [], tmp_path, refuse)

    @pytest.mark.parametrize("name", ["one.html", "one.htm", "one.xhtml", "one.SHTML"])
    def test_marked_files_without_an_index(self, tmp_path, name):
        (tmp_path / name).write_bytes(b"<p data-victor=text>a<p>b")
        (tmp_path / "notes.txt").write_text("x")
        for source in (tmp_path, tmp_path / name):
            (imported,) = read("html", source)
            assert (imported.page.id, imported.page.labels.tolist()) == ("one", [1, 2])

    def test_labels_whose_text_is_gone(self, tmp_path):
        written("corpus", [annotate("a", b"<p>one<p>two", [1, 1])], tmp_path / "out")
        (tmp_path / "out" / "html" / "a.html").write_bytes(b"<p>one<p>three")
        (imported,) = read("corpus", tmp_path / "out")
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
        store._database._writer.execute("UPDATE page SET cut = cut + 1")
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
