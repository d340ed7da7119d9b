"""Text that stands twice on a page is no content.

Of text that is hidden and also stands visible the hidden copy goes, wherever it is: layers to
share, posts for a quote button, versions for the printer. Of two visible copies of the whole text
(for telephones and for large screens) the second goes. What is repeated in part, as refrains and
quotations are, stays. Copies are compared by their letters and digits, without case; code is a copy
only of the same code.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from victor.base import core
from victor.base.arrays import Bools, Codes, Ints
from victor.kinds.names import Signs
from victor.kinds.units import PRE_TAGS
from victor.page.names.name_groups import ATTRIBUTES
from victor.page.parsing.events import places
from victor.page.parsing.tags import member_mask
from victor.page.table.blocks import BlockTable, hidden_elements
from victor.page.verdict.verdict import COPY, Verdict

_PIECE: Final = 20  # letters that are looked for together; what has less is too common to be a copy
_SHARE: Final = 0.9  # share of the letters of a copy that stand in the other one
_WHOLE: Final = 200  # letters of a second copy of the whole text
_COPIES: Final = 3  # how often the whole text may stand on a page
_QUOTES: Final = frozenset({"blockquote", "q"})


def without_copies(verdict: Verdict) -> Verdict:
    """The verdict of a trained model without copies of other text.

    The systems of others keep what they keep, as they were published.
    """
    if not verdict.by_model:
        return verdict
    hidden = hidden_elements(verdict.table)
    if not (may_be := _may_be(verdict, hidden)).any():  # as on most pages
        return verdict
    for number, find in enumerate(_STEPS):
        chosen = may_be & (1 << number) != 0
        if chosen.any() and (gone := find(verdict, hidden, chosen)).any():
            verdict = verdict.without_segments(gone, COPY)
            may_be = _may_be(verdict, hidden)
    return verdict


def _may_be(verdict: Verdict, hidden: Bools) -> Codes:
    """(n,) a bit for each of `_STEPS`: the blocks where it has to look."""
    inputs = verdict.labels, np.ascontiguousarray(verdict.p_other), hidden
    return core.array(core.compiled.judge("copies", verdict.table.batch, inputs), np.uint8)


def _hidden_copies(verdict: Verdict, hidden: Bools, may_stay: Bools) -> Bools:
    """(S,) bool; which segments are hidden and also stand visible.

    A hidden element is judged as a whole: a tab may share a paragraph with the one that is shown.

    Args:
        verdict: of the model.
        hidden: (E,) bool; which elements are hidden.
        may_stay: (n,) bool; which blocks are partly hidden and may be kept.
    """
    inputs = may_stay.view(np.uint8), hidden, PRE_TAGS
    memory = core.compiled.judge("hidden_copies", verdict.table.batch, inputs)
    return core.array(memory, np.bool_)


def _second_copies(verdict: Verdict, _: Bools, longest: Bools) -> Bools:
    """(S,) bool; which kept segments are in an element that repeats all other text of its page.

    It is the outermost one around the second place, or the third, of a piece of the longest block.

    Args:
        verdict: of the model.
        longest: (n,) bool; these blocks.
    """
    table, elements, kept = verdict.table, verdict.table.elements, verdict.kept_segments
    gone, tags = np.zeros(len(kept), dtype=bool), table.segments.tag
    length = (table.segments.end - table.segments.start) * kept
    for of_page, repeated in _repeated(verdict, longest):
        for segment in repeated[1:_COPIES]:
            element = int(table.segment_element[segment])
            if elements.open[element] < tags[repeated[0]]:
                continue  # it holds the first place, too
            while elements.open[elements.parent[element]] > tags[repeated[0]]:
                element = int(elements.parent[element])
            bounds = np.searchsorted(tags, (elements.open[element], elements.close[element]))
            inside = slice(*bounds.tolist())
            if _COPIES * length[inside].sum() < _SHARE * length[of_page].sum():
                continue
            copy, rest = np.zeros_like(gone), np.zeros_like(gone)
            copy[inside] = kept[inside]
            rest[of_page] = kept[of_page] & ~gone[of_page]
            rest[inside] = False
            also, total = _also_in(table, copy, rest)
            left, of_rest = _also_in(table, rest, copy)
            is_all = also.sum() >= _SHARE * total.sum() and left.sum() >= _SHARE * of_rest.sum()
            if is_all and total.sum() >= _WHOLE and not _is_quoted(table, segment):
                gone |= copy & _in_copied_lines(table, also, total)
    return gone


def _repeated(verdict: Verdict, longest: Bools) -> Iterator[tuple[slice, list[int]]]:
    """The segments of a page, and the first of each kept block with the middle of the longest."""
    table, kept = verdict.table, verdict.kept_segments
    for block in np.flatnonzero(longest).tolist():
        blocks = table.page_starts[table.page[block] :][:2]
        rows = blocks[0] + np.flatnonzero(verdict.kept[slice(*blocks.tolist())])
        start, end = int(table.start[rows[0]]), int(table.end[rows[-1]])
        middle = max(int(table.start[block] + table.end[block] - _PIECE) // 2, 0)
        text, piece = _folded(table, start, end), _folded(table, middle, middle + _PIECE)
        at = [start + each for each in places(text, piece)]
        found = np.searchsorted(table.segments.start, at, side="right") - 1
        found = found[kept[found]]
        _, of_block = np.unique(table.block_of_segment[found], return_index=True)
        yield slice(*table.segment_starts[blocks].tolist()), found[of_block].tolist()


def _folded(table: BlockTable, start: int, end: int) -> bytes:
    """A byte a character, which is enough to see that nothing stands twice."""
    return (table.chars[start:end].astype(np.uint8) | 0x20).tobytes()


def _is_quoted(table: BlockTable, segment: int) -> bool:
    """Is a segment in an element that quotes, by its tag or its name."""
    quotes = member_mask(_QUOTES)[table.elements.tag]
    if {*ATTRIBUTES} <= {*table.attributes}:
        quotes |= Signs(table).is_named("quote")
    return bool(table.elements.gathered(quotes)[table.segment_element[segment]])


def _in_copied_lines(table: BlockTable, also: Ints, total: Ints) -> Bools:
    """(S,) bool; is nearly all of a line copied: nothing goes from within one."""
    shares = table.sum_segments(also) >= _SHARE * table.sum_segments(total)
    return np.asarray(shares[table.block_of_segment])


def _also_in(table: BlockTable, these: Bools, others: Bools) -> tuple[Ints, Ints]:
    """(S,) letters of each of some segments that also stand in others of its page, and all."""
    memory = core.compiled.letters_also(table.batch, these, others, PRE_TAGS)
    also, total = core.array(memory, np.int64).reshape(-1, 2).T
    return also, total


_STEPS: Final = (_hidden_copies, _second_copies)
