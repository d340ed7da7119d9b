"""Leaf tables of a page, their cells, and the grid of the cells with all spans expanded.

A leaf table holds no other table. Its text, its rows and the counts for the two classifiers are
gathered in one pass over the full record of the page.

Source: Falco, Moriceau, Vilnat (2012), Kitten: a tool for normalizing HTML and extracting its
textual content, section 3. Spans: HTML standard, "Forming a table".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from msgspec import Struct, field

from victor.base.arrays import Ints
from victor.page.markup.full_record import Item, Kind, Markup
from victor.page.verdict.paragraphs import BOLD, BREAKS, CONTROLS, SECTIONS

MOST_COLUMNS: Final = 1_000
"""Columns that one cell may span, as in the HTML standard."""
SPARE_PLACES: Final = 10_000
PLACES_PER_CELL: Final = 4
"""Places of the grid that spans may add: a few thousand, and some for each cell of the table.

Beyond that spans count as 1, so a hostile table costs no more than its size.
"""

_CELLS: Final = frozenset({"td", "th"})
_NUMBER: Final = re.compile(r"\s*\+?0*(\d{1,9})")


class Cell(Struct, frozen=True):
    """One cell as it stands in the markup."""

    text: str  # visible text, white space collapsed
    is_th: bool  # a ``<th>``, not a ``<td>``
    columns: int  # that it spans, as declared
    rows: int  # likewise; 0 are all that follow in its section
    height: int  # lines of text that ``<br>`` and block-level tags make
    breaks: int  # number of ``<br>``
    bold: int  # characters of the text, white space included, in bold or heading elements
    linked: int  # and in links
    images: int  # number of images
    controls: int  # number of form controls
    look: str  # class, colours and style as they are written, for comparison only


class Row(Struct, frozen=True):
    """One row."""

    cells: tuple[Cell, ...]  # in document order
    section: int  # number of the ``thead``, ``tbody`` or ``tfoot`` around it; 0 is outside
    part: str  # name of that element, "" outside


class LeafTable(Struct, frozen=True):
    """A table that holds no table."""

    first: int  # position of its start tag in the items of the page
    last: int  # position of its end tag
    rows: tuple[Row, ...]  # in document order, those without a cell included
    caption: str  # text of its ``<caption>``
    outside: str  # text in the table but in no cell and no caption

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All cells in document order."""
        return tuple(cell for row in self.rows for cell in row.cells)


class Grid(Struct, frozen=True, eq=False):
    """The cell at every place of a table with its spans expanded; S places, row by row.

    Only places with a cell are listed: a table with one long row would be mostly holes.
    """

    row: Ints  # (S,) int64
    column: Ints  # (S,) int64
    cell: Ints  # (S,) int64; cells are numbered in document order
    n_rows: int  # of the grid
    n_columns: int  # of the grid

    def at(self, row: Ints, column: Ints) -> Ints:
        """Cells at given places, -1 where there is none."""
        if not len(self.cell):
            return np.full(row.shape, -1, dtype=np.int64)
        keys = self.row * self.n_columns + self.column
        queries = row * self.n_columns + column
        index = np.searchsorted(keys, queries).clip(max=len(keys) - 1)
        inside = (column >= 0) & (column < self.n_columns) & (row >= 0)
        return np.where(inside & (keys[index] == queries), self.cell[index], -1)


def leaf_tables(markup: Markup, texts: Sequence[str] | None = None) -> list[LeafTable]:
    """All leaf tables of a page in document order, dropped elements left out.

    Args:
        markup: the full record of the page.
        texts: what each item adds to the text of its cell, e.g. "" for what a labeler drops;
            None for the text as it is, with alternative texts of images if the record has them.
    """
    texts = visible_texts(markup) if texts is None else texts
    leaves: list[LeafTable] = []
    open_tables: list[_Builder] = []
    for position, (item, text) in enumerate(zip(markup.items, texts, strict=True)):
        if item.dropped:
            continue
        if item.kind is Kind.START and item.text == "table":
            if open_tables:
                open_tables[-1].is_leaf = False
            open_tables.append(_Builder(position))
        elif item.kind is Kind.END and item.text == "table" and open_tables:
            builder = open_tables.pop()
            if builder.is_leaf:
                leaves.append(builder.table(position))
        elif open_tables and open_tables[-1].is_leaf:
            open_tables[-1].take(item, text)
    return sorted(leaves, key=lambda table: table.first)


def visible_texts(markup: Markup) -> list[str]:
    """What each item of a page adds to the text around it."""
    texts = (i.text if i.kind is Kind.TEXT else i.attributes.get("alt", "") for i in markup.items)
    shown = map(markup.holds_text, markup.items)
    return [text if is_shown else "" for text, is_shown in zip(texts, shown, strict=True)]


def expand(table: LeafTable) -> Grid:
    """The grid of a table: cells take the first free places, spans all of theirs.

    Row spans end with their section. A place that two cells claim belongs to the first.
    """
    places = _Places(SPARE_PLACES + PLACES_PER_CELL * sum(len(row.cells) for row in table.rows))
    left = _rows_left(table.rows)
    cell_index = 0
    for row_index, row in enumerate(table.rows):
        places.begin(row_index)
        for cell in row.cells:
            places.put(cell_index, cell, left[row_index])
            cell_index += 1
    return places.grid(len(table.rows))


def _rows_left(rows: Sequence[Row]) -> list[int]:
    left = [1] * len(rows)
    for index in range(len(rows) - 2, -1, -1):
        if rows[index].section == rows[index + 1].section:
            left[index] = left[index + 1] + 1
    return left


