"""The pages of a store: their bytes and metadata."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import msgspec

from victor.annotate.store.database import Database
from victor.annotate.store.page_blocks import BlockSummary
from victor.annotate.store.schema import RESTORE
from victor.base.errors import CorpusError
from victor.corpus.pages import AnnotatedPage
from victor.corpus.rows import page_file

_OF_REVISIONS: Final = ("annotator", "state")
"""Metadata of an exported page that belong to its revision."""
MOST_BYTES: Final = 20_000_000
"""Bytes of the largest page that can be added."""
MOST_BLOCKS: Final = 200_000
"""Blocks of the largest page that can be added and labelled: browsers have to show it."""
_LONGEST: Final = 1000
"""Characters of a title that are read."""
_LARGEST_METADATA: Final = 1_000_000
"""Characters of the metadata of a page."""
_Row = tuple[int, str, str | None, str, str | None, str | None, int, int]
"""Types of `_COLUMNS`; a damaged file may hold others, though its tables are strict."""
_COLUMNS: Final = f"number, id, url, site, file, substr(title, 1, {_LONGEST}), n_blocks, cut"


@dataclass(frozen=True, slots=True)
class NewPage:
    """A page to add.

    Attributes:
        id: unique, and the plain name of a file.
        html: the bytes.
        url: where it comes from.
        site: pages of one site stay together in cross-validation; the host, if nothing else is
            known.
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


@dataclass(frozen=True, slots=True)
class StoredPage:
    """A page of the store without its bytes.

    Attributes:
        number: pages are numbered from 1 in the order in which they were added.
        id: unique in the store; the plain name of a file.
        url, site, title: as the source and the page say; the beginning of a title that is long.
        file: where it was saved, for the files beside it.
        n_blocks: blocks of the page; as many letters are its labels.
        cut: checksum of the texts of the blocks.
    """

    number: int
    id: str
    url: str | None
    site: str
    file: Path | None
    title: str | None
    n_blocks: int
    cut: int


class NoSuchPage(CorpusError):  # noqa: N818  (an event, not a failure)
    """The store has no page of this id."""

    def __init__(self, page_id: str) -> None:
        super().__init__(f"the store has no page {page_id!r}")


class Pages:
    """All pages. A page never changes once it has been added."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> list[StoredPage]:
        """All pages in the order in which they were added.

        Raises:
            CorpusError: the store is damaged.
        """
        rows = self._database.rows(f"SELECT {_COLUMNS} FROM page ORDER BY number")
        return [self._stored_page(row) for row in rows]

    def count(self) -> int:
        """How many pages there are."""
        ((count,),) = self._database.rows("SELECT count(*) FROM page")
        return int(count)

    def numbered(self, numbers: Iterable[int]) -> dict[int, StoredPage]:
        """The pages with these numbers, by number."""
        listed = ", ".join(map(str, numbers))
        rows = self._database.rows(f"SELECT {_COLUMNS} FROM page WHERE number IN ({listed})")
        return {row[0]: self._stored_page(row) for row in rows}

    def get(self, page_id: str) -> StoredPage:
        """One page.

        Raises:
            NoSuchPage: the store has no such page.
            CorpusError: it has too many blocks to be labelled.
        """
        page = self._stored_page(self._row(_COLUMNS, page_id))
        if not 0 <= page.n_blocks <= MOST_BLOCKS:
            raise CorpusError(
                f"page {page_id} has {page.n_blocks} blocks, at most {MOST_BLOCKS} can be "
                "labelled; leave it out"
            )
        return page

    def html(self, page_id: str) -> bytes:
        """The bytes of a page, as they were when it was added.

        Raises:
            NoSuchPage: the store has no such page.
        """
        return bytes(self._row("html", page_id)[0])

    def metadata(self, page_id: str) -> dict[str, Any]:
        """What the source of a page said of it.

        Raises:
            NoSuchPage: the store has no such page.
            CorpusError: the store is damaged.
        """
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

    def insert(self, page: NewPage, blocks: BlockSummary) -> None:
        """Add a new page."""
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT INTO page (id, html, url, site, file, title, metadata, n_blocks, cut)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                _new_row(page, blocks),
            )

    def _row(self, columns: str, page_id: str) -> Sequence[Any]:
        rows = self._database.rows(f"SELECT {columns} FROM page WHERE id = ?", page_id)
        if not rows:
            raise NoSuchPage(page_id)
        row: Sequence[Any] = rows[0]
        return row

    def _stored_page(self, row: Sequence[Any]) -> StoredPage:
        try:
            number, page_id, url, site, file, title, n_blocks, checksum = msgspec.convert(row, _Row)
        except msgspec.ValidationError as error:
            raise CorpusError(f"{self._database.path}: a page: {error}; {RESTORE}") from None
        path = None if file is None else Path(file)
        return StoredPage(number, page_id, url, site, path, title, n_blocks, checksum)


def _new_row(page: NewPage, blocks: BlockSummary) -> tuple[object, ...]:
    file = None if page.file is None else str(page.file.absolute())
    metadata = json.dumps(dict(page.metadata), ensure_ascii=False)
    if len(metadata) > _LARGEST_METADATA:
        raise CorpusError(
            f"page {page.id} has metadata of {len(metadata)} characters; leave some out"
        )
    return (page.id, page.html, page.url, page.site, file, blocks.title, metadata,
            blocks.n_blocks, blocks.checksum)  # fmt: skip
