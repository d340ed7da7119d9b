"""Parts of blocks that a labeler removes, and a table without them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from msgspec import Struct

from victor.base.arrays import Bools, Chars, Ints, prefix_sums, window_sums
from victor.base.lazy import cached_property
from victor.page.parsing.tags import IDS
from victor.page.table.blocks import BlockTable, Segments
from victor.page.table.texts import segment_text

STAYS: Final = -1
"""The reason of what is not removed."""
_PRE: Final = frozenset({"pre", "listing"})
_SPACE, _NEWLINE = (np.array([ord(character)], dtype=np.uint32) for character in " \n")


class Cut(Struct, frozen=True, eq=False, dict=True):
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

    def shortens(self, blocks: slice) -> bool:
        """Does any of some blocks lose a part."""
        first, end = self.table.segment_starts[[blocks.start, blocks.stop]].tolist()
        return bool(self.parts[first:end].any())

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
    spans = _spans(table, gone, rest, breaks)
    reduced = table.replace(
        chars=spans.in_place(table.chars),
        segment_starts=prefix_sums(~gone)[table.segment_starts],
        segments=Segments(
            segments.tag[rest],
            spans.moved(segments.start[rest]),
            spans.moved(segments.end[rest]),
        ),
        tags=table.tags.replace(text_start=spans.moved(table.tags.text_start)),
    )
    reduced.freeze()
    return reduced


def _spans(table: BlockTable, gone: Bools, rest: Ints, breaks: Bools) -> _Replaced:
    """What is removed, each with the white space that it leaves.

    Args:
        table: the blocks.
        gone: (S,) bool; the segments to remove.
        rest: the other ones, ascending.
        breaks: (T,) bool; which tags are a ``<br>`` that stays.
    """
    segments, block = table.segments, table.block_of_segment
    removed = np.flatnonzero(gone)
    after = np.searchsorted(rest, removed)  # those between the same two go together
    gaps = np.unique(after[(after > 0) & (after < len(rest))])
    gaps = gaps[block[rest[gaps]] == block[rest[gaps - 1]]]
    gaps = gaps[~table.elements.inside(_PRE, table.segment_element[rest[gaps - 1]])]
    alone = removed[~np.isin(after, gaps)]
    before, following = rest[gaps - 1], rest[gaps]
    starts = np.concatenate([segments.end[before], segments.start[alone]])
    ends = np.concatenate([segments.start[following], segments.end[alone]])
    tags = zip(segments.tag[before].tolist(), segments.tag[following].tolist(), strict=True)
    written = [_NEWLINE if breaks[a + 1 : b + 1].any() else _SPACE for a, b in tags]
    written += [_SPACE] * len(alone)
    order = np.argsort(starts)
    return _Replaced(starts[order], ends[order], [written[row] for row in order.tolist()])


class _Replaced(NamedTuple):
    """Spans of the characters of a table, none empty, and what is written instead of each.

    Attributes:
        starts, ends: (k,) int64, ascending; no two overlap.
        written: k arrays of code points.
    """

    starts: Ints
    ends: Ints
    written: Sequence[Chars]

    def in_place(self, chars: Chars) -> Chars:
        """The characters with what is written; the rest is copied piece by piece."""
        bounds = [0, *self.ends.tolist()], [*self.starts.tolist(), len(chars)]
        stays = [chars[start:end] for start, end in zip(*bounds, strict=True)]
        between = [*self.written, chars[:0]]
        return np.concatenate([part for pair in zip(stays, between, strict=True) for part in pair])

    def moved(self, positions: Ints) -> Ints:
        """(m,) where ascending positions are afterwards; one in a span is at the end of it."""
        lengths = np.array([len(codes) for codes in self.written], dtype=np.int64)
        first = np.searchsorted(positions, self.starts, side="right")
        after = np.searchsorted(positions, self.ends)
        shift = np.append(0, np.cumsum(lengths - (self.ends - self.starts)))
        result = positions + np.repeat(shift, np.diff(after, prepend=0, append=len(positions)))
        for span in np.flatnonzero(first < after).tolist():
            result[first[span] : after[span]] = self.ends[span] + shift[span + 1]
        return np.asarray(result)
