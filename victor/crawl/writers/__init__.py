"""Forms of a corpus: each module here writes documents into one file, or one folder.

The same documents give the same bytes: nothing of the clock, the machine or the path is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Final, Protocol, Self, cast

from victor.crawl.documents.document import Document
from victor.errors import ConfigError

WRITERS: Final[Mapping[str, str]] = {
    "jsonl": ".jsonl",
    "jsonl.gz": ".jsonl.gz",
    "jsonl.zst": ".jsonl.zst",
    "parquet": ".parquet",
    "texts": "",
    "wet": ".warc.wet.gz",
    "vertical": ".vert",
}
"""Name of every form to the extension of its files; ``texts`` makes a folder."""


class Writer(Protocol):
    """Writes documents in the order in which they come."""

    def write(self, document: Document) -> None:
        """Add a document."""
        ...

    def close(self) -> None:
        """Finish the file; without a document it is an empty one of its form."""
        ...

    def __enter__(self) -> Self:
        """Itself."""
        ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close."""
        ...


def writer(form: str, path: Path) -> Writer:
    """Open a file, or make the folder, for documents; one that is there is written over.

    Raises:
        ConfigError: there is no such form, or a package that it needs is missing.
        OSError: the file cannot be written.
    """
    if form not in WRITERS:
        raise ConfigError(f"no form {form!r} of a corpus; choose one of {', '.join(WRITERS)}")
    module = import_module(f"victor.crawl.writers.{form.partition('.')[0]}")
    return cast(Writer, module.build(form, path))
