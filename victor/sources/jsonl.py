"""JSONL files to items: one for every line that is not empty."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import date
from functools import partial
from typing import IO, Any, Final

from victor.sources.decompress import Chunk, chunks
from victor.sources.inputs import ReadOptions
from victor.sources.record import Damage, Item, Page, Record, damage

_ESCAPED: Final = 6
"""Bytes of the longest escape of a character in JSON."""
_BESIDE: Final = 1 << 20
"""Bytes of a line that need not be the page."""


def items(stream: IO[bytes], head: bytes, options: ReadOptions) -> Iterator[Item]:
    """The rows and damages of a JSONL file.

    Args:
        stream: the file, compressed with gzip or zstandard or not.
        head: its first bytes, which tell that.
        options: how to read.
    """
    longest = options.max_bytes * _ESCAPED + _BESIDE
    line_number = 0
    for line in lines(chunks(stream, head), longest):
        if isinstance(line, str):
            yield damage("damaged-input", line)
            continue
        line_number += 1
        if len(line) > longest:
            yield damage("too-many-bytes", f"line {line_number} is longer than {longest} bytes")
        elif line.strip():
            yield partial(_row, line=line, where=f"line {line_number}", options=options)


def lines(stream: Iterator[Chunk], longest: int) -> Iterator[bytes | str]:
    """Lines, of too long ones one byte more than that; messages where the stream is damaged."""
    line = bytearray()
    for chunk in stream:
        *ended, rest = chunk.data.split(b"\n")
        for end in ended:
            line += end[: longest + 1 - len(line)]
            yield bytes(line)
            line.clear()
        line += rest[: longest + 1 - len(line)]
        if chunk.fault:  # with it goes the line that it breaks
            yield chunk.fault
            line.clear()
    if line:
        yield bytes(line)


def _row(source: str, number: int, *, line: bytes, where: str, options: ReadOptions) -> Page:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        return Damage(source, number, "damaged-input", f"{where} is no JSON in UTF-8: {error}")
    if not isinstance(row, dict):
        return Damage(source, number, "damaged-input", f"{where} is no JSON object")
    return record(row, where, options)(source, number)


def record(row: Mapping[str, Any], where: str, options: ReadOptions) -> Item:
    """The page of a row.

    Args:
        row: plain values by column.
        where: names the row in messages.
        options: which columns are what.
    """
    html, url = row.get(options.html_column), _text(row.get(options.url_column))
    if not isinstance(html, str | bytes):
        message = f"{where} has no markup in {options.html_column!r}; name the column that has"
        return damage("no-html", message, url)
    named = (options.html_column, options.url_column, options.id_column, options.date_column)
    return lambda source, number: Record(
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
