"""What annotators did, in one SQLite file: pages, revisions of their labels, suggestions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from victor.annotate.store.changes import changes_between, checked_labels
from victor.annotate.store.database import Database
from victor.annotate.store.label_letters import unmarked
from victor.annotate.store.page_blocks import Cut, block_table, cut
from victor.annotate.store.pages import Incoming, Pages
from victor.annotate.store.revisions import IMPORTED, Revisions
from victor.annotate.store.suggestions import Suggestions

_PART: Final = 50
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

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        where: TracebackType | None,
    ) -> None:  # fmt: skip
        self.close()

    def add(self, pages: Iterable[Incoming]) -> int:
        """Add pages; returns how many were new. One that is there already is left as it is.

        Labels that come with a page become the first revision of the annotator `IMPORTED`.

        Raises:
            CorpusError: an id is no plain file name, or belongs to another page of the store.
        """
        added, part = 0, list[tuple[Incoming, Cut]]()
        for page in pages:
            if self.pages.lack(page):
                part.append((page, cut(block_table(page.html))))
            if len(part) == _PART:
                added += self._insert(part)
                part.clear()
        return added + self._insert(part)

    def _insert(self, pages: Sequence[tuple[Incoming, Cut]]) -> int:
        added = 0
        with self._database.writing():
            for page, found in pages:
                if self.pages.lack(page):  # not if an earlier page of these has the same id
                    self.pages.insert(page, found)
                    self._import(page, found.n_blocks)
                    added += 1
        return added

    def _import(self, page: Incoming, n_blocks: int) -> None:
        if page.labels is not None:
            changes = changes_between(unmarked(n_blocks), checked_labels(page.labels, n_blocks))
            self.revisions.save(page.id, IMPORTED, changes, base=0, state="done", kind="import")
