"""Write WET: conversion records of WARC 1.0 (ISO 28500), one gzip member each, as Common Crawl."""

from __future__ import annotations

import base64
import gzip
import hashlib
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from urllib.parse import quote

from victor.crawl.documents.document import Document
from victor.crawl.writers.base import Writer
from victor.crawl.writers.fields import one_line, valid

_LEVEL: Final = 6
_NO_DATE: Final = "1970-01-01T00:00:00Z"
"""The standard requires a date; this one stands for an unknown date."""
_RECORD_ID: Final = "<urn:uuid:"


class WetWriter(Writer):
    """Writes a conversion record for each document."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._file = self.open.enter_context(path.open("wb"))

    def write(self, document: Document) -> None:
        """Add a record."""
        body = valid(document.text).encode()
        head = "".join(f"{name}: {value}\r\n" for name, value in headers(document, body).items())
        record = b"WARC/1.0\r\n" + head.encode() + b"\r\n" + body + b"\r\n\r\n"
        self._file.write(gzip.compress(record, _LEVEL, mtime=0))


def headers(document: Document, body: bytes) -> dict[str, str]:
    """Fields of a record; those that are not in the standard begin with ``Victor-``."""
    digest = base64.b32encode(hashlib.sha1(body, usedforsecurity=False).digest()).decode()
    identifier = one_line(document.id)
    number = uuid.uuid5(uuid.NAMESPACE_URL, f"{identifier} {digest}")
    fields: dict[str, object | None] = {
        "WARC-Type": "conversion",
        "WARC-Target-URI": _target(document),
        "WARC-Date": _date(document.date),
        "WARC-Record-ID": f"<urn:uuid:{number}>",
        "WARC-Refers-To": identifier if identifier.startswith(_RECORD_ID) else None,
        "WARC-Block-Digest": f"sha1:{digest}",
        "WARC-Identified-Content-Language": document.language,
        "Victor-Id": identifier,
        "Victor-Date": document.date,
        "Victor-Title": document.title,
        "Victor-Language-Score": document.language_score,
        "Victor-Kept-Share": document.kept_share,
        "Victor-Confidence": document.confidence,
        "Victor-Model": document.model,
        "Content-Type": "text/plain",
        "Content-Length": len(body),
    }
    lines = {name: one_line(str(value)) for name, value in fields.items() if value is not None}
    return {name: value for name, value in lines.items() if value}


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
