"""Formulas in the text of blocks: their TeX takes the place of what draws them.

Where no kept text draws a formula (it is an image, or its block is dropped), its TeX stands beside
the text before or after it. Labels are not touched: what a formula is shown as is decided after
them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final, NamedTuple

import numpy as np
from msgspec import Struct

from victor.base.arrays import Bools, Chars, Ints, prefix_sums
from victor.page.markup.formulas import Formula, formulas
from victor.page.markup.full_record import markup_of
from victor.page.parsing.tags import CUSTOM, IDS, PARTING, UNKNOWN, member_mask
from victor.page.table.blocks import BlockTable, Segments
from victor.page.table.texts import text_of

_TORN: Final = frozenset({CUSTOM, "math"})
"""Elements that part no paragraphs where they are a formula."""
_OPENING: Final = "([{\"'“‘«/-"
_CLOSING: Final = ")]}\"'”’»/-,.;:!?"
"""Signs after and before which no space parts a formula."""
_PARTED: Final = "\n\n"
"""What parts a formula that is a paragraph of its own from the text beside it."""


class Formulas(Struct, frozen=True, eq=False):
    """Formulas of a batch of pages, each of which is one segment of the table.

    Attributes:
        display: whether a formula has lines of its own, by the number of its segment.
        alone: tags at which formulas stand that are paragraphs of their own, by segment.
        spans: (m, 2) int64 ordinals of the first and last tag of every formula, in order.
    """

    display: dict[int, bool]
    alone: dict[int, int]
    spans: Ints

    def draw(self, tag: int) -> bool:
        """Does a tag belong to what draws a formula."""
        row = int(np.searchsorted(self.spans[:, 0], tag, side="right")) - 1
        return row >= 0 and tag <= self.spans[row, 1]


class _Place(NamedTuple):
    """Where a formula becomes a segment: before a segment, of which block, after which tag, before
    which character, and what parts it from the text before and after it.
    """  # noqa: D205

    formula: Formula
    segment: int
    block: int
    tag: int
    at: int
    before: str = ""
    after: str = ""


def shown_formulas(
    table: BlockTable, kept: Bools, markups: Sequence[bytes]
) -> tuple[BlockTable, Formulas] | None:
    """A table in which each formula of some pages is a segment; None if none is shown.

    Args:
        table: of the pages.
        kept: (n,) bool; which blocks are.
        markups: the pages as UTF-8 bytes, empty for those that have no formulas for sure; none
            where they are not known.
    """
    in_pages = [_of_page(table, page, markup) for page, markup in enumerate(markups)]
    in_batch = [formula for in_page in in_pages for formula in in_page]
    if not in_batch:
        return None
    table = _untorn(table, in_batch)
    placer = _Placer(table, kept)
    found = (placer.places(page, in_page) for page, in_page in enumerate(in_pages) if in_page)
    places = [*chain.from_iterable(found)]
    return _written(table, in_batch, places) if places else None


def _of_page(table: BlockTable, page: int, markup: bytes) -> list[Formula]:
    """The formulas of a page by the tags of the table; none if it was made of other markup."""
    tags = table.tags_of(page)
    record = markup_of(table, page, markup) if markup else None
    if record is None or record.n_tags != tags.stop - tags.start:
        return []
    found = formulas(record, table.allowance)
    first = tags.start
    return [each._replace(open=first + each.open, close=first + each.close) for each in found]


def _untorn(table: BlockTable, in_batch: Sequence[Formula]) -> BlockTable:
    """The table with elements that mean nothing in place of those that draw formulas."""
    ids, elements = table.tags.id.copy(), table.elements
    may_tear = member_mask(_TORN)
    for formula in in_batch:
        span = slice(formula.open, formula.close + 1)
        inner = slice(formula.open + 1, formula.close)
        ids[inner] = np.where(table.tags.step[inner] != 0, IDS[UNKNOWN], ids[inner])
        ids[span] = np.where(may_tear[ids[span]], IDS[UNKNOWN], ids[span])
    tags, tag = table.tags.replace(id=ids), ids[elements.open]
    return table.replace(tags=tags, elements=elements.replace(tag=tag))


class _Placer:
    """Finds a place for formulas.

    Args:
        table: in which formulas part no sentence.
        kept: (n,) bool; which blocks are.
    """

    def __init__(self, table: BlockTable, kept: Bools) -> None:
        self._table = table
        self._is_kept = kept[table.block_of_segment]
        self._n_parting = np.cumsum(member_mask(PARTING)[table.tags.id])

    def places(self, page: int, in_page: Sequence[Formula]) -> Iterator[_Place]:
        """Where the formulas of a page go."""
        tags = self._table.tags_of(page)
        bounds = np.searchsorted(self._table.segments.tag, (tags.start, tags.stop)).tolist()
        allowed = self._table.allowance.over(in_page)
        yield from filter(None, (self._place(formula, *bounds) for formula in allowed))

    def _place(self, formula: Formula, first: int, stop: int) -> _Place | None:
        """A place before the kept text that draws a formula, else beside other text of its page.

        The segments of the page are those from a first one up to another.
        """
        table, tag_of, kept = self._table, self._table.segments.tag, self._is_kept
        tags = [formula.open, formula.close]
        start, end = np.searchsorted(tag_of, tags).tolist()
        at, after = table.tags.text_start[tags].tolist()
        drawn = start + np.flatnonzero(kept[start:end])
        if len(drawn):
            row = int(drawn[0])
            return _Place(formula, row, table.block_of_segment[row], tag_of[row], at)
        are_kept = start > first and bool(kept[start - 1]), end < stop and bool(kept[end])
        are_one = [
            is_kept and self._n_parting[tag_of[row]] == self._n_parting[tag]
            for is_kept, row, tag in zip(are_kept, (start - 1, end), tags, strict=True)
        ]
        is_alone = not any(are_one)
        if not any(are_kept) or (is_alone and start < end):
            return None
        if is_alone:
            formula = formula._replace(display=True)
        if are_one[1] or (is_alone and not are_kept[0]):
            tag = max(formula.open, int(tag_of[end - 1])) if start < end else formula.open
            place = _Place(formula, end, table.block_of_segment[end], tag, after)
            return place._replace(after=_PARTED) if is_alone else self._spaced(place)
        place = _Place(formula, start, table.block_of_segment[start - 1], formula.open, at)
        return place._replace(before=_PARTED) if is_alone else self._spaced(place)

    def _spaced(self, place: _Place) -> _Place:
        """A place with spaces: white space on both sides of a formula has become one before it."""
        around = text_of(self._table.chars[max(place.at - 1, 0) : place.at + 1])
        before = "" if around[:1].isspace() or around[:1] in _OPENING else " "
        after = "" if around[-1:].isspace() or around[-1:] in _CLOSING else " "
        return place._replace(before=before, after=after)


def _written(
    table: BlockTable, in_batch: Sequence[Formula], places: Sequence[_Place]
) -> tuple[BlockTable, Formulas]:
    """The table with TeX in place of the text that draws some formulas, and its formulas."""
    segments, tags = table.segments, table.tags
    rows, blocks, before_tags, at = np.array([place[1:5] for place in places], dtype=np.int64).T
    bounds = np.array([place.formula[:2] for place in places], dtype=np.int64)
    is_gone = np.zeros(len(table.chars), dtype=bool)
    for start, end in tags.text_start[bounds]:
        is_gone[start:end] = True
    texts = [f"{place.before}{place.formula.tex}{place.after}" for place in places]
    lengths = np.array([*map(len, texts)], dtype=np.int64)
    n_gone, n_new = prefix_sums(is_gone), prefix_sums(lengths)

    def moved(characters: Ints, n_before: Ints) -> Ints:
        """Where characters are then, given how many formulas are written before each."""
        return characters - n_gone[characters] + n_new[n_before]

    starts = moved(segments.start, np.searchsorted(at, segments.start, "right"))
    ends = moved(segments.end, np.searchsorted(at, segments.end, "left"))
    begins = moved(at, np.arange(len(places))) + [len(place.before) for place in places]
    # Text that is dropped and draws a formula before the text that is kept takes no room.
    firsts = np.searchsorted(segments.tag, bounds[:, 0])
    for first, row, begin in zip(firsts.tolist(), rows.tolist(), begins.tolist(), strict=True):
        starts[first:row] = ends[first:row] = begin
    codes = np.repeat(at, lengths)
    chars = np.insert(table.chars, codes, _codes("".join(texts)))[np.insert(~is_gone, codes, True)]
    tags_before = np.searchsorted(before_tags, np.arange(len(tags.id)), "left")
    n_of_blocks = np.bincount(blocks, minlength=len(table))
    new_ends = begins + [len(place.formula.tex) for place in places]
    table = table.replace(
        chars=np.append(chars, _codes(" ")),  # before which all segments begin
        segment_starts=table.segment_starts + prefix_sums(n_of_blocks),
        segments=Segments(
            np.insert(segments.tag, rows, before_tags),
            np.insert(starts, rows, begins),
            np.maximum(np.insert(ends, rows, new_ends), 1),  # no segment ends before
        ),
        tags=tags.replace(text_start=moved(tags.text_start, tags_before)),
    )
    table.freeze()
    pairs = [*enumerate(places)]
    display = {n + place.segment: place.formula.display for n, place in pairs}
    alone = {n + p.segment: p.formula.open for n, p in pairs if _PARTED in (p.before, p.after)}
    return table, Formulas(display, alone, np.array([f[:2] for f in in_batch], dtype=np.int64))


def _codes(text: str) -> Chars:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
