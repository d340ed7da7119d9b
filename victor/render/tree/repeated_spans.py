"""Tables in which cells that span stand in every place that they cover.

A row `| | 10 knots |` has lost its subject for whoever reads it alone. Header rows below one
another become one, of which each cell says all: *Sales EU*, *Sales US*.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Final

from victor.render.tree import nodes

_MOST: Final = 10
"""Characters that are repeated for each of a table, at most; the rest of the places stay empty."""
_FREE: Final = 10_000
"""So many may be in any table."""
_SPACE: Final = nodes.Text(" ")
Grid = list[dict[int, tuple[nodes.Cell, bool]]]
"""By row and column the cell that covers a place, and whether it begins there."""


def with_repeated_spans(table: nodes.Table, numbers: Sequence[int]) -> None:
    """Repeat the cells of a table that span, and join its header rows; edits it.

    Args:
        table: the table.
        numbers: of each of its rows among all rows that the page has of it; rows without text are
            not in the table, and spans count them.
    """
    rows = table.rows
    grid = _grid(rows, numbers)
    captions: list[nodes.Row | nodes.Caption] = [
        part for part in table.children if isinstance(part, nodes.Caption)
    ]
    heads = [*takewhile(_is_header, grid)]
    done = _one_row(heads) if 1 < len(heads) < len(grid) else [*map(_row, heads)]
    table.children = [*captions, *done, *map(_row, grid[len(heads) :])]


def _grid(rows: Sequence[nodes.Row], numbers: Sequence[int]) -> Grid:
    grid: Grid = [{cell.column: (cell, True) for cell in row.children} for row in rows]
    width = max(cell.column for row in rows for cell in row.children) + 1
    sizes = {id(cell): _size(cell) for row in rows for cell in row.children}
    room = _FREE + _MOST * sum(sizes.values())
    for number, row in enumerate(rows):
        for cell in row.children:
            columns = range(cell.column, min(cell.column + cell.columns, width))
            covered = grid[number : bisect_left(numbers, numbers[number] + cell.rows)]
            room -= sizes[id(cell)] * (len(covered) * len(columns) - 1)
            if room < 0:
                return grid
            for places in covered:
                for column in columns:
                    places.setdefault(column, (cell, False))
    return grid


def _size(cell: nodes.Cell) -> int:
    """Characters of a cell, about."""
    texts = (
        leaf.text if isinstance(leaf, nodes.Code) else "".join(_texts(leaf))
        for leaf in nodes.leaves(cell.children)
    )
    return 1 + sum(map(len, texts))


def _texts(leaf: nodes.Paragraph) -> Iterator[str]:
    for inline in leaf.inlines:
        yield inline.text if isinstance(inline, nodes.Text) else str(inline)


def _is_header(places: Mapping[int, tuple[nodes.Cell, bool]]) -> bool:
    return all(cell.is_header for cell, _ in places.values())


def _row(places: Mapping[int, tuple[nodes.Cell, bool]]) -> nodes.Row:
    return nodes.Row([
        _at(cell, column, cell.children if begins else _again(cell.children))
        for column, (cell, begins) in sorted(places.items(), key=lambda place: place[0])
    ])  # fmt: skip


def _at(cell: nodes.Cell, column: int, children: list[nodes.Block]) -> nodes.Cell:
    return nodes.Cell(column, cell.is_header, 1, 1, children)


def _again(children: list[nodes.Block]) -> list[nodes.Block]:
    """The text of a cell where it is repeated; its blocks have their place where they stand."""
    inlines: list[nodes.Inline] = []
    for leaf in nodes.leaves(children):
        if isinstance(leaf, nodes.Paragraph | nodes.Code):
            added = leaf.inlines if isinstance(leaf, nodes.Paragraph) else [nodes.Text(leaf.text)]
            inlines += [_SPACE, *added] if inlines else added
    return [nodes.Paragraph(inlines)] if inlines else []


def _one_row(heads: Grid) -> list[nodes.Row | nodes.Caption]:
    """Header rows as one: in each column the texts from above, a cell that spans once."""
    columns = sorted({column for places in heads for column in places})
    row = nodes.Row()
    for column in columns:
        above = [places[column] for places in heads if column in places]
        cells = list({id(cell): cell for cell, _ in above}.values())
        begins = any(begins for _, begins in above)
        is_alone = len(cells) == 1 and begins
        children = cells[0].children if is_alone else _again([b for c in cells for b in c.children])
        row.children.append(_at(cells[0], column, children))
    return [row]
