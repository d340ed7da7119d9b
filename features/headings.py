"""Distances of a block to headings and to long blocks."""

from __future__ import annotations

import numpy as np

from victor.features.base import Column, Feature, Kernel

COLUMNS = (
    Column("heading.since", "count", "blocks since the last heading, 255 if none"),
    Column("heading.until", "count", "blocks until the next heading, 255 if none"),
    Column("heading.last-level", "category", "level of the last heading, 0 if none"),
    Column("offset.h1", "number", "blocks after the first h1, negative before, 999 if none"),
    Column("offset.first-long", "number", "blocks after the first block of 20 words"),
    Column("offset.last-long", "number", "blocks after the last block of 20 words"),
)
_LONG = 20


def build() -> Feature:
    """Distances to headings and long blocks; they have no parameters.

    >>> from victor.page.table.segment import parse_pages
    >>> table = parse_pages([b"<p>Home<h1>Bees</h1><p>They live<p>and fly<h2>More</h2>"])
    >>> values = build()(table)
    >>> [values[f"heading.{name}"].tolist() for name in ("since", "until")]
    [[255.0, 0.0, 1.0, 2.0, 0.0], [1.0, 0.0, 2.0, 1.0, 0.0]]
    >>> values["offset.h1"].tolist()
    [-1.0, 0.0, 1.0, 2.0, 3.0]
    """
    return Kernel(COLUMNS, "headings", (np.array([_LONG], dtype=np.int64),))
