"""Write WET: conversion records of WARC 1.0 (ISO 28500), one gzip member each, as Common Crawl.

The first record is of type ``warcinfo``. Its date is that of the first document: nothing written
depends on the day of the run.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import re
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from urllib.parse import quote

from victor import __version__
from victor.base.files import UNFINISHED
from victor.crawl.writers.base import Encode, RowWriter
from victor.documents.fields import one_line
from victor.documents.outcome import Document, Row
from victor.page.plain_data import valid

_LEVEL: Final = 6
_NO_DATE: Final = "1970-01-01T00:00:00Z"
"""The standard requires a date; this one stands for an unknown date."""
_RECORD_ID: Final = re.compile(r"<?((?i:urn):[A-Za-z0-9][A-Za-z0-9-]{0,31}:[^\s<>]+)>?")
"""Identifiers of WARC records: URNs, with or without the angle brackets of WARC 1.0."""


class WetWriter(RowWriter):
    """Writes a conversion record for each document, after one that describes the file."""

    def __init__(self, path: Path) -> None:
        super().__init__(encode)
        self._name = path.name.removeprefix(UNFINISHED)
        self._is_described = False
        self._file = self.open.enter_context(path.open("wb"))
        self.open.callback(self._describe, None)

    def add(self, row: Row) -> None:
        """Add a record."""
        self._describe(row)
        self._file.write(row.data)

    def _describe(self, first: Row | None) -> None:
        """Write the record that describes the file, unless it is there."""
        if not self._is_described:
            self._is_described = True
            self._file.write(_packed(*description(self._name, first)))


def encode(document: Document) -> Row:
    """The record of a document."""
    body = valid(document.text if document.markdown is None else document.markdown).encode()
    return Row(document.id, document.date, _packed(headers(document, body), body))


def encoder() -> Encode:
    """A function that makes records of documents."""
    return encode


def _packed(fields: Mapping[str, str], body: bytes) -> bytes:
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    record = b"WARC/1.0\r\n" + head.encode() + b"\r\n" + body + b"\r\n\r\n"
    return gzip.compress(record, _LEVEL, mtime=0)


def description(name: str, first: Row | None) -> tuple[dict[str, str], bytes]:
    """Fields and block of the ``warcinfo`` record of a file.

    Args:
        name: of the file.
        first: document in it; None if it has none.
    """
    body = f"software: Victor {__version__}\r\nformat: WARC File Format 1.0\r\n".encode()
    seed = f"{name} {first.id if first else ''}"
    fields = {
        "WARC-Type": "warcinfo",
        "WARC-Date": _date(first.date if first else None),
        "WARC-Record-ID": _record_id(one_line(seed)),
        "WARC-Filename": one_line(name),
        "Content-Type": "application/warc-fields",
        "Content-Length": str(len(body)),
    }
    return fields, body


def headers(document: Document, body: bytes) -> dict[str, str]:
    """Fields of a record; those that are not in the standard begin with ``Victor-``."""
    digest = base64.b32encode(hashlib.sha1(body, usedforsecurity=False).digest()).decode()
    identifier = one_line(document.id)
    source = _RECORD_ID.fullmatch(identifier)
    fields: dict[str, object | None] = {
        "WARC-Type": "conversion",
        "WARC-Target-URI": _target(document),
        "WARC-Date": _date(document.date),
        "WARC-Record-ID": _record_id(f"{identifier} {digest}"),
        "WARC-Refers-To": f"<{source[1]}>" if source else None,
        "WARC-Block-Digest": f"sha1:{digest}",
        "WARC-Identified-Content-Language": document.language,
        "Victor-Id": identifier,
        "Victor-Date": document.date,
        "Victor-Title": document.title,
        "Victor-Language-Score": document.language_score,
        "Victor-Kept-Share": document.kept_share,
        "Victor-Confidence": document.confidence,
        "Victor-Model": document.model,
        "Content-Type": "text/plain" if document.markdown is None else "text/markdown",
        "Content-Length": len(body),
    }
    lines = {name: one_line(str(value)) for name, value in fields.items() if value is not None}
    return {name: value for name, value in lines.items() if value}


def _record_id(seed: str) -> str:
    """A number that the same seed always has."""
    return f"<urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, seed)}>"


def _target(document: Document) -> str:
    """The address of a page, else a URN made from its identifier."""
    url = "".join(one_line(document.url or "").split())
    return url or f"urn:victor:{quote(valid(document.id), safe='')}"


def _date(date: str | None) -> str:
    """A date as WARC writes it, in UTC."""
    try:
        time = datetime.fromisoformat(date or "")
        time = time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
    except (ValueError, OverflowError):
        return _NO_DATE
    return f"{time:%Y-%m-%dT%H:%M:%SZ}".rjust(len(_NO_DATE), "0")


def build(form: str, path: Path) -> WetWriter:
    """The writer of ``wet``."""
    return WetWriter(path)
