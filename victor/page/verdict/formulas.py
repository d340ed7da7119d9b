"""Formulas in the text of blocks: which text draws them, and the TeX that stands for it.

Where no text draws a formula (it is an image, or style sheets draw it), its TeX stands beside the
text before or after it. Labels are not touched: what a formula is shown as is decided after them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
from msgspec import Struct, field

from victor.base.arrays import Bools, Ints
from victor.page.formulas.find import Formula, formulas
from victor.page.formulas.mentioned import in_classes, in_images
from victor.page.markup.full_record import markup_of
from victor.page.parsing.tags import CUSTOM, IDS, PARTING, UNKNOWN, member_mask
from victor.page.table.blocks import BlockTable

_TORN: Final = frozenset({CUSTOM, "math"})
"""Elements that part no paragraphs where they are a formula."""


class Tex(NamedTuple):
    """TeX of a formula.

    Attributes:
        source: without dollar signs.
        display: it is set on a line of its own.
    """

    source: str
    display: bool


class Beside(NamedTuple):
    """A formula that no text draws.

    Attributes:
        tex: what it says.
        gap: white space before it.
        tag: where it stands; ordinal of a tag.
    """

    tex: Tex
    gap: str
    tag: int


class Formulas(Struct, frozen=True, eq=False):
    """Formulas of a batch of pages.

    Attributes:
        tex: TeX that stands for a segment, by its number; all others that draw it are hidden.
        hidden: (S,) bool; segments that draw a formula another time.
        before, after: formulas in the paragraph of a segment that stand before it, or after it
            where nothing follows in the paragraph, by its number.
        alone: formulas that are paragraphs of their own, by the number of the kept segment before
            them, or after them where none is before.
        gaps: white space before a segment, where that is not what the table says.
        spans: (m, 2) int64 ordinals of the first and last tag of every formula, in order.
    """

    tex: dict[int, Tex]
    hidden: Bools
    before: dict[int, list[Beside]] = field(default_factory=lambda: defaultdict(list))
    after: dict[int, list[Beside]] = field(default_factory=lambda: defaultdict(list))
    alone: dict[int, list[Beside]] = field(default_factory=lambda: defaultdict(list))
    gaps: dict[int, str] = field(default_factory=dict)
    spans: Ints = field(default_factory=lambda: np.zeros((0, 2), dtype=np.int64))

    def touch(self, segments: range) -> bool:
        """Is any of some adjacent segments written otherwise than as it is."""
        is_hidden = self.hidden[segments.start : segments.stop].any()
        return bool(is_hidden) or any(
            row in self.tex or row in self.before or row in self.after or row in self.gaps
            for row in segments
        )

    def draw(self, tag: int) -> bool:
        """Does a tag belong to what draws a formula."""
        row = int(np.searchsorted(self.spans[:, 0], tag, side="right")) - 1
        return row >= 0 and tag <= self.spans[row, 1]


def shown_formulas(
    table: BlockTable, kept: Bools, markups: Sequence[bytes]
) -> tuple[BlockTable, Formulas] | None:
    """The formulas of pages, and a table in which they part no sentence; None if there are none.

    Args:
        table: of the pages.
        kept: (n,) bool; which blocks are.
        markups: the pages as UTF-8 bytes, empty for those that have no formulas for sure; none
            where they are not known.
    """
    in_batch = [
        replaced
        for page, markup in enumerate(markups)
        if markup
        for replaced in _of_page(table, page, markup)
    ]
    if not in_batch:
        return None
    table = _untorn(table, in_batch)
    return table, _Placer(table, kept, in_batch).formulas


def _of_page(table: BlockTable, page: int, markup: bytes) -> list[Formula]:
    """The formulas of a page by the tags of the table; none if it was made of other markup."""
    root = table.page_roots[page]
    first, last = int(table.elements.open[root]), int(table.elements.close[root])
    record = markup_of(table, page, markup)
    if record.n_tags != last + 1 - first:
        return []
    in_page = formulas(record, in_classes=in_classes(markup), in_images=in_images(markup))
    return [
        formula._replace(open=first + formula.open, close=first + formula.close)
        for formula in in_page
    ]


def _untorn(table: BlockTable, in_batch: Sequence[Formula]) -> BlockTable:
    """The table with elements that mean nothing in place of those that draw formulas."""
    ids, elements = table.tags.id.copy(), table.elements
    may_tear = member_mask(_TORN)
    for formula in in_batch:
        span = slice(formula.open, formula.close + 1)
        inner = slice(formula.open + 1, formula.close)
        ids[inner] = np.where(table.tags.step[inner] != 0, IDS[UNKNOWN], ids[inner])
        ids[span] = np.where(may_tear[ids[span]], IDS[UNKNOWN], ids[span])
    tags = replace(table.tags, id=ids)
    table = replace(table, tags=tags, elements=replace(elements, tag=ids[elements.open]))
    table.freeze()
    return table


class _Placer:
    """Finds a place for every formula of some pages.

    Args:
        table: in which formulas part no sentence.
        kept: (n,) bool; which blocks are.
        in_batch: the formulas in order, by the tags of the table.
    """

    def __init__(self, table: BlockTable, kept: Bools, in_batch: Sequence[Formula]) -> None:
        self._table = table
        self._is_kept = kept[table.block_of_segment]
        self._n_parting = np.cumsum(member_mask(PARTING)[table.tags.id])
        spans = np.array([formula[:2] for formula in in_batch], dtype=np.int64)
        self.formulas = Formulas({}, np.zeros(len(table.segments), dtype=bool), spans=spans)
        bounds = np.searchsorted(table.segments.tag, spans).tolist()
        others = [
            formula
            for formula, (first, last) in zip(in_batch, bounds, strict=True)
            if not self._replaces(formula, first, last)
        ]
        rows = np.where(self.formulas.hidden, -1, np.arange(len(table.segments)))
        self._last = np.maximum.accumulate(rows)
        rows = np.where(self.formulas.hidden, len(rows), rows)
        self._next = np.minimum.accumulate(rows[::-1])[::-1]
        for formula in others:
            self._place(formula)
        for formula in in_batch:
            self._part(formula)

    def _replaces(self, formula: Formula, first: int, last: int) -> bool:
        """Put a formula in place of the kept text that draws it, if any does."""
        self.formulas.hidden[first:last] = True
        drawn = first + np.flatnonzero(self._is_kept[first:last])
        if not len(drawn):
            return False
        row = int(drawn[0])
        self.formulas.hidden[row] = False
        self.formulas.tex[row] = Tex(formula.tex, formula.display)
        self.formulas.gaps[row] = formula.before
        return True

    def _place(self, formula: Formula) -> None:
        """Put a formula beside the text around it."""
        tex, (before, after) = Tex(formula.tex, formula.display), self._around(formula)
        beside = Beside(tex, formula.before, formula.open)
        has_text = np.diff(np.searchsorted(self._table.segments.tag, formula[:2]))[0] > 0
        if self._are_one(formula.close, after):
            self.formulas.before[after].append(beside)
        elif self._are_one(formula.open, before):
            self.formulas.after[before].append(beside)
        elif not has_text and self._is_inside(formula, before, after):
            shown = Beside(tex._replace(display=True), "", formula.open)
            self.formulas.alone[before if self._is_shown(before) else after].append(shown)

    def _part(self, formula: Formula) -> None:
        """Note the white space after a formula."""
        _, after = self._around(formula)
        if self._are_one(formula.close, after) and after not in self.formulas.tex:
            self.formulas.gaps[after] = formula.after

    def _around(self, formula: Formula) -> tuple[int, int]:
        """The segments of the page before and after a formula that are shown; -1 for none."""
        table = self._table
        page = int(np.searchsorted(table.elements.open[table.page_roots], formula.open)) - 1
        root = table.page_roots[page]
        tags = table.elements.open[root], formula.open, formula.close, table.elements.close[root]
        start, first, last, stop = np.searchsorted(table.segments.tag, tags).tolist()
        before = int(self._last[first - 1]) if first else -1
        after = int(self._next[last]) if last < len(self._next) else -1
        return before if before >= start else -1, after if after < stop else -1

    def _is_shown(self, segment: int) -> bool:
        return segment >= 0 and bool(self._is_kept[segment])

    def _are_one(self, tag: int, segment: int) -> bool:
        """Does a segment that is shown stand in the paragraph of a tag."""
        if not self._is_shown(segment):
            return False
        return bool(self._n_parting[tag] == self._n_parting[self._table.segments.tag[segment]])

    def _is_inside(self, formula: Formula, before: int, after: int) -> bool:
        """Is a formula between kept text, or beside it in an element in which all is kept."""
        sides = self._is_shown(before) + self._is_shown(after)
        return sides > 1 or (sides == 1 and self._is_whole(formula))

    def _is_whole(self, formula: Formula) -> bool:
        """Is all of the nearest element around a formula kept that holds text."""
        elements = self._table.elements
        element = int(self._table.tags.element[formula.open])
        while element != elements.parent[element]:
            bounds = elements.open[element], elements.close[element]
            first, last = np.searchsorted(self._table.segments.tag, bounds).tolist()
            if first < last:
                return bool(self._is_kept[first:last].all())
            element = int(elements.parent[element])
        return False
