"""Lines for a terminal or a pipe: its width, its characters, its colours; text of pages is tame.

What a page says may hold control characters, marks that turn the direction of writing, words
without end: nothing of it may reach a terminal but printable characters, in cells that are counted.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, Self
from unicodedata import category, east_asian_width

import click

from victor.api import CleanerSpec

LABEL_COLOURS: Final = {"header": "yellow", "text": "green", "other": "red"}
"""Each also has its name beside it, for those who cannot tell the colours."""
_NARROWEST: Final = 40
"""Columns that are written for even where the terminal has fewer."""
_MOST_PER_CELL: Final = 4
"""Characters that may share a cell, such as letters with accents of their own."""
_HALF: Final = 6
"""Cells of a bar on each side of its axis."""
INDENT: Final = 2 + 7 + 2 + 2 * _HALF + 1 + 2
"""Columns before the words of a row: a number and a bar, with space around."""
_PLAIN: Final = str.maketrans(
    {"…": "...", "→": "->", "·": "|", "│": "|", "█": "#", "▌": " ", "▐": " "}
)
"""What stands for the characters of ours that an encoding lacks."""


@dataclass(frozen=True)
class Screen:
    """Where lines are written to.

    Attributes:
        width: columns.
        colour: whether there are colours.
        encoding: of the stream.
    """

    width: int
    colour: bool
    encoding: str

    @classmethod
    def stdout(cls) -> Self:
        """Standard output; in a pipe 80 columns, or those of the variable ``COLUMNS``."""
        stream = sys.stdout
        is_plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
        return cls(
            max(shutil.get_terminal_size().columns, _NARROWEST),
            colour=stream.isatty() and not is_plain,
            encoding=stream.encoding or "utf-8",
        )

    def write(self, line: str = "") -> None:
        """Write a line; what the encoding lacks becomes plain characters."""
        line = line.rstrip()
        if not self._holds(line):
            line = line.translate(_PLAIN)
            line = line.encode(self.encoding, "replace").decode(self.encoding)
        click.echo(line, color=self.colour)

    def text(self, text: str, *, indent: int = 0, lines: int | None = None, **style: Any) -> None:  # noqa: ANN401  (of click)
        """Write text over as many lines as it takes, or as it may take."""
        for line in wrapped(text, self.width - indent, lines):
            self.write(" " * indent + self.styled(line, **style))

    def row(self, start: str, indent: int, words: str, *, lines: int = 3, **style: Any) -> None:  # noqa: ANN401  (of click)
        """Write words beside what a row begins with, their further lines below the first."""
        room = indent - cells(click.unstyle(start))
        for index, line in enumerate(wrapped(words, self.width - indent, lines)):
            before = " " * indent if index else start + " " * room
            self.write(before + self.styled(line, **style))

    def styled(self, text: str, **style: Any) -> str:  # noqa: ANN401  (as `click.style`)
        """Text in a colour, where there are colours."""
        return click.style(text, **style) if self.colour and style else text

    def signed_bar(self, weight: float, largest: float) -> str:
        """A bar to the left of an axis if the weight is below 0, else to its right."""
        bar = self._bar(weight, largest, half="▐" if weight < 0 else "▌")
        left, right = (bar[::-1], "") if weight < 0 else ("", bar)
        colour = {"fg": "red" if weight < 0 else "green"}
        left, right = left.rjust(_HALF), right.ljust(_HALF)
        axis = "│" if self._holds("│") else "|"
        return self.styled(left, **colour) + axis + self.styled(right, **colour)

    def bar(self, value: float, largest: float) -> str:
        """A bar as long as the two sides of `signed_bar` together."""
        return self._bar(value, largest, room=2 * _HALF + 1).ljust(2 * _HALF + 1)

    def _bar(self, value: float, largest: float, *, half: str = "▌", room: int = _HALF) -> str:
        full, half = ("█", half) if self._holds("█▌▐") else ("#", "")
        halves = round(2 * room * min(abs(value) / largest, 1.0)) if largest > 0 else 0
        return full * (halves // 2) + half * (halves % 2)

    def _holds(self, text: str) -> bool:
        """Has the encoding all these characters."""
        try:
            text.encode(self.encoding)
        except (UnicodeEncodeError, LookupError):
            return False
        return True


def system_name(spec: CleanerSpec) -> str:
    """A system for people: ``model default``, ``labeler bte``."""
    if spec.labeler is not None:
        return f"labeler {spec.labeler}"
    return tame(f"model {spec.model or 'default'}")


def write_record(record: dict[str, Any]) -> None:
    """Write a line of JSON, in UTF-8; what cannot be printed is escaped, for it may be a page's."""
    line = json.dumps(record, ensure_ascii=False, allow_nan=False)
    if not line.isprintable():
        line = "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in line)
    click.echo(line.encode())


def cells(text: str) -> int:
    """Columns that printable text takes."""
    return sum(map(_cells, text))


def _cells(character: str) -> int:
    if character.isascii():
        return 1
    if category(character) in ("Mn", "Me"):
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def tame(text: str) -> str:
    """The printable characters of a text, with single spaces between."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def cut(text: str, width: int) -> str:
    """Text on one line of so many columns."""
    return next(wrapped(text, width, 1), "")


def wrapped(text: str, width: int, lines: int | None = None) -> Iterator[str]:
    """Text on lines of so many columns; words that are longer are divided.

    Args:
        text: of a page or ours.
        width: columns.
        lines: most lines; the last of them ends in ``…`` if there is more. None for all.
    """
    most = None if lines is None else (lines + 1) * width * _MOST_PER_CELL
    # One line more than wanted tells whether there is more.
    rows = _rows(tame(text if most is None else text[:most]).split(" "), width)
    if most is None:
        yield from rows
        return
    shown = list(islice(rows, (lines or 0) + 1))
    if len(shown) > (lines or 0) or len(text) > most:
        shown = shown[:lines]
        shown[-1:] = [next(_pieces(row, width - 1)).rstrip() + "…" for row in shown[-1:]]
    yield from shown


def _rows(words: Sequence[str], width: int) -> Iterator[str]:
    """Words on lines of so many columns."""
    row, used = "", 0
    for word in words:
        size = cells(word)
        if row and used + 1 + size <= width:
            row, used = f"{row} {word}", used + 1 + size
            continue
        if row:
            yield row
        *full_rows, row = _pieces(word, width)
        yield from full_rows
        used = cells(row)
    if row:
        yield row


def _pieces(word: str, width: int) -> Iterator[str]:
    """A word divided wherever it exceeds so many columns; most words are one piece."""
    start, used = 0, 0
    for index, character in enumerate(word):
        size = _cells(character)
        n_characters = index - start
        if n_characters and (used + size > width or n_characters >= width * _MOST_PER_CELL):
            yield word[start:index]
            start, used = index, 0
        used += size
    yield word[start:]
