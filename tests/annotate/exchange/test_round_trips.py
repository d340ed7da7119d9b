"""What is exported is what is imported again."""

import dataclasses
import json

import numpy as np
import pytest
import strategies
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from victor.annotate.exchange.readers import exact, read
from victor.annotate.exchange.store_export import annotated_pages, chosen
from victor.annotate.exchange.store_import import import_pages
from victor.annotate.exchange.writers import WRITERS, block_rows, write
from victor.annotate.store.changes import Change
from victor.annotate.store.page_blocks import block_table
from victor.annotate.store.revisions import Head, Save
from victor.annotate.store.store import Store
from victor.base.labels import UNLABELLED, Label
from victor.corpus.importers import BLOCK_LABELS
from victor.corpus.pages import annotate, block_labels, to_letters
from victor.errors import CorpusError, OutputError

EXACT = ("corpus", "html", "jsonl")


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


@pytest.mark.slow
@settings(derandomize=True, deadline=None, max_examples=40)
@given(data=st.data())
def test_rows_of_blocks_are_exact(data):
    html = data.draw(strategies.page())
    table = block_table(html)
    n = len(table.block_of_segment)
    values = st.lists(st.sampled_from([*Label, UNLABELLED]), min_size=n, max_size=n)
    page = annotate("page", html, np.array(data.draw(values), np.uint8))
    parts = tuple((BLOCK_LABELS[name], text) for name, text in block_rows(page, table))
    assert exact(parts, table).tolist() == page.labels.tolist()
    assert exact((*parts, (1, "more")), table) is None
    if parts:
        assert exact(parts[1:], table) is None


class TestForms:
    def test_what_other_commands_read(self, annotated, tmp_path):
        from victor.corpus.importers import read_cleaneval, read_jsonl
        from victor.corpus.label_gold import label_page
        from victor.corpus.read import read_folder

        pages = annotated[:3]
        for form in ("corpus", "html"):
            write(form, pages, tmp_path / form, refuse)
            for page, read_page in zip(pages, read_folder(tmp_path / form), strict=True):
                assert read_page.labels.tolist() == page.labels.tolist()
        write("jsonl", pages, tmp_path / "jsonl", refuse)
        write("cleaneval", pages, tmp_path / "cleaneval", refuse)
        for gold in (*read_jsonl(tmp_path / "jsonl"), *read_cleaneval(tmp_path / "cleaneval")):
            oracle = label_page(gold).oracle
            assert oracle is None or oracle.f1 > 0.9

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

    @pytest.mark.parametrize("form", WRITERS)
    def test_nothing_is_overwritten(self, tmp_path, form):
        (tmp_path / "mine.txt").write_text("x")
        with pytest.raises(OutputError, match="is not empty; choose another folder"):
            write(form, [], tmp_path, refuse)

    def test_no_such_form(self, tmp_path):
        with pytest.raises(CorpusError, match="no format 'xml'; choose one of corpus, html"):
            write("xml", [], tmp_path / "o", refuse)
        with pytest.raises(CorpusError, match="no format 'xml'; choose one of corpus, html"):
            list(read("xml", tmp_path))

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

    def test_blocks_that_were_cut_otherwise_are_aligned(self, tmp_path):
        written("jsonl", [annotate("a", b"<p>one two<p>three four", [1, 2])], tmp_path / "out")
        (tmp_path / "out" / "html" / "a.html").write_bytes(b"<p>one<p>two<p>three four")
        (imported,) = read("jsonl", tmp_path / "out")
        assert imported.page.labels.tolist() == [1, 1, 2]
        assert imported.problems[0].startswith("labels come from an alignment")


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "annotations.sqlite") as opened:
        yield opened


