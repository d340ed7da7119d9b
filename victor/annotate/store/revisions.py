"""The revisions of labels in a store: every save is one, and none is changed or removed.

The revisions of one annotator on one page form a chain. Labels are read by replaying the changes
since the last snapshot of all labels.
"""

from __future__ import annotations

import sqlite3
import time
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any, Final, Literal, NamedTuple, get_args

import msgspec

from victor.annotate.store.changes import (
    PlainChange,
    changes_between,
    check_ranges,
    checked_labels,
    decided_other,
    parsed_changes,
    replay,
    unpacked,
)
from victor.annotate.store.database import Database
from victor.annotate.store.pages import Pages, StoredPage
from victor.annotate.store.schema import RESTORE
from victor.base.errors import CorpusError
from victor.corpus.pages import unmarked

State = Literal["todo", "done", "no-content", "wrong-language", "broken", "skip"]
STATES: Final[tuple[State, ...]] = get_args(State)
FINISHED: Final = ("done", "no-content")
"""States of a page whose labels count. Without content, all of its blocks are *other*."""
IMPORTED: Final = "import"
"""The annotator whose labels came with the pages."""

_SNAPSHOT_EVERY: Final = 32
"""Revisions of a chain from one snapshot to the next: what reading has to replay."""
_MANY: Final = 200
"""Above so many changes, a snapshot is read faster than they are replayed."""
_LONGEST_NAME: Final = 80
_LONGEST_KEY: Final = 100
_MOST_CHANGES: Final = 12_000_000
"""Characters of the changes of one revision; a request holds fewer."""
_LARGEST: Final = 2**63 - 1
"""The largest integer that SQLite holds."""

_HEADS: Final = (
    "SELECT page.id, annotator, revision, state, step"
    " FROM head JOIN page ON page.number = head.page"
)
_MOST_READ: Final = 1000
_LATEST: Final = f"""
    SELECT substr(revision.changes, 1, {_MOST_CHANGES})
    FROM revision AS last JOIN revision USING (page, annotator)
    WHERE last.number = ? ORDER BY revision.step DESC LIMIT {_MOST_READ}
"""
"""The newest revisions of the chain of a given one."""
_CHAIN: Final = f"""
    WITH last AS (SELECT page, annotator, step FROM revision WHERE number = ?)
    SELECT page.n_blocks, snapshot, substr(changes, 1, {_MOST_CHANGES})
    FROM last JOIN revision USING (page, annotator)
    JOIN page ON page.number = revision.page
    WHERE revision.step <= last.step AND revision.step >= (
        SELECT ifnull(max(copied.step), 1) FROM revision AS copied
        WHERE copied.page = last.page AND copied.annotator = last.annotator
        AND copied.step <= last.step AND copied.snapshot IS NOT NULL)
    ORDER BY revision.step
"""
"""The revisions of a chain from the last snapshot up to a given one."""


class Head(NamedTuple):
    """The newest revision of an annotator on a page.

    Attributes:
        page: id of the page.
        annotator: who saved it.
        revision: number of the newest revision, unique in the store.
        state: of the page, as this annotator says.
        step: revisions in the chain.
    """

    page: str
    annotator: str
    revision: int
    state: State
    step: int


class Conflict(CorpusError):  # noqa: N818  (an event, not a failure)
    """The base of a save is not the newest revision; nothing was stored.

    Attributes:
        head: the newest revision.
    """

    def __init__(self, head: Head) -> None:
        super().__init__(
            f"page {head.page} was saved by {head.annotator} in the meantime "
            f"(revision {head.revision}); look at what is newer and save again"
        )
        self.head = head


class Save(msgspec.Struct, frozen=True):
    """What an annotator saves; in JSON, the body of the request that saves it.

    Attributes:
        annotator: who saves.
        changes: what is done to the labels of the base.
        labels: labels of all blocks, in place of `changes`.
        base: the newest revision of this annotator on this page, 0 if there is none; None for
            whatever is the newest.
        state: of the page from now on; None leaves it as it was (``todo`` at first).
        key: any text that no other save has. If the newest revision has it, this save repeats one
            whose answer was lost.
    """

    annotator: str
    changes: Sequence[PlainChange] = ()
    labels: str | None = None
    base: Annotated[int, msgspec.Meta(ge=0, le=_LARGEST)] | None = None
    state: State | None = None
    key: Annotated[str, msgspec.Meta(min_length=1, max_length=_LONGEST_KEY)] | None = None


