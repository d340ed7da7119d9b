"""What readers give: a page, a place where an input gives none, or a record that is no page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from msgspec import Struct, field


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
