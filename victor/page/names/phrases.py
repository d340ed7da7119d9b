"""Lists of phrases that whole texts are compared with, without case, digits and punctuation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np

from victor.base.arrays import Ints

_NO_WORD: Final = re.compile(r"(?:[^\w\n]|[\d_])+")
_SEPARATED: Final = {c: " " for c in range(128) if not chr(c).isalpha() and chr(c) != "\n"}
"""For `str.translate`: a space for every ASCII character but letters and the newline."""


def plain(texts: Sequence[str]) -> list[str]:
    r"""Texts in lower case with nothing but words and single spaces.

    Those in ASCII, and the others, are dealt with all at once each; the former is five times as
    fast.

    >>> plain(["12 Comments:", "Ann\nsays ...", "12 komentářů"])
    ['comments', 'ann says', 'komentářů']
    """
    lines = [text.replace("\n", " ") for text in texts]
    others = [line for line in lines if not line.isascii()]
    spaced = iter("\n".join(filter(str.isascii, lines)).lower().translate(_SEPARATED).split("\n"))
    matched = iter(_NO_WORD.sub(" ", "\n".join(others).lower()).split("\n"))
    return [" ".join(next(spaced if line.isascii() else matched).split()) for line in lines]


class Phrases:
    """Several lists of phrases.

    ``x *`` is x, or a text that begins with the words of x; ``* x`` is x, or one that ends so.

    Args:
        lists: the phrases of each list, at most 63 lists.

    Raises:
        ValueError: a phrase has no letter, or a ``*`` in another place.

    >>> phrases = Phrases([["comments", "comments on *"], ["* says"]])
    >>> phrases.masks(["2 Comments", "Comments on bees", "Ann says:", "says", "Comments off"])
    array([1, 1, 2, 2, 0])
    """

    def __init__(self, lists: Sequence[Iterable[str]]) -> None:
        pairs = [(text, 1 << number) for number, texts in enumerate(lists) for text in texts]
        texts = [text for text, _ in pairs]
        self._exact: dict[str, int] = {}
        self._first: dict[str, dict[str, int]] = {}
        self._last: dict[str, dict[str, int]] = {}
        for (phrase, bit), text in zip(pairs, plain(texts), strict=True):
            self._add(phrase, text, bit)

    def masks(self, texts: Sequence[str]) -> Ints:
        """(m,) one bit per list for each of some texts, the first list lowest.

        Each distinct text is looked at once.
        """
        distinct = [*dict.fromkeys(texts)]
        known = dict(zip(distinct, map(self._mask, plain(distinct)), strict=True))
        return np.array([known[text] for text in texts], dtype=np.int64)

    def _add(self, phrase: str, text: str, bit: int) -> None:
        """Let a phrase set a bit, given it plain."""
        begins, ends = phrase.endswith(" *"), phrase.startswith("* ")
        if not text:
            raise ValueError(f"{phrase!r} has no letter; write a phrase such as 'comments on *'")
        if phrase.count("*") != begins + ends or (begins and ends):
            raise ValueError(f"{phrase!r}: a * stands at the begin or the end, with a space")
        self._exact[text] = self._exact.get(text, 0) | bit
        if begins:
            first = self._first.setdefault(text.partition(" ")[0], {})
            first[f"{text} "] = first.get(f"{text} ", 0) | bit
        if ends:
            last = self._last.setdefault(text.rpartition(" ")[2], {})
            last[f" {text}"] = last.get(f" {text}", 0) | bit

    def _mask(self, text: str) -> int:
        """The bits of one plain text."""
        mask = self._exact.get(text, 0)
        first, _, rest = text.partition(" ")
        if rest:
            for phrase, bit in self._first.get(first, _NONE).items():
                mask |= bit if text.startswith(phrase) else 0
            for phrase, bit in self._last.get(text.rpartition(" ")[2], _NONE).items():
                mask |= bit if text.endswith(phrase) else 0
        return mask


_NONE: Final[Mapping[str, int]] = {}
