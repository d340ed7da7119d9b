"""Find the kinds of the blocks of a verdict, whatever its labeler reads of a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from victor.base.arrays import Bools, Codes, Ints
from victor.base.labels import Kind, Label
from victor.page.names.name_groups import ATTRIBUTES
from victor.page.parsing.events import record
from victor.page.parsing.tags import IDS
from victor.page.table.blocks import BlockTable
from victor.page.table.segment import segment
from victor.page.verdict.verdict import Verdict

_LAID_OUT: Final = (Kind.PARAGRAPH, Kind.CELL)
"""Kinds that posts may seem to be; many forums lay them out in tables."""


def with_kinds(verdict: Verdict, pages: Sequence[bytes]) -> Verdict:
    """The verdict with the kinds of its blocks, which are made when they are asked for.

    Args:
        verdict: on these pages.
        pages: as UTF-8 bytes.
    """
    return verdict.with_kinds(_Kinds(verdict, pages))


@dataclass(frozen=True, eq=False)
class _Kinds:
    """Finds the kinds of the blocks of a verdict, whatever a scope then makes of its labels.

    Attributes:
        verdict: of the labeler.
        pages: as UTF-8 bytes.
    """

    verdict: Verdict
    pages: Sequence[bytes]

    @cached_property
    def without_posts(self) -> Codes:
        """(n,) likewise, with the posts of threads as paragraphs, which takes less time."""
        return _by_rules(self.verdict, self.pages)

    @cached_property
    def with_posts(self) -> Codes:
        """(n,) uint8 `victor.base.labels.Kind` of the blocks."""
        from victor.kinds.threads.posts import post_blocks  # loaded when asked for

        codes = self.without_posts.copy()
        may_have = np.zeros(len(self.pages), dtype=bool)
        may_have[self.verdict.table.page[np.isin(codes, _LAID_OUT)]] = True
        for page in np.flatnonzero(may_have).tolist():
            blocks = post_blocks(self.verdict, codes, page, self.pages[page])
            codes[blocks[np.isin(codes[blocks], _LAID_OUT)]] = Kind.POST
        return codes


def _by_rules(verdict: Verdict, pages: Sequence[bytes]) -> Codes:
    """(n,) kinds but for posts.

    Rules need the names that markup gives to elements, and blocks cut at block-level tags. A table
    of another cut, or without these names, is made again from the pages.
    """
    from victor.kinds.rules import kinds  # loaded when asked for

    table = verdict.table
    if table.split == "block" and set(ATTRIBUTES) <= {*table.attributes}:
        is_data = None if verdict.tables is None else verdict.tables.is_data
        return kinds(table, verdict.labels, is_data)
    named = segment(record(pages, attributes=ATTRIBUTES), "block")
    if not len(table) or not len(named):
        return np.zeros(len(table), dtype=np.uint8)
    outer = np.searchsorted(_of_blocks(named), _of_blocks(table), side="right") - 1
    outer = np.maximum(outer, 0)
    labels = _labels(verdict, outer, len(named))
    return kinds(named, labels, _data_tables(verdict, named))[outer]


def _data_tables(verdict: Verdict, named: BlockTable) -> Bools | None:
    """(E,) which elements of another table of the same pages are the verdict's tables of data."""
    if verdict.tables is None:
        return None
    starts = verdict.table.shared_tags[verdict.table.elements.open[verdict.tables.is_data]]
    elements = named.elements
    is_table = elements.tag == IDS["table"]
    return np.asarray(is_table & np.isin(named.shared_tags[elements.open], starts))


def _of_blocks(table: BlockTable) -> Ints:
    """(n,) position of each block."""
    return table.shared_tags[table.tag]


def _labels(verdict: Verdict, outer: Ints, n: int) -> Codes:
    """(n,) label of most words of the verdict's blocks in each of some larger blocks."""
    weights = np.zeros((n, len(Label)))
    np.add.at(weights, (outer, verdict.labels), np.maximum(verdict.table.words, 1))
    weights[weights.sum(axis=1) == 0, Label.OTHER] = 1
    return np.asarray(weights.argmax(axis=1), dtype=np.uint8)
