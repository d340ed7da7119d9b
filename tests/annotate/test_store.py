"""A store keeps every save, in order, for every annotator, and gives it back."""

import sqlite3
import threading
import zlib
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import chain

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from victor.annotate.database import Unwritable
from victor.annotate.revisions import IMPORTED, Conflict, Save
from victor.annotate.store import NoSuchPage, Store, StoredSuggestion, batches
from victor.corpus.pages import LETTERS
from victor.errors import CorpusError

N = 4
change = st.tuples(st.integers(0, N - 1), st.integers(0, N - 1), st.sampled_from(LETTERS)).map(
    lambda c: (min(c[:2]), max(c[:2]), c[2])
)
saves = st.lists(st.tuples(st.sampled_from("ab"), st.lists(change, max_size=3)))


def test_pages_are_there_in_the_order_they_came(store, page, tmp_path):
    fields = {"url": "http://a.example/", "site": "a.example", "metadata": {"language": "cs"}}
    store.add([page("more", file=tmp_path / "more.html", **fields)])
    assert [(stored.number, stored.id, stored.n_blocks) for stored in store.pages.all()] == [
        (1, "bees", 4), (2, "kettles", 4), (3, "knots", 4), (4, "more", 4)
    ]  # fmt: skip
    stored = store.pages.get("more")
    assert (stored.url, stored.site, stored.title) == (fields["url"], fields["site"], "more")
    assert (store.pages.html("more"), store.pages.metadata("more")) == (
        page("more").html,
        fields["metadata"],
    )
    assert stored.file == str(tmp_path / "more.html")


def test_a_page_is_added_once(store, page):
    assert store.add([page("bees"), page("new"), page("new")]) == 1
    assert len(store.pages.all()) == 4
    with pytest.raises(CorpusError, match="another page with the id bees"):
        store.add([page("bees", b"<p>wasps")])


@pytest.mark.parametrize("name", ["", "a/b", "../a", "a\\b", "c:a", "a\0b"])
def test_an_id_has_to_be_a_file_name(store, page, name):
    with pytest.raises(CorpusError, match="page id"):
        store.add([page(name)])


def test_labels_that_come_with_a_page_are_a_revision(store, page):
    store.add([page("labelled", labels="ht?o")])
    assert store.revisions.labels("labelled", IMPORTED) == "ht?o"
    assert store.revisions.head("labelled", IMPORTED).state == "done"
    for labels in ("ht", "htxx"):
        with pytest.raises(CorpusError, match="label"):
            store.add([page("wrong", labels=labels)])
    assert len(store.pages.all()) == 4


@pytest.mark.parametrize("limit", ["MOST_BYTES", "MOST_BLOCKS"])
def test_a_page_that_is_too_large_is_left_out_with_a_word(store, page, monkeypatch, limit):
    monkeypatch.setattr(f"victor.annotate.store.{limit}", 20)
    pages = [page("large", b"<p>x" * 21), page("small", b"<p>x")]
    messages = []
    assert store.add(pages, messages.append) == 1
    assert ["page large is left out" in message for message in messages] == [True]
    with pytest.raises(CorpusError, match=r"page large has .* leave it out"):
        store.add(pages)


def test_every_save_is_a_revision(store):
    first = store.revisions.save("bees", Save("ann", [(0, 1, "t")], base=0))
    second = store.revisions.save("bees", Save("ann", [(1, 3, "h")], base=first, state="done"))
    assert store.revisions.labels("bees", "ann") == "thhh"
    assert store.revisions.labels_at(first) == "ttoo"
    assert store.revisions.head("bees", "ann") == ("bees", "ann", second, "done", 2)
    store.revisions.save("bees", Save("bob", [(1, 1, "t")], base=0))
    assert store.revisions.labels("bees", "ann") == "thhh"
    assert store.revisions.annotators() == ["ann", "bob"]
    assert [head.annotator for head in store.revisions.heads()] == ["ann", "bob"]


