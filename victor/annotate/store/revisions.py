"""The revisions of labels in a store: every save is one, and none is changed or removed.

The revisions of one annotator on one page are a chain, and what the annotator says as adjudicator
is another. A chain is replayed from its changes, or from the last copy of all labels on.
"""

from __future__ import annotations

import json
import sqlite3
import time
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, Literal, NamedTuple, get_args

from victor.annotate.store.changes import Change, checked_changes, plain, replay
from victor.annotate.store.database import Database
from victor.annotate.store.label_letters import unmarked
from victor.annotate.store.pages import Pages, StoredPage
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
_LONGEST_NAME: Final = 80

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


class Revisions:
    """Who said what of which page, and when."""

    def __init__(self, database: Database, pages: Pages) -> None:
        self._database, self._pages = database, pages

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
        page = self._pages.get(page_id)
        checked = checked_changes(changes, page.n_blocks)
        new = _New(page, checked_name(annotator), checked, state, seconds, kind, key)
        with self._database.writing() as connection:
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
        ((key,),) = self._database.rows("SELECT key FROM revision WHERE number = ?", revision)
        return None if key is None else str(key)

    def head(self, page_id: str, annotator: str, *, adjudicated: bool = False) -> Head | None:
        """The newest revision of an annotator on a page; None before the first."""
        where = "page.id = ? AND annotator = ? AND adjudicated = ?"
        rows = self._database.rows(f"{_HEADS} WHERE {where}", page_id, annotator, adjudicated)
        return _head(rows[0]) if rows else None

    def heads(self, page_id: str | None = None) -> list[Head]:
        """The newest revision of every chain, of one page or of all, in the order of pages."""
        where, order = "WHERE page.id = ?", "ORDER BY page.number, annotator, adjudicated"
        if page_id is None:
            rows = self._database.rows(f"{_HEADS} {order}")
        else:
            rows = self._database.rows(f"{_HEADS} {where} {order}", page_id)
        return [_head(row) for row in rows]

    def annotators(self) -> list[str]:
        """Everybody who saved something, sorted."""
        rows = self._database.rows("SELECT DISTINCT annotator FROM head ORDER BY 1")
        return [name for (name,) in rows]

    def labels(self, page_id: str, annotator: str, *, adjudicated: bool = False) -> str | None:
        """The newest labels of an annotator, one letter a block; None if nothing was saved."""
        head = self.head(page_id, annotator, adjudicated=adjudicated)
        return None if head is None else self.labels_at(head.revision)

    def labels_at(self, revision: int) -> str:
        """The labels after a revision: the last copy of them, and what was changed since.

        Raises:
            CorpusError: the store has no such revision.
        """
        rows = self._database.rows(_CHAIN, revision)
        if not rows:
            raise CorpusError(f"the store has no revision {revision}")
        n_blocks, snapshot, _ = rows[0]
        if snapshot is None:
            return replay(unmarked(n_blocks), _all_changes(rows))
        return replay(zlib.decompress(snapshot).decode("ascii"), _all_changes(rows[1:]))

    def history(self, page_id: str, annotator: str, *, adjudicated: bool = False) -> list[Revision]:
        """All revisions of an annotator on a page, the first one first."""
        rows = self._database.rows(
            "SELECT revision.number, kind, base, state, seconds, saved, changes FROM revision"
            " JOIN page ON page.number = page WHERE page.id = ? AND annotator = ?"
            " AND adjudicated = ? ORDER BY step",
            page_id, annotator, adjudicated,
        )  # fmt: skip
        return [Revision._make([*row[:-1], _parsed(row[-1])]) for row in rows]


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


def _head(row: Sequence[Any]) -> Head:
    page, annotator, adjudicated, *rest = row
    return Head(page, annotator, bool(adjudicated), *rest)


def _all_changes(rows: Iterable[Sequence[Any]]) -> Iterator[Change]:
    for row in rows:
        yield from _parsed(row[-1])


def _parsed(changes: str) -> tuple[Change, ...]:
    return tuple(Change(*change) for change in json.loads(changes))
