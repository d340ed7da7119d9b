"""Pieces of TeX side by side: what stands between them, and which brackets grow."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum, auto
from typing import Final, NamedTuple

TALL: Final = re.compile(
    r"\\(?:frac|binom|genfrac|sum|prod|coprod|i*int|oint|big[a-z]++|sqrt|begin|over[a-z]++"
    r"|under[a-z]++|left)(?![A-Za-z])"
)
"""What is higher than a line, so that brackets around it grow."""
_BARS: Final = {"|": "|", "\\|": "\\|", "\\mid": "|", "\\parallel": "\\|"}
"""TeX of bars that may be anything, and of those that are brackets."""
_SIGNS: Final = frozenset({"+", "-", "\\pm", "\\mp"})
_COMMAND: Final = re.compile(r"\\[A-Za-z]++\Z")
_LONGEST_COMMAND: Final = 40


class Kind(Enum):
    """What a piece of TeX is to those beside it."""

    NOTHING = auto()
    ORDINARY = auto()
    INFIX = auto()
    OPEN = auto()
    CLOSE = auto()
    PUNCTUATION = auto()
    FUNCTION = auto()
    PRIME = auto()


class Piece(NamedTuple):
    """A piece of TeX.

    Attributes:
        tex: with balanced braces.
        kind: what it is.
        grows: of a bracket; it is as high as what stands in it.
    """

    tex: str
    kind: Kind = Kind.ORDINARY
    grows: bool = False


NOTHING: Final = Piece("", Kind.NOTHING)
_BEFORE_SIGNS: Final = (Kind.NOTHING, Kind.OPEN, Kind.INFIX, Kind.PUNCTUATION)


def with_bars(pieces: list[Piece]) -> list[Piece]:
    """Bars open and close in turn where brackets hold an even number of them."""
    groups: list[list[int]] = [[]]
    done: list[list[int]] = []
    for index, piece in enumerate(pieces):
        if piece.kind is Kind.OPEN:
            groups.append([])
        elif piece.kind is Kind.CLOSE and len(groups) > 1:
            done.append(groups.pop())
        elif piece.tex in _BARS:
            groups[-1].append(index)
    for group in [*done, *groups]:
        for at, index in enumerate(group if len(group) % 2 == 0 else ()):
            kind = Kind.CLOSE if at % 2 else Kind.OPEN
            pieces[index] = Piece(_BARS[pieces[index].tex], kind, pieces[index].grows)
    return pieces


def joined(pieces: Sequence[Piece]) -> str:
    """A row of pieces, with space where TeX or a reader needs it."""
    growing = _growing(pieces)
    out: list[str] = []
    before = NOTHING
    for index, piece in enumerate(pieces):
        tex = piece.tex
        if index in growing:
            tex = ("\\left" if piece.kind is Kind.OPEN else "\\right") + tex
        if piece.kind is Kind.PRIME and before.kind is Kind.NOTHING:
            tex = "\\prime" * len(tex)
        if before.kind is not Kind.NOTHING:
            out.append(_gap(before, piece, out[-1], tex))
        out.append(tex)
        # A sign before a thing of its own belongs to that.
        is_sign = tex in _SIGNS and before.kind in _BEFORE_SIGNS
        before = Piece(tex) if is_sign else piece
    return "".join(out)


def _gap(before: Piece, piece: Piece, last: str, tex: str) -> str:
    """What stands between two pieces."""
    if piece.kind is Kind.INFIX:
        return "" if before.kind is Kind.OPEN else " "
    if before.kind in (Kind.INFIX, Kind.PUNCTUATION):
        return " "
    if before.kind is Kind.FUNCTION and piece.kind in (Kind.ORDINARY, Kind.FUNCTION):
        return " "
    return " " if tex[:1].isalpha() and _COMMAND.search(last[-_LONGEST_COMMAND:]) else ""


def _growing(pieces: Sequence[Piece]) -> set[int]:
    """Positions of the brackets that are as high as what is in them, where that is high."""
    opened: list[tuple[int, bool]] = []
    growing: set[int] = set()
    is_tall = False
    for index, piece in enumerate(pieces):
        if piece.kind is Kind.OPEN:
            opened.append((index, is_tall))
            is_tall = False
        elif piece.kind is Kind.CLOSE and opened:
            start, was_tall = opened.pop()
            if is_tall and piece.grows and pieces[start].grows:
                growing |= {start, index}
            is_tall |= was_tall
        else:
            is_tall |= TALL.search(piece.tex) is not None
    return growing