class Revisions:
    """All revisions, and the newest one of every chain."""

    def __init__(self, database: Database, pages: Pages) -> None:
        self._database, self._pages = database, pages

    def save(self, page_id: str, save: Save) -> int:
        """Store a revision; it is on the disk when its number is returned.

        Args:
            page_id: the page.
            save: what is stored.

        Returns:
            The number of the revision, or of the newest one if `save` repeats it.

        Raises:
            Conflict: the base is not the newest revision.
            NoSuchPage: the store has no such page.
            CorpusError: the changes or labels do not fit the page, or the annotator has no name.
        """
        page = self._pages.get(page_id)
        annotator = checked_name(save.annotator)
        check_ranges(save.changes, page.n_blocks)
        if save.labels is not None:
            checked_labels(save.labels, page.n_blocks)
        with self._database.transaction() as connection:
            head = self.head(page_id, annotator)
            if head is None:
                head = Head(page_id, annotator, 0, "todo", 0)
            elif save.key is not None and self._key(head.revision) == save.key:
                return head.revision
            if save.base not in (None, head.revision):
                raise Conflict(head)
            return self._append(connection, page, save, head)

    def _append(
        self, connection: sqlite3.Connection, page: StoredPage, save: Save, head: Head
    ) -> int:
        """Add a revision to a chain; its number."""
        step, state = head.step + 1, save.state or head.state
        changes, snapshot = save.changes, None
        if save.labels is not None:
            changes = changes_between(self._labels_of(head, page), save.labels)
        if step % _SNAPSHOT_EVERY == 0 or len(changes) > _MANY:
            labels = replay(self._labels_of(head, page), changes)
            snapshot = zlib.compress(labels.encode())
        chain = (page.number, head.annotator)
        number = connection.execute(
            "INSERT INTO revision (page, annotator, step, state, saved, changes, snapshot, key)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (*chain, step, state, time.time(), msgspec.json.encode(changes).decode(), snapshot,
             save.key),
        ).lastrowid  # fmt: skip
        assert number is not None, "an insertion has a row"
        connection.execute(
            "INSERT OR REPLACE INTO head VALUES (?, ?, ?, ?, ?)", (*chain, number, step, state)
        )
        return number

    def _labels_of(self, head: Head, page: StoredPage) -> str:
        """The labels of a head, which may be that of a chain without revisions."""
        return self.labels_at(head.revision) if head.step else unmarked(page.n_blocks)

    def _key(self, revision: int) -> str | None:
        ((key,),) = self._database.rows("SELECT key FROM revision WHERE number = ?", revision)
        return None if key is None else str(key)

    def head(self, page_id: str, annotator: str) -> Head | None:
        """The newest revision of an annotator on a page; None before the first."""
        where = "page.id = ? AND annotator = ?"
        rows = self._database.rows(f"{_HEADS} WHERE {where}", page_id, annotator)
        return Head._make(rows[0]) if rows else None

    def heads(self, page_id: str | None = None) -> list[Head]:
        """The newest revision of every chain, of one page or of all, in the order of pages."""
        where, order = "WHERE page.id = ?", "ORDER BY page.number, annotator"
        if page_id is None:
            rows = self._database.rows(f"{_HEADS} {order}")
        else:
            rows = self._database.rows(f"{_HEADS} {where} {order}", page_id)
        return list(map(Head._make, rows))

    def annotators(self) -> list[str]:
        """Names of all who saved something, sorted."""
        rows = self._database.rows("SELECT DISTINCT annotator FROM head ORDER BY annotator")
        return [name for (name,) in rows]

    def labels(self, page_id: str, annotator: str) -> str | None:
        """The newest labels of an annotator, one letter per block; None if nothing was saved."""
        head = self.head(page_id, annotator)
        return None if head is None else self.labels_at(head.revision)

    def labels_at(self, revision: int) -> str:
        """The labels after a revision: the last snapshot, and what was changed since.

        Raises:
            CorpusError: the store has no such revision.
        """
        rows = self._database.rows(_CHAIN, revision)
        if not rows:
            raise CorpusError(f"the store has no revision {revision}")
        n_blocks, snapshot, _ = rows[0]
        try:
            if snapshot is None:
                return replay(unmarked(n_blocks), _all_changes(rows, n_blocks))
            labels = checked_labels(unpacked(snapshot, n_blocks).decode("ascii"), n_blocks)
            return replay(labels, _all_changes(rows[1:], n_blocks))
        except (CorpusError, msgspec.MsgspecError, UnicodeError, zlib.error) as error:
            raise self._damaged(revision, error) from None

    def decided(self, head: Head) -> list[tuple[int, int]]:
        """Ranges of blocks that this annotator left *other* on purpose (`decided_other`).

        Of a chain of very many revisions the newest are read.

        Raises:
            CorpusError: the store is damaged.
        """
        labels = self.labels_at(head.revision)
        rows = self._database.rows(_LATEST, head.revision)
        try:
            return decided_other(labels, _all_changes(rows, len(labels)))
        except (CorpusError, msgspec.MsgspecError) as error:
            raise self._damaged(head.revision, error) from None

    def _damaged(self, revision: int, error: Exception) -> CorpusError:
        return CorpusError(f"{self._database.path}: revision {revision}: {error}; {RESTORE}")


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


def _all_changes(rows: Iterable[Sequence[Any]], n_blocks: int) -> Iterator[PlainChange]:
    for row in rows:
        changes = parsed_changes(row[-1])
        check_ranges(changes, n_blocks)
        yield from changes
