"""What readers yield: a page, or a place where an input gives none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from msgspec import Struct, field


class Record(Struct, frozen=True):
    """One page of a crawl.

    Attributes:
        source: the input that holds it, as readers name inputs.
        number: its place in that input, from 0; with `source` its address. Damages count too.
        body: the page; bytes as they were stored, with transfer and content encodings undone.
        url: where the page comes from, if the input says so.
        id: its identifier in the input, e.g. that of a WARC record or a key of a row.
        charset: encoding that the HTTP header declares.
        media_type: lower-case media type that the HTTP header declares, without parameters.
        date: when it was fetched, ISO 8601.
        metadata: what else the input says, as plain data.
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


class Damage(Struct, frozen=True):
    """A place of an input that gives no page; it is counted as a record that failed.

    Attributes:
        source: the input.
        number: its place in that input, counted with the records.
        reason: short machine-readable name, e.g. ``"damaged-member"``.
        message: what is wrong and, where known, at which byte.
        url: of the page that is lost, where it can still be read.
    """

    source: str
    number: int
    reason: str
    message: str
    url: str | None = None


Page: TypeAlias = Record | Damage
"""What has been read."""
Item: TypeAlias = Callable[[str, int], Page]
"""Makes the record or damage from the name of the input and its number there.

Readers yield these, so that items which are skipped are counted and never built. An item may
look into its reader: it has to be made before the reader goes on.
"""


def damage(reason: str, message: str, url: str | None = None) -> Item:
    """A place that gives no page."""
    return lambda source, number: Damage(source, number, reason, message, url)
