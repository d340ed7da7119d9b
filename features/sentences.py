"""Sentences in a block, and whether it begins and ends with one (Victor 2008: sentence.*)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from victor.arrays import Bools, prefix_sums
from victor.features.base import Column, ColumnValues, Feature, Measure
from victor.page.blocks import BlockTable
from victor.page.characters import CASELESS, IDEOGRAPH, SENTENCE_END, UPPER
from victor.page.tokens import ALPHA, Tokens

COLUMNS: Final = (
    Column("sentence.count", "count", "tokens that end in . ? or !"),
    Column("sentence.avg-length", "number", "words per sentence, an unfinished one included"),
    Column("sentence-begin", "bool", "the first word has a capital or is of a script without"),
    Column("sentence-end", "bool", "after the last word a token begins or ends with . ? or !"),
    Column("sentence-not-started", "bool", "no word, or the first has no capital (2008)"),
    Column(
        "sentence-not-finished", "bool", "no word, or no token after it ends in . ? or ! (2008)"
    ),
)


def build() -> Feature:
    """The sentence measures; they have no parameters. A word is a token of letters.

    The 2008 flags know only scripts with capitals, and no quotation mark after the full stop.

    >>> from victor.page.segment import parse_pages
    >>> page = '<p>It rained. "We stayed."</p><p>read more</p>'
    >>> values = build()(parse_pages([page.encode()], "tag"))
    >>> values["sentence.count"], values["sentence.avg-length"]
    (array([1, 0]), array([2., 2.]))
    >>> values["sentence-begin"], values["sentence-end"]
    (array([ True, False]), array([ True, False]))
    >>> values["sentence-not-finished"]
    array([ True,  True])
    """
    return Measure(COLUMNS, _compute)


def _compute(table: BlockTable) -> Mapping[str, ColumnValues]:
    tokens = table.tokens
    ends = tokens.last_class == SENTENCE_END
    count = tokens.per_block(ends)
    edges = _Edges(tokens)
    begin_class = tokens.first_class[edges.first]
    finished = edges.exist & edges.any_after(ends)
    words = tokens.per_block(tokens.kind == ALPHA)
    return {
        "sentence.count": count,
        "sentence.avg-length": words / np.maximum(count + (edges.exist & ~finished), 1),
        "sentence-begin": edges.exist & np.isin(begin_class, (UPPER, CASELESS, IDEOGRAPH)),
        "sentence-end": edges.exist & edges.any_after(ends | (tokens.first_class == SENTENCE_END)),
        "sentence-not-started": ~(edges.exist & (begin_class == UPPER)),
        "sentence-not-finished": ~finished,
    }


class _Edges:
    """First and last word of every block.

    Attributes:
        exist: (n,) bool; has a word at all, else the other two mean nothing.
        first, last: (n,) int64 tokens.
    """

    def __init__(self, tokens: Tokens) -> None:
        words = np.flatnonzero(tokens.kind == ALPHA)
        bounds = np.searchsorted(words, tokens.block_offsets)
        self.exist: Bools = bounds[1:] > bounds[:-1]
        padded = np.append(words, 0)
        self.first = padded[bounds[:-1]]
        self.last = padded[bounds[1:] - 1]
        self._ends = tokens.block_offsets[1:]

    def any_after(self, chosen: Bools) -> Bools:
        """(n,) has a chosen token after the last word."""
        total = prefix_sums(chosen)
        after: Bools = total[self._ends] > total[np.minimum(self.last + 1, len(chosen))]
        return after
