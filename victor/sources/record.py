"""What readers give: a page, a damage, or a record that is no page; and is its body HTML."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from msgspec import Struct, field

from victor.page.parsing.tags import IDS, SITEMAP_ROOTS
from victor.page.source import NOT_HTML, other_format


class Record(Struct, frozen=True):
    """One page of a crawl.

    Attributes:
        source: the input that holds it, as readers name inputs.
        number: its place in that input: the byte of a record, a line or a member, of rows of
            Parquet how many are before it; with `source` its address.
        body: the page; bytes as they were stored, with transfer and content encodings undone.
        url: where the page comes from, if the input says so.
        id: its identifier in the input, e.g. that of a WARC record or a key of a row.
        charset: encoding that the HTTP header declares.
        media_type: lower-case media type that the HTTP header declares, without parameters.
        date: when it was fetched, ISO 8601.
        metadata: what else the input says, as plain data.
        is_text: the body is the clean text already (WET), and is kept as it is.
    """

    source: str
    number: int
    body: bytes | str
    url: str | None = None
    id: str | None = None
    charset: str | None = None
    media_type: str | None = None
    date: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    is_text: bool = False

    @property
    def address(self) -> str:
        """What is unique in a run."""
        return f"{self.source}#{self.number}"


class Damage(Struct, frozen=True):
    """A place of an input that gives no page; it is counted as a record that failed.

    `reason` is a short machine-readable name; `message` says more, and `url` which page is lost,
    where that can still be read.
    """

    source: str
    number: int
    reason: str
    message: str
    url: str | None = None


class Skipped(Struct, frozen=True):
    """A sound record that holds no page, e.g. a request; `reason` says what it is."""

    source: str
    number: int
    reason: str


Page: TypeAlias = Record | Damage | Skipped
"""What has been read."""


SITEMAP: Final = "sitemap"

_HEAD: Final = 4096
"""Bytes that are looked at."""
_HTML: Final = frozenset({"text/html", "application/xhtml+xml"})
_SAYS_NOTHING: Final = frozenset(
    {"", "*/*", "application/octet-stream", "application/unknown", "unknown/unknown", "html"}
)
_TEXT: Final = frozenset({"text/plain"})
_XML: Final = frozenset({"application/xml", "text/xml"})
_MARKS: Final = ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"), (b"\xef\xbb\xbf", "utf-8"))
_PROLOGUE: Final = re.compile(
    r"""
    \s*+ (?P<xml> <\?xml\b [^>]*+ > )?
    (?> (?: \s++ | (?> <\? (?s:.*?) \?> ) | (?> <!-- (?s:.*?) --> ) | <!doctype\b [^>\[]*+ > )* )
    < (?:[\w.-]++:)? (?P<root> [A-Za-z][\w.-]*+ )
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""What may stand before the first start tag: declaration, instructions, comments, type."""
_JSON_STARTS: Final = re.compile(r'\s*(?:\{\s*["}]|\[\s*["{\[\]\d])')
_OTHER_ROOTS: Final = frozenset({"svg", "math", "rss", "feed", "rdf", "opml", "kml", "gpx", "wsdl"})
"""Roots that nobody writes at the start of an HTML page."""


def refused(record: Record) -> str | None:
    """Why a body is no HTML page: ``not-html`` or ``sitemap``; None if it may be one.

    A declaration of HTML is believed unless the first bytes are those of another format; without
    one the bytes decide. Text and XML are pages only if they begin as HTML does.
    """
    media_type = record.media_type or ""
    if other_format(record.body):
        return NOT_HTML
    head = _head(record.body)
    prologue = _PROLOGUE.match(head)
    root = prologue["root"].lower() if prologue else ""
    if root in SITEMAP_ROOTS:
        return SITEMAP
    is_xml = media_type in _XML or bool(prologue and prologue["xml"])
    if root in _OTHER_ROOTS or (is_xml and root and root not in IDS):
        return NOT_HTML
    if media_type in _HTML | _SAYS_NOTHING:
        return NOT_HTML if _is_json(head, record.body) else None
    begins_as_html = root == "html" or head.lstrip()[:14].lower() == "<!doctype html"
    return None if begins_as_html and media_type in _TEXT | _XML else NOT_HTML


def _head(body: bytes | str) -> str:
    """The beginning as text; all but what is ASCII may be wrong."""
    if isinstance(body, str):
        return body[:_HEAD].removeprefix("\ufeff")
    for mark, encoding in _MARKS:
        if body.startswith(mark):
            return body[len(mark) : _HEAD + len(mark)].decode(encoding, "replace")
    return body[:_HEAD].decode("latin-1")


def _is_json(head: str, body: bytes | str) -> bool:
    """Does it open and close as JSON; parsing megabytes would tell little more."""
    if not _JSON_STARTS.match(head):
        return False
    end = body[-64:] if isinstance(body, str) else body[-64:].decode("latin-1")
    return end.rstrip().endswith(("}", "]"))
