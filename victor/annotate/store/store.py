"""A store of annotations in one SQLite file: pages, revisions of their labels, suggestions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, Self

from victor.annotate.store.database import Database
from victor.annotate.store.page_blocks import BlockSummary, block_table, summarize_blocks
from victor.annotate.store.pages import NewPage, Pages
from victor.annotate.store.revisions import IMPORTED, Revisions, Save
from victor.annotate.store.suggestions import Suggestions

_BATCH: Final = 50
"""Pages that are added in one transaction."""


class Store:
    """A file of annotations. Threads may share it, and other processes read and write it.

    Attributes:
        path: the file.
        pages: what is annotated.
        revisions: the labels of every annotator.
        suggestions: those of labelers.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._database = Database(path)
        self.pages = Pages(self._database)
        self.revisions = Revisions(self._database, self.pages)
        self.suggestions = Suggestions(self._database, self.pages)

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add(self, pages: Iterable[NewPage]) -> int:
        """Add pages; returns how many were new. A page that is there already stays as it is.

        Labels that come with a page become the first revision of the annotator `IMPORTED`.

        Raises:
            CorpusError: an id is not a plain file name, or belongs to another page of the store.
        """
        added, batch = 0, list[tuple[NewPage, BlockSummary]]()
        for page in pages:
            if self.pages.is_new(page):
                batch.append((page, summarize_blocks(block_table(page.html))))
            if len(batch) == _BATCH:
                added += self._insert(batch)
                batch.clear()
        return added + self._insert(batch)

    def _insert(self, pages: Sequence[tuple[NewPage, BlockSummary]]) -> int:
        added = 0
        with self._database.transaction():
            for page, blocks in pages:
                if self.pages.is_new(page):  # not if an earlier page of these has the same id
                    self.pages.insert(page, blocks)
                    if page.labels is not None:
                        imported = Save(IMPORTED, labels=page.labels, state="done")
                        self.revisions.save(page.id, imported, "import")
                    added += 1
        return added
