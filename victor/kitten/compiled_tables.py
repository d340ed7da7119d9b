"""Data tables of a batch by the compiled core: all are read and measured in a few calls.

What is computed is what `victor.kitten.page_tables` defines.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from victor.base import core
from victor.base.arrays import Bools, Codes, Ints
from victor.kitten.data_tables import DATA, TABLE_FEATURES, table_forest, table_marks
from victor.kitten.tables import span
from victor.page.markup.start_tags import Attributes, StartTags, start_tags
from victor.page.parsing.tags import member_mask
from victor.page.table.blocks import BlockTable
from victor.page.table.one_page import one_page
from victor.page.verdict.paragraphs import DataTables
from victor.page.verdict.preformatted import PRE, is_gutter
from victor.page.verdict.tag_roles import roles

_NO_ATTRIBUTES: Final[Attributes] = {}
_SPANS: Final = ("colspan", "rowspan")
_LETTER: Final = 1
_DIGIT: Final = 2
_TABULATED: Final = (0x3000, 0x20000, 0x110000)
"""Code points whose bits are made together: those of most pages take little time."""

_AttributesOf = Callable[[int], Attributes]


def data_tables(
    table: BlockTable, kept: Bools, pages: Sequence[bytes], *, fewest: int, most_rows: int
) -> DataTables:
    """The data tables among those in which something is kept.

    Args:
        table: the blocks of a batch.
        kept: (n,) bool; which of them are.
        pages: the pages as UTF-8 bytes.
        fewest: rows, and cells in one of them, of a table with data.
        most_rows: rows that tell whether a table holds data.
    """
    candidates = _Candidates.of(table, kept, fewest, most_rows)
    is_data = np.zeros(len(table.elements), dtype=bool)
    column = np.full(len(table.elements), -1, dtype=np.int64)
    if len(candidates.tables):
        tags = _TagsOfPages(table, pages)
        chosen = candidates.tables[_hold_data(table, candidates, tags)]
        is_data[chosen] = True
        if len(chosen):
            cells, columns = _columns(table, chosen, tags)
            column[cells] = columns
    return DataTables(is_data, column)


@dataclass(frozen=True, eq=False)
class _Candidates:
    """Tables that may hold data.

    Attributes:
        tables: (m,) their elements.
        ends: (m,) one past the last tag of their first rows.
        cell_offsets: (m + 1,) their rows in `cell_tags`.
        cell_tags: start tags of the cells in these rows.
        with_code: (m,) is preformatted text in them.
    """

    tables: Ints
    ends: Ints
    cell_offsets: Ints
    cell_tags: Ints
    with_code: Ints

    @classmethod
    def of(cls, table: BlockTable, kept: Bools, fewest: int, most_rows: int) -> _Candidates:
        found = core.compiled.table_candidates(table, roles(), kept, fewest, most_rows)
        return cls(*(core.array(memory, np.int64) for memory in found))

    def only(self, rows: Bools) -> _Candidates:
        """Some of them."""
        if rows.all():
            return self
        sizes = np.diff(self.cell_offsets)
        return _Candidates(
            self.tables[rows],
            self.ends[rows],
            np.append(0, np.cumsum(sizes[rows])),
            self.cell_tags[np.repeat(rows, sizes)],
            self.with_code[rows],
        )


class _TagsOfPages:
    """The attributes of the start tags of a batch; a page is read when it is asked for."""

    def __init__(self, table: BlockTable, pages: Sequence[bytes]) -> None:
        self._table, self._pages = table, pages
        self._first_tags = table.elements.open[table.page_roots]
        self._readers: dict[int, _AttributesOf] = {}
        self._naming: dict[int, bool] = {}

    def of(self, tags: Ints) -> list[Attributes]:
        """Attributes of start tags."""
        numbers = self._page_numbers(tags)
        on_page = (tags - self._first_tags[numbers]).tolist()
        return [
            self._reader(page)(tag) for page, tag in zip(numbers.tolist(), on_page, strict=True)
        ]

    def of_cells(self, tags: Ints) -> list[Attributes]:
        """Attributes of the start tags of cells; none at all on pages that name no span."""
        numbers = self._page_numbers(tags)
        pages = dict.fromkeys(numbers.tolist())
        naming = [page for page in pages if self._names_spans(page)]
        rows = np.flatnonzero(np.isin(numbers, naming)) if naming else numbers[:0]
        result = [_NO_ATTRIBUTES] * len(tags)
        for row, attributes in zip(rows.tolist(), self.of(tags[rows]), strict=True):
            result[row] = attributes
        return result

    def _names_spans(self, page: int) -> bool:
        if page not in self._naming:
            self._naming[page] = core.compiled.names_spans(self._pages[page])
        return self._naming[page]

    def _page_numbers(self, tags: Ints) -> Ints:
        return np.searchsorted(self._first_tags, tags, side="right") - 1

    def _reader(self, page: int) -> _AttributesOf:
        reader = self._readers.get(page)
        if reader is None:
            attributes = start_tags(self._pages[page])
            reader = self._readers[page] = StartTags(one_page(self._table, page), attributes).of
        return reader


def _hold_data(table: BlockTable, candidates: _Candidates, tags: _TagsOfPages) -> Bools:
    """(m,) is each candidate a table of data."""
    is_data = np.ones(len(candidates.tables), dtype=bool)
    for row in np.flatnonzero(candidates.with_code).tolist():
        is_data[row] = not _has_gutter(table, int(candidates.tables[row]))
    measured = candidates.only(is_data)
    if len(measured.tables):
        forest = table_forest()
        shares = forest(_measures(table, measured, tags))
        is_data[is_data] = shares.argmax(axis=1) == forest.classes.index(DATA)
    return is_data


def _has_gutter(table: BlockTable, element: int) -> bool:
    """Does a table hold numbers of the lines of code."""
    elements = table.elements
    inside = slice(
        *np.searchsorted(elements.open, (elements.open[element], elements.close[element]))
    )
    pre = inside.start + np.flatnonzero(member_mask(PRE)[elements.tag[inside]])
    return any(is_gutter(table, number) for number in pre.tolist())


def _measures(
    table: BlockTable, candidates: _Candidates, tags: _TagsOfPages
) -> NDArray[np.float32]:
    """(m, F) float32 measures of tables."""
    marks = map(table_marks, tags.of(table.elements.open[candidates.tables]))
    columns, rows, _ = _spans(tags.of_cells(candidates.cell_tags))
    given = (
        *(table, roles(), candidates.tables, candidates.ends, candidates.cell_offsets),
        *(columns, rows, np.array([*marks], dtype=np.uint8)),
    )
    for limit in _TABULATED:
        result = core.compiled.measure_tables(*given, _letters_and_digits(limit))
        if not isinstance(result, int):  # else a character that is not tabulated
            break
    return core.array(result, np.float32).reshape(-1, len(TABLE_FEATURES))


def _spans(cells: Sequence[Attributes]) -> tuple[Ints, Ints, Bools]:
    """Columns and rows that cells span, and whether they say so."""
    spans = np.ones((2, len(cells)), dtype=np.int64)
    says_so = np.zeros(len(cells), dtype=bool)
    for number, attributes in enumerate(cells):
        for axis, name in enumerate(_SPANS):
            written = attributes.get(name)
            if written is not None:
                spans[axis, number] = span(written)
                says_so[number] = True
    return spans[0], spans[1], says_so


@cache
def _letters_and_digits(limit: int) -> Codes:
    """(limit,) uint8, read-only: which code points are letters and digits, as Python has it."""
    characters = np.arange(limit, dtype="<u4").view("<U1")
    bits = np.char.isalpha(characters) * np.uint8(_LETTER)
    bits |= np.char.isdigit(characters) * np.uint8(_DIGIT)
    bits.flags.writeable = False
    return bits


def _columns(table: BlockTable, tables: Ints, tags: _TagsOfPages) -> tuple[Ints, Ints]:
    """The cells of tables of data, and their columns with all spans expanded."""
    found = core.compiled.table_cells(table, roles(), tables)
    offsets, cells, row_of_cell = (core.array(memory, np.int64) for memory in found)
    columns, rows, says_so = _spans(tags.of_cells(table.elements.open[cells]))
    result = _ranks(offsets, row_of_cell)
    spanned = np.logical_or.reduceat(says_so, offsets[:-1])
    if spanned.any():
        sizes = np.diff(offsets)
        inside = np.repeat(spanned, sizes)
        memory = core.compiled.cell_columns(
            *(table, roles(), tables[spanned], np.append(0, np.cumsum(sizes[spanned]))),
            *(columns[inside], rows[inside]),
        )
        result[inside] = core.array(memory, np.int64)
    return cells, result


def _ranks(offsets: Ints, row_of_cell: Ints) -> Ints:
    """The number of each cell in its row, from 0."""
    is_new = np.diff(row_of_cell, prepend=-2) != 0
    is_new[offsets[:-1]] = True
    new = np.flatnonzero(is_new)
    return np.arange(len(is_new)) - np.repeat(new, np.diff(new, append=len(is_new)))
