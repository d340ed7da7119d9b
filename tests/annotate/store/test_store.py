"""A store keeps every save, in order, for every annotator, and gives it back."""

import sqlite3
import threading
from contextlib import closing

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from victor.annotate.store import schema
from victor.annotate.store.changes import Change, replay
from victor.annotate.store.pages import NoSuchPage
from victor.annotate.store.revisions import IMPORTED, Conflict, Save
from victor.annotate.store.store import Store
from victor.annotate.store.suggestions import StoredSuggestion
from victor.corpus.pages import LETTERS, unmarked
from victor.errors import CorpusError

N = 4
change = st.tuples(st.integers(0, N - 1), st.integers(0, N - 1), st.sampled_from(LETTERS)).map(
    lambda c: Change(min(c[:2]), max(c[:2]), c[2])
)
saves = st.lists(st.tuples(st.sampled_from("ab"), st.lists(change, max_size=3)))


def test_pages_are_there_in_the_order_they_came(store, page):
    assert [(stored.number, stored.id, stored.n_blocks) for stored in store.pages.all()] == [
        (1, "bees", 4), (2, "kettles", 4), (3, "knots", 4)
    ]  # fmt: skip
    assert store.pages.get("bees").title == "bees"
    assert store.pages.html("bees") == page("bees").html


def test_titles_of_any_encoding(store, page):
    store.add([page("horse", "<title>Žluťoučký  kůň</title><p>x".encode("windows-1250"))])
    store.add([page("empty", b"")])
    assert store.pages.get("horse").title == "Žluťoučký kůň"
    assert store.pages.get("empty").title is None


def test_a_page_is_added_once(store, page):
    assert store.add([page("bees"), page("new"), page("new")]) == 1
    assert len(store.pages.all()) == 4


def test_another_page_of_the_same_id_is_refused(store, page):
    with pytest.raises(CorpusError, match="another page with the id bees"):
        store.add([page("new"), page("bees", b"<p>wasps")])


@pytest.mark.parametrize("name", ["", "a/b", "../a", "a\\b", "c:a", "a\0b"])
def test_an_id_has_to_be_a_file_name(store, page, name):
    with pytest.raises(CorpusError, match="page id"):
        store.add([page(name)])


def test_labels_that_come_with_a_page_are_a_revision(store, page):
    store.add([page("labelled", labels="ht?o")])
    assert store.revisions.labels("labelled", IMPORTED) == "ht?o"
    assert store.revisions.head("labelled", IMPORTED).state == "done"


def test_labels_that_do_not_fit_leave_no_page_behind(store, page):
    with pytest.raises(CorpusError, match="2 labels for 4 blocks"):
        store.add([page("labelled", labels="ht")])
    assert len(store.pages.all()) == 3


def test_a_page_keeps_what_its_source_said(store, page, tmp_path):
    fields = {"url": "http://a.example/", "site": "a.example", "metadata": {"language": "cs"}}
    store.add([page("more", file=tmp_path / "more.html", **fields)])
    stored = store.pages.get("more")
    assert (stored.url, stored.site) == (fields["url"], fields["site"])
    assert store.pages.metadata("more") == fields["metadata"]
    assert stored.file == tmp_path / "more.html"


def test_every_save_is_a_revision(store):
    first = store.revisions.save("bees", Save("ann", [Change(0, 1, "t")], base=0))
    second = store.revisions.save(
        "bees", Save("ann", [Change(1, 3, "h")], base=first, state="done")
    )
    assert store.revisions.labels("bees", "ann") == "thhh"
    assert store.revisions.labels_at(first) == "ttoo"
    assert store.revisions.head("bees", "ann") == ("bees", "ann", second, "done", 2)


def test_a_save_from_an_old_revision_is_a_conflict(store):
    first = store.revisions.save("bees", Save("ann", [Change(0, 1, "t")], base=0))
    for base in (0, first + 1):
        with pytest.raises(Conflict, match="in the meantime") as caught:
            store.revisions.save("bees", Save("ann", [Change(0, 0, "h")], base=base))
        assert caught.value.head.revision == first
    assert store.revisions.labels("bees", "ann") == "ttoo"
    assert store.revisions.save("bees", Save("ann", [Change(0, 0, "h")])) > first


