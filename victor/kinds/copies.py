"""Text that stands twice on a page, and data that show as text, are no content.

Of text that is hidden and also stands visible the hidden copy goes, wherever it is: layers to
share, posts for a quote button, versions for the printer. Of two visible copies of the whole text
(for telephones and for large screens) the second goes. What is repeated in part, as refrains and
quotations are, stays. Copies are compared by their letters and digits, without case.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from msgspec import Struct

from victor.base.arrays import Bools, Chars, Hashes, Ints, prefix_sums
from victor.base.cached import cached_property
from victor.kinds.names import Signs
from victor.page.markup.hidden import hidden_elements
from victor.page.names.name_groups import ATTRIBUTES
from victor.page.parsing import characters as ch
from victor.page.parsing.patterns import pattern
from victor.page.parsing.tags import member_mask
from victor.page.table.blocks import BlockTable
from victor.page.table.hashes import Groups, Known, equal_groups, span_hashes
from victor.page.table.one_page import one_page
from victor.page.table.texts import text_of
from victor.page.verdict.verdict import COPY, DATA, Verdict

_PIECE: Final = 20
"""Letters that are looked for together."""
_SHARE: Final = 0.9
"""Share of the letters of a copy that stand in the other one."""
_LABEL: Final = 40
"""Letters that a copy may have besides, e.g. whom it quotes, and when."""
_HALF: Final = 0.6
"""Share of what is kept that the longest block of a page with two copies has at most."""
_LOWER: Final = np.uint8(0x20)
_MANY: Final = 8
"""Hidden elements of a page from which it takes longer to look for a part of each."""
_SHORT: Final = 100
_SURE: Final = 0.6
"""Letters of a hidden element below which p(other) of the visible copy has to be less than this:
the heading of a hidden tab stands in a menu, too."""
_WHOLE: Final = 200
"""Letters of a second copy of the whole text; of two or three copies each has its share of what is
kept, as nearly as `_SHARE` says."""
_DATA_WORDS: Final = 20
_DATA_PAIRS: Final = 3
_DATA: Final = pattern(r"""(?:(?:var|let|const) )?[\w.$"'\[\]]{0,80} ?=? ?[{\[]""")
_PAIR: Final = pattern(r"""["'] ?:|: ?["']""")
_PRE: Final = frozenset({"pre", "listing"})
_CODE: Final = frozenset({"code", "samp", "kbd"})
_QUOTES: Final = frozenset({"blockquote", "q"})


def without_copies(verdict: Verdict) -> Verdict:
    """The verdict of a trained model without copies of other text and without data.

    The systems of others keep what they keep, as they were published.
    """
    if not verdict.by_model:
        return verdict
    table, hidden = verdict.table, hidden_elements(verdict.table)
    kept = verdict.kept_segments
    stays = kept | (verdict.p_other < _SURE)[table.block_of_segment]
    gone = np.zeros(len(kept), dtype=bool)
    bounds = table.segment_starts[table.page_starts]
    unseen = np.flatnonzero(hidden[table.segment_element] & stays)
    for page in sorted({*(np.searchsorted(bounds, unseen, side="right") - 1).tolist()}):
        part = slice(*bounds[page : page + 2].tolist())
        alone, root = one_page(table, page), table.page_roots[page]
        of_page = hidden[root : root + len(alone.elements)]
        gone[part] = _hidden_copies(alone, stays[part], of_page)
    for page in _may_repeat(verdict):
        part = slice(*bounds[page : page + 2].tolist())
        alone = one_page(table, page)
        while (again := _second_copy(alone, kept[part] & ~gone[part])) is not None:
            gone[part] |= again
    if gone.any():
        verdict = verdict.without_segments(gone, COPY)
    if data := [*_data(verdict, hidden)]:
        verdict = verdict.without_segments(np.isin(table.block_of_segment, data), DATA)
    return verdict


