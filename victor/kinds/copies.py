"""Text that stands twice on a page, and data that show as text, are no content.

Of text that is hidden and also stands visible the hidden copy goes, wherever it is: layers to
share, posts for a quote button, versions for the printer. Of two visible copies of the whole text
(for telephones and for large screens) the second goes. What is repeated in part, as refrains and
quotations are, stays. Copies are compared by their letters and digits, without case; code is a copy
only of the same code.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from victor.base import core
from victor.base.arrays import Bools, Codes, Hashes, Ints, prefix_sums, span_indices
from victor.kinds.names import Signs
from victor.page.markup.hidden import hidden_elements
from victor.page.names.name_groups import ATTRIBUTES
from victor.page.parsing import characters as ch
from victor.page.parsing.attributes import places
from victor.page.parsing.patterns import pattern
from victor.page.parsing.tags import member_mask
from victor.page.table.blocks import BlockTable
from victor.page.table.hashes import Known, span_hashes
from victor.page.table.texts import text_of
from victor.page.verdict.verdict import COPY, DATA, Verdict

_PIECE: Final = 20
"""Letters that are looked for together; what has less is too common to be a copy."""
_SHARE: Final = 0.9
"""Share of the letters of a copy that stand in the other one."""
_LABEL: Final = 40
"""Letters that a hidden copy may have besides, e.g. whom it quotes, and when."""
_WHOLE: Final = 200
"""Letters of a second copy of the whole text."""
_COPIES: Final = 3
"""How often the whole text may stand on a page."""
_PRE: Final = frozenset({"pre", "listing"})
_CODE: Final = _PRE | {"code", "samp", "kbd"}
_QUOTES: Final = frozenset({"blockquote", "q"})
_DATA_PAIRS: Final = 3
_DATA: Final = pattern(r"""(?:(?:var|let|const) )?[\w.$"'\[\]]{0,80} ?=? ?[{\[]""")
_PAIR: Final = pattern(r"""["'] ?:|: ?["']""")


def without_copies(verdict: Verdict) -> Verdict:
    """The verdict of a trained model without copies of other text and without data.

    The systems of others keep what they keep, as they were published.
    """
    if not verdict.by_model:
        return verdict
    hidden = hidden_elements(verdict.table)
    if not (may_be := _may_be(verdict, hidden)).any():  # as on most pages
        return verdict
    for number, (find, reason) in enumerate(_STEPS):
        chosen = may_be & (1 << number) != 0
        if chosen.any() and (gone := find(verdict, hidden, chosen)).any():
            verdict = verdict.without_segments(gone, reason)
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
    table, elements = verdict.table, verdict.table.elements
    is_hidden = hidden[table.segment_element]
    outermost = elements.nearest(hidden & ~hidden[elements.parent])
    lengths = table.segments.end - table.segments.start
    size = table.sum_elements(lengths * (may_stay[table.block_of_segment] & is_hidden))
    unseen = is_hidden & (size >= _PIECE)[outermost[table.segment_element]]
    of_page = np.bincount(table.page[table.block_of_segment[unseen]], minlength=table.n_pages) > 0
    visible = ~is_hidden & np.repeat(of_page, np.diff(table.segment_starts[table.page_starts]))
    also, total = _also_in(table, _Letters.of(table, unseen), _Letters.of(table, visible))
    copied, whole = table.sum_elements(also), table.sum_elements(total)
    is_copy = (copied >= _SHARE * whole) | ((whole - copied <= _LABEL) & (2 * copied >= whole))
    is_copy &= copied > 0
    in_copy = is_copy[outermost[table.segment_element]]
    return np.asarray(unseen & in_copy & _in_copied_lines(table, also, total))


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
            again, first = _Letters.of(table, copy), _Letters.of(table, rest)
            also, total = _also_in(table, again, first)
            left, of_rest = _also_in(table, first, again)
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


class _Letters(NamedTuple):
    """Letters and digits of some segments, in order and in lower case, and their pieces.

    Attributes:
        chosen: (S,) bool; which segments.
        segment: (m,) the segment of each letter.
        pieces: (k,) hashes of the pieces that begin at each letter with enough of them behind.
        of_page: (k,) bool; which of these are of one page.
    """

    chosen: Bools
    segment: Ints
    pieces: Hashes
    of_page: Bools

    @classmethod
    def of(cls, table: BlockTable, chosen: Bools) -> _Letters:
        """Those of some segments."""
        rows, segments = np.flatnonzero(chosen), table.segments
        start, length = segments.start[rows], (segments.end - segments.start)[rows]
        codes = table.chars[span_indices(start, length)]
        classes = ch.class_table().take(codes)
        is_letter = (classes >= ch.LOWER) & (classes <= ch.OTHER_WORD)
        codes, segment = ch.lower(codes[is_letter]), np.repeat(rows, length)[is_letter]
        page, first = table.page[table.block_of_segment[segment]], np.arange(len(codes))
        first = first[: max(len(codes) - _PIECE + 1, 0)]
        of_first = page[: len(first)]
        pieces = span_hashes(codes, first, first + _PIECE) + of_first.astype(np.uint64)
        return cls(chosen, segment, pieces, np.asarray(of_first == page[len(page) - len(first) :]))


def _also_in(table: BlockTable, these: _Letters, others: _Letters) -> tuple[Ints, Ints]:
    """(S,) letters of each of some segments that also stand in others of its page, and all."""
    known = others.pieces[others.of_page]
    found = these.of_page & np.isin(these.pieces, known[Known.of(these.pieces).find(known)[0]])
    segment = these.segment
    before, place = prefix_sums(found), np.arange(len(segment))
    stop = np.minimum(place + 1, len(found))
    is_also = before[stop] > before[np.minimum(np.maximum(place + 1 - _PIECE, 0), stop)]
    if (is_code := table.blocks_inside(_PRE)).any():
        is_also &= ~_other_code(table, is_code, others.chosen)[table.block_of_segment[segment]]
    also, total = (
        np.bincount(each, minlength=len(these.chosen)) for each in (segment[is_also], segment)
    )
    return also, total


def _other_code(table: BlockTable, is_code: Bools, others: Bools) -> Bools:
    """(n,) bool; which blocks of code equal none of the code that others of their page show."""
    rows, known = np.flatnonzero(is_code).tolist(), np.zeros_like(is_code)
    known[table.block_of_segment[others]] = True
    texts = {row: (int(table.page[row]), _text(table, row)) for row in rows}
    same = {texts[row] for row in rows if known[row]}
    pages = {page for page, _ in same}
    differs = np.zeros_like(is_code)
    differs[[row for row in rows if texts[row][0] in pages and texts[row] not in same]] = True
    return differs


def _text(table: BlockTable, block: int) -> str:
    return text_of(table.chars[table.start[block] : table.end[block]])


def _data(verdict: Verdict, hidden: Bools, likely: Bools) -> Bools:
    """(S,) bool; which segments are of blocks that read as JSON, or as a script that names it.

    What an author has cut into lines, or put into code that shows, is an example.
    """
    table, is_data = verdict.table, np.zeros(len(verdict.table), dtype=bool)
    for row in np.flatnonzero(likely).tolist():
        element = table.element[row : row + 1]
        if hidden[element] or not table.elements.inside(_CODE, element):
            text = _text(table, row)
            if "\n" not in text and _DATA.match(text):
                is_data[row] = len(_PAIR.findall(text)) >= _DATA_PAIRS
    return np.asarray(is_data[table.block_of_segment])


_STEPS: Final = ((_hidden_copies, COPY), (_second_copies, COPY), (_data, DATA))
