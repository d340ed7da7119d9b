"""Data tables as clauses: each data row is read with its headers.

A clause is ``thema ;; finalImportant ;; header ; header: data / header ; header: data.``, without
what the table lacks. A data cell has at most two headers: that of its column, then that of its row,
or two levels of one of them; further levels are joined by commas.

Source: Falco, Moriceau, Vilnat (2012), section 3.1.2. Its pattern writes ``header ; data``, the
text that it prints ``header: data``; this is the printed form.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from victor.kitten.passages import Passage, Removals, as_sentence, words_of
from victor.page.allowance import Allowance
from victor.page.markup.full_record import Markup
from victor.tables.cells import (
    DATA,
    FINAL_IMPORTANT,
    FINAL_NON_IMPORTANT,
    HEADER,
    THEMA,
    KnownTypes,
)
from victor.tables.leaf_tables import LeafTable, expand, leaf_tables

BETWEEN_PARTS: Final = " ;; "
BETWEEN_HEADERS: Final = " ; "
BETWEEN_DATA: Final = " / "
BEFORE_DATA: Final = ": "
_MOST_HEADERS: Final = 8
"""Levels of headers that are read; deeper ones come from tables that were misclassified."""

SPARE_CHARACTERS: Final = 1_000_000
CHARACTERS_PER_CHARACTER: Final = 20
"""Characters that clauses may repeat: a million, and some for each character of the table.

Beyond that captions, headers and wide cells stand only where they are first read, so that a clause
in all rows of a hostile table costs no more than the table.
"""

Line = list[tuple[int, int]]
"""Columns and cells of one row of the grid; a cell occurs as often as it has places."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The text of a table."""

    clauses: tuple[str, ...]  # one for each row with data, in order
    removed: tuple[tuple[str, str], ...]  # texts that are in no clause, each with the reason


def read(table: LeafTable, types: Sequence[Sequence[str]]) -> Reading:
    """Read a data table row by row.

    Captions and titles come first in every clause, then the notes. A table without data is read
    linearly, a line for each row.

    Args:
        table: the table.
        types: type of each cell, row by row.
    """
    return _Reader(table, [kind for row in types for kind in row]).reading()


class _Reader:
    def __init__(self, table: LeafTable, types: list[str]) -> None:
        self._table = table
        self._texts = [cell.text for cell in table.cells]
        self._types = types
        self._used: set[int] = set()
        self._section: tuple[int, ...] = ()
        self._heads: dict[int, tuple[int, ...]] = {}
        self._last_was_head = False
        length = sum(map(len, self._texts)) + len(table.caption)
        self._repeats = _Repeats(SPARE_CHARACTERS + CHARACTERS_PER_CHARACTER * length)

    def reading(self) -> Reading:
        lines = [line for row in self._rows() if (line := self._row(row))]
        if not lines:
            return Reading(tuple(self._linear()), ())
        parts = [self._table.caption, self._of_type(THEMA), self._of_type(FINAL_IMPORTANT)]
        prefix = BETWEEN_PARTS.join(filter(None, parts))
        clauses = [as_sentence(self._clause(prefix, line)) for line in lines]
        outside = [as_sentence(self._table.outside)] if self._table.outside else []
        return Reading((*clauses, *outside), tuple(self._removed()))

    def _clause(self, prefix: str, line: str) -> str:
        if not prefix or not self._repeats.allow(prefix, len(prefix)):
            return line
        return prefix + BETWEEN_PARTS + line

    def _rows(self) -> list[Line]:
        grid = expand(self._table)
        rows: list[Line] = [[] for _ in range(grid.n_rows)]
        places = zip(grid.row.tolist(), grid.column.tolist(), grid.cell.tolist(), strict=True)
        for row, column, cell in places:
            rows[row].append((column, cell))
        return rows

    def _row(self, row: Line) -> str:
        filled = [(column, cell) for column, cell in row if self._texts[cell]]
        kinds = {self._types[cell] for _, cell in filled}
        if DATA in kinds:
            self._last_was_head = False
            return BETWEEN_DATA.join(self._data(filled))
        if HEADER in kinds:
            self._take_heads([entry for entry in filled if self._types[entry[1]] == HEADER])
        return ""

    def _take_heads(self, heads: Line) -> None:
        is_section = len({cell for _, cell in heads}) == 1
        if not self._last_was_head:
            self._section = ()
            self._heads = self._heads if is_section else {}
        self._last_was_head = True
        if is_section:
            self._section = (*self._section, heads[0][1])[:_MOST_HEADERS]
            return
        for column, cell in heads:
            above = self._heads.get(column, ())
            self._heads[column] = (*above, cell)[:_MOST_HEADERS]

    def _data(self, row: Line) -> list[str]:
        stub: list[int] = []
        after_data = True
        data: dict[tuple[int, str], str] = {}
        for column, cell in row:
            if self._types[cell] == HEADER:
                stub = [cell] if after_data else [*stub, cell][:_MOST_HEADERS]
                after_data = False
            elif self._types[cell] == DATA:
                after_data = True
                headers = self._headers(stub, self._heads.get(column, ()))
                self._used.add(cell)
                if (cell, headers) not in data and self._repeats.allow(cell, self._length(cell)):
                    text = self._texts[cell]
                    data[cell, headers] = BEFORE_DATA.join(filter(None, (headers, text)))
        return [*data.values()]

    def _headers(self, stub: list[int], heads: tuple[int, ...]) -> str:
        """``header ; header``, that of the column first; one or none where there are no more."""
        levels = [
            [cell for cell in dict.fromkeys(level) if self._repeats.allow(cell, self._length(cell))]
            for level in ((*self._section, *heads), stub)
        ]
        self._used.update(levels[0], levels[1])
        if not all(levels):
            (both,) = [level for level in levels if level] or [[]]
            levels = [both[:-1], both[-1:]]
        names = [", ".join(map(self._header, level)) for level in levels if level]
        return BETWEEN_HEADERS.join(names)

    def _length(self, cell: int) -> int:
        return len(self._texts[cell])

    def _header(self, cell: int) -> str:
        return self._texts[cell].rstrip(":： ") or self._texts[cell]

    def _of_type(self, kind: str) -> str:
        cells = zip(self._texts, self._types, strict=True)
        return " ".join(text for text, cell_type in cells if text and cell_type == kind)

    def _linear(self) -> list[str]:
        rows = (
            BETWEEN_DATA.join(cell.text for cell in row.cells if cell.text)
            for row in self._table.rows
        )
        lines = (self._table.caption, *rows, self._table.outside)
        return [as_sentence(line) for line in lines if line]

    def _removed(self) -> list[tuple[str, str]]:
        reasons = {
            HEADER: "header of no data",
            DATA: "covered by other cells",
            FINAL_NON_IMPORTANT: "repeated header",
        }
        cells = enumerate(zip(self._texts, self._types, strict=True))
        return [
            (text, reasons.get(kind, "neutral"))
            for cell, (text, kind) in cells
            if text and cell not in self._used and kind not in {THEMA, FINAL_IMPORTANT}
        ]