def test_a_save_from_an_old_revision_is_a_conflict(store):
    first = store.revisions.save("bees", Save("ann", [(0, 1, "t")], base=0, key="k"))
    for base in (0, first + 1):
        with pytest.raises(Conflict, match="in the meantime") as caught:
            store.revisions.save("bees", Save("ann", [(0, 0, "h")], base=base))
        assert caught.value.head.revision == first
    assert store.revisions.labels("bees", "ann") == "ttoo"
    # One whose answer was lost is not made twice.
    assert store.revisions.save("bees", Save("ann", [(0, 1, "t")], base=0, key="k")) == first
    assert store.revisions.save("bees", Save("ann", [(0, 0, "h")])) > first


def test_unknown_things_are_said_to_be_unknown(store):
    assert store.revisions.labels("bees", "ann") is None
    save = Save("ann", base=0)
    for ask in (store.pages.get, store.pages.html, lambda page: store.revisions.save(page, save)):
        with pytest.raises(NoSuchPage, match="no page 'wasps'"):
            ask("wasps")
    with pytest.raises(CorpusError, match="no revision 9"):
        store.revisions.labels_at(9)


def test_blocks_left_other_on_purpose_are_told_from_those_that_nobody_touched(store):
    for changes, expected in (
        ([(0, 2, "t"), (1, 1, "o")], [(1, 1)]),
        ([(3, 3, "o")], [(1, 1), (3, 3)]),
        ([(0, 3, "o")], [(0, 3)]),
    ):
        number = store.revisions.save("bees", Save("ann", changes))
        assert store.revisions.decided(number) == expected
    number = store.revisions.save("knots", Save("ann", labels="tooo"))
    assert store.revisions.decided(number) == []


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
            labels, base = models.get(annotator, ("o" * N, 0))
            model = list(labels)
            for first, last, label in changes:
                model[first : last + 1] = label * (last + 1 - first)
            number = store.revisions.save("bees", Save(annotator, changes, base=base))
            models[annotator] = "".join(model), number
            past.append((number, "".join(model)))
        for annotator, (labels, _) in models.items():
            assert store.revisions.labels("bees", annotator) == labels
        assert all(store.revisions.labels_at(number) == labels for number, labels in past)


def test_suggestions_and_scores_are_kept(store):
    confidence = np.array([100, 0, 50, 99], np.uint8)
    for labels in ("oooo", "htto"):
        kept = {"crf": StoredSuggestion(labels, confidence)}
        store.suggestions.keep("bees", kept, {"uncertainty": 0.25})
    suggestion = store.suggestions.get("bees", "crf")
    assert (suggestion.labels, suggestion.confidence.tolist()) == ("htto", [100, 0, 50, 99])
    assert store.suggestions.get("kettles", "crf") is None
    assert [page for _, page in store.suggestions.missing("crf")] == ["kettles", "knots"]
    assert store.queue.scores("uncertainty", store.pages.all()) == {1: 0.25}
    with pytest.raises(CorpusError, match="2 labels for 4 blocks"):
        store.suggestions.keep("bees", {"crf": StoredSuggestion("ht", confidence)}, {})


def test_what_another_process_does_is_seen(store, page):
    number = store.revisions.save("bees", Save("ann", [(0, 1, "t")], base=0, state="skip"))
    with Store(store.path) as again:
        assert again.revisions.head("bees", "ann").state == "skip"
        again.revisions.save("bees", Save("ann", [(0, 0, "h")], base=number))
        again.add([page("more")])
    assert store.revisions.labels("bees", "ann") == "htoo"
    assert [one.id for one in store.pages.all()][3:] == ["more"]


def test_of_two_writers_with_one_base_one_wins(store):
    barrier = threading.Barrier(2)

    def write(label):
        with Store(store.path) as opened:
            barrier.wait()
            for _ in range(20):
                head = opened.revisions.head("bees", "ann")
                base = head.revision if head else 0
                try:
                    yield opened.revisions.save("bees", Save("ann", [(0, 0, label)], base=base))
                except Conflict:
                    yield None

    with ThreadPoolExecutor(2) as threads:
        outcomes = [*threads.map(lambda label: [*write(label)], "ht")]
    numbers = [*filter(None, chain(*outcomes))]
    head = store.revisions.head("bees", "ann")
    assert len({*numbers}) == len(numbers) == head.step
    assert max(numbers) == head.revision


