"""Bullets typed by hand before the items of a list, told from numbers that belong to the text.

Source: Falco, Moriceau, Vilnat (2012), Kitten, section 3.2.2, which names ``*``, ``-``, ``1`` and
``a)``; where a number is text instead is decided here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

_SIGN: Final = re.compile(r"[•·‣◦▪▫■□●○►▸▹➢➤✓✔]+\s*|[*+–—-]+(?:\s+|$)")
_BRACKETED: Final = re.compile(r"(?:\(\d{1,3}\)|(?:\d{1,3}|[A-Za-z])\))(?:\s+|$)")
_NUMBERED: Final = re.compile(r"\(?(\d{1,3})(?:[.)](?:\s+|$)|\s?[–—:-]\s+(?!\d))")
_LETTERED: Final = re.compile(r"\(?([A-Za-z])[.)](?:\s+|$)")
_BARE: Final = re.compile(r"(\d{1,3})\s+(?=[^\W\d])")
_FEWEST: Final = 2
"""A single item may begin with a date or an initial instead of a number."""
_STEM: Final = 3
"""Characters that the forms of one word share: 1 day, 2 days."""

Match = re.Match[str]


def bullets(texts: Sequence[str], *, every_number: bool = False) -> list[str]:
    """The bullet that each item of a list begins with, and the space after it; "" without one.

    Signs, ``1)`` and ``a)`` are always bullets. ``1.``, ``1 -`` and ``1:`` are bullets where the
    numbers of the list count up, or where all other items have bullets; letters with a full stop
    where they count up in all items. A number without a mark is one if all items are numbered from
    1 on and do not all begin alike after it.

    Args:
        texts: of the items of one list, each the start of an item.
        every_number: every number is a bullet, also in "1 day", as the expressions that the paper
            names have it.
    """
    sure = [_SIGN.match(text) or _BRACKETED.match(text) for text in texts]
    numbers = [_NUMBERED.match(text) for text in texts]
    if any(sure) and all(a or b for a, b in zip(sure, numbers, strict=True)):
        counted: Sequence[Match | None] = numbers
    else:
        counted = _counted(texts, numbers)
    if every_number:
        rows = zip(counted, numbers, texts, strict=True)
        counted = [mark or number or _BARE.match(text) for mark, number, text in rows]
    matches = (mark or number for mark, number in zip(sure, counted, strict=True))
    return [match[0] if match else "" for match in matches]


def _counted(texts: Sequence[str], numbers: Sequence[Match | None]) -> Sequence[Match | None]:
    """What each item begins with if that counts the items."""
    letters = [_LETTERED.match(text) for text in texts]
    if all(letters) and _count_up([ord(mark[1]) for mark in letters if mark]):
        return letters
    all_numbers = [number or _BARE.match(text) for number, text in zip(numbers, texts, strict=True)]
    if _number_all(all_numbers) and not _begin_alike(texts, all_numbers):
        return all_numbers
    if _count_up([int(mark[1]) for mark in numbers if mark]):
        return numbers
    return [None] * len(texts)


def _count_up(values: Sequence[int]) -> bool:
    return len(values) >= _FEWEST and all(b == a + 1 for a, b in pairwise(values))


def _number_all(marks: Sequence[Match | None]) -> bool:
    """Do marks count all items from 1 on."""
    values = [int(mark[1]) for mark in marks if mark]
    return len(values) == len(marks) and values[:1] == [1] and _count_up(values)


def _begin_alike(texts: Sequence[str], marks: Sequence[Match | None]) -> bool:
    """Do all items count the same thing."""
    ends = [mark.end() if mark else 0 for mark in marks]
    return len({text[end:][:_STEM].casefold() for text, end in zip(texts, ends, strict=True)}) == 1
