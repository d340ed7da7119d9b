"""Turn documents into rows of plain data that every form can hold, with the names of FineWeb."""

from __future__ import annotations

import json
import unicodedata
from hashlib import blake2b
from typing import Any, Final

from victor.documents.metadata_fields import structured
from victor.documents.outcome import Document
from victor.documents.paragraph_columns import dropped_columns, paragraph_columns
from victor.documents.schema import TYPES
from victor.page.plain_data import plain, valid

FIELDS: Final = tuple(TYPES)
"""Names of the fields of a row, in order; the first eight are those of FineWeb."""
_LIFTED: Final = ("dump", "file_path")


def row(document: Document) -> dict[str, Any]:
    """A document as a row with the names of `FIELDS`; None for what is unknown.

    ``metadata`` has the fields of `victor.documents.schema.METADATA`.
    """
    top, known, more = parts(document)
    listed = json.dumps(more, ensure_ascii=False, separators=(",", ":")) if more else None
    values = {**top, "metadata": {**known, "more": listed}}
    return {name: values[name] for name in FIELDS}


def parts(document: Document) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """A row without its metadata; its metadata without ``more``; and what ``more`` holds."""
    known, more = structured(plain(document.metadata))
    lifted = {name: _text_or_none(more.pop(name, None)) for name in _LIFTED}
    top = {
        "text": valid(document.text),
        "id": valid(document.id),
        "dump": lifted["dump"],
        "url": _valid_or_none(document.url),
        "date": _valid_or_none(document.date),
        "file_path": lifted["file_path"],
        "language": document.language,
        "language_score": document.language_score,
        "title": _valid_or_none(document.title),
        "words": document.words,
        "kept_share": document.kept_share,
        "confidence": document.confidence,
        "model": document.model,
        "hash": text_hash(valid(document.text)),
        "markdown": _valid_or_none(document.markdown),
        "paragraphs": paragraph_columns(document),
        "dropped_paragraphs": dropped_columns(document.dropped),
        "page_type": document.page_type,
        "p_no_content": document.p_no_content,
    }
    return top, known, more


def text_hash(text: str) -> str:
    """64 bits of a text, the same for texts that differ in case, white space or composition only.

    It is BLAKE2b of eight bytes, over the text in NFC and lower case with a space for every run of
    white space. Sixteen hexadecimal digits, for JSON readers have doubles, which hold 53 bits, and
    some engines have no unsigned numbers.
    """
    folded = " ".join(unicodedata.normalize("NFC", text).lower().split())
    return blake2b(folded.encode(), digest_size=8).hexdigest()


def one_line(text: str) -> str:
    """A text on one line: a space in place of white space and control characters."""
    visible = "".join(" " if is_control(c) else c for c in valid(text))
    return " ".join(visible.split())


def is_control(character: str) -> bool:
    """Is a character a control of C0 or C1, or DEL."""
    return character < " " or "\x7f" <= character < "\xa0"


def _valid_or_none(text: str | None) -> str | None:
    return None if text is None else valid(text)


def _text_or_none(value: object) -> str | None:
    return value if isinstance(value, str) or value is None else str(value)
