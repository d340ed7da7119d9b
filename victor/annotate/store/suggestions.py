"""What labelers suggest for the pages of a store, kept so that it is computed once."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from victor.annotate.store.changes import checked_labels
from victor.annotate.store.database import Database
from victor.annotate.store.pages import Pages, StoredPage


class Suggested(NamedTuple):
    """What a labeler says of a page.

    Attributes:
        labels: one letter a block.
        confidence: (n,) uint8, 0 to 100.
    """

    labels: str
    confidence: NDArray[np.uint8]


class Suggestions:
    """Suggestions by page and labeler, and the scores by which pages are put in order."""

    def __init__(self, database: Database, pages: Pages) -> None:
        self._database, self._pages = database, pages

    def keep(
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
        page = self._pages.get(page_id)
        rows = [(page.number, name, *_packed(found, page)) for name, found in suggested.items()]
        numbers = [(page.number, name, float(score)) for name, score in scores.items()]
        with self._database.writing() as connection:
            connection.executemany("INSERT OR REPLACE INTO suggestion VALUES (?, ?, ?, ?)", rows)
            connection.executemany("INSERT OR REPLACE INTO score VALUES (?, ?, ?)", numbers)

    def get(self, page_id: str, labeler: str) -> Suggested | None:
        """What a labeler says of a page, if it is known."""
        rows = self._database.rows(
            "SELECT labels, confidence FROM suggestion JOIN page ON page.number = page"
            " WHERE page.id = ? AND labeler = ?",
            page_id, labeler,
        )  # fmt: skip
        if not rows:
            return None
        labels, confidence = map(zlib.decompress, rows[0])
        return Suggested(labels.decode("ascii"), np.frombuffer(confidence, np.uint8))

    def pages(self, labeler: str) -> set[str]:
        """Ids of the pages that a labeler was asked about."""
        rows = self._database.rows(
            "SELECT page.id FROM suggestion JOIN page ON page.number = page WHERE labeler = ?",
            labeler,
        )
        return {page_id for (page_id,) in rows}

    def scores(self, name: str) -> dict[str, float]:
        """The scores of a name of all pages that have it, by id."""
        return dict(
            self._database.rows(
                "SELECT page.id, value FROM score JOIN page ON page.number = page WHERE name = ?",
                name,
            )
        )


def _packed(found: Suggested, page: StoredPage) -> tuple[bytes, bytes]:
    letters = checked_labels(found.labels, page.n_blocks).encode()
    return zlib.compress(letters), zlib.compress(np.asarray(found.confidence, np.uint8).tobytes())