class TestStore:
    def test_there_and_back(self, annotated, store, tmp_path):
        undecided = [page for page in annotated if (page.labels == UNLABELLED).any()]
        pages = [*undecided[:5], *annotated[-10:]]
        assert not {page.id for page in undecided[:5]} & {page.id for page in annotated[-10:]}
        for received in written("corpus", pages, tmp_path / "out"):
            import_page(store, received)
        for page, exported in zip(pages, annotated_pages(store, complain=refuse), strict=True):
            assert (exported.id, exported.html, exported.url) == (page.id, page.html, page.url)
            assert (exported.language, exported.kind, exported.licence) == (
                page.language,
                page.kind,
                page.licence,
            )
            assert block_letters(exported) == block_letters(page)

    def test_what_a_letter_per_block_cannot_say(self, store):
        page = annotate("a", b"<p>one two <b>three</b><p>four", np.array([1, 0, UNLABELLED]))
        assert import_page(store, self.received(page)) == (
            "1 blocks had several labels; each took that of most words",
        )
        assert store.revisions.labels("a", "import") == "t?"

    def received(self, page, **fields):
        from victor.annotate.exchange.store_import import ImportedPage

        return ImportedPage(page, **fields)

    def test_annotators_and_states(self, store):
        page = annotate("a", b"<p>one<p>two", [1, 2], metadata={"state": "broken", "more": 1})
        import_page(store, self.received(page, annotator="eva"))
        import_page(store, self.received(page), "petr")
        import_page(store, self.received(dataclasses.replace(page, metadata={})))
        heads = {head.annotator: head for head in store.revisions.heads("a")}
        assert {name: head.state for name, head in heads.items()} == {
            "eva": "broken",
            "petr": "broken",
            "import": "done",
        }
        assert store.pages.metadata("a") == {"more": 1}

    def test_the_same_again_is_no_revision(self, store):
        page = annotate("a", b"<p>one<p>two", [1, 2])
        for _ in range(2):
            import_page(store, self.received(page))
        assert store.revisions.head("a", "import").step == 1
        import_page(store, self.received(dataclasses.replace(page, metadata={"state": "skip"})))
        assert store.revisions.head("a", "import")[3:] == ("skip", 2)
        import_page(
            store, self.received(dataclasses.replace(page, labels=np.array([2, 2], np.uint8)))
        )
        assert store.revisions.head("a", "import")[3:] == ("no-content", 3)

    def test_another_page_of_the_same_id(self, store):
        import_page(store, self.received(annotate("a", b"<p>one", [1])))
        with pytest.raises(CorpusError, match="holds another page with the id a"):
            import_page(store, self.received(annotate("a", b"<p>two", [1])))

    def test_an_error_costs_only_its_page(self, store):
        pages = [annotate(name, b"<p>one", [1]) for name in ("a", "../b", "a", "b")]
        pages[2] = annotate("a", b"<p>two", [1])
        results = [*import_pages(store, map(self.received, pages))]
        assert [(result.page, result.error is None) for result in results] == [
            ("a", True), ("../b", False), ("a", False), ("b", True),
        ]  # fmt: skip
        assert [head.page for head in store.revisions.heads()] == ["a", "b"]

    def test_what_comes_before_an_error_of_the_source_is_stored(self, store):
        def source():
            yield self.received(annotate("a", b"<p>one", [1]))
            raise CorpusError("the rest is damaged")

        results = import_pages(store, source())
        assert next(results).page == "a"
        with pytest.raises(CorpusError, match="damaged"):
            next(results)
        assert store.revisions.labels("a", "import") == "t"

    def test_labels_that_do_not_fit_any_more(self, store):
        import_page(store, self.received(annotate("a", b"<p>one", [1])))
        store._database._connection.execute("UPDATE page SET cut = cut + 1")
        messages = []
        assert list(annotated_pages(store, complain=messages.append)) == []
        assert messages == ["page a: its labels do not fit its blocks any more; left out"]

    def test_a_page_without_content_has_no_labels(self, store):
        import_page(store, self.received(annotate("a", b"<p>one<p>two", [1, 2])), "eva")
        store.revisions.save("a", Save("eva", [Change(1, 1, "h")], state="no-content"))
        (page,) = annotated_pages(store)
        assert page.labels.tolist() == [2, 2]
        assert page.metadata == {"annotator": "eva", "state": "no-content"}


def head(annotator, revision, state="done"):
    return Head("a", annotator, revision, state, 1)


@pytest.mark.parametrize(
    ("heads", "annotator", "expected"),
    [
        ([], None, None),
        ([head("eva", 1, "todo"), head("petr", 2, "skip")], None, None),
        ([head("eva", 1), head("petr", 2)], None, 2),
        ([head("eva", 1), head("import", 2)], None, 1),
        ([head("import", 2)], None, 2),
        ([head("eva", 1), head("petr", 2, "no-content")], "eva", 1),
        ([head("eva", 1)], "petr", None),
    ],
)
def test_whose_labels_count(heads, annotator, expected):
    head_of_page = chosen(heads, annotator)
    assert (head_of_page and head_of_page.revision) == expected


def test_rows_of_json_are_plain(tmp_path):
    page = annotate("a", "<p>a\u2028b".encode(), [1], metadata={"annotator": "eva"})
    written("jsonl", [page], tmp_path / "o")
    (row,) = (tmp_path / "o" / "gold.jsonl").read_text(encoding="utf-8").split("\n")[:-1]
    assert json.loads(row) == {"annotator": "eva", "id": "a", "text": "a b\n"}
