"""What the writers have in common: how they are closed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import ExitStack
from types import TracebackType
from typing import Self

from victor.crawl.documents.document import Document


class BaseWriter(ABC):
    """A writer with a stack of what is to be closed, the last opened first.

    Attributes:
        open: streams and files; what enters it is closed with the writer.
    """

    def __init__(self) -> None:
        self.open = ExitStack()

    @abstractmethod
    def write(self, document: Document) -> None:
        """Add a document."""

    def close(self) -> None:
        """Finish and close all files; more than once does no harm."""
        self.open.close()

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close."""
        self.close()
