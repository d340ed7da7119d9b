"""Where blocks are found again in a written page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from victor.page.table.texts import block_texts
from victor.page.verdict.verdict import Verdict

Range = tuple[int, int]
"""Start and end of some characters."""
_OPEN, _MIDDLE, _CLOSE = "\ud800", "\ud801", "\ud802"
"""Lone surrogates, which no text of a page holds."""
_MOST_MISSING: Final = 50
"""Blocks that are looked for in all of their paragraph, though others stand otherwise in it."""
_NEAR: Final = 2_000  # characters in which those behind so many are looked for
_MARK: Final = re.compile(f"{_OPEN}(\\d+){_MIDDLE}|{_CLOSE}")


def marked(number: int, text: str) -> str:
    """The text of a paragraph with marks around it; without a number it stays as it is."""
    return f"{_OPEN}{number}{_MIDDLE}{text}{_CLOSE}" if number >= 0 else text


def unmarked(text: str) -> tuple[str, dict[int, Range]]:
    """A text without its marks, and the range of every paragraph in it."""
    parts: list[str] = []
    ranges: dict[int, Range] = {}
    at = length = start = number = 0
    for match in _MARK.finditer(text):
        parts.append(text[at : match.start()])
        length += len(parts[-1])
        if match[1] is None:
            ranges[number] = start, length
        else:
            number, start = int(match[1]), length
        at = match.end()
    return "".join((*parts, text[at:])), ranges


def of_blocks(
    verdict: Verdict, page: int, text: str, paragraphs: Mapping[int, Range]
) -> list[Range | None]:
    """(n,) the range of every block of a page, None for one that is not written.

    A block that stands otherwise in its paragraph, such as another drawing of a formula or code
    with an escape, has the range of that.

    Args:
        verdict: of the page.
        page: its number in the batch.
        text: as written.
        paragraphs: ranges of the paragraphs of the page, by their number on it.
    """
    columns, span = verdict.paragraphs, verdict.page(page)
    result: list[Range | None] = [None] * (span.stop - span.start)
    of_page = columns.page(page)
    first, start_of_page = of_page.start, int(columns.starts[of_page.start])
    written = columns.blocks[start_of_page : int(columns.starts[of_page.stop])]
    pieces = block_texts(columns.table, written)
    for number, (start, end) in paragraphs.items():
        rows = slice(
            *(columns.starts[first + number : first + number + 2] - start_of_page).tolist()
        )
        at, n_missing = start, 0
        for block, piece in zip(written[rows].tolist(), pieces[rows], strict=True):
            until = end if n_missing < _MOST_MISSING else min(end, at + len(piece) + _NEAR)
            begin, length = _position(text, piece, at, until) if piece else (-1, 0)
            n_missing += begin < 0
            result[block - span.start] = (begin, begin + length) if begin >= 0 else (start, end)
            at = begin + length if begin >= 0 else at
    return result


def _position(text: str, piece: str, start: int, end: int) -> tuple[int, int]:
    """Start and length of a piece in a part of a text, as it is or on one line; -1 if absent."""
    for form in (piece, " ".join(piece.split())):
        position = text.find(form, start, end)
        if position >= 0:
            return position, len(form)
    return -1, 0
