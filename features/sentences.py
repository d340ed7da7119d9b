"""Sentences in a block, and whether it begins and ends with one (Victor 2008: sentence.*)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final, Literal, get_args

import numpy as np

from victor.base.arrays import Bools, Ints, prefix_sums
from victor.base.errors import ConfigError
from victor.features.base import Column, ColumnValues, Feature, Measure
from victor.page.parsing.characters import CASELESS, IDEOGRAPH, SENTENCE_END, UPPER, class_table
from victor.page.table.blocks import BlockTable
from victor.page.table.tokens import ALPHA, Tokens

Counted = Literal["tokens", "marks"]
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
_MARKS: Final = Column("sentence.count", "count", "marks . ? or !, each for itself")


def build(*, count: Counted = "tokens") -> Feature:
    """The sentence measures. A word is a token of letters.

    Args:
        count: what a sentence is taken for: ``tokens``: a token that ends in . ? or !, so that an
            ellipsis is one and a stop before a quotation mark none (the program of 2007);
            ``marks``: every . ? and ! (the paper of 2008).

    Raises:
        ConfigError: `count` is neither.

    The 2008 flags know only scripts with capitals, and no quotation mark after the full stop.

    >>> from victor.page.table.segment import parse_pages
    >>> page = '<p>It rained. "We stayed."</p><p>read more</p>'
    >>> values = build()(parse_pages([page.encode()], "tag"))
    >>> values["sentence.count"], values["sentence.avg-length"]
    (array([1, 0]), array([2., 2.]))
    >>> values["sentence-begin"], values["sentence-end"]
    (array([ True, False]), array([ True, False]))
    >>> values["sentence-not-finished"]
    array([ True,  True])
    >>> build(count="marks")(parse_pages([page.encode()], "tag"))["sentence.count"]
    array([2, 0])
    """
    if count not in get_args(Counted):
        raise ConfigError(f"sentences: count is tokens or marks, got {count!r}")
    columns = COLUMNS if count == "tokens" else (_MARKS, *COLUMNS[1:])
    return Measure(columns, partial(_compute, count=count))


def _compute(table: BlockTable, *, count: Counted) -> Mapping[str, ColumnValues]:
    tokens = table.tokens
    ends = tokens.last_class == SENTENCE_END
    edges = _Edges(tokens)
    begin_class = tokens.first_class[edges.first]
    finished = edges.exist & edges.any_after(ends)
    sentences, whole = tokens.per_block(ends), finished
    if count == "marks":
        sentences, whole = _by_marks(table, edges)
    words = tokens.per_block(tokens.kind == ALPHA)
    return {
        "sentence.count": sentences,
        "sentence.avg-length": words / np.maximum(sentences + (edges.exist & ~whole), 1),
        "sentence-begin": edges.exist & np.isin(begin_class, (UPPER, CASELESS, IDEOGRAPH)),
        "sentence-end": edges.exist & edges.any_after(ends | (tokens.first_class == SENTENCE_END)),
        "sentence-not-started": ~(edges.exist & (begin_class == UPPER)),
        "sentence-not-finished": ~finished,
    }


def _by_marks(table: BlockTable, edges: _Edges) -> tuple[Ints, Bools]:
    """(n,) marks that end sentences in each block, and whether one comes after the last word."""
    marks = np.flatnonzero(class_table().take(table.chars) == SENTENCE_END)
    until_end = np.searchsorted(marks, table.end)
    after_last = until_end > np.searchsorted(marks, table.tokens.end[edges.last])
    return until_end - np.searchsorted(marks, table.start), edges.exist & after_last


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
