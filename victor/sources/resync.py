"""Stretches of an input without a break inside, to be looked at as far ahead as needed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeVar

from victor.sources.decompress import Piece

STEP: Final = 1 << 16
"""Bytes in which long stretches are passed over."""


class Stretch:
    """Bytes between two places where something certainly begins anew.

    Attributes:
        data: bytes read ahead.
        at: the present place in them.
        broken: what is wrong at the end of the stretch; empty where nothing is, or not read yet.
    """

    def __init__(self, pieces: Pieces) -> None:
        self._pieces = pieces
        self._ended = False
        self._marks: list[tuple[int, int]] = []
        self.data = bytearray()
        self.at = 0
        self.broken = ""
        self._take(pieces.next())

    @property
    def where(self) -> str:
        """The present place in words."""
        while len(self._marks) > 1 and self._marks[1][0] <= self.at:
            del self._marks[0]
        place, offset = self._marks[0]
        into = self.at - place
        if self._pieces.exact or not into:
            return f"byte {offset + into}"
        return f"byte {into} of what is packed at byte {offset}"

    def fill(self, n: int) -> int:
        """Read until n bytes lie ahead; returns how many do."""
        while len(self.data) - self.at < n and not self._ended:
            piece = self._pieces.peek()
            if piece is None or piece.starts:
                self._ended = True
            else:
                self._take(self._pieces.next())
        return len(self.data) - self.at

    def move(self, n: int) -> None:
        """Go on by n bytes that have been read ahead."""
        self.at += n
        if self.at > STEP:
            self._forget()

    def skip(self, n: int) -> int:
        """Go on by n bytes, or to the end; returns how many there were."""
        left = n
        while left and (step := min(self.fill(STEP), left)):
            self.move(step)
            left -= step
        return n - left

    def _forget(self) -> None:
        del self.data[: self.at]
        self._marks = [(place - self.at, offset) for place, offset in self._marks]
        while len(self._marks) > 1 and self._marks[1][0] <= 0:
            del self._marks[0]
        self.at = 0

    def _take(self, piece: Piece) -> None:
        if not self._marks or not self._pieces.exact:
            self._mark(piece.offset)
        self.data += piece.data
        self.broken = piece.broken
        self._ended = bool(piece.broken)

    def _mark(self, offset: int) -> None:
        if not self._marks or self._marks[-1][1] != offset:
            self._marks.append((len(self.data), offset))


class Pieces:
    """Pieces of which the next can be seen.

    Attributes:
        exact: their offsets are those of their bytes, not those of what these are packed in.
    """

    def __init__(self, pieces: Iterator[Piece], exact: bool) -> None:
        self._pieces = pieces
        self._next: Piece | None = None
        self.exact = exact

    def peek(self) -> Piece | None:
        """The next, which stays the next."""
        if self._next is None:
            self._next = next(self._pieces, None)
        return self._next

    def next(self) -> Piece:
        """The next.

        Raises:
            EOFError: there is none.
        """
        piece, self._next = self.peek(), None
        if piece is None:
            raise EOFError
        return piece


Kind = TypeVar("Kind", bound=Stretch)


def stretches(pieces: Pieces, kind: type[Kind]) -> Iterator[Kind]:
    """The stretches of an input; each is to be read to its end before the next is asked for."""
    while pieces.peek() is not None:
        yield kind(pieces)
