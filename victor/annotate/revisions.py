"""The revisions of labels in a store: every save is one, and none is changed or removed.

The revisions of one annotator on one page form a chain. Each holds all labels of the page; a block
that nobody has decided on is *other* like one that somebody left so on purpose, and they are kept
apart.
"""

from __future__ import annotations

import re
import time
import zlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Final, Literal, NamedTuple, get_args

import msgspec

from victor.annotate.database import RESTORE, Database
from victor.base.errors import CorpusError
from victor.corpus.pages import LETTERS, UNMARKED

if TYPE_CHECKING:
    from victor.annotate.store import Pages

State = Literal["todo", "done", "no-content", "wrong-language", "broken", "skip"]
STATES: Final[tuple[State, ...]] = get_args(State)
FINISHED: Final = ("done", "no-content")
"""States of a page whose labels count. Without content, all of its blocks are *other*."""
IMPORTED: Final = "import"  # the annotator whose labels came with the pages
Letter = Literal["h", "t", "o", "?"]  # one of `victor.corpus.pages.LETTERS`
Change = tuple[Annotated[int, msgspec.Meta(ge=0)], int, Letter]
"""Blocks from the first to the last, both included and counted from 0, take a label."""

_UNDECIDED: Final = "."
"""The letter of a block that nobody has decided on; people read it as `UNMARKED`."""
_ON_PURPOSE: Final = re.compile(f"{UNMARKED}+")
_LONGEST_NAME: Final = 80
_LONGEST_KEY: Final = 100
_LARGEST: Final = 2**63 - 1  # the largest integer that SQLite holds
_MOST_LABELLED: Final = 1_000_000_000
"""Blocks that the changes of one revision label, each as often as it is: a second of work."""
_HEADS: Final = (
    "SELECT page.id, annotator, revision, state, step"
    " FROM head JOIN page ON page.number = head.page"
)


class Head(NamedTuple):
    """The newest revision of an annotator on a page.

    Attributes:
        page: id of the page.
        revision: its number, unique in the store.
        step: revisions in the chain.
    """

    page: str
    annotator: str
    revision: int
    state: State
    step: int


class Conflict(CorpusError):  # noqa: N818  (an event, not a failure)
    """The base of a save is not the newest revision, its `head`; nothing was stored."""

    def __init__(self, head: Head) -> None:
        super().__init__(
            f"page {head.page} was saved by {head.annotator} in the meantime "
            f"(revision {head.revision}); look at what is newer and save again"
        )
        self.head = head


