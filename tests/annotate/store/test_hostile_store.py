"""Stores that are damaged, altered or in use: one clear error, and nobody waits for long."""

import shutil
import sqlite3
import threading
import zlib
from contextlib import closing
from itertools import pairwise

import pytest

from victor.annotate.exchange import store_import
from victor.annotate.exchange.store_import import ImportedPage, import_pages
from victor.annotate.store import store as victor_store
from victor.annotate.store.changes import Change
from victor.annotate.store.database import Unwritable
from victor.annotate.store.revisions import Save
from victor.annotate.store.store import Store
from victor.corpus.pages import annotate
from victor.errors import CorpusError


def alter(store, statement, *values):
    """Change the file as another program would."""
    with closing(sqlite3.connect(store.path)) as other, other:
        other.execute(statement, values)


def read_all(path):
    with Store(path) as store:
        return [store.pages.html(page.id) for page in store.pages.all()]


def test_who_reads_does_not_wait_for_who_writes(store):
    written, read = threading.Event(), threading.Event()

    def write():
        with store._database.transaction():
            store.revisions.save("bees", Save("ann", [Change(0, 0, "t")]))
            written.set()
            assert read.wait(60)

    writer = threading.Thread(target=write)
    writer.start()
    assert written.wait(60)
    reader = threading.Thread(target=lambda: store.revisions.head("bees", "ann") or read.set())
    reader.start()
    reader.join(60)
    assert read.is_set()
    writer.join(60)
    assert store.revisions.labels("bees", "ann") == "tooo"


@pytest.fixture
def turns(store, monkeypatch):
    """Whenever somebody who imports makes room for others, what others see; they save, too.

    A dict per turn: seconds of the pause, pages in the store, those in its file without journal.
    """
    seen = []
    ours = threading.get_ident()
    with Store(store.path) as other:

        def sleep(seconds):
            if threading.get_ident() == ours:
                shutil.copy(store.path, alone)
                with closing(sqlite3.connect(alone)) as copied:
                    ((in_file,),) = copied.execute("SELECT count(*) FROM page")
                pages = len(other.pages.all())
                seen.append({"seconds": seconds, "pages": pages, "in file": in_file})
                other.revisions.save("bees", Save("other", [Change(0, 0, "t")]))

        alone = store.path.with_name("alone.sqlite")
        monkeypatch.setattr("victor.annotate.store.database.time.sleep", sleep)
        yield seen


def imported(name, html):
    return ImportedPage(annotate(name, html, [1]))


@pytest.mark.parametrize(
    ("count", "size", "at_once"), [(120, 10, 50), (12, 300_000, 4), (3, 2_000_000, 1)]
)
def test_others_save_between_the_transactions_of_an_import(store, turns, count, size, at_once):
    pages = (imported(f"more-{number}", b"<p>" + b"x" * size) for number in range(count))
    assert [result.error for result in import_pages(store, pages)] == [None] * count
    seen = [3, *(turn["pages"] for turn in turns)]
    assert seen[-1] == 3 + count
    assert all(0 < b - a <= at_once for a, b in pairwise(seen))
    assert all(turn["seconds"] > 0 for turn in turns)
    assert store.revisions.head("bees", "other").step == len(turns)


def test_who_imports_copies_the_journal_himself(store, turns):
    """So that a save does not have to: it would wait for megabytes to be on the disk."""
    pages = (imported(f"more-{number}", b"<p>" + b"x" * 600_000) for number in range(4))
    assert len([*import_pages(store, pages)]) == 4
    assert [turn["in file"] for turn in turns] == [turn["pages"] for turn in turns] == [5, 7]


def test_the_work_on_imported_pages_keeps_nobody_waiting(store, monkeypatch):
    """They are split into blocks before the transaction begins."""
    inside = []
    split = store_import.block_table

    def block_table(html):
        inside.append(store._database.in_transaction())
        return split(html)

    for module in (store_import, victor_store):
        monkeypatch.setattr(module, "block_table", block_table)
    assert len([*import_pages(store, [imported("a", b"<p>x"), imported("b", b"<p>x")])]) == 2
    assert inside == [False, False]


