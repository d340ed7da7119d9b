"""Write sightings one after the other, as `victor.sites.counts` reads them."""

from __future__ import annotations

from pathlib import Path

from victor.crawl.writers.base import RowWriter
from victor.documents.outcome import Document, Row


class SightsWriter(RowWriter):
    """Writes the sightings of a part.

    Args:
        path: the file.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(_refused)
        self._file = self.open.enter_context(path.open("wb"))

    def add(self, row: Row) -> None:
        """Add a sighting."""
        self._file.write(row.data)


def _refused(document: Document) -> Row:
    raise TypeError(f"{document.id} is a document, and a first pass makes none")


def build(form: str, path: Path) -> SightsWriter:
    """The writer of ``sights``."""
    return SightsWriter(path)
