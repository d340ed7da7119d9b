"""What a page may take: bytes, and for each form that is made of it characters and seconds.

Loops over the rows of a page ask the `Allowance` of its table as they go: a page that takes too
long ends inside whatever is made of it.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterable, Iterator
from itertools import islice
from threading import get_ident
from typing import Final, TypeVar

from victor.base.errors import PageError

MOST_ADDED: Final = 100_000_000
"""Characters that the base of a page may add to all its addresses together."""
_EVERY: Final = 256  # rows after which the clock is looked at
Row = TypeVar("Row")


class Allowance:
    """What the labels or one form of a page may take, from the moment that this is made.

    Forms whose length follows from that of the page are held against it when they are made; those
    that repeat texts count as they write, so that the memory is never spent.

    Args:
        characters: of the form.
        seconds: of making it.
    """

    def __init__(self, characters: int = sys.maxsize, seconds: float = math.inf) -> None:
        self._characters = characters
        self._seconds = seconds
        self._started = time.monotonic()
        self._asked = 0

    def check(self, length: int = 0) -> None:
        """Hold what is made so far against the limits.

        Args:
            length: its characters.

        Raises:
            PageError: it is too long, or took too long.
        """
        if length > self._characters:
            raise PageError(
                "too-much-output",
                f"what is written of the page has more than {self._characters} characters; "
                "raise limits.output to write it",
            )
        seconds = time.monotonic() - self._started
        if seconds > self._seconds:
            raise PageError(
                "too-slow",
                f"the page took {seconds:.0f} s, the limit is {self._seconds} s; "
                "raise limits.seconds to process it",
            )

    def ask(self, rows: int = 1) -> None:
        """Look at the clock now and then, after some rows.

        Raises:
            PageError: it took too long.
        """
        self._asked += rows
        if self._asked >= _EVERY:
            self._asked = 0
            self.check()

    def over(self, rows: Iterable[Row]) -> Iterable[Row]:
        """Rows, as long as there is time for them.

        Raises:
            PageError: it took too long.
        """
        if isinstance(rows, list | range) and len(rows) < _EVERY:  # a generator would take longer
            self.ask(len(rows))
            return rows
        return self._over(rows)

    def _over(self, rows: Iterable[Row]) -> Iterator[Row]:
        rest = iter(rows)
        while some := [*islice(rest, _EVERY)]:  # each of them would take longer
            self.ask(len(some))
            yield from some


class Allowances(dict[int, Allowance]):
    """What is being made of a table and may take so much: one thing in each thread."""

    @property
    def now(self) -> Allowance:
        """That of this thread; one without limits if nobody has set any."""
        return self.get(get_ident()) or Allowance()


class Within:
    """Lets all that this thread does with a table count; what is within another stays so.

    A generator would take longer.
    """

    def __init__(self, by_thread: Allowances, allowance: Allowance) -> None:
        self._by_thread, self._own = by_thread, allowance
        self._thread = get_ident()

    def __enter__(self) -> Allowance:
        self._is_outer = self._thread not in self._by_thread
        return self._by_thread.setdefault(self._thread, self._own)

    def __exit__(self, *_: object) -> None:
        if self._is_outer:
            self._by_thread.pop(self._thread, None)


def check_added(characters: int) -> None:
    """Refuse a page whose addresses take the memory when they are made absolute.

    Args:
        characters: by how many those made so far are longer than as written.

    Raises:
        PageError: they are too many.
    """
    if characters > MOST_ADDED:
        raise PageError(
            "too-much-output",
            f"its addresses made absolute have {MOST_ADDED} characters more than as written; "
            "leave out links and images to write the page",
        )


def check_bytes(count: int, most: int) -> None:
    """Refuse a page that is too large.

    Raises:
        PageError: it is.
    """
    if count > most:
        raise PageError(
            "too-many-bytes",
            f"the page has more than {most} bytes; raise limits.bytes to process it",
        )


def check_blocks(count: int, most: int) -> None:
    """Refuse a page of too many blocks.

    Raises:
        PageError: it is.
    """
    if count > most:
        raise PageError(
            "too-many-blocks",
            f"the page has {count} blocks, the limit is {most}; raise limits.blocks to process it",
        )