class _Letters(Struct, frozen=True, eq=False, dict=True):
    """Letters and digits of some segments of a page, in order.

    Attributes:
        codes: (m,) uint32 in lower case.
        segment: (m,) int64 the segment of each.
    """

    codes: Chars
    segment: Ints

    @classmethod
    def of(cls, table: BlockTable) -> _Letters:
        """Those of a page."""
        classes = ch.class_table().take(table.chars)
        is_letter = (classes >= ch.LOWER) & (classes <= ch.OTHER_WORD)
        before, segments = prefix_sums(is_letter), table.segments
        counts = before[segments.end] - before[segments.start]
        segment = np.repeat(np.arange(len(segments)), counts)
        return cls(ch.lower(table.chars[is_letter]), segment)

    def __getitem__(self, chosen: Bools) -> _Letters:
        return _Letters(self.codes[chosen], self.segment[chosen])

    @cached_property
    def pieces(self) -> Hashes:
        """Hashes of the pieces that begin at each letter with enough of them behind it."""
        first = np.arange(max(len(self.codes) - _PIECE + 1, 0))
        return span_hashes(self.codes, first, first + _PIECE)

    def covered(self, chosen: Bools) -> Bools:
        """(m,) bool; is each letter in one of the chosen pieces."""
        before, place = prefix_sums(chosen), np.arange(len(self.codes))
        first, stop = np.maximum(place - _PIECE + 1, 0), np.minimum(place + 1, len(chosen))
        return np.asarray(before[stop] > before[np.minimum(first, stop)])

    def found_in(self, other: _Letters) -> tuple[Ints, Ints]:
        """Where other text has pieces of this one, and where the first like each begins here."""
        return Known.of(self.pieces).find(other.pieces)

    @cached_property
    def equal_pieces(self) -> Groups:
        """Pieces that are the same."""
        return equal_groups(self.pieces)

    def covered_by(self, begins: Ints) -> Bools:
        """(m,) bool; is each letter in a piece that equals one of those that begin somewhere."""
        number = self.equal_pieces.number()
        chosen = np.zeros(len(number), dtype=bool)
        chosen[number[begins]] = True
        return self.covered(chosen[number])

    def counts(self, table: BlockTable, chosen: Bools | slice = slice(None)) -> Ints:
        """(S,) how many of the letters, or of some of them, each segment of the table has."""
        return np.bincount(self.segment[chosen], minlength=len(table.segments))


def _hidden_copies(table: BlockTable, stays: Bools, hidden: Bools) -> Bools:
    """(S,) bool; which segments of a page are hidden and also stand visible.

    A hidden element is judged as a whole: a tab may share a paragraph with the one that is shown.

    Args:
        table: the page.
        stays: (S,) bool; which of its segments are kept, or may be with the unit they are part of.
        hidden: (E,) bool; which of its elements are hidden.
    """
    elements, is_hidden = table.elements, hidden[table.segment_element]
    around = elements.nearest(hidden & ~hidden[elements.parent])
    likely = np.zeros(len(elements), dtype=bool)
    likely[[*_likely_copies(table, np.flatnonzero(is_hidden & stays), around)]] = True
    if not likely.any():
        return np.zeros(len(stays), dtype=bool)
    whole, outer = _Letters.of(table), around[table.segment_element]
    unseen = whole[(is_hidden & likely[outer])[whole.segment]]
    if not len(unseen.codes):  # signs only
        return np.zeros(len(stays), dtype=bool)
    parts = _runs(outer[unseen.segment])
    is_seen = _also_seen(table, unseen, parts, whole[~is_hidden[whole.segment]], stays)
    total = parts[1] - parts[0]
    also = np.add.reduceat(is_seen, parts[0], dtype=np.int64)
    rest = total - also
    is_copy = (also >= _SHARE * total) | ((rest <= _LABEL) & (also >= np.maximum(rest, _PIECE)))
    likely[:] = False
    likely[outer[unseen.segment[parts[0][is_copy]]]] = True
    counts = unseen.counts(table, is_seen), unseen.counts(table)
    copied, all_letters = map(table.sum_segments, counts)  # nothing goes from within a line
    gone = (copied >= _SHARE * all_letters)[table.block_of_segment]
    return np.asarray(is_hidden & likely[outer] & gone)


def _also_seen(
    table: BlockTable, unseen: _Letters, parts: tuple[Ints, Ints], seen: _Letters, stays: Bools
) -> Bools:
    """(m,) bool; does each hidden letter stand visible, too.

    Args:
        table: the page.
        unseen: hidden letters.
        parts: where those of each outermost hidden element begin, and where they stop.
        seen: the visible letters.
        stays: (S,) bool; which segments are kept, or may be.
    """
    first, stop = parts
    places, begins = unseen.found_in(seen)
    of_staying = unseen.covered_by(begins[stays[seen.segment[places]]])
    if (stop - first < _PIECE).any():
        staying = seen[stays[seen.segment]]
        spans = (_runs(each) for each in (staying.segment, table.block_of_segment[staying.segment]))
        known = {code for span in spans for code in span_hashes(staying.codes, *span).tolist()}
        is_known = [code in known for code in span_hashes(unseen.codes, first, stop).tolist()]
        of_staying |= np.repeat(is_known, stop - first)
    is_short = np.repeat(stop - first < _SHORT, stop - first)
    return np.where(is_short, of_staying, unseen.covered_by(begins))