def test_threads_share_a_store(store):
    def write(annotator):
        base = 0
        for _ in range(20):
            base = store.revisions.save("bees", Save(annotator, [(0, 0, "t")], base=base))

    with ThreadPoolExecutor(4) as threads:
        assert len([*threads.map(write, ("ann", "bob", "eva", "jan"))]) == 4
    assert [head.step for head in store.revisions.heads()] == [20] * 4


def test_who_reads_does_not_wait_for_who_writes(store):
    with ThreadPoolExecutor(1) as threads, store.transaction():
        store.revisions.save("bees", Save("ann", [(0, 0, "t")]))
        assert threads.submit(store.revisions.head, "bees", "ann").result(60) is None
    assert store.revisions.labels("bees", "ann") == "tooo"


def test_what_many_pages_are_written_in():
    """Transactions of 50 pages or a megabyte; what comes before an error is written first."""
    assert [*map(len, batches("x" * 120, len))] == [50, 50, 20]
    large = ["x" * 300_000] * 9
    assert [*map(len, batches(large, len))] == [4, 4, 1]

    def source():
        yield from "ab"
        raise CorpusError("the rest is damaged")

    made = batches(source(), len)
    assert next(made) == ["a", "b"]
    with pytest.raises(CorpusError, match="damaged"):
        next(made)


@pytest.mark.parametrize("version", [2, 3, 99])
def test_a_store_of_another_version_is_refused_as_it_is(store, version):
    store.close()
    alter(store, f"PRAGMA user_version = {version}")
    before = store.path.read_bytes()
    message = f"version {version}, .* export it with the Victor that wrote it, and import that"
    with pytest.raises(CorpusError, match=message):
        Store(store.path)
    assert store.path.read_bytes() == before


@pytest.mark.parametrize("content", [b"no database at all, but long enough" * 50, b"<p>page", None])
def test_another_file_is_left_alone(tmp_path, content):
    path = tmp_path / "other.sqlite"
    if content is None:
        with closing(sqlite3.connect(path)) as other:
            other.execute("CREATE TABLE music (title TEXT)")
    else:
        path.write_bytes(content)
    before = path.read_bytes()
    with pytest.raises(CorpusError, match=r"another program|cannot be opened as a store"):
        Store(path)
    assert path.read_bytes() == before


def alter(store, statement, *values):
    """Change the file as another program would."""
    with closing(sqlite3.connect(store.path)) as other, other:
        other.execute(statement, values)


def read_all(path):
    with Store(path) as store:
        return [store.pages.html(page.id) for page in store.pages.all()]


PACKED = (b"x", b"", zlib.compress(b"oo"), zlib.compress(b"o" * 10**7), zlib.compress(b"zzzz"))


@pytest.mark.parametrize("packed", PACKED)
def test_labels_and_suggestions_that_are_none(store, packed):
    number = store.revisions.save("bees", Save("ann", [(0, 0, "t")]))
    alter(store, "UPDATE revision SET labels = ?", packed)
    with pytest.raises(CorpusError, match=rf"revision {number}: .* put a copy"):
        store.revisions.labels("bees", "ann")
    assert store.revisions.save("bees", Save("ann", state="broken")) > number  # it may be left
    alter(store, "INSERT OR REPLACE INTO suggestion VALUES (1, 'x', ?, ?)", packed, packed)
    assert store.suggestions.get("bees", "x") is None  # it is made again


@pytest.mark.parametrize("count", [2_000_000_000, -5])
def test_a_page_of_more_blocks_than_there_can_be(store, count):
    number = store.revisions.save("bees", Save("ann"))
    alter(store, f"UPDATE page SET n_blocks = {count} WHERE id = 'bees'")
    for use in (lambda: store.revisions.save("bees", Save("ann")),
                lambda: store.revisions.labels_at(number)):  # fmt: skip
        with pytest.raises(CorpusError, match=r"blocks|labels"):
            use()
    assert len(store.pages.all()) == 3


