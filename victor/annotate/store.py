"""A store of annotations: pages, suggestions for them, and the queue of each annotator."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple, Self, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from victor.annotate.blocks import Cut, block_table, cut_of
from victor.annotate.database import RESTORE, Database
from victor.annotate.revisions import (
    FINISHED,
    IMPORTED,
    STATES,
    Revisions,
    Save,
    checked_labels,
    unpacked,
)
from victor.base.errors import CorpusError
from victor.corpus.pages import AnnotatedPage
from victor.corpus.rows import page_file

MOST_BYTES: Final = 20_000_000  # bytes of the largest page that can be added
MOST_BLOCKS: Final = 200_000
"""Blocks of the largest page that can be added and labelled: browsers have to show it."""
BATCH: Final = 50  # pages that are added in one transaction, at most
BATCH_BYTES: Final = 1_000_000
"""Bytes of pages after which a transaction ends: others wait for it when they save."""
_OF_REVISIONS: Final = ("annotator", "state")
"""Metadata of an exported page that belong to its revision."""
_LONGEST_TITLE: Final = 1000
_LARGEST_METADATA: Final = 1_000_000  # characters of the metadata of a page
_COLUMNS: Final = (
    "page.number, page.id, page.url, page.site, page.file, "
    f"substr(page.title, 1, {_LONGEST_TITLE}), page.n_blocks, page.cut"
)
_SEEN: Final = """
    FROM page
    LEFT JOIN head ON head.page = page.number AND annotator = :annotator
    WHERE (:state IS NULL OR ifnull(head.state, 'todo') = :state)
"""

Tell = Callable[[str], None]  # takes a message about a page that is left out
_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class NewPage:
    """A page to add.

    Attributes:
        id: unique, and the plain name of a file.
        site: pages of one site stay together in cross-validation.
        file: where it was saved, None if there are no files beside it.
        labels: one letter per block (`victor.corpus.pages`), None without labels.
        metadata: what else the source says.
    """

    id: str
    html: bytes
    url: str | None = None
    site: str = ""
    file: Path | None = None
    labels: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, page: AnnotatedPage, labels: str | None = None) -> NewPage:
        """An annotated page with labels of its blocks."""
        fields = {"language": page.language, "type": page.kind, "licence": page.licence}
        metadata = {key: page.metadata[key] for key in page.metadata if key not in _OF_REVISIONS}
        metadata |= {key: value for key, value in fields.items() if value is not None}
        return cls(page.id, page.html, page.url, page.site, labels=labels, metadata=metadata)


class StoredPage(NamedTuple):
    """A page of the store without its bytes.

    Attributes:
        number: pages are numbered from 1 in the order in which they were added.
        file: where it was saved, for the files beside it.
        title: of the page; the beginning of one that is long.
        n_blocks: blocks of the page; as many letters are its labels.
        checksum: of its `Cut`.
    """

    number: int
    id: str
    url: str | None
    site: str
    file: str | None
    title: str | None
    n_blocks: int
    checksum: int

    @property
    def cut(self) -> Cut:
        """How it was cut into blocks when it was added."""
        return Cut(self.n_blocks, self.checksum)


class NoSuchPage(CorpusError):  # noqa: N818  (an event, not a failure)
    """The store has no page of this id."""

    def __init__(self, page_id: str) -> None:
        super().__init__(f"the store has no page {page_id!r}")


class Pages:
    """All pages. A page never changes once it has been added."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> list[StoredPage]:
        """All pages in the order in which they were added."""
        return self.stored(self._database.rows(f"SELECT {_COLUMNS} FROM page ORDER BY number"))

    def count(self) -> int:
        """How many pages there are."""
        ((count,),) = self._database.rows("SELECT count(*) FROM page")
        return int(count)

    def get(self, page_id: str) -> StoredPage:
        """One page.

        Raises:
            NoSuchPage: the store has no such page.
            CorpusError: it has too many blocks to be labelled.
        """
        (page,) = self.stored([self._row(_COLUMNS, page_id)])
        if not 0 <= page.n_blocks <= MOST_BLOCKS:
            problem = f"{page.n_blocks} blocks, at most {MOST_BLOCKS} can be labelled"
            raise CorpusError(f"page {page_id} has {problem}; leave it out")
        return page

    def html(self, page_id: str) -> bytes:
        """The bytes of a page, as they were when it was added."""
        return bytes(self._row("html", page_id)[0])

    def metadata(self, page_id: str) -> dict[str, Any]:
        """What the source of a page said of it."""
        (text,) = self._row(f"substr(metadata, 1, {_LARGEST_METADATA})", page_id)
        try:
            return msgspec.json.decode(text, type=dict[str, Any])
        except (msgspec.MsgspecError, RecursionError) as error:
            raise CorpusError(
                f"{self._database.path}: metadata of page {page_id}: {error}; {RESTORE}"
            ) from None

    def is_new(self, page: NewPage) -> bool:
        """Is the page not in the store yet.

        Raises:
            CorpusError: its id is not a plain file name, or belongs to another page.
        """
        path = self._database.path
        page_file(path.parent, page.id, str(path))
        rows = self._database.rows("SELECT html = ? FROM page WHERE id = ?", page.html, page.id)
        if rows == [(0,)]:
            raise CorpusError(
                f"{path} holds another page with the id {page.id}; rename one, or use another store"
            )
        return not rows

    def insert(self, page: NewPage, title: str | None, cut: Cut) -> None:
        """Add a new page."""
        metadata = json.dumps(dict(page.metadata), ensure_ascii=False)
        if len(metadata) > _LARGEST_METADATA:
            raise CorpusError(
                f"page {page.id} has metadata of {len(metadata)} characters; leave some out"
            )
        file = None if page.file is None else str(page.file.absolute())
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT INTO page (id, html, url, site, file, title, metadata, n_blocks, cut)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (page.id, page.html, page.url, page.site, file, title, metadata, *cut),
            )

    def stored(self, rows: Iterable[Sequence[Any]]) -> list[StoredPage]:
        """Pages from rows; a damaged file may hold other types, though its tables are strict."""
        try:
            return msgspec.convert(rows, list[StoredPage])
        except msgspec.ValidationError as error:
            raise CorpusError(f"{self._database.path}: a page: {error}; {RESTORE}") from None

    def _row(self, columns: str, page_id: str) -> Sequence[Any]:
        rows = self._database.rows(f"SELECT {columns} FROM page WHERE id = ?", page_id)
        if not rows:
            raise NoSuchPage(page_id)
        row: Sequence[Any] = rows[0]
        return row