def test_a_save_whose_answer_was_lost_is_not_made_twice(store):
    first = store.revisions.save("bees", Save("ann", [Change(0, 1, "t")], base=0, key="k"))
    assert store.revisions.save("bees", Save("ann", [Change(0, 1, "t")], base=0, key="k")) == first
    assert store.revisions.head("bees", "ann").step == 1
    with pytest.raises(Conflict):
        store.revisions.save("bees", Save("ann", [Change(0, 1, "t")], base=0, key="other"))


def test_annotators_have_chains_of_their_own(store):
    store.revisions.save("bees", Save("ann", [Change(0, 0, "t")], base=0))
    store.revisions.save("bees", Save("bob", [Change(1, 1, "t")], base=0))
    assert store.revisions.labels("bees", "ann") == "tooo"
    assert store.revisions.labels("bees", "bob") == "otoo"
    assert store.revisions.annotators() == ["ann", "bob"]
    assert [head.annotator for head in store.revisions.heads("bees")] == ["ann", "bob"]
    assert len(store.revisions.heads()) == 2


def test_unknown_things_are_said_to_be_unknown(store):
    assert store.revisions.labels("bees", "ann") is None
    assert store.revisions.head("bees", "ann") is None
    for ask in (
        store.pages.get,
        store.pages.html,
        lambda page: store.revisions.save(page, Save("ann", base=0)),
    ):
        with pytest.raises(NoSuchPage, match="no page 'wasps'"):
            ask("wasps")
    with pytest.raises(CorpusError, match="no revision 9"):
        store.revisions.labels_at(9)


@pytest.mark.parametrize("name", ["", " ann", "a\nb", "a" * 81, None, 3])
def test_an_annotator_needs_a_name(store, name):
    with pytest.raises(CorpusError, match="name"):
        store.revisions.save("bees", Save(name, base=0))


def test_a_save_with_one_wrong_range_stores_nothing(store):
    with pytest.raises(CorpusError, match="not a range"):
        store.revisions.save("bees", Save("ann", [Change(0, 0, "t"), Change(0, 4, "t")], base=0))
    assert store.revisions.head("bees", "ann") is None


def test_copies_of_labels_do_not_change_what_is_read(store):
    model, base = unmarked(N), 0
    for step in range(100):
        made = [Change(step % N, min(step % N + step % 3, N - 1), "hto"[step % 3])]
        model = replay(model, made)
        base = store.revisions.save("bees", Save("ann", made, base=base))
        assert store.revisions.labels_at(base) == model
    with closing(sqlite3.connect(store.path)) as other:
        ((copies,),) = other.execute("SELECT count(snapshot) FROM revision").fetchall()
    assert copies == 3


def test_many_changes_are_read_from_a_copy(store, page):
    store.add([page("large", b"<p>x" * 1000)])
    every = [Change(block, block, "h") for block in range(0, 1000, 2)]
    number = store.revisions.save("large", Save("ann", every, base=0))
    number = store.revisions.save("large", Save("ann", [Change(0, 0, "t")], base=number))
    assert store.revisions.labels_at(number) == "t" + "oh" * 499 + "o"
    with closing(sqlite3.connect(store.path)) as other:
        ((copies,),) = other.execute("SELECT count(snapshot) FROM revision").fetchall()
    assert copies == 1


@settings(
    derandomize=True, max_examples=20, deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)  # fmt: skip
@given(made=saves)
def test_a_store_is_a_list_of_labels_per_annotator(made, tmp_path_factory, page):
    models, past = {}, []
    with Store(tmp_path_factory.mktemp("store") / "a.sqlite") as store:
        store.add([page("bees")])
        for annotator, changes in made:
            labels, base = models.get(annotator, (unmarked(N), 0))
            number = store.revisions.save("bees", Save(annotator, changes, base=base))
            models[annotator] = replay(labels, changes), number
            past.append((number, models[annotator][0]))
        for annotator, (labels, _) in models.items():
            assert store.revisions.labels("bees", annotator) == labels
        assert all(store.revisions.labels_at(number) == labels for number, labels in past)


