"""What a page declares in its head: type, date, author, title and address."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import astuple, dataclass
from typing import Final

import numpy as np

from victor.features.base import Column, ColumnValues, Feature, Measure
from victor.page.blocks import BlockTable
from victor.page.events import Head

COLUMNS: Final = (
    Column(
        "declared.type",
        "category",
        "og:type: 0 none, 1 website, 2 product, 3 another one, 4 article",
    ),
    Column("declared.dated", "bool", "meta data name a date"),
    Column("declared.signed", "bool", "meta data name an author"),
    Column("declared.title", "count", "words of the title"),
    Column("declared.description", "count", "words of the description, 0 if there is none"),
    Column("address.depth", "number", "parts of the path of the page's own address, -1 if unknown"),
    Column("address.slug", "number", "most words joined in one of these, -1 if unknown"),
    Column("address.digits", "number", "digits of the path, -1 if unknown"),
)
_TYPES: Final = {"": 0, "website": 1, "product": 2, "article": 4}
_OTHER_TYPE: Final = 3
_DATES: Final = frozenset(
    {
        "article:published_time", "article:modified_time", "og:updated_time", "date", "pubdate",
        "publish_date", "datepublished", "dc.date", "dc.date.issued", "dcterms.date",
        "parsely-pub-date", "sailthru.date",
    }
)  # fmt: skip
_AUTHORS: Final = frozenset(
    {
        "author", "article:author", "dc.creator", "dcterms.creator", "parsely-author",
        "sailthru.author",
    }
)  # fmt: skip
_WORD: Final = re.compile(r"\w+")
_JOINT: Final = re.compile(r"[-_+]+")


def build() -> Feature:
    """Declarations of the head, the same for every block of a page; they have no parameters.

    The address is the canonical one or that of Open Graph (https://ogp.me), so the values do not
    depend on where the page was downloaded from.

    >>> from victor.page.segment import parse_pages
    >>> page = (
    ...     b"<title>On bees</title><meta property=og:type content=article>"
    ...     b"<link rel=canonical href='https://hive.example/2024/how-bees-live'><p>They fly"
    ... )
    >>> values = build()(parse_pages([page]))
    >>> [int(values[name][0]) for name in ("declared.type", "declared.dated", "declared.title")]
    [4, 0, 2]
    >>> [int(values[f"address.{name}"][0]) for name in ("depth", "slug", "digits")]
    [2, 3, 4]
    """
    return Measure(COLUMNS, _compute)


def _compute(table: BlockTable) -> Mapping[str, ColumnValues]:
    rows = np.array([_declared(head) for head in table.heads], dtype=np.int64)
    of_block = rows.reshape(-1, len(COLUMNS))[table.page]
    return {
        column.name: values > 0 if column.kind == "bool" else values
        for column, values in zip(COLUMNS, of_block.T, strict=True)
    }


def _declared(head: Head) -> tuple[int, ...]:
    """The values of all columns for one page."""
    meta = head.meta
    kind = re.split(r"[:.]", meta.get("og:type", "").strip().lower())[0]
    description = meta.get("description", "") or meta.get("og:description", "")
    return (
        _TYPES.get(kind, _OTHER_TYPE),
        not _DATES.isdisjoint(meta),
        not _AUTHORS.isdisjoint(meta),
        len(_WORD.findall(head.title)),
        len(_WORD.findall(description)),
        *astuple(_Address.of(head.canonical or meta.get("og:url", ""))),
    )


@dataclass(frozen=True, slots=True)
class _Address:
    """Measures of the path of an address; -1 without an address."""

    depth: int = -1
    slug: int = -1
    digits: int = -1

    @classmethod
    def of(cls, address: str) -> _Address:
        """The measures of an address, -1 if it cannot be parsed."""
        from urllib.parse import urlsplit  # 3 ms to load

        try:
            parts = urlsplit(address.strip())
        except ValueError:
            return cls()
        if not (parts.netloc or parts.path):
            return cls()
        segments = [part for part in parts.path.split("/") if part]
        slugs = [sum(map(bool, _JOINT.split(part))) for part in segments]
        return cls(len(segments), max(slugs, default=0), sum(map(str.isdigit, parts.path)))
