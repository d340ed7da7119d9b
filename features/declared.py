"""What a page declares in its head: type, title, description and address."""

from __future__ import annotations

from typing import Final

from victor.features.base import Column, Feature, Kernel

COLUMNS: Final = (
    Column(
        "declared.type",
        "category",
        "og:type: 0 none, 1 website, 2 product, 3 another one, 4 article",
    ),
    Column("declared.title", "count", "words of the title"),
    Column("declared.description", "count", "words of the description, 0 if there is none"),
    Column("address.depth", "number", "parts of the path of the page's own address, -1 if unknown"),
    Column(
        "address.slug",
        "number",
        "most words joined in a part of the page's own address, -1 if unknown",
    ),
    Column(
        "address.digits", "number", "digits of the path of the page's own address, -1 if unknown"
    ),
)


def build() -> Feature:
    """Declarations of the head, the same for every block of a page; they have no parameters.

    The address is the canonical one or that of Open Graph (https://ogp.me), so the values do not
    depend on where the page was downloaded from.

    >>> from victor.page.table.segment import parse_pages
    >>> page = (
    ...     b"<title>On bees</title><meta property=og:type content=article>"
    ...     b"<link rel=canonical href='https://hive.example/2024/how-bees-live'><p>They fly"
    ... )
    >>> values = build()(parse_pages([page]))
    >>> [int(values[f"declared.{name}"][0]) for name in ("type", "title", "description")]
    [4, 2, 0]
    >>> [int(values[f"address.{name}"][0]) for name in ("depth", "slug", "digits")]
    [2, 3, 4]
    """
    return Kernel(COLUMNS, "declared")
