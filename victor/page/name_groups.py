"""Groups of the names that authors give to elements: ``commentList`` is of the group of comments.

A name is a class, an id, or a value of role, itemprop or itemtype. It is cut into words at
whatever is no letter, and before a capital after a small letter.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import chain, product
from typing import Final

import numpy as np

from victor.arrays import Hashes
from victor.page.blocks import BlockTable
from victor.page.phrases import SEPARATED

ATTRIBUTES: Final = ("class", "id", "role", "itemprop", "itemtype")
"""The attributes that hold names."""
MOST_GROUPS: Final = 64
_MAX_LENGTH: Final = 1000
"""Characters of one value that are read; more is noise (utility classes) or an attack."""
_CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_CHOSEN: Final = ("class", "id")
"""Attributes whose names authors choose; they are one kind."""
_DEFINED: Final = ("role", "itemprop", "itemtype")
"""Attributes whose names a standard defines; each is a kind of its own."""
_MAX_WORDS: Final = 4
"""Words in a row that a pattern may have: each one can be a plural, which doubles its forms."""

_ALL: Final = (1 << MOST_GROUPS) - 1


def _words(names: Sequence[str]) -> list[list[str]]:
    """The words of names without white space in lower case.

    >>> _words(["commentList_3", "post__bodies2", "HTMLClass", "1"])
    [['comment', 'list'], ['post', 'bodies'], ['html', 'class'], []]
    """
    if not names:
        return []
    cut = [name if name.islower() else _CAMEL.sub(" ", name).lower() for name in names]
    return [line.split() for line in "\n".join(cut).translate(SEPARATED).split("\n")]


def _singular(word: str) -> str:
    """The word without an s at its end; only patterns lose it, names are looked up as they are."""
    return word[:-1] if len(word) > 2 and word[-1] == "s" and word[-2] != "s" else word


class NameGroups:
    """Patterns of names, by group.

    A pattern is one or more of these, separated by spaces, that an element has to have all:
    ``post-body`` is these words in a row within one name, ``=fade`` a whole name of class or id,
    ``role=search`` a whole name of one attribute. Whole names are compared without case.

    Args:
        groups: patterns of each group, at most `MOST_GROUPS` groups.

    Raises:
        ValueError: a pattern has no word or names another attribute; too many groups.

    >>> from victor.page.segment import parse_pages
    >>> table = parse_pages([b"<p class='comment-list x'>a<p class='modal fade'>b<p class=fade>c"])
    >>> NameGroups([["comment"], ["modal =fade"]]).masks(table)
    array([1, 2, 0, 0], dtype=uint64)
    """

    def __init__(self, groups: Sequence[Iterable[str]]) -> None:
        if len(groups) > MOST_GROUPS:
            raise ValueError(f"{len(groups)} groups, at most {MOST_GROUPS} are possible")
        self._whole: dict[str, int] = {}
        self._runs: dict[str, int] = {}
        self._longest: dict[str, int] = {}
        self._together: list[tuple[int, int]] = []
        bits: dict[str, int] = {}
        for number, patterns in enumerate(groups):
            for pattern in patterns:
                parts = pattern.split() or [pattern]
                if len(parts) == 1:
                    self._add(pattern, 1 << number)
                    continue
                for part in parts:
                    bits.setdefault(part, 1 << MOST_GROUPS + len(bits))
                    self._add(part, bits[part])
                needed = sum(bits[part] for part in {*parts}) >> MOST_GROUPS
                self._together.append((needed, 1 << number))
        if len(bits) > MOST_GROUPS:
            raise ValueError(f"{len(bits)} parts of patterns with spaces, at most {MOST_GROUPS}")
        self._starts = frozenset(self._longest)

    def masks(self, table: BlockTable) -> Hashes:
        """(B + 1,) one bit per group by bundle row, the first group lowest; 0 for row -1."""
        masks, parts = np.zeros((2, len(table.bundles) + 1), dtype=np.uint64)
        for attribute in ATTRIBUTES:
            values = table.attribute(attribute)
            rows = [row for row, value in enumerate(values) if value]
            names = [value[:_MAX_LENGTH].split() for value in values if value]
            flat = [*chain.from_iterable(names)]
            bits = self._bits(attribute, {*flat})
            number = {name: place for place, name in enumerate(bits)}
            numbers = np.array([number.get(name, -1) for name in flat], dtype=np.int64)
            known = np.flatnonzero(numbers >= 0)
            row = np.repeat(rows, [*map(len, names)]).astype(np.int64)[known]
            for of_row, shift in ((masks, 0), (parts, MOST_GROUPS)):
                of_name = np.array([b >> shift & _ALL for b in bits.values()], dtype=np.uint64)
                np.bitwise_or.at(of_row, row, of_name[numbers[known]])
        for needed, group in self._together:
            masks[parts & np.uint64(needed) == needed] |= np.uint64(group)
        return masks

    def _bits(self, attribute: str, names: Collection[str]) -> dict[str, int]:
        """The bits of those names of one attribute that have any."""
        kind = "" if attribute in _CHOSEN else attribute
        bits: dict[str, int] = {}
        has_no_start = self._starts.isdisjoint
        for name, words in zip(names, _words([*names]), strict=True):
            mask = self._whole.get(f"{kind}={name.lower()}", 0)
            if not has_no_start(words):
                mask |= self._bits_of_runs(words)
            if mask:
                bits[name] = mask
        return bits

    def _bits_of_runs(self, words: Sequence[str]) -> int:
        """The bits of all words in a row that patterns ask for."""
        mask = 0
        for place, word in enumerate(words):
            if word in self._longest:
                mask |= self._runs.get(word, 0)
                for end in range(place + 2, min(place + self._longest[word], len(words)) + 1):
                    mask |= self._runs.get("-".join(words[place:end]), 0)
        return mask

    def _add(self, pattern: str, bit: int) -> None:
        """Let a pattern without spaces set a bit."""
        attribute, whole, name = pattern.rpartition("=")
        words = tuple(map(_singular, _words([pattern])[0]))
        if not words or (whole and not name):
            raise ValueError(f"{pattern!r} has no letter; write a word such as comment")
        if len(words) > _MAX_WORDS and not whole:
            raise ValueError(f"{pattern!r} has {len(words)} words, want {_MAX_WORDS} at most")
        if attribute and attribute not in _DEFINED:
            raise ValueError(f"{pattern!r}: want one of {', '.join(_DEFINED)} before the =")
        if whole:
            key = f"{attribute}={name.lower()}"
            self._whole[key] = self._whole.get(key, 0) | bit
            return
        for run in product(*([word, f"{word}s"] for word in words)):
            key = "-".join(run)
            self._runs[key] = self._runs.get(key, 0) | bit
            self._longest[run[0]] = max(self._longest.get(run[0], 0), len(run))