def test_many_small_pages_share_a_transaction(store, page):
    statements = []
    store._database._connection.set_trace_callback(statements.append)
    store.add([page(f"more-{number}") for number in range(40)])
    assert statements.count("COMMIT") == 1


@pytest.mark.parametrize("limit", ["MOST_BYTES", "MOST_BLOCKS"])
def test_a_page_that_is_too_large_is_left_out_with_a_word(store, page, monkeypatch, limit):
    monkeypatch.setattr(f"victor.annotate.store.store.{limit}", 20)
    pages = [page("large", b"<p>x" * 21), page("small", b"<p>x")]
    messages = []
    assert store.add(pages, messages.append) == 1
    assert len(messages) == 1
    assert "page large is left out" in messages[0]
    with pytest.raises(CorpusError, match=r"page large has .* leave it out"):
        store.add(pages)


@pytest.mark.parametrize(
    "changes",
    ["[" * 100_000, "[[0, 9, 't']]", '[[0, 9, "t"]]', '[[0, 0, "z"]]', "{}", '["x"]', "",
     '[[-1, 0, "t"]]', '[[0, 2000000000, "t"]]'],
)  # fmt: skip
def test_changes_that_are_none(store, changes):
    number = store.revisions.save("bees", Save("ann", [Change(0, 0, "t")]))
    alter(store, "UPDATE revision SET changes = ?", changes)
    with pytest.raises(CorpusError, match=rf"revision {number}: .* put a copy"):
        store.revisions.labels("bees", "ann")


def test_a_damaged_name_in_the_file_is_no_error_of_its_own(store):
    """The error of SQLite quotes it, and cannot be decoded."""
    store.close()
    data = store.path.read_bytes()
    assert b"CREATE TABLE page" in data
    store.path.write_bytes(data.replace(b"CREATE TABLE page", b"CREATE TA\xff\xae page"))
    with pytest.raises(CorpusError, match="cannot be opened as a store"):
        read_all(store.path)


@pytest.mark.parametrize(
    "snapshot", [b"x", b"", zlib.compress(b"o" * 50_000_000), zlib.compress(b"zzzz")]
)
def test_snapshots_that_are_none(store, snapshot):
    store.revisions.save("bees", Save("ann", [Change(0, 0, "t")]))
    alter(store, "UPDATE revision SET snapshot = ?", snapshot)
    with pytest.raises(CorpusError, match="put a copy"):
        store.revisions.labels("bees", "ann")


def test_more_changes_than_a_request_can_have_are_not_read(store, monkeypatch):
    store.revisions.save("bees", Save("ann", [Change(0, 0, "t")]))
    alter(store, "UPDATE revision SET changes = ?", '[[0, 0, "t"]' + ', [0, 0, "t"]' * 10**6 + "]")
    with pytest.raises(CorpusError, match="put a copy"):
        store.revisions.labels("bees", "ann")


def test_a_save_that_labels_a_page_very_often_is_refused(store, monkeypatch):
    monkeypatch.setattr("victor.annotate.store.changes._MOST_LABELLED", 10)
    with pytest.raises(CorpusError, match="label 12 blocks"):
        store.revisions.save("bees", Save("ann", [Change(0, 3, "t")] * 3))
    assert store.revisions.head("bees", "ann") is None


def test_suggestions_that_are_none_are_made_again(store):
    for packed in (b"x", zlib.compress(b"oo"), zlib.compress(b"o" * 10**7), zlib.compress(b"zzzz")):
        alter(store, "INSERT OR REPLACE INTO suggestion VALUES (1, 'x', ?, ?)", packed, packed)
        assert store.suggestions.get("bees", "x") is None


def test_a_page_of_more_blocks_than_there_can_be(store):
    alter(store, "UPDATE page SET n_blocks = 2000000000 WHERE id = 'bees'")
    with pytest.raises(CorpusError, match="at most 200000 can be labelled"):
        store.revisions.save("bees", Save("ann"))
    assert len(store.pages.all()) == 3


