"""A store keeps every save, in order, for every annotator, gives it back, and survives damage."""

import re
import sqlite3
import zlib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from annotate.conftest import incoming
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tests.rows import tables
from victor.annotate.database import Unwritable
from victor.annotate.revisions import FINISHED, IMPORTED, STATES, Conflict, Save
from victor.annotate.store import NoSuchPage, Store, Suggestion, View, batches
from victor.corpus.pages import LETTERS
from victor.errors import CorpusError

ROWS = tables(__file__)
N = 4
IDS, NAMES = ("bees", "kettles", "knots"), ("ann", "bob")
CHANGE = st.tuples(st.integers(0, N - 1), st.integers(0, N - 1), st.sampled_from(LETTERS)).map(
    lambda c: (min(c[:2]), max(c[:2]), c[2])
)
CHAIN = {"page": st.sampled_from(IDS), "name": st.sampled_from(NAMES)}
STATE = st.none() | st.sampled_from(STATES)


class Machine(RuleBasedStateMachine):
    """A store beside what it should hold: every revision as letters, `.` where nobody decided."""

    def __init__(self):
        super().__init__()
        self.folder = TemporaryDirectory()
        self.store = Store(Path(self.folder.name) / "a.sqlite")
        self.store.add(map(incoming, IDS))
        self.chains = {(page, name): [(0, "." * N)] for page in IDS for name in NAMES}
        self.states = {}

    def teardown(self):
        self.store.close()
        self.folder.cleanup()

    def _save(self, page, letters, save):
        chain = self.chains[page, save.annotator]
        number = self.store.revisions.save(page, save)
        assert number > chain[-1][0]
        assert self.store.revisions.save(page, save) == number  # one whose answer was lost
        chain.append((number, letters))
        before = self.states.get((page, save.annotator), "todo")
        self.states[page, save.annotator] = save.state or before

    @rule(**CHAIN, changes=st.lists(CHANGE, max_size=3), state=STATE)
    def change(self, page, name, changes, state):
        base, letters = self.chains[page, name][-1]
        for first, last, label in changes:
            letters = letters[:first] + label * (last + 1 - first) + letters[last + 1 :]
        self._save(page, letters, Save(name, changes, base=base, state=state, key=f"k{base}"))

    @rule(**CHAIN, labels=st.text(LETTERS, min_size=N, max_size=N))
    def bring(self, page, name, labels):
        number, before = self.chains[page, name][-1]
        pairs = zip(before, labels, strict=True)
        letters = "".join(old if (old, new) == (".", "o") else new for old, new in pairs)
        self._save(page, letters, Save(name, labels=labels, key=f"k{number}"))

    @precondition(lambda self: self.states)
    @rule(data=st.data())
    def save_on_top_of_another_revision(self, data):
        page, name = data.draw(st.sampled_from(sorted(self.states)))
        newest = self.chains[page, name][-1][0]
        for base in (newest - 1, newest + 1):
            with pytest.raises(Conflict) as caught:
                self.store.revisions.save(page, Save(name, [(0, 0, "h")], base=base))
            assert caught.value.head.revision == newest

    @rule()
    def open_again(self):
        self.store.close()
        self.store = Store(self.store.path)

    @invariant()
    def every_revision_is_there(self):
        revisions = self.store.revisions
        for (page, name), chain in self.chains.items():
            for number, letters in chain[1:]:
                assert revisions.labels_at(number) == letters.replace(".", "o")
                decided = [(run.start(), run.end() - 1) for run in re.finditer("o+", letters)]
                assert revisions.decided(number) == decided
            if len(chain) > 1:
                state = self.states[page, name]
                head = (page, name, chain[-1][0], state, len(chain) - 1)
                assert revisions.head(page, name) == head
        assert {(head.page, head.annotator) for head in revisions.heads()} == {*self.states}

    @invariant()
    def the_queue_is_what_python_would_find(self):
        queue = self.store.queue
        for name in (*NAMES, "nobody"):
            states = {page: self.states.get((page, name), "todo") for page in IDS}
            for view in (View(name, state) for state in (None, *STATES)):
                expected = [page for page in IDS if view.state in (None, states[page])]
                parts = [queue.rows(view, offset, 2) for offset in (0, 2)]
                assert [row.page.id for part in parts for row in part] == expected
                assert queue.count(view) == len(expected)
            assert queue.states(name) == Counter(s for s in states.values() if s != "todo")
        done = {page for (page, _), state in self.states.items() if state in FINISHED}
        assert queue.finished() == len(done)


