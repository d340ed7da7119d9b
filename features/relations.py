"""How a block lies to the one before it: the kinds of edge of the chain."""

from __future__ import annotations

from typing import Final

from victor.features.base import Column, Feature, Kernel

COLUMNS: Final = (
    Column(
        "relation.before",
        "category",
        "how the block before lies: 0 alike, 1 close, 2 near, 3 apart, 4 heading alike, "
        "5 heading close, 6 heading near, 7 heading apart",
    ),
)


def build() -> Feature:
    """The relation to the block before; it has no parameters.

    Blocks are *alike* in the same container or in neighbouring ones of the same name, as the
    paragraphs of a text are; *close* if one container holds the other or the same element holds
    both; *near* if that is so one level above; *apart* otherwise, and at the start of a page.
    Containers are block-level elements.

    >>> from victor.page.table.segment import parse_pages
    >>> page = b"<div><p>Bees<p>fly<h2>Home</h2><ul><li>hive</ul></div><div><div><p>News"
    >>> build()(parse_pages([page], "block"))["relation.before"].tolist()
    [3.0, 0.0, 5.0, 2.0, 3.0]
    """
    return Kernel(COLUMNS, "relations")