class _Repeats:
    """What clauses say more than once.

    Args:
        spare: how many characters.
    """

    def __init__(self, spare: int) -> None:
        self._spare = spare
        self._said: set[int | str] = set()

    def allow(self, what: int | str, length: int) -> bool:
        """May a text be written here: the first time always."""
        if what not in self._said:
            self._said.add(what)
            return True
        if length > self._spare:
            return False
        self._spare -= length
        return True


# --- Clauses in the place of passages -------------------------------------------------------------

TABLE: Final = "table"


def read_tables(
    passages: Sequence[Passage],
    full: Markup,
    texts: Sequence[str],
    of_data: Collection[int],
    removals: Removals,
    allowance: Allowance,
) -> list[Passage]:
    """Passages in which every leaf table with data is replaced by its clauses.

    A table and its cells are classified by their whole content, dropped or not.

    Args:
        passages: of a page.
        full: the page.
        texts: what each of its items adds to the text.
        of_data: ordinals of the start tags of the tables of data.
        removals: receives the texts that are in no clause.
        allowance: what all clauses together may take.

    Raises:
        PageError: they take more.
    """
    present = {passage.table for passage in passages}
    known = KnownTypes()
    readings: dict[int, Reading] = {}
    length = 0
    for complete, visible in zip(leaf_tables(full), leaf_tables(full, texts), strict=True):
        if complete.first in present and int(full.tag[complete.first]) in of_data:
            reading = readings[visible.first] = read(visible, known.of(complete))
            length += sum(map(len, reading.clauses))
        allowance.check(length)
    return _replaced(passages, readings, removals)


def _replaced(
    passages: Sequence[Passage], readings: Mapping[int, Reading], removals: Removals
) -> list[Passage]:
    """Passages in which the clauses of some tables stand where their first passages were."""
    out: list[Passage] = []
    left = {
        table: words_of(" ".join((*reading.clauses, *(text for text, _ in reading.removed))))
        for table, reading in readings.items()
    }
    begun: set[int] = set()
    for passage in passages:
        table = passage.table
        if table not in readings:
            out.append(passage)
            continue
        if table not in begun:
            begun.add(table)
            for text, reason in readings[table].removed:
                removals.add(f"{TABLE}: {reason}", text)
            texts = readings[table].clauses
            out += [Passage(text, table=table, is_finished=True) for text in texts]
        words, unread = words_of(passage.text), left[table]
        # Only the words of the passage are looked at: the table may hold as many as the page.
        if all(unread[word] >= count for word, count in words.items()):
            unread.subtract(words)
        else:  # the table reader assigned it elsewhere; every removal is recorded
            removals.add(TABLE, passage.text)
    return out
