"""Suggestions of labelers, stored so that each is computed once."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from victor.annotate.store.changes import checked_labels, unpacked
from victor.annotate.store.database import Database
from victor.annotate.store.pages import Pages, StoredPage
from victor.base.errors import CorpusError


class StoredSuggestion(NamedTuple):
    """The labels that a labeler suggests for a page.

    Attributes:
        labels: one letter per block.
        confidence: (n,) uint8, 0 to 100.
    """

    labels: str
    confidence: NDArray[np.uint8]


class Suggestions:
    """Suggestions by page and labeler, and the scores that order pages."""

    def __init__(self, database: Database, pages: Pages) -> None:
        self._database, self._pages = database, pages

    def keep(
        self, page_id: str, suggested: Mapping[str, StoredSuggestion], scores: Mapping[str, float]
    ) -> None:
        """Store suggestions for a page in place of earlier ones.

        Args:
            page_id: the page.
            suggested: suggestion by name of the labeler.
            scores: by name of the order that they belong to.

        Raises:
            NoSuchPage: the store has no such page.
            CorpusError: the page has another number of blocks.
        """
        page = self._pages.get(page_id)
        rows = [
            (page.number, name, *_packed(suggestion, page))
            for name, suggestion in suggested.items()
        ]
        numbers = [(page.number, name, float(score)) for name, score in scores.items()]
        with self._database.transaction() as connection:
            connection.executemany("INSERT OR REPLACE INTO suggestion VALUES (?, ?, ?, ?)", rows)
            connection.executemany("INSERT OR REPLACE INTO score VALUES (?, ?, ?)", numbers)

    def get(self, page_id: str, labeler: str) -> StoredSuggestion | None:
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
        except (CorpusError, UnicodeError, zlib.error):
            return None  # it can be made again
        return StoredSuggestion(letters, np.frombuffer(confidence, np.uint8))

    def missing(self, labeler: str, score: str | None = None) -> list[tuple[int, str]]:
        """Numbers and ids of the pages without suggestion of a labeler, or without a score."""
        return self._database.rows(
            "SELECT number, id FROM page WHERE NOT EXISTS"
            " (SELECT 1 FROM suggestion WHERE page = number AND labeler = :labeler)"
            " OR (:score IS NOT NULL AND NOT EXISTS"
            " (SELECT 1 FROM score WHERE page = number AND name = :score)) ORDER BY number",
            labeler=labeler, score=score,
        )  # fmt: skip


def _packed(suggestion: StoredSuggestion, page: StoredPage) -> tuple[bytes, bytes]:
    letters = checked_labels(suggestion.labels, page.n_blocks).encode()
    confidence = np.asarray(suggestion.confidence, np.uint8).tobytes()
    return zlib.compress(letters), zlib.compress(confidence)
