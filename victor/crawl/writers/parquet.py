"""Write Parquet: a row per document, compressed by Zstandard; ``metadata`` is a structure."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from msgspec import to_builtins

from victor.base import optional
from victor.crawl.writers.base import Writer
from victor.documents.outcome import Outcome
from victor.documents.row import arrow_schema

_GROUP_ROWS: Final = 1000
_GROUP_CHARACTERS: Final = 32_000_000
_ZSTD_LEVEL: Final = 3


class ParquetWriter(Writer):
    """Writes row groups of at most 1,000 documents."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._arrow = optional.load("pyarrow", extra="crawl")
        self._rows: list[dict[str, Any]] = []
        self._characters = 0
        parquet = optional.load("pyarrow.parquet", extra="crawl")
        self._schema = arrow_schema()
        self._file = self.open.enter_context(
            parquet.ParquetWriter(
                path, self._schema, compression="zstd", compression_level=_ZSTD_LEVEL
            )
        )
        self.open.callback(self._flush)

    def write(self, page: Outcome) -> None:
        """Add a row."""
        fields = to_builtins(page.row)
        self._rows.append(fields)
        self._characters += len(fields["text"]) + len(fields["markdown"] or "")
        if len(self._rows) == _GROUP_ROWS or self._characters > _GROUP_CHARACTERS:
            self._flush()

    def _flush(self) -> None:
        if self._rows:
            self._file.write_table(self._arrow.Table.from_pylist(self._rows, self._schema))
            self._rows, self._characters = [], 0


def build(form: str, path: Path) -> ParquetWriter:
    """The writer of ``parquet``."""
    return ParquetWriter(path)
