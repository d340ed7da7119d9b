"""What a page may take: bytes, and for each form that is made of it characters and seconds."""

from __future__ import annotations

import time
from typing import Final

from victor.base.errors import PageError

MOST_ADDED: Final = 100_000_000
"""Characters that the base of a page may add to all its addresses together."""


class Allowance:
    """What one form of a page may take, from the moment that this is made.

    Forms whose length follows from that of the page are held against it when they are made; those
    that repeat texts count as they write, so that the memory is never spent.

    Args:
        characters: of the form.
        seconds: of making it.
    """

    def __init__(self, characters: int, seconds: float) -> None:
        self._characters = characters
        self._seconds = seconds
        self._started = time.monotonic()

    def check(self, length: int) -> None:
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
        check_time(self._started, self._seconds)


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


def check_time(started: float, most: float) -> None:
    """Give up a page that took too long.

    Args:
        started: when its work began, by `time.monotonic`.
        most: seconds that it may take.

    Raises:
        PageError: it did.
    """
    seconds = time.monotonic() - started
    if seconds > most:
        raise PageError(
            "too-slow",
            f"the page took {seconds:.0f} s, the limit is {most} s; "
            "raise limits.seconds to process it",
        )
