"""A store of annotations in one SQLite file: pages, revisions of their labels, suggestions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Self

from victor.annotate.store.database import Database
from victor.annotate.store.page_blocks import BlockSummary, block_table, summarize_blocks
from victor.annotate.store.pages import MOST_BLOCKS, MOST_BYTES, NewPage, Pages
from victor.annotate.store.queue import Queue
from victor.annotate.store.revisions import IMPORTED, Revisions, Save
from victor.annotate.store.suggestions import Suggestions
from victor.base.errors import CorpusError

BATCH: Final = 50
"""Pages that are added in one transaction, at most."""
BATCH_BYTES: Final = 1_000_000
"""Bytes of pages after which a transaction ends: others wait for it when they save."""

Tell = Callable[[str], None]
"""Takes a message about a page that is left out."""


class Store:
    """A file of annotations. Threads may share it, and other processes read and write it.

    Attributes:
        path: the file.
        pages: what is annotated.
        revisions: the labels of every annotator.
        queue: the pages as one annotator sees them.
        suggestions: those of labelers.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._database = Database(path)
        self.pages = Pages(self._database)
        self.revisions = Revisions(self._database, self.pages)
        self.queue = Queue(self._database, self.pages)
        self.suggestions = Suggestions(self._database, self.pages)

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

        Args:
            pages: what to add; others can save between some of them.
            tell: takes a message about each page that is too large; None raises it.

        Raises:
            CorpusError: an id is not a plain file name, or belongs to another page of the store;
                without `tell`, a page is too large.
        """
        added, size, batch = 0, 0, list[tuple[NewPage, BlockSummary]]()
        for page in pages:
            if self.pages.is_new(page) and (blocks := _blocks_of(page, tell)) is not None:
                batch.append((page, blocks))
                size += len(page.html)
            if len(batch) == BATCH or size > BATCH_BYTES:
                added, size = added + self._insert(batch), 0
                batch.clear()
        return added + self._insert(batch)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """One transaction of many that follow each other; then others have their turn.

        Raises:
            Unwritable: the file cannot be written; nothing was written.
        """
        with self._database.turn():
            yield

    def _insert(self, pages: Sequence[tuple[NewPage, BlockSummary]]) -> int:
        added = 0
        if not pages:
            return added
        with self.turn():
            for page, blocks in pages:
                if self.pages.is_new(page):  # not if an earlier page of these has the same id
                    self.pages.insert(page, blocks)
                    if page.labels is not None:
                        imported = Save(IMPORTED, labels=page.labels, state="done")
                        self.revisions.save(page.id, imported)
                    added += 1
        return added


def _blocks_of(page: NewPage, tell: Tell | None) -> BlockSummary | None:
    """The blocks of a page, None if it is too large and somebody was told."""
    blocks, problem = None, too_large(len(page.html), 0)
    if not problem:  # else it is not even parsed
        blocks = summarize_blocks(block_table(page.html))
        problem = too_large(len(page.html), blocks.n_blocks)
    if not problem:
        return blocks
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
