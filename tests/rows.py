"""Rows of text files: what is given, an arrow, and what comes of it.

A file begins with a line that says what its rows are. Several things given are parted by ``¦``;
``⏎`` stands for the end of a line, ``{x*9}`` for x nine times.
"""

import re
from collections.abc import Iterator
from pathlib import Path

_REPEATED = re.compile(r"\{([^{}]*)\*(\d+)\}")


def rows_of(folder: Path) -> list[tuple[str, list[str], str]]:
    """The name of the file, what is given, and what comes of it, of all rows of a folder."""
    return [*_rows(folder)]


def _rows(folder: Path) -> Iterator[tuple[str, list[str], str]]:
    for path in sorted(folder.glob("*.txt")):
        for line in path.read_bytes().decode().split("\n")[1:-1]:
            given, _, expected = line.partition(" →")
            yield path.stem, [*map(_text, given.split(" ¦ "))], _text(expected.removeprefix(" "))


def _text(written: str) -> str:
    text = _REPEATED.sub(lambda run: run[1] * int(run[2]), written)
    return text.replace("⏎", "\n")