@pytest.mark.parametrize("metadata", ["[[[", "[]", "x", '{"a": "' + "x" * 2_000_000 + '"}'])
def test_metadata_that_are_none(store, metadata):
    alter(store, "UPDATE page SET metadata = ?", metadata)
    assert len(store.pages.all()) == 3
    with pytest.raises(CorpusError, match="metadata of page bees"):
        store.pages.metadata("bees")


@pytest.mark.parametrize("column", ["id", "file", "title", "n_blocks"])
def test_values_of_another_type_than_their_column(store, column):
    """A flipped byte gives a value another type, though the table is strict."""
    (table,) = store._database.rows("SELECT sql FROM sqlite_master WHERE name = 'page'")[0]

    def declare(sql):
        with closing(sqlite3.connect(store.path)) as other, other:
            other.execute("PRAGMA writable_schema = ON")
            other.execute("UPDATE sqlite_master SET sql = ? WHERE name = 'page'", (sql,))

    declare(table.replace(" STRICT", ""))
    alter(store, f"UPDATE page SET {column} = x'ff00' WHERE number = 1")
    declare(table)
    with Store(store.path) as damaged, pytest.raises(CorpusError, match="put a copy of it"):
        damaged.pages.all()


@pytest.mark.parametrize(
    "statement",
    ["DROP TABLE head", "ALTER TABLE page RENAME COLUMN html TO body",
     "ALTER TABLE revision DROP COLUMN key"],
)  # fmt: skip
def test_a_store_whose_tables_another_program_has_changed(store, statement):
    store.revisions.save("bees", Save("ann", base=0, key="k"))
    alter(store, statement)

    def use():
        with Store(store.path) as changed:
            changed.revisions.save("bees", Save("ann", base=1, key="k"))
            changed.pages.html("bees")

    with pytest.raises(CorpusError, match=r"no such .* put a copy"):
        use()


def test_a_damaged_store_says_what_to_do(store, page):
    store.add([page(f"more-{number}", b"<p>x" * 3000) for number in range(9)])
    store.close()
    content = store.path.read_bytes()
    assert b"CREATE TABLE page" in content
    for damaged in (
        content[:4096] + b"\xff" * (len(content) - 4096),
        content.replace(b"CREATE TABLE page", b"CREATE TA\xff\xae page"),  # SQLite quotes it
    ):
        store.path.write_bytes(damaged)
        with pytest.raises(CorpusError, match="put a copy of it in its place"):
            read_all(store.path)


def test_a_locked_store_can_be_read_and_says_that_it_cannot_be_written(store, monkeypatch):
    monkeypatch.setattr("victor.annotate.database._WAIT", 0)
    with (
        Store(store.path) as hasty,
        closing(sqlite3.connect(store.path, isolation_level=None)) as other,
    ):
        other.execute("BEGIN IMMEDIATE")
        assert len(hasty.pages.all()) == 3
        with pytest.raises(Unwritable, match="locked; try again"):
            hasty.revisions.save("bees", Save("ann"))
        other.execute("ROLLBACK")
        assert hasty.revisions.save("bees", Save("ann"))


def test_a_tab_is_told_of_a_full_disk_and_may_try_again(store, browser_in, post):
    changes = [[n % 4, n % 4, "t"] for n in range(4000)]
    body = {"annotator": "ann" * 20, "base": 0, "key": "k" * 100, "changes": changes}
    writer = store._database._writer
    pages = writer.execute("PRAGMA page_count").fetchone()[0]
    writer.execute(f"PRAGMA max_page_count = {pages}")
    answers = []
    while not answers or (answers[-1].status_code == 200 and len(answers) < 200):
        answers.append(post("/api/page/bees/save", body | {"key": f"{len(answers)}"}))
        body["base"] = answers[-1].json().get("revision", body["base"])
    assert (answers[-1].status_code, "disk is full" in answers[-1].json()["error"]) == (503, True)
    address = f"/api/page/bees?annotator={body['annotator']}"
    assert browser_in.get(address).json()["revision"] == body["base"]
    writer.execute(f"PRAGMA max_page_count = {1000 * pages}")
    assert post("/api/page/bees/save", body).status_code == 200
    assert browser_in.get(address).json()["labels"] == "tttt"
