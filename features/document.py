"""The size of the page and the position of a block on it (Victor 2008: document.*, position)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final, Literal, get_args

import numpy as np

from victor.base.arrays import Ints, window_sums
from victor.base.errors import ConfigError
from victor.features.base import Column, ColumnValues, Feature, Measure
from victor.page.parsing.characters import SENTENCE_END, class_table
from victor.page.table.blocks import BlockTable
from victor.page.table.tokens import ALPHA

Counted = Literal["tokens", "marks"]
COLUMNS: Final = (
    Column("position", "number", "blocks before this one over the blocks of the page"),
    Column("document.word-count", "count", "tokens of letters on the page"),
    Column("document.sentence-count", "count", "tokens of the page that end in . ? or !"),
    Column("document.block-count", "count", "blocks of the page"),
)
_MARKS: Final = Column(
    "document.sentence-count", "count", "marks . ? or ! on the page, each for itself"
)


def build(*, sentences: Counted = "tokens") -> Feature:
    """The measures of the whole page.

    Args:
        sentences: what a sentence is taken for, as `count` of the module sentences.

    Raises:
        ConfigError: `sentences` is neither.

    >>> from victor.page.table.segment import parse_pages
    >>> pages = [b"<p>One day.<p>Two days.<p>3<p>Go!", b"", b"<p>Home"]
    >>> values = build()(parse_pages(pages, "tag"))
    >>> values["position"]
    array([0.  , 0.25, 0.5 , 0.75, 0.  ])
    >>> values["document.word-count"], values["document.sentence-count"]
    (array([5, 5, 5, 5, 1]), array([3, 3, 3, 3, 0]))
    """
    if sentences not in get_args(Counted):
        raise ConfigError(f"document: sentences is tokens or marks, got {sentences!r}")
    columns = [
        _MARKS if sentences == "marks" and column.name == _MARKS.name else column
        for column in COLUMNS
    ]
    return Measure(tuple(columns), partial(_compute, sentences=sentences))


def _compute(table: BlockTable, *, sentences: Counted) -> Mapping[str, ColumnValues]:
    tokens, page = table.tokens, table.page
    blocks = np.diff(table.page_starts)[page]
    ends = (
        tokens.per_block(tokens.last_class == SENTENCE_END)
        if sentences == "tokens"
        else _marks(table)
    )
    return {
        "position": (np.arange(len(table)) - table.page_starts[page]) / blocks,
        "document.word-count": _page_sums(table, tokens.per_block(tokens.kind == ALPHA)),
        "document.sentence-count": _page_sums(table, ends),
        "document.block-count": blocks,
    }


def _marks(table: BlockTable) -> Ints:
    """(n,) marks that end sentences in each block."""
    marks = np.flatnonzero(class_table().take(table.chars) == SENTENCE_END)
    return np.searchsorted(marks, table.end) - np.searchsorted(marks, table.start)


def _page_sums(table: BlockTable, values: Ints) -> Ints:
    """(n,) sum over the blocks of each block's page."""
    return window_sums(values, table.page_starts)[table.page]
