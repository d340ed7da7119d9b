"""Find the kinds of the blocks of a verdict, whatever its labeler reads of a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from victor.base.arrays import Bools, Codes, Ints, window_sums
from victor.base.cached import cached_property
from victor.base.labels import OTHER, Kind, Label
from victor.page.names.name_groups import ATTRIBUTES
from victor.page.parsing.events import record
from victor.page.parsing.tags import IDS
from victor.page.table.blocks import BlockTable
from victor.page.table.segment import segment
from victor.page.verdict.verdict import Verdict

if TYPE_CHECKING:
    from victor.kinds.rules import Rules

Value = TypeVar("Value", bound=np.generic)

_LAID_OUT: Final = (Kind.PARAGRAPH, Kind.CELL)
"""Kinds that posts may seem to be; many forums lay them out in tables."""


def with_kinds(verdict: Verdict, pages: Sequence[bytes]) -> Verdict:
    """The verdict with the kinds of its blocks, which are made when they are asked for.

    Args:
        verdict: on these pages.
        pages: as UTF-8 bytes.
    """
    return verdict.with_kinds(_Kinds(verdict, pages))


class _Named(NamedTuple):
    """The m blocks that rules read: cut at block-level tags, with the names that markup gives.

    Attributes:
        table: these blocks; E elements.
        labels: (m,) of most words of the verdict in each.
        is_data: (E,) is the element a table of data; None if nobody has looked.
        outer: (n,) which of them holds each block of the verdict.
    """

    table: BlockTable
    labels: Codes
    is_data: Bools | None
    outer: Ints

    def spread(self, values: NDArray[Value]) -> NDArray[Value]:
        """(n,) from (m,); zero for all where there is no such block."""
        return values[self.outer] if len(values) else np.zeros(len(self.outer), values.dtype)


class _Kinds(Struct, frozen=True, eq=False, dict=True):
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
        return self._named.spread(self._rules.kinds(self._named.is_data))

    @cached_property
    def is_headline(self) -> Bools:
        """(n,) is the block the headline of its page, without the kinds of the others."""
        return self._named.spread(self._rules.headline)

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

    @cached_property
    def in_lists(self) -> Bools:
        """(n,) is the block kept of a page that is a list of other pages, and part of the list."""
        from victor.kinds.lists import of_lists  # loaded when asked for

        named = self._named
        in_lists = named.spread(of_lists(named.table, named.labels))
        return in_lists & ~self._in_threads if in_lists.any() else in_lists

    @property
    def _in_threads(self) -> Bools:
        """(n,) is the block of a page with posts that are most of what is kept."""
        table, kept = self.verdict.table, self.verdict.kept
        posts = np.where(kept & (self.with_posts == Kind.POST), table.words, 0)
        words = window_sums(np.where(kept, table.words, 0), table.page_starts)
        return np.asarray(2 * window_sums(posts, table.page_starts) > words)[table.page]

    @cached_property
    def _rules(self) -> Rules:
        from victor.kinds.rules import Rules  # loaded when asked for

        return Rules.of(self._named.table, self._named.labels)

    @cached_property
    def _named(self) -> _Named:
        return _with_names(self.verdict, self.pages)


def _with_names(verdict: Verdict, pages: Sequence[bytes]) -> _Named:
    """A table that is not cut at block-level tags, or without names, is made again."""
    table = verdict.table
    if table.split == "block" and set(ATTRIBUTES) <= {*table.attributes}:
        is_data = None if verdict.tables is None else verdict.tables.is_data
        return _Named(table, verdict.labels, is_data, np.arange(len(table)))
    named = segment(record(pages, attributes=ATTRIBUTES), "block")
    outer = np.searchsorted(_of_blocks(named), _of_blocks(table), side="right") - 1
    outer = np.maximum(outer, 0)
    labels = _labels(verdict, outer, len(named)) if len(named) else np.zeros(0, dtype=np.uint8)
    return _Named(named, labels, _data_tables(verdict, named), outer)


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
    weights[weights.sum(axis=1) == 0, OTHER] = 1
    return np.asarray(weights.argmax(axis=1), dtype=np.uint8)
