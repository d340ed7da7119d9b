"""Tables of data: which they are, their rows with what spans into them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from structure.code import HEADINGS, code_text, in_gutter
from structure.walk import Document, words

_CELL_WORDS: Final = 40
"""Words of a cell on average above which a table without header cells is layout."""
_SPAN: Final = 100


class Grid:
    """Rows of a table, each a list of its cells."""

    def __init__(self, table: Any, document: Document) -> None:
        self.table = table
        self.rows = [
            [cell for cell in row if cell.tag in ("td", "th") and cell in document.extents]
            for row in table.iter("tr")
            if row in document.extents
        ]
        self.rows = [row for row in self.rows if row]
        self._filled: dict[Any, list[Any]] = {}
        down: dict[int, tuple[Any, int]] = {}
        for row in self.rows:
            self._filled[row[0]] = _fill(row, down)

    def area(self, cell: Any) -> int:
        """Places of the grid that a cell covers."""
        return _span(cell, "rowspan") * _span(cell, "colspan")

    def row_keys(self, row: list[Any], keys: Mapping[Any, tuple[str, ...]]) -> Iterator[Any]:
        """Ways to write a row: spanning cells once or in every place that they cover."""
        filled = self._filled[row[0]]
        own = set(row)
        for cells in (
            row,
            [cell for cell in filled if cell in own],
            list(dict.fromkeys(filled)),
            filled,
        ):
            yield tuple(keys[cell] for cell in cells if keys[cell])


def _fill(row: list[Any], down: dict[int, tuple[Any, int]]) -> list[Any]:
    """Cells of a row with those that span into it; `down` is what spans into the next one."""
    filled: list[Any] = []
    waiting = list(reversed(row))
    column = 0
    while waiting or column in down:
        if column in down:
            cell, left = down[column]
            filled.append(cell)
            if left > 1:
                down[column] = (cell, left - 1)
            else:
                del down[column]
            column += 1
            continue
        cell = waiting.pop()
        rows = _span(cell, "rowspan")
        for _ in range(_span(cell, "colspan")):
            filled.append(cell)
            if rows > 1:
                down[column] = (cell, rows - 1)
            column += 1
    return filled


def _span(cell: Any, name: str) -> int:
    value = (cell.get(name) or "").strip()
    return min(max(int(value), 1), _SPAN) if value.isdecimal() and len(value) < 6 else 1


def data_tables(document: Document, *, every: bool) -> list[Grid]:
    """The tables of data of a document.

    Args:
        document: where they are.
        every: all are data that hold no other table, as in rendered Markdown.
    """
    tables = [node for node in document.extents if node.tag == "table"]
    leaves = [node for node in tables if next(node.iterdescendants("table"), None) is None]
    grids = [Grid(node, document) for node in leaves]
    return [grid for grid in grids if grid.rows and (every or _is_data(grid, document))]


def _is_data(grid: Grid, document: Document) -> bool:
    """Two rows and columns at least, short cells or header cells, nothing that only pages have."""
    table = grid.table
    if table.get("role") in ("presentation", "none"):
        return False
    if next(table.iterdescendants("form", "input", "button", *HEADINGS), None) is not None:
        return False
    if any(_is_listing(pre) for pre in table.iterdescendants("pre")):
        return False
    wide = sum(sum(_has_words(document, cell) for cell in row) > 1 for row in grid.rows)
    if wide < 2:
        return False
    if any(cell.tag == "th" for row in grid.rows for cell in row):
        return True
    n_cells = sum(map(len, grid.rows))
    start, end = document.extents[table]
    return len(words(document.text[start:end])) <= _CELL_WORDS * n_cells


def _is_listing(pre: Any) -> bool:
    """Code of several lines, or their numbers: its table only places it on the page."""
    return "\n" in code_text(pre) or in_gutter(pre)


def _has_words(document: Document, cell: Any) -> bool:
    start, end = document.extents[cell]
    return bool(document.text[start:end].strip())