def test_suggestions_and_scores_are_kept(store):
    confidence = np.array([100, 0, 50, 99], np.uint8)
    for labels in ("oooo", "htto"):
        kept = {"crf": StoredSuggestion(labels, confidence)}
        store.suggestions.keep("bees", kept, {"uncertainty": 0.25})
    suggestion = store.suggestions.get("bees", "crf")
    assert suggestion.labels == "htto"
    assert suggestion.confidence.tolist() == confidence.tolist()
    assert store.suggestions.get("kettles", "crf") is None
    assert [page for _, page in store.suggestions.missing("crf")] == ["kettles", "knots"]
    assert store.queue.scores("uncertainty", store.pages.all()) == {1: 0.25}
    with pytest.raises(CorpusError, match="2 labels for 4 blocks"):
        store.suggestions.keep("bees", {"crf": StoredSuggestion("ht", confidence)}, {})


def test_what_was_saved_is_there_after_opening_again(store):
    number = store.revisions.save("bees", Save("ann", [Change(0, 1, "t")], base=0, state="skip"))
    with Store(store.path) as again:
        assert again.revisions.labels("bees", "ann") == "ttoo"
        assert again.revisions.head("bees", "ann").state == "skip"
        again.revisions.save("bees", Save("ann", [Change(0, 0, "h")], base=number))
    assert store.revisions.labels("bees", "ann") == "htoo"


def test_of_two_writers_with_one_base_one_wins(store):
    barrier, outcomes = threading.Barrier(2), []

    def write(label):
        with Store(store.path) as opened:
            barrier.wait()
            for _ in range(20):
                head = opened.revisions.head("bees", "ann")
                try:
                    base = head.revision if head else 0
                    outcomes.append(
                        opened.revisions.save("bees", Save("ann", [Change(0, 0, label)], base=base))
                    )
                except Conflict:
                    outcomes.append(None)

    threads = [threading.Thread(target=write, args=(label,)) for label in "ht"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    numbers = [*filter(None, outcomes)]
    assert len(outcomes) == 40
    assert len({*numbers}) == len(numbers) == store.revisions.head("bees", "ann").step
    assert max(numbers) == store.revisions.head("bees", "ann").revision


def test_threads_share_a_store(store):
    def write(annotator):
        base = 0
        for _ in range(20):
            base = store.revisions.save("bees", Save(annotator, [Change(0, 0, "t")], base=base))

    threads = [threading.Thread(target=write, args=(f"ann{i}",)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [head.step for head in store.revisions.heads("bees")] == [20] * 4


def test_commits_are_on_the_disk(store):
    with closing(schema.connect(store.path)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)


@pytest.mark.parametrize("version", [2, 99])
def test_a_store_of_another_version_is_refused_as_it_is(store, version):
    store.close()
    with closing(sqlite3.connect(store.path)) as other:
        other.execute(f"PRAGMA user_version = {version}")
    before = store.path.read_bytes()
    message = f"version {version}, .* export it with the Victor that wrote it, and import that"
    with pytest.raises(CorpusError, match=message):
        Store(store.path)
    assert store.path.read_bytes() == before


def test_two_that_make_a_store_make_one(tmp_path):
    barrier, made = threading.Barrier(2), []

    def make():
        barrier.wait()
        with Store(tmp_path / "new.sqlite") as opened:
            made.append(opened.pages.count())

    threads = [threading.Thread(target=make) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [0, 0]


def test_another_database_is_left_alone(tmp_path):
    path = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE music (title TEXT)")
    before = path.read_bytes()
    with pytest.raises(CorpusError, match="another program"):
        Store(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"no database at all, but long enough" * 50, b"<p>page"])
def test_another_file_is_left_alone(tmp_path, content):
    path = tmp_path / "page.html"
    path.write_bytes(content)
    with pytest.raises(CorpusError, match="cannot be opened as a store"):
        Store(path)
    assert path.read_bytes() == content


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(CorpusError, match="nowhere"):
        Store(tmp_path / "nowhere" / "a.sqlite")


def test_a_disk_that_is_full_is_an_error_of_ours(store, page):
    store._database._connection.execute("PRAGMA max_page_count = 1")
    with pytest.raises(CorpusError, match="cannot be written"):
        store.add([page("big", b"<p>x" * 50_000)])
    store._database._connection.execute("PRAGMA max_page_count = 100000")
    assert store.revisions.save("bees", Save("ann", [Change(0, 0, "t")], base=0))