class _Places:
    """Places of the grid taken so far, row by row.

    Args:
        spare: how many places spans may add.
    """

    def __init__(self, spare: int) -> None:
        self._spare = spare
        self._hanging: dict[int, tuple[int, int]] = {}
        """Column to a cell from above and the number of rows it still reaches into."""
        self._taken: list[tuple[int, int, int]] = []
        self._row = self._next = 0
        self._hung: dict[int, int] = {}

    def begin(self, row: int) -> None:
        """Go to a row; cells that reach into it take their places."""
        self._row, self._next = row, 0
        self._hung = {column: cell for column, (cell, _) in self._hanging.items()}
        self._taken += [(row, column, cell) for column, cell in self._hung.items()]
        self._hanging = {
            column: (cell, rows - 1) for column, (cell, rows) in self._hanging.items() if rows > 1
        }

    def put(self, cell_index: int, cell: Cell, rows_left: int) -> None:
        """Put a cell of the row to the next free place and all that it spans."""
        while self._next in self._hung:
            self._next += 1
        columns, rows = self._spans(cell, rows_left)
        for column in range(self._next, self._next + columns):
            if column not in self._hung:
                self._taken.append((self._row, column, cell_index))
                if rows > 1:
                    self._hanging[column] = (cell_index, rows - 1)
        self._next += columns

    def grid(self, n_rows: int) -> Grid:
        """All places, row by row."""
        places = np.array(sorted(self._taken), dtype=np.int64).reshape(-1, 3)
        row, column, cell = places.T.copy()
        return Grid(row, column, cell, n_rows, int(column.max(initial=-1)) + 1)

    def _spans(self, cell: Cell, rows_left: int) -> tuple[int, int]:
        columns = min(max(cell.columns, 1), MOST_COLUMNS)
        rows = min(cell.rows, rows_left) if cell.rows else rows_left
        added = columns * rows - 1
        if added > self._spare:
            return 1, 1
        self._spare -= added
        return columns, rows


class _Text(Struct):
    """Text and counts of one cell, of the caption, or of all outside of both."""

    name: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict)
    parts: list[str] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    bold_depth: int = 0
    link_depth: int = 0

    def add(self, name: str, count: int = 1) -> None:
        self.counts[name] = self.counts.get(name, 0) + count

    def start(self, name: str) -> None:
        self.bold_depth += name in BOLD
        self.link_depth += name == "a"
        if name in BREAKS:
            self.parts.append("\n")
        if name in {"br", "img"}:
            self.add(name)
        elif name in CONTROLS:
            self.add("controls")

    def end(self, name: str) -> None:
        self.bold_depth -= name in BOLD
        self.link_depth -= name == "a"
        if name in BREAKS:
            self.parts.append("\n")

    def write(self, text: str) -> None:
        if text:
            self.parts.append(" ".join(text.split("\n")))
            length = len(text.strip())
            self.add("bold", length * (self.bold_depth > 0))
            self.add("linked", length * (self.link_depth > 0))

    def lines(self) -> list[str]:
        lines = (" ".join(line.split()) for line in "".join(self.parts).split("\n"))
        return [line for line in lines if line]

    def cell(self) -> Cell:
        lines, count, attributes = self.lines(), self.counts.get, self.attributes
        return Cell(
            text=" ".join(lines),
            is_th=self.name == "th",
            columns=span(attributes.get("colspan")),
            rows=span(attributes.get("rowspan")),
            height=len(lines),
            breaks=count("br", 0),
            bold=count("bold", 0),
            linked=count("linked", 0),
            images=count("img", 0),
            controls=count("controls", 0),
            look="|".join(attributes.get(key, "") for key in ("class", "bgcolor", "style")),
        )


def span(written: str | None) -> int:
    """The number that an attribute begins with; 1 where it has none."""
    match = _NUMBER.match(written or "")
    return int(match[1]) if match else 1


class _Builder:
    def __init__(self, first: int) -> None:
        self.is_leaf = True
        self._first = first
        self._rows: list[Row] = []
        self._row: list[Cell] | None = None
        self._section, self._part = 0, ""
        self._caption, self._outside = _Text(), _Text()
        self._cell: _Text | None = None
        self._text = self._outside

    def take(self, item: Item, text: str) -> None:
        """Add an item inside the table."""
        if item.kind is Kind.START:
            self._start(item)
        elif item.kind is Kind.END:
            self._end(item.text)
        self._text.write(text)

    def table(self, last: int) -> LeafTable:
        """The table, which ends here."""
        self._end_row()
        return LeafTable(
            first=self._first,
            last=last,
            rows=tuple(self._rows),
            caption=" ".join(self._caption.lines()),
            outside=" ".join(self._outside.lines()),
        )

    def _start(self, item: Item) -> None:
        name = item.text
        if name in _CELLS:
            self._end_cell()
            self._row = [] if self._row is None else self._row
            self._text = self._cell = _Text(name, item.attributes)
        elif name == "tr":
            self._end_row()
            self._row = []
        elif name in SECTIONS:
            self._end_row()
            self._section, self._part = self._section + 1, name
        elif name == "caption":
            self._end_cell()
            self._text = self._caption
        else:
            self._text.start(name)

    def _end(self, name: str) -> None:
        if name in _CELLS:
            self._end_cell()
        elif name == "tr":
            self._end_row()
        elif name in SECTIONS:
            self._end_row()
            self._section, self._part = self._section + 1, ""
        elif name == "caption":
            self._text = self._outside
        else:
            self._text.end(name)

    def _end_cell(self) -> None:
        if self._cell is not None and self._row is not None:
            self._row.append(self._cell.cell())
        self._cell = None
        self._text = self._outside

    def _end_row(self) -> None:
        self._end_cell()
        if self._row is not None:
            self._rows.append(Row(tuple(self._row), self._section, self._part))
        self._row = None