TestMachine = Machine.TestCase
TestMachine.settings = settings(max_examples=12, stateful_step_count=12)


def test_pages_are_there_in_the_order_they_came(store, page, tmp_path):
    fields = {"url": "http://a.example/", "site": "a.example", "metadata": {"language": "cs"}}
    more = page("more", file=tmp_path / "more.html", **fields)
    assert store.add([page("bees"), more, more]) == 1  # a page is added once
    assert [(stored.number, stored.id) for stored in store.pages.all()] == [
        (1, "bees"), (2, "kettles"), (3, "knots"), (4, "more")
    ]  # fmt: skip
    stored = store.pages.get("more")
    assert (stored.url, stored.site, stored.title) == (fields["url"], fields["site"], "more")
    assert (stored.file, stored.n_blocks) == (str(tmp_path / "more.html"), 4)
    assert (store.pages.html("more"), store.pages.metadata("more")) == (
        more.html, fields["metadata"]
    )  # fmt: skip


@pytest.mark.parametrize("name", ["", "a/b", "../a", "a\\b", "c:a", "a\0b"])
def test_what_cannot_be_added(store, page, name):
    for new in (page(name), page("bees", b"<p>wasps"), page("wrong", labels="ht"),
                page("wrong", labels="htxx")):  # fmt: skip
        with pytest.raises(CorpusError):
            store.add([new])
    assert len(store.pages.all()) == 3


def test_labels_that_come_with_a_page_are_a_revision(store, page):
    store.add([page("labelled", labels="ht?o")])
    assert store.revisions.labels("labelled", IMPORTED) == "ht?o"
    assert store.revisions.head("labelled", IMPORTED).state == "done"


@pytest.mark.parametrize("limit", ["MOST_BYTES", "MOST_BLOCKS"])
def test_a_page_that_is_too_large_is_left_out_with_a_word(store, page, monkeypatch, limit):
    monkeypatch.setattr(f"victor.annotate.store.{limit}", 20)
    pages = [page("large", b"<p>x" * 21), page("small", b"<p>x")]
    messages = []
    assert store.add(pages, messages.append) == 1
    assert ["large" in message for message in messages] == [True]
    with pytest.raises(CorpusError, match="page large"):
        store.add(pages)


def test_unknown_things_are_said_to_be_unknown(store):
    assert store.revisions.labels("bees", "ann") is None
    save = Save("ann", base=0)
    for ask in (store.pages.get, store.pages.html, lambda page: store.revisions.save(page, save)):
        with pytest.raises(NoSuchPage, match="'wasps'"):
            ask("wasps")
    with pytest.raises(CorpusError, match="no revision 9"):
        store.revisions.labels_at(9)


def test_suggestions_are_kept(store):
    confidence = np.array([100, 0, 50, 99], np.uint8)
    for labels in ("oooo", "htto"):
        store.suggestions.keep("bees", "crf", Suggestion(labels, confidence))
    suggestion = store.suggestions.get("bees", "crf")
    assert (suggestion.labels, suggestion.confidence.tolist()) == ("htto", [100, 0, 50, 99])
    assert store.suggestions.get("kettles", "crf") is None
    with pytest.raises(CorpusError, match="2 labels for 4 blocks"):
        store.suggestions.keep("bees", "crf", Suggestion("ht", confidence))


def test_writers_in_threads_and_stores_take_turns(store):
    """Of two with one base one wins, and what another store of the file has written is seen."""

    def write(label):
        numbers = []
        with Store(store.path) as opened:
            for _ in range(20):
                head = opened.revisions.head("bees", "ann")
                save = Save("ann", [(0, 0, label)], base=head.revision if head else 0)
                try:
                    numbers.append(opened.revisions.save("bees", save))
                except Conflict:
                    continue
                store.revisions.save("knots", Save(label, [(0, 0, label)]))
        return numbers

    with ThreadPoolExecutor(2) as threads:
        first, second = threads.map(write, "ht")
    numbers, head = {*first, *second}, store.revisions.head("bees", "ann")
    assert len(numbers) == len(first) + len(second) == head.step
    assert max(numbers) == head.revision
    steps = [store.revisions.head("knots", name).step for name in "ht"]
    assert steps == [len(first), len(second)]