def _likely_copies(table: BlockTable, rows: Ints, around: Ints) -> Iterator[int]:
    """The hidden elements of a page of which a part stands twice, or all if they are many.

    Args:
        table: the page.
        rows: (k,) segments that are hidden and kept.
        around: (E,) the outermost hidden element around each element.
    """
    start, end = table.segments.start, table.segments.end
    outer, text = around[table.segment_element[rows]], _letters_of(table.chars)
    parts = [*zip(*_runs(outer), strict=True)]
    for first, stop in parts:
        part = rows[first:stop]
        longest = part[np.argmax(end[part] - start[part])]
        span = int(start[longest]), int(end[longest])
        if len(parts) > _MANY or _stands_twice(text, span, (2, 1, 3)):
            yield int(outer[first])


def _runs(values: Ints) -> tuple[Ints, Ints]:
    """Where each run of equal values begins, and where it stops."""
    bounds = np.flatnonzero(np.diff(values, prepend=-2, append=-2))
    return bounds[:-1], bounds[1:]


def _may_repeat(verdict: Verdict) -> Iterator[int]:
    """Pages on which most of the longest kept block seems to stand twice in what is kept."""
    table = verdict.table
    rows, words, start, end = np.flatnonzero(verdict.kept), table.words, table.start, table.end
    for first, stop in zip(*_runs(table.page[rows]), strict=True):
        kept = rows[first:stop]
        begin, after = int(start[kept[0]]), int(end[kept[-1]])
        longest = kept[words[kept].argmax()]
        span = int(start[longest]) - begin, int(end[longest]) - begin
        if span[1] - span[0] <= (after - begin) * _HALF and after - begin >= 2 * _WHOLE:
            text = _letters_of(table.chars[begin:after])
            if _stands_twice(text, span, (2,)) and _stands_twice(text, span, (1, 3)):
                yield int(table.page[longest])


def _letters_of(chars: Chars) -> bytes:
    """A byte of each character, in lower case: enough to see quickly that nothing stands twice."""
    return (chars.astype(np.uint8) | _LOWER).tobytes()


def _stands_twice(text: bytes, span: tuple[int, int], quarters: tuple[int, ...]) -> bool:
    """Does a part of a span of a text stand in it twice."""
    room = max(span[1] - span[0] - _PIECE, 0)
    places = (span[0] + room * quarter // 4 for quarter in quarters)
    return any(text.count(text[at : min(at + _PIECE, span[1])]) > 1 for at in places)


def _second_copy(table: BlockTable, kept: Bools) -> Bools | None:
    """(S,) bool; the kept segments of an element that repeats all others; None if none does."""
    whole = _Letters.of(table)
    letters = whole[kept[whole.segment]]
    again = letters.covered(letters.equal_pieces.rank() > 0)
    total, also = map(table.sum_elements, (letters.counts(table), letters.counts(table, again)))
    size = len(letters.codes)
    off = np.minimum(np.abs(2 * total - size), np.abs(3 * total - size))
    may = (total >= _WHOLE) & (off <= (1 - _SHARE) * size) & (also >= _SHARE * total)
    if not may.any():
        return None
    element = int(np.argmax(total * may))  # the outermost of those with the same text
    tags, elements = table.segments.tag, table.elements
    inside = (tags >= elements.open[element]) & (tags < elements.close[element])
    copy, rest = (letters[chosen[letters.segment]] for chosen in (inside, ~inside))
    of_rest, of_copy = copy.found_in(rest)
    copied, left = copy.covered_by(of_copy), rest.covered_by(of_rest)
    if min(copied.mean(), left.mean()) < _SHARE:
        return None
    quotes = member_mask(_QUOTES)[elements.tag]
    if {*ATTRIBUTES} <= {*table.attributes}:
        quotes |= Signs(table).is_named("quote")
    copied &= ~elements.gathered(quotes)[table.segment_element[copy.segment]]
    if copied.mean() < _SHARE:
        return None
    return np.asarray(inside & kept & (copy.counts(table, copied) >= _SHARE * copy.counts(table)))


def _data(verdict: Verdict, hidden: Bools) -> Iterator[int]:
    """The kept blocks that read as JSON, or as a script that gives it a name.

    What an author has cut into lines, or put into code, is an example.
    """
    table = verdict.table
    rows = np.flatnonzero(verdict.kept & (table.words >= _DATA_WORDS))
    last = table.chars[table.end[rows] - 1]
    for row in rows[(last == ord("}")) | (last == ord("]")) | (last == ord(";"))].tolist():
        text = text_of(table.chars[table.start[row] : table.end[row]])
        if "\n" not in text and _DATA.match(text) and len(_PAIR.findall(text)) >= _DATA_PAIRS:
            element = table.element[row : row + 1]
            is_code = table.elements.inside(_CODE, element) and not hidden[element]
            if not is_code and not table.elements.inside(_PRE, element):
                yield row
