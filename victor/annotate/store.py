"""What annotators did, in one SQLite file: pages, revisions of their labels, suggestions.

Every save is a revision; none is changed or removed. The revisions of one annotator on one page
are a chain, and what the annotator says as adjudicator is another.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Literal, NamedTuple, Protocol, Self, get_args

import numpy as np
from numpy.typing import NDArray

from victor.annotate.cut import Cut, block_table, cut
from victor.annotate.letters import unmarked
from victor.annotate.revisions import (
    Change,
    changes_between,
    checked_changes,
    checked_labels,
    plain,
    replay,
)
from victor.annotate.schema import connect
from victor.corpus.pages import page_file
from victor.errors import CorpusError

State = Literal["todo", "done", "no-content", "wrong-language", "broken", "skip"]
STATES: Final[tuple[State, ...]] = get_args(State)
Kind = Literal["annotation", "adjudication", "import"]
IMPORTED: Final = "import"
"""The annotator whose labels came with the pages."""

_SNAPSHOT_EVERY: Final = 32
"""Revisions of a chain from one copy of all labels to the next: what reading has to replay."""
_MANY: Final = 200
"""Changes from which on a copy of all labels is read faster than they are replayed."""
_PART: Final = 50
"""Pages that are added in one transaction."""
_LONGEST_NAME: Final = 80


class Incoming(Protocol):
    """A page to add; `victor.annotate.sources.NewPage` is one."""

    @property
    def id(self) -> str: ...  # noqa: D102
    @property
    def html(self) -> bytes: ...  # noqa: D102
    @property
    def url(self) -> str | None: ...  # noqa: D102
    @property
    def site(self) -> str: ...  # noqa: D102
    @property
    def file(self) -> Path | None: ...  # noqa: D102
    @property
    def labels(self) -> str | None: ...  # noqa: D102
    @property
    def metadata(self) -> Mapping[str, Any]: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class StoredPage:
    """A page of the store without its bytes.

    Attributes:
        number: its place in the order in which pages were added, from 1.
        id: unique in the store; the plain name of a file.
        url, site, title: as the source and the page say.
        file: where it was saved, for the files beside it.
        metadata: anything else.
        n_blocks: blocks of the page; as many letters are its labels.
        cut: checksum of the texts of the blocks.
    """

    number: int
    id: str
    url: str | None
    site: str
    file: Path | None
    title: str | None
    metadata: Mapping[str, Any] = field(hash=False)
    n_blocks: int
    cut: int


class Head(NamedTuple):
    """The newest revision of a chain.

    Attributes:
        page: id of the page.
        annotator: who saved it.
        adjudicated: is it a chain of adjudications.
        revision: number of the newest revision, unique in the store.
        state: of the page, as this annotator says.
        seconds: time spent, summed over the chain.
        step: revisions in the chain.
    """

    page: str
    annotator: str
    adjudicated: bool
    revision: int
    state: State
    seconds: float
    step: int


class Revision(NamedTuple):
    """One save.

    Attributes:
        number: unique in the store and growing.
        kind: what it was.
        base: number of the revision it was made from, 0 for none.
        state: of the page after it.
        seconds: time spent on it, as the browser measured.
        saved: when, in seconds since 1970 (UTC).
        changes: what it did to the labels of its base.
    """

    number: int
    kind: Kind
    base: int
    state: State
    seconds: float
    saved: float
    changes: tuple[Change, ...]


class Suggested(NamedTuple):
    """What a labeler says of a page.

    Attributes:
        labels: one letter a block.
        confidence: (n,) uint8, 0 to 100.
    """

    labels: str
    confidence: NDArray[np.uint8]


class NoSuchPage(CorpusError):  # noqa: N818  (what happened, not what failed)
    """The store has no page of this id."""

    def __init__(self, page_id: str) -> None:
        super().__init__(f"the store has no page {page_id!r}")


class Conflict(CorpusError):  # noqa: N818  (what happened, not what failed)
    """A save was made from a revision that is not the newest; nothing was stored.

    Attributes:
        head: the newest revision.
    """

    def __init__(self, head: Head) -> None:
        super().__init__(
            f"page {head.page} was saved by {head.annotator} in the meantime "
            f"(revision {head.revision}); look at what is newer and save again"
        )
        self.head = head


class Store:
    """Pages and their revisions. Threads may share it; each transaction has it alone.

    Other processes may read and write the same file: a transaction that writes begins by taking
    the lock of the file, so no two saves can be made from the same revision.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection = connect(path)
        self._lock = threading.RLock()

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        where: TracebackType | None,
    ) -> None:  # fmt: skip
        self.close()

    # Pages

    def add(self, pages: Iterable[Incoming]) -> int:
        """Add pages; returns how many were new. One that is there already is left as it is.

        Labels that come with a page become the first revision of the annotator `IMPORTED`.

        Raises:
            CorpusError: an id is no plain file name, or belongs to another page of the store.
        """
        added, part = 0, list[tuple[Incoming, Cut]]()
        for page in pages:
            if self._is_new(page):
                part.append((page, cut(block_table(page.html))))
            if len(part) == _PART:
                added += self._insert(part)
                part.clear()
        return added + self._insert(part)

    def _is_new(self, page: Incoming) -> bool:
        page_file(self.path.parent, page.id, str(self.path))
        with self._lock:
            found = self._connection.execute(
                "SELECT html = ? FROM page WHERE id = ?", (page.html, page.id)
            ).fetchone()
        if found == (0,):
            raise CorpusError(
                f"{self.path} holds another page of the id {page.id}; rename one, or name "
                "another store"
            )
        return found is None

    def _insert(self, pages: Sequence[tuple[Incoming, Cut]]) -> int:
        added = 0
        with self._writing() as connection:
            for page, found in pages:
                if self._is_new(page):  # not if an earlier page of these has the same id
                    connection.execute(
                        "INSERT INTO page (id, html, url, site, file, title, metadata, n_blocks,"
                        " cut) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                        _page_row(page, found),
                    )
                    self._import(page, found.n_blocks)
                    added += 1
        return added

    def _import(self, page: Incoming, n_blocks: int) -> None:
        if page.labels is not None:
            changes = changes_between(unmarked(n_blocks), checked_labels(page.labels, n_blocks))
            self.save(page.id, IMPORTED, changes, base=0, state="done", kind="import")

    def pages(self) -> list[StoredPage]:
        """All pages, in the order in which they were added."""
        rows = self._rows(f"SELECT {_PAGE} FROM page ORDER BY number")
        return [_stored_page(row) for row in rows]

    def page(self, page_id: str) -> StoredPage:
        """One page.

        Raises:
            NoSuchPage: the store has no such page.
        """
        rows = self._rows(f"SELECT {_PAGE} FROM page WHERE id = ?", page_id)
        if not rows:
            raise NoSuchPage(page_id)
        return _stored_page(rows[0])

    def html(self, page_id: str) -> bytes:
        """The bytes of a page, as they were when it was added.

        Raises:
            NoSuchPage: the store has no such page.
        """
        rows = self._rows("SELECT html FROM page WHERE id = ?", page_id)
        if not rows:
            raise NoSuchPage(page_id)
        return bytes(rows[0][0])

    # Revisions

    def save(  # noqa: PLR0913  (what a revision is)
        self,
        page_id: str,
        annotator: str,
        changes: Sequence[Change] = (),
        *,
        base: int | None,
        state: State | None = None,
        seconds: float = 0.0,
        kind: Kind = "annotation",
        key: str | None = None,
    ) -> int:
        """Store a revision; it is on the disk when its number is returned.

        Args:
            page_id: the page.
            annotator: who makes it.
            changes: what it does to the labels of its base.
            base: the newest revision of this annotator on this page, 0 if there is none; None for
                whatever is the newest.
            state: of the page from now on; None leaves it as it was (``todo`` at first).
            seconds: time spent.
            kind: what it is; an adjudication is another chain than annotations and imports.
            key: any text that no other save has. Where the newest revision has it, this call is a
                repetition of a save whose answer was lost, and gives its number.

        Raises:
            Conflict: `base` is not the newest.
            NoSuchPage: the store has no such page.
            CorpusError: the changes are not within the page, or the annotator has no name.
        """
        page = self.page(page_id)
        checked = checked_changes(changes, page.n_blocks)
        new = _New(page, checked_name(annotator), checked, state, seconds, kind, key)
        with self._writing() as connection:
            head = self.head(page_id, annotator, adjudicated=new.adjudicated)
            if head is not None and key is not None and self._key(head.revision) == key:
                return head.revision
            head = head or Head(page_id, annotator, new.adjudicated, 0, "todo", 0.0, 0)
            if base not in (None, head.revision):
                raise Conflict(head)
            return self._append(connection, new, head)

    def _append(self, connection: sqlite3.Connection, new: _New, head: Head) -> int:
        step, state = head.step + 1, new.state or head.state
        snapshot = None
        if step % _SNAPSHOT_EVERY == 0 or len(new.changes) > _MANY:
            before = self.labels_at(head.revision) if head.step else unmarked(new.page.n_blocks)
            snapshot = zlib.compress(replay(before, new.changes).encode())
        chain = (new.page.number, new.annotator, new.adjudicated)
        number = connection.execute(
            "INSERT INTO revision (page, annotator, adjudicated, kind, step, base, state, seconds,"
            " saved, changes, snapshot, key) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*chain, new.kind, step, head.revision, state, float(new.seconds), time.time(),
             json.dumps(plain(new.changes)), snapshot, new.key),
        ).lastrowid  # fmt: skip
        assert number is not None, "an insertion has a row"
        connection.execute(
            "INSERT OR REPLACE INTO head VALUES (?, ?, ?, ?, ?, ?, ?)",
            (*chain, number, step, state, head.seconds + new.seconds),
        )
        return number

    def _key(self, revision: int) -> str | None:
        ((key,),) = self._rows("SELECT key FROM revision WHERE number = ?", revision)
        return None if key is None else str(key)

    def head(self, page_id: str, annotator: str, *, adjudicated: bool = False) -> Head | None:
        """The newest revision of an annotator on a page; None before the first."""
        where = "page.id = ? AND annotator = ? AND adjudicated = ?"
        rows = self._rows(f"{_HEADS} WHERE {where}", page_id, annotator, adjudicated)
        return _head(rows[0]) if rows else None

    def heads(self, page_id: str | None = None) -> list[Head]:
        """The newest revision of every chain, of one page or of all, in the order of pages."""
        where, order = "WHERE page.id = ?", "ORDER BY page.number, annotator, adjudicated"
        if page_id is not None:
            return [_head(row) for row in self._rows(f"{_HEADS} {where} {order}", page_id)]
        return [_head(row) for row in self._rows(f"{_HEADS} {order}")]

    def annotators(self) -> list[str]:
        """Everybody who saved something, sorted."""
        return [name for (name,) in self._rows("SELECT DISTINCT annotator FROM head ORDER BY 1")]

    def labels(self, page_id: str, annotator: str, *, adjudicated: bool = False) -> str | None:
        """The newest labels of an annotator, one letter a block; None if nothing was saved."""
        with self._lock:
            head = self.head(page_id, annotator, adjudicated=adjudicated)
            return None if head is None else self.labels_at(head.revision)

    def labels_at(self, revision: int) -> str:
        """The labels after a revision: the last copy of them, and what was changed since.

        Raises:
            CorpusError: the store has no such revision.
        """
        rows = self._rows(_CHAIN, revision)
        if not rows:
            raise CorpusError(f"the store has no revision {revision}")
        n_blocks, snapshot, _ = rows[0]
        if snapshot is None:
            return replay(unmarked(n_blocks), _all_changes(rows))
        return replay(zlib.decompress(snapshot).decode("ascii"), _all_changes(rows[1:]))

    def history(self, page_id: str, annotator: str, *, adjudicated: bool = False) -> list[Revision]:
        """All revisions of an annotator on a page, the first one first."""
        rows = self._rows(
            "SELECT revision.number, kind, base, state, seconds, saved, changes FROM revision"
            " JOIN page ON page.number = page WHERE page.id = ? AND annotator = ?"
            " AND adjudicated = ? ORDER BY step",
            page_id, annotator, adjudicated,
        )  # fmt: skip
        return [Revision._make([*row[:-1], _parsed(row[-1])]) for row in rows]

    # Suggestions

    def keep_suggestions(
        self, page_id: str, suggested: Mapping[str, Suggested], scores: Mapping[str, float]
    ) -> None:
        """Keep what labelers say of a page, in place of what they said before.

        Args:
            page_id: the page.
            suggested: by name of the labeler.
            scores: numbers by which pages are put in order, by name.

        Raises:
            NoSuchPage: the store has no such page.
            CorpusError: it has another number of blocks.
        """
        page = self.page(page_id)
        rows = [(page.number, name, *_packed(found, page)) for name, found in suggested.items()]
        numbers = [(page.number, name, float(score)) for name, score in scores.items()]
        with self._writing() as connection:
            connection.executemany("INSERT OR REPLACE INTO suggestion VALUES (?, ?, ?, ?)", rows)
            connection.executemany("INSERT OR REPLACE INTO score VALUES (?, ?, ?)", numbers)

    def suggestion(self, page_id: str, labeler: str) -> Suggested | None:
        """What a labeler says of a page, if it is known."""
        rows = self._rows(
            "SELECT labels, confidence FROM suggestion JOIN page ON page.number = page"
            " WHERE page.id = ? AND labeler = ?",
            page_id, labeler,
        )  # fmt: skip
        if not rows:
            return None
        labels, confidence = map(zlib.decompress, rows[0])
        return Suggested(labels.decode("ascii"), np.frombuffer(confidence, np.uint8))

    def suggested(self, labeler: str) -> set[str]:
        """Ids of the pages that a labeler was asked about."""
        return {
            page_id
            for (page_id,) in self._rows(
                "SELECT page.id FROM suggestion JOIN page ON page.number = page WHERE labeler = ?",
                labeler,
            )
        }

    def scores(self, name: str) -> dict[str, float]:
        """The scores of a name of all pages that have it, by id."""
        return dict(
            self._rows(
                "SELECT page.id, value FROM score JOIN page ON page.number = page WHERE name = ?",
                name,
            )
        )

    # Transactions

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that writes; one inside another is part of it."""
        with self._lock:
            if self._connection.in_transaction:
                yield self._connection
                return
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                yield self._connection
                self._connection.execute("COMMIT")
            except sqlite3.OperationalError as error:  # a full disk, another process that hangs
                raise CorpusError(f"{self.path} cannot be written: {error}; try again") from None
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    def _rows(self, query: str, *values: object) -> list[Any]:
        with self._lock:
            return self._connection.execute(query, values).fetchall()


class _New(NamedTuple):
    """A revision before it has a number."""

    page: StoredPage
    annotator: str
    changes: tuple[Change, ...]
    state: State | None
    seconds: float
    kind: Kind
    key: str | None

    @property
    def adjudicated(self) -> bool:
        return self.kind == "adjudication"


_PAGE: Final = "number, id, url, site, file, title, metadata, n_blocks, cut"
_HEADS: Final = (
    "SELECT page.id, annotator, adjudicated, revision, state, seconds, step"
    " FROM head JOIN page ON page.number = head.page"
)
_CHAIN: Final = """
    WITH last AS (SELECT page, annotator, adjudicated, step FROM revision WHERE number = ?)
    SELECT page.n_blocks, snapshot, changes
    FROM last JOIN revision USING (page, annotator, adjudicated)
    JOIN page ON page.number = revision.page
    WHERE revision.step <= last.step AND revision.step >= (
        SELECT ifnull(max(copied.step), 1) FROM revision AS copied
        WHERE copied.page = last.page AND copied.annotator = last.annotator
        AND copied.adjudicated = last.adjudicated AND copied.step <= last.step
        AND copied.snapshot IS NOT NULL)
    ORDER BY revision.step