def test_who_reads_does_not_wait_for_who_writes(store):
    with ThreadPoolExecutor(1) as threads, store.transaction():
        store.revisions.save("bees", Save("ann", [(0, 0, "t")]))
        assert threads.submit(store.revisions.head, "bees", "ann").result(60) is None
    assert store.revisions.labels("bees", "ann") == "tooo"


def test_what_many_pages_are_written_in():
    """Transactions of 50 pages or a megabyte; what comes before an error is written first."""
    assert [*map(len, batches("x" * 120, len))] == [50, 50, 20]
    assert [*map(len, batches(["x" * 300_000] * 9, len))] == [4, 4, 1]

    def source():
        yield from "ab"
        raise CorpusError("the rest is damaged")

    made = batches(source(), len)
    assert next(made) == ["a", "b"]
    with pytest.raises(CorpusError):
        next(made)


# --- Damage ---------------------------------------------------------------------------------------


def alter(path, *statements, values=()):
    """Change the file as another program would."""
    with closing(sqlite3.connect(path)) as other, other:
        for statement in statements:
            other.execute(statement, values)


@pytest.mark.parametrize(("written", "said"), ROWS["no store"])
def test_a_file_that_is_no_store_or_one_of_another_version_is_left_alone(tmp_path, written, said):
    path = tmp_path / "other.sqlite"
    if isinstance(written, bytes):
        path.write_bytes(written)
    else:
        if written.startswith("PRAGMA"):
            Store(path).close()
        alter(path, written)
    before = path.read_bytes()
    with pytest.raises(CorpusError, match=said):
        Store(path)
    assert path.read_bytes() == before


PACKED = (b"x", b"", zlib.compress(b"oo"), zlib.compress(b"o" * 10**7), zlib.compress(b"zzzz"))


@pytest.mark.parametrize("packed", PACKED)
def test_labels_and_suggestions_that_are_none(store, packed):
    number = store.revisions.save("bees", Save("ann", [(0, 0, "t")]))
    alter(store.path, "UPDATE revision SET labels = ?", values=[packed])
    with pytest.raises(CorpusError, match=f"revision {number}"):
        store.revisions.labels("bees", "ann")
    assert store.revisions.save("bees", Save("ann", state="broken")) > number  # it may be left
    alter(store.path, "INSERT INTO suggestion VALUES (1, 'x', ?, ?)", values=[packed, packed])
    assert store.suggestions.get("bees", "x") is None  # it is made again


@pytest.mark.parametrize("connections", ROWS["changed"])
def test_what_another_program_has_changed_is_one_error_of_ours(store, connections):
    store.revisions.save("bees", Save("ann", base=0, key="k"))
    for statements in connections:
        alter(store.path, *statements)

    def use():
        with Store(store.path) as changed:
            assert len(changed.pages.all()) == 3
            changed.pages.metadata("bees")
            changed.revisions.save("bees", Save("ann", base=1, key="k"))
            changed.pages.html("bees")

    with pytest.raises(CorpusError):
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
        with pytest.raises(CorpusError, match="put a copy of it in its place"), \
             Store(store.path) as opened:  # fmt: skip
            opened.pages.all()


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


def test_a_tab_is_told_of_a_full_disk_and_may_try_again(store, browser_in, post, monkeypatch):
    body = {"annotator": "ann", "base": 0, "key": "k", "changes": [[0, 3, "t"]]}
    with monkeypatch.context() as full:
        failing = sqlite3.OperationalError("database or disk is full")
        full.setattr("victor.annotate.revisions.replay", lambda *_: (_ for _ in ()).throw(failing))
        answer = post("/api/page/bees/save", body)
    assert (answer.status_code, "disk is full" in answer.json()["error"]) == (503, True)
    address = "/api/page/bees?annotator=ann"
    assert browser_in.get(address).json()["revision"] == 0
    assert post("/api/page/bees/save", body).status_code == 200
    assert browser_in.get(address).json()["labels"] == "tttt"
