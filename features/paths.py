"""Blocks of a page that share a tag path: how many, how long, how many links."""

from __future__ import annotations

from victor.features.base import Column, Feature, Kernel

COLUMNS = (
    Column("path.count", "count", "blocks of the page with the same path of block-level tags"),
    Column(
        "path-class.count",
        "count",
        "blocks of the page with the same path of tags and their classes",
    ),
    Column("path-class.words", "number", "mean words of the blocks of this path with classes"),
    Column("path-class.link", "number", "link density of the blocks of this path with classes"),
    Column("path-class.share", "number", "share of the page's words on this path with classes"),
    Column(
        "path-class.first",
        "count",
        "number on the page of the first block of this path with classes; the block's own number "
        "where one element is the parent of them all",
    ),
)


def build() -> Feature:
    """Path statistics; they have no parameters.

    >>> from victor.page.table.segment import parse_pages
    >>> table = parse_pages([b"<p class=a>1<p class='a b'>2<p>3<div>4"])
    >>> values = build()(table)
    >>> [values[name].tolist() for name in ("path.count", "path-class.count")]
    [[3.0, 3.0, 3.0, 1.0], [2.0, 2.0, 1.0, 1.0]]
    """
    return Kernel(COLUMNS, "paths", attributes=("class",))