class View(NamedTuple):
    """What one annotator wants to see.

    Attributes:
        annotator: whose states they are; a page that the annotator never saved is ``todo``.
        state: of the pages; None for all.
    """

    annotator: str
    state: str | None = None


class Row(NamedTuple):
    """A page as it stands in the queue, with its state by the name of whoever saved it, sorted."""

    page: StoredPage
    states: Mapping[str, str]


class Queue:
    """The pages as annotators see them, a few at a time.

    SQLite chooses and sorts: it lets other threads work meanwhile, and reads only what is shown.
    """

    def __init__(self, database: Database, pages: Pages) -> None:
        self._database, self._pages = database, pages

    def count(self, view: View) -> int:
        """How many pages there are."""
        if view.state is None:
            return self._pages.count()
        ((count,),) = self._database.rows(f"SELECT count(*) {_SEEN}", **view._asdict())
        return int(count)

    def rows(self, view: View, offset: int, limit: int) -> list[Row]:
        """So many pages from the one at `offset` on."""
        query = f"SELECT {_COLUMNS} {_SEEN} ORDER BY page.number LIMIT :limit OFFSET :offset"
        values = {**view._asdict(), "offset": offset, "limit": limit}
        pages = self._pages.stored(self._database.rows(query, **values))
        states: dict[int, dict[str, str]] = {page.number: {} for page in pages}
        for number, annotator, state in self._database.rows(
            f"SELECT page, annotator, state FROM head WHERE page IN ({_numbers(pages)})"
            " ORDER BY page, annotator"
        ):
            states[number][annotator] = state
        return [Row(page, states[page.number]) for page in pages]

    def next_to_do(self, annotator: str, page: StoredPage) -> StoredPage | None:
        """The next page after one, in the order in which they were added, that is to do."""
        rows = self._database.rows(
            f"SELECT {_COLUMNS} {_SEEN} AND page.number > :number ORDER BY page.number LIMIT 1",
            **View(annotator, "todo")._asdict(), number=page.number,
        )  # fmt: skip
        return next(iter(self._pages.stored(rows)), None)

    def states(self, annotator: str) -> dict[str, int]:
        """How many pages an annotator gave each state; pages that are still to do do not count."""
        query = "SELECT state, count(*) FROM head WHERE annotator = ? AND state <> 'todo'"
        counts = dict(self._database.rows(f"{query} GROUP BY state", annotator))
        return {state: counts[state] for state in STATES if state in counts}

    def finished(self) -> int:
        """How many pages somebody has finished."""
        query = "SELECT count(DISTINCT page) FROM head WHERE state IN (?, ?)"
        ((count,),) = self._database.rows(query, *FINISHED)
        return int(count)


