"""JSONL, Parquet and batches of Arrow: a page or a damage for every row."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import IO, Any, Final

from victor.base import lazy
from victor.sources.inputs import Input, ReadOptions
from victor.sources.record import Damage, Page, Record
from victor.sources.stream import Stream
from victor.sources.unpack import PACKED, beginning, chunks

_REASON: Final = "damaged-input"
_ESCAPED: Final = 6
"""Bytes of the longest escape of a character in JSON."""
_BESIDE: Final = 1 << 20
"""Bytes of a line that need not be the page."""
_ROWS: Final = 32
"""Rows that are unpacked at once: pages are large."""
_LINE_END: Final = re.compile(rb"\n")


def read_jsonl(
    file: IO[bytes], source: Input, options: ReadOptions, start: int = 0, end: int | None = None
) -> Iterator[Page]:
    """The rows whose lines begin between two bytes; packed files are read as a whole.

    Its number is the byte of the line, in packed files that of what is unpacked.
    """
    longest, name = options.max_bytes * _ESCAPED + _BESIDE, source.name
    head, _ = beginning(file)
    is_packed = head.startswith(PACKED)
    stream = Stream(chunks(file, head, max(start - 1, 0)))
    if start:
        stream.seek(_LINE_END)
        stream.move(1)
    while stream.fill(1):
        number = stream.n_read if is_packed else stream.position
        if end is not None and number >= end:
            return
        _, line = stream.seek(_LINE_END, longest + 1)
        stream.move(1)
        if fault := stream.told():  # with it goes the line that it breaks
            yield Damage(name, number, _REASON, fault)
        elif len(line) > longest:
            message = f"a line is longer than {longest} bytes"
            yield Damage(name, number, "too-many-bytes", message)
        elif line.strip():
            yield _json_row(line, name, number, options)
    if fault := stream.told(1):
        yield Damage(name, stream.n_read, _REASON, fault)


def _json_row(line: bytes, source: str, number: int, options: ReadOptions) -> Page:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        return Damage(source, number, _REASON, f"the line is no JSON in UTF-8: {error}")
    if not isinstance(row, dict):
        return Damage(source, number, _REASON, "the line is no JSON object")
    return record(row, source, number, options.columns, options.max_bytes)


def record(
    row: Mapping[str, Any], source: str, number: int, columns: Mapping[str, str], max_bytes: int
) -> Page:
    """The page of a row of plain values by column; those of unknown columns become metadata.

    `columns` are the names of those that hold ``html``, ``url``, ``id``, ``date``, ``charset``,
    ``media_type`` and ``file_path``.
    """
    known = {what: _text(row.get(name)) for what, name in columns.items() if what != "html"}
    html, url = row.get(columns["html"]), known.get("url")
    if not isinstance(html, str | bytes):
        message = f"the row has no markup in {columns['html']!r}; name the column that has"
        return Damage(source, number, "no-html", message, url)
    named = {*columns.values()}
    return Record(
        source=known.get("file_path") or source,
        number=number,
        body=html[: max_bytes + 1],
        url=url,
        id=known.get("id"),
        charset=known.get("charset"),
        media_type=(known.get("media_type") or "").partition(";")[0].strip().lower() or None,
        date=known.get("date"),
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


def read_batch(
    batch: Any,  # noqa: ANN401  (pyarrow has no types)
    source: str,
    first: int,
    columns: Mapping[str, str],
    max_bytes: int,
) -> Iterator[Page]:
    """The rows of a record batch of Arrow, the first of which has this number."""
    for number in range(first, first + batch.num_rows):
        try:
            (values,) = batch.slice(number - first, 1).to_pylist()
        except (ValueError, OverflowError) as error:  # text that is no UTF-8, dates beyond Python's
            yield Damage(source, number, _REASON, f"row {number} cannot be read: {error}")
        else:
            yield record(values, source, number, columns, max_bytes)


def read_parquet(
    file: IO[bytes], source: Input, options: ReadOptions, start: int = 0, end: int | None = None
) -> Iterator[Page]:
    """The rows of the row groups that begin between two bytes; a damaged group is one damage."""
    arrow = lazy.load("pyarrow", extra="crawl")
    parquet = lazy.load("pyarrow.parquet", extra="crawl")
    name = source.name
    try:
        table = parquet.ParquetFile(file, memory_map=False)
    except (arrow.ArrowException, OSError) as error:
        if not start:
            yield Damage(name, 0, _REASON, f"no readable Parquet file: {error}")
        return
    names, number = table.schema_arrow.names, 0
    if options.html_column not in names:
        if not start:
            known = ", ".join(names)
            message = f"no column {options.html_column!r} among {known}; name the right one"
            yield Damage(name, 0, "no-html", message)
        return
    columns = [field.name for field in table.schema_arrow if not arrow.types.is_nested(field.type)]
    for index in range(table.num_row_groups):
        group = table.metadata.row_group(index)
        begin, last = number, number + group.num_rows
        if group.column(0).data_page_offset in range(start, end or 1 << 62):
            try:
                for batch in table.iter_batches(_ROWS, row_groups=[index], columns=columns):
                    yield from read_batch(batch, name, begin, options.columns, options.max_bytes)
                    begin += batch.num_rows
            except (arrow.ArrowException, OSError, ValueError) as error:
                reason = "memory" if isinstance(error, MemoryError) else _REASON
                message = f"rows {begin} to {last - 1} cannot be read: {error}"
                yield Damage(name, begin, reason, message)
        number = last
