"""Parquet files to items: one for every row; a row group that is damaged is one damage."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import IO, Any, Final, TypeAlias

from victor.base import optional
from victor.sources.inputs import ReadOptions
from victor.sources.jsonl import record
from victor.sources.record import Damage, Item, Page, damage
from victor.sources.streams import seekable

_Batch: TypeAlias = Any  # pyarrow has no types
_REASON: Final = "damaged-input"
_ROWS: Final = 32
"""Rows that are unpacked at once: pages are large."""


def items(stream: IO[bytes], _head: bytes, options: ReadOptions) -> Iterator[Item]:
    """The rows and damages of a Parquet file."""
    arrow = optional.load("pyarrow", extra="crawl")
    parquet = optional.load("pyarrow.parquet", extra="crawl")
    with seekable(stream) as file:
        try:
            table = parquet.ParquetFile(file, memory_map=False)
        except (arrow.ArrowException, OSError) as error:
            yield damage(_REASON, f"no readable Parquet file: {error}")
            return
        with table:
            names = table.schema_arrow.names
            if options.html_column in names:
                yield from _rows(table, arrow, options)
            else:
                known = ", ".join(names)
                message = f"no column {options.html_column!r} among {known}; name the right one"
                yield damage("no-html", message)


def _rows(table: Any, arrow: Any, options: ReadOptions) -> Iterator[Item]:  # noqa: ANN401
    columns = [field.name for field in table.schema_arrow if not arrow.types.is_nested(field.type)]
    row_number = 0
    for group in range(table.num_row_groups):
        end = row_number + table.metadata.row_group(group).num_rows
        try:
            for batch in table.iter_batches(_ROWS, row_groups=[group], columns=columns):
                for row in range(batch.num_rows):
                    where = f"row {row_number}"
                    yield partial(_row, batch=batch, row=row, where=where, options=options)
                    row_number += 1
        except (arrow.ArrowException, OSError, ValueError) as error:
            reason = "memory" if isinstance(error, MemoryError) else _REASON
            yield damage(reason, f"rows {row_number} to {end - 1} cannot be read: {error}")
        row_number = end


def _row(
    source: str, number: int, *, batch: _Batch, row: int, where: str, options: ReadOptions
) -> Page:
    try:
        (values,) = batch.slice(row, 1).to_pylist()
    except (ValueError, OverflowError) as error:  # text that is no UTF-8, dates beyond Python's
        return Damage(source, number, _REASON, f"{where} cannot be read: {error}")
    return record(values, where, options)(source, number)
