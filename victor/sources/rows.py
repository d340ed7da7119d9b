"""JSONL and Parquet to items: one for every row."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import date
from functools import partial
from typing import IO, Any, Final

from victor.base import lazy
from victor.sources.inputs import Input, ReadOptions
from victor.sources.record import Damage, Item, Page, Record
from victor.sources.unpack import PACKED, Chunk, beginning, chunks

_REASON: Final = "damaged-input"
_ESCAPED: Final = 6
"""Bytes of the longest escape of a character in JSON."""
_BESIDE: Final = 1 << 20
"""Bytes of a line that need not be the page."""
_ROWS: Final = 32
"""Rows that are unpacked at once: pages are large."""


def json_items(
    file: IO[bytes], source: Input, options: ReadOptions, start: int = 0, end: int | None = None
) -> Iterator[Item]:
    """The rows whose lines begin between two bytes; packed files are read as a whole."""
    longest = options.max_bytes * _ESCAPED + _BESIDE
    head, _ = beginning(file)
    is_packed = head.startswith(PACKED)
    start, end = (0, None) if is_packed else (start, end)
    file.seek(max(start - 1, 0))
    begin = start + len(file.readline()) - 1 if start else 0
    pieces = chunks(file, head, begin)
    for number, line in _lines(pieces, longest, begin, end, is_packed=is_packed):
        if isinstance(line, str):
            yield partial(Damage, source.name, number, _REASON, line)
        elif len(line) > longest:
            message = f"a line is longer than {longest} bytes"
            yield partial(Damage, source.name, number, "too-many-bytes", message)
        elif line.strip():
            yield partial(_json_row, source.name, number, line, options)


def _lines(
    stream: Iterator[Chunk], longest: int, at: int, end: int | None, *, is_packed: bool
) -> Iterator[tuple[int, bytes | str]]:
    """Lines with the byte where each begins, in packed files its number; messages of damages.

    Of too long ones, one byte more than that is kept.
    """
    line, n_bytes = bytearray(), 0
    for chunk in stream:
        *ended, rest = chunk.data.split(b"\n")
        for piece in ended:
            if end is not None and at >= end:
                return
            line += piece[: longest + 1 - len(line)]
            yield at, bytes(line)
            at += 1 if is_packed else n_bytes + len(piece) + 1
            line.clear()
            n_bytes = 0
        line += rest[: longest + 1 - len(line)]
        n_bytes += len(rest)
        if chunk.fault:  # with it goes the line that it breaks
            yield at, chunk.fault
            line.clear()
            at, n_bytes = at + (1 if is_packed else n_bytes), 0
    if line and (end is None or at < end):
        yield at, bytes(line)


def _json_row(source: str, number: int, line: bytes, options: ReadOptions) -> Page:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        return Damage(source, number, _REASON, f"the line is no JSON in UTF-8: {error}")
    if not isinstance(row, dict):
        return Damage(source, number, _REASON, "the line is no JSON object")
    return record(row, source, number, options)


def record(row: Mapping[str, Any], source: str, number: int, options: ReadOptions) -> Page:
    """The page of a row of plain values by column."""
    html, url = row.get(options.html_column), _text(row.get(options.url_column))
    if not isinstance(html, str | bytes):
        message = f"the row has no markup in {options.html_column!r}; name the column that has"
        return Damage(source, number, "no-html", message, url)
    named = (options.html_column, options.url_column, options.id_column, options.date_column)
    return Record(
        source=source,
        number=number,
        body=html[: options.max_bytes + 1],
        url=url,
        id=_text(row.get(options.id_column)),
        date=_text(row.get(options.date_column)),
        metadata={
            key: value
            for key, value in row.items()
            if key not in named and isinstance(value, str | int | float | bool)
        },
    )


def _text(value: object) -> str | None:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace") or None
    if isinstance(value, date):
        return value.isoformat()
    return None if value is None else str(value) or None


def parquet_items(
    file: IO[bytes], source: Input, options: ReadOptions, start: int = 0, end: int | None = None
) -> Iterator[Item]:
    """The rows of the row groups that begin between two bytes; a damaged group is one damage."""
    arrow = lazy.load("pyarrow", extra="crawl")
    parquet = lazy.load("pyarrow.parquet", extra="crawl")
    try:
        file.seek(0)
        table = parquet.ParquetFile(file, memory_map=False)
    except (arrow.ArrowException, OSError) as error:
        if not start:
            message = f"no readable Parquet file: {error}"
            yield lambda: Damage(source.name, 0, _REASON, message)
        return
    names = table.schema_arrow.names
    if options.html_column in names:
        yield from _groups(table, arrow, source, options, range(start, end or 1 << 62))
    elif not start:
        known = ", ".join(names)
        message = f"no column {options.html_column!r} among {known}; name the right one"
        yield lambda: Damage(source.name, 0, "no-html", message)


def _groups(
    table: Any,  # noqa: ANN401
    arrow: Any,  # noqa: ANN401
    source: Input,
    options: ReadOptions,
    stretch: range,
) -> Iterator[Item]:
    columns = [field.name for field in table.schema_arrow if not arrow.types.is_nested(field.type)]
    number = 0
    for index in range(table.num_row_groups):
        group = table.metadata.row_group(index)
        last = number + group.num_rows
        try:
            if group.column(0).data_page_offset in stretch:
                for batch in table.iter_batches(_ROWS, row_groups=[index], columns=columns):
                    for row in range(batch.num_rows):
                        yield partial(_row, source.name, number, batch.slice(row, 1), options)
                        number += 1
        except (arrow.ArrowException, OSError, ValueError) as error:
            reason = "memory" if isinstance(error, MemoryError) else _REASON
            message = f"rows {number} to {last - 1} cannot be read: {error}"
            yield partial(Damage, source.name, number, reason, message)
        number = last


def _row(source: str, number: int, row: Any, options: ReadOptions) -> Page:  # noqa: ANN401
    try:
        (values,) = row.to_pylist()
    except (ValueError, OverflowError) as error:  # text that is no UTF-8, dates beyond Python's
        return Damage(source, number, _REASON, f"row {number} cannot be read: {error}")
    return record(values, source, number, options)
