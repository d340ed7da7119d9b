"""The pages of a store: their bytes, and what is known of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol

from victor.annotate.store.database import Database
from victor.annotate.store.page_blocks import Cut
from victor.corpus.pages import page_file
from victor.errors import CorpusError

_COLUMNS: Final = "number, id, url, site, file, title, metadata, n_blocks, cut"


class Incoming(Protocol):
    """A page to add; `victor.annotate.collect.NewPage` is one."""

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


class NoSuchPage(CorpusError):  # noqa: N818  (what happened, not what failed)
    """The store has no page of this id."""

    def __init__(self, page_id: str) -> None:
        super().__init__(f"the store has no page {page_id!r}")


class Pages:
    """All pages; one that was added is never changed."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> list[StoredPage]:
        """In the order in which they were added."""
        rows = self._database.rows(f"SELECT {_COLUMNS} FROM page ORDER BY number")
        return [_stored_page(row) for row in rows]

    def get(self, page_id: str) -> StoredPage:
        """One page.

        Raises:
            NoSuchPage: the store has no such page.
        """
        return _stored_page(self._row(_COLUMNS, page_id))

    def html(self, page_id: str) -> bytes:
        """The bytes of a page, as they were when it was added.

        Raises:
            NoSuchPage: the store has no such page.
        """
        return bytes(self._row("html", page_id)[0])

    def lack(self, page: Incoming) -> bool:
        """Is a page none of these.

        Raises:
            CorpusError: its id is no plain file name, or belongs to another page.
        """
        path = self._database.path
        page_file(path.parent, page.id, str(path))
        rows = self._database.rows("SELECT html = ? FROM page WHERE id = ?", page.html, page.id)
        if rows == [(0,)]:
            raise CorpusError(
                f"{path} holds another page of the id {page.id}; rename one, or name another store"
            )
        return not rows

    def insert(self, page: Incoming, found: Cut) -> None:
        """Add a page that they lack, with what its blocks are."""
        with self._database.writing() as connection:
            connection.execute(
                "INSERT INTO page (id, html, url, site, file, title, metadata, n_blocks, cut)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                _new_row(page, found),
            )

    def _row(self, columns: str, page_id: str) -> Sequence[Any]:
        rows = self._database.rows(f"SELECT {columns} FROM page WHERE id = ?", page_id)
        if not rows:
            raise NoSuchPage(page_id)
        row: Sequence[Any] = rows[0]
        return row


def _new_row(page: Incoming, found: Cut) -> tuple[object, ...]:
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
