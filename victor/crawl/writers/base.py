"""The base of all writers: how they are used and closed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import ExitStack
from typing import Self

from victor.documents.outcome import Outcome


class Writer(ABC):
    """Writes pages in the order in which they come.

    Attributes:
        open: open files and streams; they are closed with the writer, the last opened first.
    """

    def __init__(self) -> None:
        self.open = ExitStack()

    @abstractmethod
    def write(self, page: Outcome) -> None:
        """Add a page that has a row."""

    def close(self) -> None:
        """Finish and close all files; without a page these are empty ones of their form."""
        self.open.close()

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()