def _numbers(pages: Iterable[StoredPage]) -> str:
    return ", ".join(str(page.number) for page in pages)


class Suggestion(NamedTuple):
    """What a labeler suggests: a letter per block, and (n,) uint8 confidence from 0 to 100."""

    labels: str
    confidence: NDArray[np.uint8]


class Suggestions:
    """Suggestions by page and labeler, each computed once."""

    def __init__(self, database: Database, pages: Pages) -> None:
        self._database, self._pages = database, pages

    def keep(self, page_id: str, labeler: str, suggested: Suggestion) -> None:
        """Store the suggestion of a labeler for a page, in place of an earlier one."""
        page = self._pages.get(page_id)
        letters = checked_labels(suggested.labels, page.n_blocks).encode()
        packed = (letters, np.asarray(suggested.confidence, np.uint8).tobytes())
        row = (page.number, labeler, *map(zlib.compress, packed))
        with self._database.transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO suggestion VALUES (?, ?, ?, ?)", row)

    def get(self, page_id: str, labeler: str) -> Suggestion | None:
        """The suggestion of a labeler for a page, None if there is none."""
        rows = self._database.rows(
            "SELECT n_blocks, labels, confidence FROM suggestion JOIN page ON page.number = page"
            " WHERE page.id = ? AND labeler = ?",
            page_id, labeler,
        )  # fmt: skip
        if not rows:
            return None
        n_blocks, *packed = rows[0]
        try:
            labels, confidence = (unpacked(one, n_blocks) for one in packed)
            letters = checked_labels(labels.decode("ascii"), n_blocks)
        except (CorpusError, ValueError, zlib.error):
            return None  # it can be made again
        return Suggestion(letters, np.frombuffer(confidence, np.uint8))


class Store:
    """A file of annotations. Threads may share it, and other processes read and write it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._database = Database(path)
        self.pages = Pages(self._database)
        self.revisions = Revisions(self._database, self.pages)
        self.queue = Queue(self._database, self.pages)
        self.suggestions = Suggestions(self._database, self.pages)
        self.transaction = self._database.transaction

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add(self, pages: Iterable[NewPage], tell: Tell | None = None) -> int:
        """Add pages; returns how many were new. A page that is there already stays as it is.

        Labels that come with a page become the first revision of the annotator `IMPORTED`.

        Raises:
            CorpusError: an id is not a plain file name, or belongs to another page of the store;
                a page is too large, and `tell` takes no message about it.
        """
        new = (page for page in pages if self.pages.is_new(page))
        ready = (made for page in new if (made := _ready(page, tell)) is not None)
        return sum(map(self._insert, batches(ready, lambda made: len(made[0].html))))

    def _insert(self, batch: Sequence[tuple[NewPage, str | None, Cut]]) -> int:
        added = 0
        with self.transaction():
            for page, title, cut in batch:
                if self.pages.is_new(page):  # not if an earlier page of these has the same id
                    self.pages.insert(page, title, cut)
                    if page.labels is not None:
                        imported = Save(IMPORTED, labels=page.labels, state="done")
                        self.revisions.save(page.id, imported)
                    added += 1
        return added


def batches(items: Iterable[_Item], size: Callable[[_Item], int]) -> Iterator[list[_Item]]:
    """What is written in one transaction each: others who save have their turn in between.

    If the items, of so many bytes each, end with an error, those before it come first.
    """
    batch, total = list[_Item](), 0
    try:
        for item in items:
            batch.append(item)
            total += size(item)
            if len(batch) == BATCH or total > BATCH_BYTES:
                yield batch
                batch, total = [], 0
    except CorpusError:
        yield batch
        raise
    yield batch


def _ready(page: NewPage, tell: Tell | None) -> tuple[NewPage, str | None, Cut] | None:
    """A page with its title and cut, None if it is too large and somebody was told."""
    problem = too_large(len(page.html), 0)
    if not problem:  # else it is not even parsed
        table = block_table(page.html)
        problem = too_large(len(page.html), len(table))
    if not problem:
        return page, table.heads[0].title or None, cut_of(table)
    if tell is None:
        raise CorpusError(f"page {page.id} has {problem}; leave it out")
    tell(f"page {page.id} is left out: {problem}")
    return None


def too_large(size: int, n_blocks: int) -> str:
    """What is too large about a page of so many bytes and blocks; empty if nothing is."""
    if size > MOST_BYTES:
        return f"{size} bytes, at most {MOST_BYTES} can be shown"
    if n_blocks > MOST_BLOCKS:
        return f"{n_blocks} blocks, at most {MOST_BLOCKS} can be labelled"
    return ""