"""
"""The revisions of a chain from the last snapshot up to a given one."""


def checked_name(annotator: object) -> str:
    """The name of an annotator.

    Raises:
        CorpusError: it is empty, too long, not printable or begins or ends with space.
    """
    if (
        not isinstance(annotator, str)
        or not 0 < len(annotator) <= _LONGEST_NAME
        or not annotator.isprintable()
        or annotator != annotator.strip()
    ):
        raise CorpusError(f"an annotator needs a name of 1 to {_LONGEST_NAME} printable characters")
    return annotator


def _packed(found: Suggested, page: StoredPage) -> tuple[bytes, bytes]:
    letters = checked_labels(found.labels, page.n_blocks).encode()
    return zlib.compress(letters), zlib.compress(np.asarray(found.confidence, np.uint8).tobytes())


def _page_row(page: Incoming, found: Cut) -> tuple[object, ...]:
    file = None if page.file is None else str(page.file.absolute())
    metadata = json.dumps(dict(page.metadata), ensure_ascii=False)
    return (page.id, page.html, page.url, page.site, file, found.title, metadata, found.n_blocks,
            found.checksum)  # fmt: skip


def _stored_page(row: Sequence[Any]) -> StoredPage:
    number, page_id, url, site, file, title, metadata, n_blocks, checksum = row
    path = None if file is None else Path(file)
    return StoredPage(
        number, page_id, url, site, path, title, json.loads(metadata), n_blocks, checksum
    )


def _head(row: Sequence[Any]) -> Head:
    page, annotator, adjudicated, *rest = row
    return Head(page, annotator, bool(adjudicated), *rest)


def _all_changes(rows: Iterable[Sequence[Any]]) -> Iterator[Change]:
    for row in rows:
        yield from _parsed(row[-1])


def _parsed(changes: str) -> tuple[Change, ...]:
    return tuple(Change(*change) for change in json.loads(changes))
