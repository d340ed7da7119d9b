"""The base of all writers: how they are used and closed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, Self

from victor.documents.outcome import Document

Encode = Callable[[Document], Any]
"""Makes the row of a document, which depends on nothing else: bytes, or the fields of Parquet."""


class Writer(ABC):
    """Writes documents in the order in which they come.

    Attributes:
        open: open files and streams; they are closed with the writer, the last opened first.
    """

    def __init__(self) -> None:
        self.open = ExitStack()

    @abstractmethod
    def write(self, document: Document) -> None:
        """Add a document."""

    def close(self) -> None:
        """Finish and close all files; without a document these are empty ones of their form."""
        self.open.close()

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()


class RowWriter(Writer):
    """A writer that makes every document a row of its own, which may be made elsewhere.

    Args:
        encode: makes the rows.
    """

    def __init__(self, encode: Encode) -> None:
        super().__init__()
        self._encode = encode

    @abstractmethod
    def add(self, row: Any) -> None:  # noqa: ANN401  (bytes or fields)
        """Add a row."""

    def write(self, document: Document) -> None:
        """Add a document."""
        self.add(self._encode(document))
