"""The share of function words, which running text has many of and lists and menus have few of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from victor.features.base import Column, ColumnValues, Feature, Measure
from victor.language.function_words import chosen, count
from victor.page.table.blocks import BlockTable
from victor.page.table.texts import block_texts


def build(*, languages: Sequence[str] | None = None) -> Feature:
    """The share of function words among the words of each block; 0 for a block without words.

    They are those of the language that the page has most function words of. Source: the density of
    stop words of Pomikálek (2011), Removing boilerplate and duplicate content from web corpora.

    Args:
        languages: codes of the languages that pages may be in; None for all fourteen with a
            profile. A page in another language has low shares everywhere.

    Raises:
        ConfigError: a language has no function words.

    >>> from victor.page.table.segment import parse_pages
    >>> table = parse_pages([b"<p>The bees live in the hive<p>Home<p>12:30"], "tag")
    >>> build(languages=["en", "cs"])(table)["function-words.share"]
    array([0.5, 0. , 0. ])
    """
    words = chosen(languages)
    column = Column("function-words.share", "number", "share of the block's words: function words")

    def compute(table: BlockTable) -> Mapping[str, ColumnValues]:
        shares = np.zeros(len(table))
        for start, end in zip(table.page_starts[:-1], table.page_starts[1:], strict=True):
            blocks = slice(int(start), int(end))
            n_function, n_words = count(block_texts(table, blocks), words)
            shares[blocks] = n_function / np.maximum(n_words, 1)
        return {column.name: shares}

    return Measure((column,), compute)
