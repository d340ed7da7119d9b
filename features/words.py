"""What kind of words a block holds, without knowing their language."""

from __future__ import annotations

import numpy as np

from victor.features.base import Column, Feature, Kernel

COLUMNS = (
    Column("word.count", "count", "words in the block"),
    Column("word.capital-rel", "number", "share of words that begin with an upper-case letter"),
    Column("word.short-rel", "number", "share of words of at most three lower-case letters"),
    Column("word.digit-rel", "number", "digits per visible character"),
    Column("word.punct-rel", "number", "punctuation tokens per word"),
    Column(
        "word.end", "category", "last character: 0 word, 1 sentence end, 2 punctuation, 3 other"
    ),
)
_SHORT = 3


def build() -> Feature:
    """The word measures; they have no parameters.

    >>> from victor.page.table.segment import parse_pages
    >>> table = parse_pages([b"<p>The Bees of Brno, <b>$ 5</b> each.<p>12 (a)"])
    >>> values = build()(table)
    >>> [values[f"word.{name}"].tolist() for name in ("count", "capital-rel", "end")]
    [[6.0, 2.0], [0.5, 0.0], [1.0, 3.0]]
    """
    return Kernel(COLUMNS, "words", (np.array([_SHORT], dtype=np.int64),))