class Save(msgspec.Struct, frozen=True):
    """What an annotator saves; in JSON, the body of the request that saves it.

    Attributes:
        labels: labels of all blocks, in place of `changes`.
        base: the newest revision of this annotator on this page, 0 if there is none; None for
            whatever is the newest.
        state: of the page from now on; None leaves it as it was (``todo`` at first).
        key: any text that no other save has. If the newest revision has it, this save repeats one
            whose answer was lost.
    """

    annotator: str
    changes: Sequence[Change] = ()
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

        Raises:
            Conflict: the base is not the newest revision.
            NoSuchPage: the store has no such page.
            CorpusError: the changes or labels do not fit the page, or the annotator has no name.
        """
        page, annotator = self._pages.get(page_id), checked_name(save.annotator)
        _check_ranges(save.changes, page.n_blocks)
        with self._database.transaction() as connection:
            head = self.head(page_id, annotator) or Head(page_id, annotator, 0, "todo", 0)
            if head.step and save.key is not None and self._key(head.revision) == save.key:
                return head.revision
            if save.base not in (None, head.revision):
                raise Conflict(head)
            packed = self._packed_after(head, save, page.n_blocks)
            chain, step, state = (page.number, annotator), head.step + 1, save.state or head.state
            number = connection.execute(
                "INSERT INTO revision (page, annotator, step, state, saved, labels, key)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (*chain, step, state, time.time(), packed, save.key),
            ).lastrowid
            assert number is not None, "an insertion has a row"
            connection.execute(
                "INSERT OR REPLACE INTO head VALUES (?, ?, ?, ?, ?)", (*chain, number, step, state)
            )
            return number

    def _packed_after(self, head: Head, save: Save, n_blocks: int) -> bytes:
        """The labels after a save. One of a state only does not read them: they may be damaged."""
        if head.step and save.labels is None and not save.changes:
            query = "SELECT labels FROM revision WHERE number = ?"
            return bytes(self._database.rows(query, head.revision)[0][0])
        before = self._read(head.revision) if head.step else _UNDECIDED * n_blocks
        labels = replay(before, save.changes)
        if save.labels is not None:
            labels = _in_place_of(before, checked_labels(save.labels, n_blocks))
        return zlib.compress(labels.encode())

    def _key(self, revision: int) -> str | None:
        ((key,),) = self._database.rows("SELECT key FROM revision WHERE number = ?", revision)
        return None if key is None else str(key)

    def head(self, page_id: str, annotator: str) -> Head | None:
        """The newest revision of an annotator on a page; None before the first."""
        where = "page.id = ? AND annotator = ?"
        rows = self._database.rows(f"{_HEADS} WHERE {where}", page_id, annotator)
        return Head._make(rows[0]) if rows else None

    def heads(self) -> list[Head]:
        """The newest revision of every chain, in the order of pages."""
        return [*map(Head._make, self._database.rows(f"{_HEADS} ORDER BY page.number, annotator"))]

    def annotators(self) -> list[str]:
        """Names of all who saved something, sorted."""
        rows = self._database.rows("SELECT DISTINCT annotator FROM head ORDER BY annotator")
        return [name for (name,) in rows]

    def labels(self, page_id: str, annotator: str) -> str | None:
        """The newest labels of an annotator, one letter per block; None if nothing was saved."""
        head = self.head(page_id, annotator)
        return None if head is None else self.labels_at(head.revision)

    def labels_at(self, revision: int) -> str:
        """The labels after a revision, one letter per block."""
        return self._read(revision).replace(_UNDECIDED, UNMARKED)

    def decided(self, revision: int) -> list[tuple[int, int]]:
        """First and last block of each range that is *other* because somebody said so."""
        return [(run.start(), run.end() - 1) for run in _ON_PURPOSE.finditer(self._read(revision))]

    def _read(self, revision: int) -> str:
        """The labels of a revision as they are stored, with those that nobody has decided on."""
        rows = self._database.rows(
            "SELECT n_blocks, labels FROM revision JOIN page ON page.number = page"
            " WHERE revision.number = ?",
            revision,
        )
        if not rows:
            raise CorpusError(f"the store has no revision {revision}")
        n_blocks, packed = rows[0]
        try:
            labels = unpacked(packed, n_blocks).decode("ascii")
            checked_labels(labels.replace(_UNDECIDED, UNMARKED), n_blocks)
        except (CorpusError, ValueError, zlib.error) as error:
            path = self._database.path
            raise CorpusError(f"{path}: revision {revision}: {error}; {RESTORE}") from None
        return labels


def replay(labels: str, changes: Iterable[Change]) -> str:
    """The labels after changes, made in their order."""
    letters = bytearray(labels, "ascii")
    for first, last, label in changes:
        letters[first : last + 1] = label.encode() * (last + 1 - first)
    return letters.decode("ascii")


def _in_place_of(before: str, labels: str) -> str:
    """Labels of all blocks; a block that stays *other* is not decided on by that."""
    is_open = (_UNDECIDED, UNMARKED)
    pairs = zip(before, labels, strict=True)
    return "".join(old if (old, new) == is_open else new for old, new in pairs)


def _check_ranges(changes: Iterable[Change], n_blocks: int) -> None:
    total = 0
    for first, last, _ in changes:
        if not 0 <= first <= last < n_blocks:
            raise CorpusError(f"blocks {first} to {last} are not a range of the {n_blocks} blocks")
        total += last + 1 - first
    if total > _MOST_LABELLED:
        raise CorpusError(f"these changes label {total} blocks, at most {_MOST_LABELLED} at once")


def checked_labels(letters: str, n_blocks: int) -> str:
    """Labels that have to be one letter of `LETTERS` per block."""
    if set(letters) - set(LETTERS):
        raise CorpusError(f"labels have to be a text of the letters {' '.join(LETTERS)}")
    if len(letters) != n_blocks:
        raise CorpusError(f"{len(letters)} labels for {n_blocks} blocks; one letter per block")
    return letters


def unpacked(packed: bytes, size: int) -> bytes:
    """So many bytes, however many a damaged store would unpack to."""
    content = zlib.decompressobj().decompress(packed, size + 1)
    if len(content) != size:
        raise zlib.error(f"there are other than {size} labels")
    return content


def checked_name(annotator: object) -> str:
    """The name of an annotator, which people have to be able to read."""
    if (
        not isinstance(annotator, str)
        or not 0 < len(annotator) <= _LONGEST_NAME
        or not annotator.isprintable()
        or annotator != annotator.strip()
    ):
        raise CorpusError(f"an annotator needs a name of 1 to {_LONGEST_NAME} printable characters")
    return annotator