@pytest.mark.parametrize("metadata", ["[[[", "[]", "x", '{"a": "' + "x" * 2_000_000 + '"}'])
def test_metadata_that_are_none(store, metadata):
    alter(store, "UPDATE page SET metadata = ?", metadata)
    assert len(store.pages.all()) == 3
    with pytest.raises(CorpusError, match="metadata of page bees"):
        store.pages.metadata("bees")


def declare(store, page_table):
    """Declare the table of pages otherwise, without a look at what it holds."""
    with closing(sqlite3.connect(store.path)) as other, other:
        other.execute("PRAGMA writable_schema = ON")
        other.execute("UPDATE sqlite_master SET sql = ? WHERE name = 'page'", (page_table,))


@pytest.mark.parametrize("column", ["id", "file", "title", "n_blocks"])
def test_values_of_another_type_than_their_column(store, column):
    """A flipped byte gives a value another type, though the table is strict."""
    (table,) = store._database.rows("SELECT sql FROM sqlite_master WHERE name = 'page'")[0]
    declare(store, table.replace(" STRICT", ""))
    alter(store, f"UPDATE page SET {column} = x'ff00' WHERE number = 1")
    declare(store, table)
    with Store(store.path) as damaged, pytest.raises(CorpusError, match="put a copy of it"):
        damaged.pages.all()


def test_a_title_is_read_up_to_a_length(store):
    alter(store, "UPDATE page SET title = ?", "x" * 100_000)
    assert {len(page.title) for page in store.pages.all()} == {1000}


def test_pages_that_another_process_adds_are_seen(store, page):
    assert len(store.pages.all()) == 3
    with Store(store.path) as other:
        other.add([page("more")])
    assert [one.id for one in store.pages.all()][3:] == ["more"]


@pytest.mark.parametrize(
    "statement",
    ["DROP TABLE head", "ALTER TABLE page RENAME COLUMN html TO body",
     "ALTER TABLE revision DROP COLUMN key"],
)  # fmt: skip
def test_a_store_whose_tables_another_program_has_changed(store, statement):
    store.revisions.save("bees", Save("ann", base=0, key="k"))
    alter(store, statement)
    with pytest.raises(CorpusError, match=r"no such .* put a copy"):
        save_again(store.path)


def save_again(path):
    with Store(path) as store:
        store.revisions.save("bees", Save("ann", base=1, key="k"))
        store.pages.html("bees")


def test_a_damaged_store_says_what_to_do(store, page):
    store.add([page(f"more-{number}", b"<p>x" * 3000) for number in range(9)])
    store.close()
    content = bytearray(store.path.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    store.path.write_bytes(content)
    with pytest.raises(CorpusError, match="put a copy of it in its place"):
        read_all(store.path)


def test_a_locked_store_can_be_read_and_says_that_it_cannot_be_written(store, monkeypatch):
    monkeypatch.setattr("victor.annotate.store.database._PATIENCE", 0)
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert len(store.pages.all()) == 3
        with pytest.raises(Unwritable, match="locked; try again"):
            store.revisions.save("bees", Save("ann"))
        other.execute("ROLLBACK")
    assert store.revisions.save("bees", Save("ann"))


def test_a_tab_is_told_of_a_full_disk_and_may_try_again(store, browser_in, post):
    body = {"annotator": "ann", "base": 0, "key": "k", "changes": [[n % 4, n % 4, "t"] for n in
            range(4000)]}  # fmt: skip
    pages = store._database._connection.execute("PRAGMA page_count").fetchone()[0]
    store._database._connection.execute(f"PRAGMA max_page_count = {pages}")
    answer = post("/api/page/bees/save", body)
    assert (answer.status_code, "disk is full" in answer.json()["error"]) == (503, True)
    assert browser_in.get("/api/page/bees?annotator=ann").json()["revision"] == 0
    store._database._connection.execute(f"PRAGMA max_page_count = {1000 * pages}")
    assert post("/api/page/bees/save", body).status_code == 200
    assert browser_in.get("/api/page/bees?annotator=ann").json()["labels"] == "tttt"
