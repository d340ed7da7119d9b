"""Where a block stands relative to the element with most free text, as in Readability."""

from __future__ import annotations

from victor.features.base import Column, Feature, Kernel

COLUMNS = (
    Column("center.inside", "bool", "stands in the element that collects most free text"),
    Column("center.steps", "count", "levels from that element up to one that holds the block"),
    Column("center.score", "number", "that element's score over the page's words"),
    Column("center.share", "number", "share of the page's words in that element"),
)


def build() -> Feature:
    """Position relative to the text centre of the page; it has no parameters.

    An element collects the free words of the blocks in it, 0.6 of them for every level that they
    lie deeper, down to six, times the share of its words outside links.

    >>> from victor.page.table.segment import parse_pages
    >>> page = b"<ul><li><a>Home</a></ul><div><p>Bees live here<p>They fly a lot</div><div>(c)"
    >>> values = build()(parse_pages([page]))
    >>> [values[f"center.{name}"].tolist() for name in ("inside", "steps")]
    [[0.0, 1.0, 1.0, 0.0], [1.0, 0.0, 0.0, 1.0]]
    >>> [round(share, 2) for share in values["center.share"].tolist()]
    [0.78, 0.78, 0.78, 0.78]
    """
    return Kernel(COLUMNS, "center")
