"""Formulas: which text draws them, and the TeX that stands for them.

A page shows a formula several times: as MathML, as text for browsers without it, as TeX for
programs. TeX is read from an ``<annotation>`` inside ``<math>`` (KaTeX, MediaWiki, LaTeXML), from
``alttext``, or from the script that MathJax 2 draws; it then stands for all of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import numpy as np

from victor.base.arrays import Bools, Ints
from victor.page.parsing.heads import Formula
from victor.page.parsing.tags import IDS
from victor.page.table.blocks import BlockTable
from victor.page.table.texts import text_of

_DRAWN: Final = frozenset(
    "katex katex-display katex-block mwe-math-element MathJax MathJax_Display MathJax_Preview "
    "MathJax_SVG MathJax_SVG_Display MathJax_CHTML MJXc-display".split()
)
"""Classes of the elements that hold all drawings of one formula."""
_DISPLAY: Final = frozenset({"katex-display", "katex-block", "MathJax_Display", "MJXc-display"})
_STYLE: Final = re.compile(r"\A\{\\(displaystyle|textstyle|scriptstyle)\s++(.*)\}\Z", re.DOTALL)
"""What MediaWiki puts around every formula."""


@dataclass(frozen=True, slots=True)
class Tex:
    """TeX of a formula.

    Attributes:
        source: without dollar signs.
        display: it is set on a line of its own.
    """

    source: str
    display: bool


@dataclass(frozen=True, eq=False)
class Formulas:
    """Formulas of a batch of pages.

    Attributes:
        tex: TeX that stands for a segment, by its number; all others that draw it are hidden.
        hidden: (S,) bool; segments that draw a formula another time.
    """

    tex: dict[int, Tex]
    hidden: Bools

    def touches(self, segments: range) -> bool:
        """Does TeX stand for one of some adjacent segments."""
        is_hidden = self.hidden[segments.start : segments.stop].any()
        return bool(is_hidden) or any(row in self.tex for row in segments)


def formulas(table: BlockTable) -> Formulas | None:
    """The formulas of the pages of a table, None where there are none."""
    chosen = np.isin(table.elements.tag, [IDS["math"], IDS["annotation"]])
    if not chosen.any():
        return None
    reader = _Reader(table)
    for element in np.flatnonzero(chosen).tolist():
        reader.read(element)
    return Formulas(reader.tex, reader.hidden)


class _Reader:
    """Reads the formulas of a table one after the other."""

    def __init__(self, table: BlockTable) -> None:
        self.tex: dict[int, Tex] = {}
        self.hidden = np.zeros(len(table.segments), dtype=bool)
        self._table = table
        self._drawn = _drawn(table)
        self._is_math = table.segments_inside(frozenset({"math"}))
        self._is_annotation = table.segments_inside(frozenset({"annotation"}))
        self._noted = {
            int(table.elements.open[root]) + formula.tag: formula
            for root, head in zip(table.page_roots.tolist(), table.heads, strict=True)
            for formula in head.formulas
        }

    def read(self, element: int) -> None:
        """Read a ``<math>``, or the annotation that stands for a script; others are in a math."""
        segments = self._segments(element)
        formula = self._noted.get(int(self._table.elements.open[element]))
        if self._table.elements.tag[element] == IDS["math"]:
            self._read_math(segments, formula, int(self._drawn[element]))
        elif segments.start < segments.stop and not self._is_math[segments.start]:
            self._read_script(segments, is_display=formula is not None and formula.display)

    def _read_math(self, segments: slice, formula: Formula | None, picture: int) -> None:
        """One without TeX stays the text that it is."""
        around = self._segments(picture) if picture >= 0 else segments
        if around.start == around.stop or self.hidden[around].any():
            return
        rows = segments.start + np.flatnonzero(self._is_annotation[segments])
        source = " ".join(map(self._text, rows.tolist())) or (formula.tex if formula else "")
        if source:
            is_display = formula is not None and formula.display
            self.hidden[around] = True
            self.hidden[around.start] = False
            tex = _tex(source, display=is_display or _is_display(self._table, picture))
            self.tex[around.start] = tex

    def _read_script(self, segments: slice, *, is_display: bool) -> None:
        """What was drawn of a script stands just before it."""
        self.tex[segments.start] = _tex(self._text(segments.start), display=is_display)
        before = segments.start - 1
        while before >= 0 and not self.hidden[before] and before not in self.tex:
            picture = int(self._drawn[self._table.segment_element[before]])
            if picture < 0:
                return
            span = self._segments(picture)
            self.hidden[span] = True
            before = span.start - 1

    def _segments(self, element: int) -> slice:
        span = self._table.elements.open[element], self._table.elements.close[element]
        return slice(*np.searchsorted(self._table.segments.tag, span).tolist())

    def _text(self, segment: int) -> str:
        segments = self._table.segments
        return text_of(self._table.chars[segments.start[segment] : segments.end[segment]])


def _drawn(table: BlockTable) -> Ints:
    """(E,) the outermost element around each that draws one formula, the element itself or -1."""
    elements = table.elements
    chosen = np.zeros(len(elements), dtype=bool)
    if "class" in table.attributes:
        rows = [_is_one_of(_DRAWN, names) for names in table.attribute("class")]
        chosen = np.array([*rows, False], dtype=bool)[elements.bundle]
    nearest = elements.nearest(chosen)
    # Formulas are nested two or three deep: katex-display, katex.
    for _ in range(2):
        outer = np.where(nearest >= 0, nearest[elements.parent[nearest]], -1)
        nearest = np.where(outer >= 0, outer, nearest)
    return nearest


def _tex(source: str, *, display: bool) -> Tex:
    """TeX on one line, without the style that a program put around it."""
    source = " ".join(source.split())
    match = _STYLE.match(source)
    return Tex(match[2].strip() if match else source, display)


def _is_display(table: BlockTable, drawn: int) -> bool:
    row = int(table.elements.bundle[drawn]) if drawn >= 0 else -1
    return row >= 0 and _is_one_of(_DISPLAY, table.attribute("class")[row])


def _is_one_of(names: frozenset[str], classes: str | None) -> bool:
    return classes is not None and not names.isdisjoint(classes.split())
