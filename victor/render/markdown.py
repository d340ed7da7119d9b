"""Markdown (CommonMark and the tables of GitHub): headings, lists, code, tables, paragraphs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final, NamedTuple

import numpy as np

from victor.arrays import Ints
from victor.labels import Label
from victor.page.tags import IDS
from victor.page.verdict import Verdict

_OTHER_HEADER: Final = 2
"""Level of a header that no ``<h1>``-``<h6>`` surrounds."""
_SPECIAL: Final = re.compile(
    r"[\\`*\[\]]|<(?=[A-Za-z/!?])|&(?=#?\w+;)|(?<![^\W_])_|_(?![^\W_])|~(?=~)|(?<=~)~"
)
_LINE_START: Final = re.compile(
    r"^(?:(?=[-+](?:\s|$)|[-=]+\s*$|#{1,6}(?:\s|$)|>)|(\d{1,9})(?=[.)](?:\s|$)))", re.MULTILINE
)
_CLOSING: Final = re.compile(r"(?=#+$)")
_FENCE: Final = re.compile(r"`{3,}")


class _Paragraph(NamedTuple):
    """What markdown needs of a paragraph; elements are -1 where there is none."""

    text: str
    heading: int
    pre: bool
    item: int
    opens_item: bool
    inner_list: int
    outer_list: int
    depth: int
    ordered: bool
    table: int
    row: int
    column: int


def render(verdict: Verdict, page: int, **metadata: object) -> str:
    """The kept blocks of a page as markdown.

    Items that begin with a heading are not shown as list items. The first row of a table is its
    header, as markdown requires one.
    """
    out: list[str] = []
    lists = _Lists()
    for table, group in groupby(_paragraphs(verdict, page), key=lambda each: each.table):
        if table >= 0:
            parts = [(_table(list(group)), False)]
            lists = _Lists()
        else:
            parts = [lists.show(paragraph) for paragraph in group]
        for text, is_tight in parts:
            out += ("" if is_tight or not out else "\n", text, "\n")
    return "".join(out)


def _paragraphs(verdict: Verdict, page: int) -> Iterator[_Paragraph]:
    """The paragraphs of a page."""
    columns = verdict.paragraphs
    span = columns.page(page)
    inner = columns.inner_list[span]
    values = (
        _heading_levels(verdict, columns.first_block[span]),
        columns.pre[span] >= 0,
        columns.item[span],
        columns.opens_item[span],
        inner,
        columns.outer_list[span],
        columns.list_depth[span],
        (inner >= 0) & (verdict.table.elements.tag[inner] == IDS["ol"]),
        columns.cells.table[span],
        columns.cells.row[span],
        columns.cells.column[span],
    )
    return map(_Paragraph, columns.texts(page), *(column.tolist() for column in values))


def _heading_levels(verdict: Verdict, blocks: Ints) -> Ints:
    """Heading level of paragraphs, given by their first blocks; 0 for no heading."""
    level = verdict.table.heading_level[blocks]
    other_header = (level == 0) & (verdict.labels[blocks] == Label.HEADER)
    return np.where(other_header, _OTHER_HEADER, level)


@dataclass(slots=True)
class _Lists:
    """The list items open at a point of a page.

    Attributes:
        outer: the outermost list.
        columns: where the content of the open item of every level begins.
        level: of every open item.
        numbers: last number given in every ordered list.
        after_item: the last paragraph began an item.
    """

    outer: int = -1
    columns: list[int] = field(default_factory=list)
    level: dict[int, int] = field(default_factory=dict)
    numbers: Counter[int] = field(default_factory=Counter)
    after_item: bool = False

    def show(self, paragraph: _Paragraph) -> tuple[str, bool]:
        """A paragraph with mark and indentation, and whether no blank line precedes it."""
        if paragraph.item < 0 or paragraph.outer_list != self.outer:
            self._close(0)
            self.after_item = False
        self.outer = paragraph.outer_list
        is_item = paragraph.opens_item and not paragraph.heading
        is_tight = is_item and self.after_item
        self.after_item = is_item
        return self._item(paragraph) if is_item else self._other(paragraph), is_tight

    def _other(self, paragraph: _Paragraph) -> str:
        """A paragraph that continues an open item, or ends all items."""
        level = self.level.get(paragraph.item, -1)
        self._close(level + 1)
        return _indented(_shown(paragraph), self.columns[level] if level >= 0 else 0)

    def _item(self, paragraph: _Paragraph) -> str:
        """The first paragraph of an item, nested in the item that is open above it."""
        level = min(max(paragraph.depth - 1, 0), len(self.columns))
        self._close(level)
        mark = "- "
        if paragraph.ordered:
            self.numbers[paragraph.inner_list] += 1
            mark = f"{self.numbers[paragraph.inner_list]}. "
        indent = self.columns[-1] if self.columns else 0
        self.columns.append(indent + len(mark))
        self.level[paragraph.item] = level
        return " " * indent + mark + _indented(_shown(paragraph), indent + len(mark)).lstrip(" ")

    def _close(self, level: int) -> None:
        """Close the items from a level on."""
        del self.columns[level:]
        self.level = {item: depth for item, depth in self.level.items() if depth < level}


def _shown(paragraph: _Paragraph) -> str:
    """A paragraph by itself."""
    if paragraph.heading:
        text = _CLOSING.sub(r"\\", _escaped(" ".join(paragraph.text.split())))
        return f"{'#' * paragraph.heading} {text}"
    if paragraph.pre:
        longest = max(map(len, _FENCE.findall(paragraph.text)), default=2)
        fence = "`" * (longest + 1)
        return f"{fence}\n{paragraph.text}\n{fence}"
    return _LINE_START.sub(r"\1\\", _escaped(paragraph.text)).replace("\n", "\\\n")


def _escaped(text: str) -> str:
    """Text with a backslash before every character that would be markup."""
    return _SPECIAL.sub(r"\\\g<0>", text)


def _indented(text: str, columns: int) -> str:
    """Every line of a text moved to the right, empty ones left empty."""
    lines = text.split("\n")
    return "\n".join(" " * columns + line if line else "" for line in lines)


def _table(cells: list[_Paragraph]) -> str:
    """A table of data; cells without kept text are empty."""
    width = max(cell.column for cell in cells) + 1
    lines: list[str] = []
    for _, row in groupby(cells, key=lambda cell: cell.row):
        texts = [""] * width
        for cell in row:
            texts[cell.column] = _escaped(" ".join(cell.text.split())).replace("|", "\\|")
        lines.append(f"| {' | '.join(texts)} |")
    lines.insert(1, "|" + " --- |" * width)
    return "\n".join(lines)
