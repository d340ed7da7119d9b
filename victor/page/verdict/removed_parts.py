"""Parts of blocks that a labeler removes, and a table without them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np

from victor.base.arrays import Bools, Chars, Ints, prefix_sums, window_sums
from victor.page.parsing.tags import IDS
from victor.page.table.blocks import BlockTable, Segments
from victor.page.table.texts import segment_text

STAYS: Final = -1
"""The reason of what is not removed."""
_PRE: Final = frozenset({"pre", "listing"})
_SPACE, _NEWLINE = (np.uint32(ord(character)) for character in " \n")


@dataclass(frozen=True, eq=False)
class Cut:
    """What a labeler removes from the pages of a batch, and why; T tags, n blocks, S segments.

    A block may lose some of its segments and be kept. One whose segments are all removed is for the
    decision to drop; if that keeps it, it is kept whole.

    Attributes:
        table: the blocks.
        names: short codes of the reasons.
        places: (T,) int64 reason that the place after each tag is removed for, as a position in
            `names`, -1 for none.
        blocks: (n,) int64 reason that each whole block is removed for, likewise.
    """

    table: BlockTable
    names: tuple[str, ...]
    places: Ints
    blocks: Ints

    @cached_property
    def parts(self) -> Bools:
        """(S,) bool; is the segment removed from a block that has others."""
        gone = self.places[self.table.segments.tag] != STAYS
        n_left = window_sums(~gone, self.table.segment_starts)
        return np.asarray(gone & (n_left > 0)[self.table.block_of_segment])

    @cached_property
    def reduced(self) -> BlockTable:
        """The same blocks without the removed parts; the table itself if there are none."""
        if not self.parts.any():
            return self.table
        breaks = (self.table.tags.id == IDS["br"]) & (self.places == STAYS)
        return without(self.table, self.parts, breaks)

    def parts_of(self, block: int) -> Iterator[tuple[str, str]]:
        """Reason and text of every part that a block loses."""
        table = self.table
        span = slice(*table.segment_starts[block : block + 2].tolist())
        for row in (span.start + np.flatnonzero(self.parts[span])).tolist():
            yield self.names[self.places[table.segments.tag[row]]], segment_text(table, row)

    def of_block(self, block: int) -> str | None:
        """Why a whole block is removed; None if it is not."""
        reason = int(self.blocks[block])
        return None if reason == STAYS else self.names[reason]


def without(table: BlockTable, gone: Bools, breaks: Bools) -> BlockTable:
    """A table of the same blocks without some of their segments; linear in its characters.

    What is removed between two segments leaves one space, or the newline of a ``<br>``. Inside
    ``<pre>`` every removed segment leaves a space, and white space stays as written.

    Args:
        table: the blocks.
        gone: (S,) bool; the segments to remove, never all of a block.
        breaks: (T,) bool; which tags are a ``<br>`` that stays.
    """
    segments, rest = table.segments, np.flatnonzero(~gone)
    chars, stays = _reduced_chars(table, gone, rest, breaks)
    n_before = prefix_sums(stays)
    reduced = replace(
        table,
        chars=chars[stays],
        segment_starts=prefix_sums(~gone)[table.segment_starts],
        segments=Segments(
            segments.tag[rest], n_before[segments.start[rest]], n_before[segments.end[rest]]
        ),
        tags=replace(table.tags, text_start=n_before[table.tags.text_start]),
    )
    reduced.freeze()
    return reduced


def _reduced_chars(
    table: BlockTable, gone: Bools, rest: Ints, breaks: Bools
) -> tuple[Chars, Bools]:
    """The characters with white space for what is removed, and which of them stay.

    Args:
        table: the blocks.
        gone: (S,) bool; the segments to remove.
        rest: the other ones, ascending.
        breaks: (T,) bool; which tags are a ``<br>`` that stays.
    """
    segments, chars = table.segments, table.chars.copy()
    starts, ends = segments.start[gone], segments.end[gone]
    stays = ~_spans(starts, ends, len(chars))
    stays[starts] = True
    chars[starts] = _SPACE
    before, after = rest[:-1], rest[1:]
    wide = (np.diff(rest) > 1) & (np.diff(table.block_of_segment[rest]) == 0)
    wide &= ~table.segments_inside(_PRE)[before]
    before, after = before[wide], after[wide]
    first = segments.end[before]
    stays &= ~_spans(first, segments.start[after], len(chars))
    stays[first] = True
    n_breaks = np.cumsum(breaks)
    has_break = n_breaks[segments.tag[after]] > n_breaks[segments.tag[before]]
    chars[first] = np.where(has_break, _NEWLINE, _SPACE)
    return chars, stays


def _spans(starts: Ints, ends: Ints, n: int) -> Bools:
    """(n,) bool; is each position inside one of some spans that do not overlap."""
    change = np.bincount(starts, minlength=n + 1) - np.bincount(ends, minlength=n + 1)
    return np.asarray(np.cumsum(change)[:n] > 0)
