"""Lists of phrases that whole texts are compared with, without case, digits and punctuation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Final, Literal

import numpy as np

from victor.arrays import Bools, Chars, Ints, prefix_sums, span_indices
from victor.page import characters as ch
from victor.page.blocks import BlockTable
from victor.page.texts import text_of
from victor.page.tokens import ALPHA, NUMERIC, Tokens, tokenize

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
        lists = [[*phrases] for phrases in lists]
        self._exact: dict[str, int] = {}
        self._first: dict[str, dict[str, int]] = {}
        self._last: dict[str, dict[str, int]] = {}
        for number, phrases in enumerate(lists):
            for phrase in phrases:
                self._add(phrase, 1 << number)
        texts = [*chain.from_iterable(lists)]
        self._begins = _Edges.of([text.strip(" *") for text in texts], 0)
        self._ends = _Edges.of([text[2:] for text in texts if text.startswith("* ")], -1)

    def of_blocks(self, table: BlockTable, *, short: int, tail: int) -> Ints:
        """(n,) one bit per list for each block, the first list lowest.

        Args:
            table: the blocks.
            short: up to so many characters the whole text of a block is looked at.
            tail: of longer ones so many characters at the end, and phrases that begin with ``* ``.
        """
        masks = np.zeros(len(table), dtype=np.int64)
        is_long = table.end - table.start > short
        likely = np.flatnonzero(self._ends.are_at(table) | self._begins.are_at(table) & ~is_long)
        start = np.where(is_long, table.end - tail, table.start)[likely]
        masks[likely] = self.masks(_texts(table, start, table.end[likely]))
        return masks

    def masks(self, texts: Sequence[str]) -> Ints:
        """(m,) one bit per list for each of some texts, the first list lowest.

        Each distinct text is looked at once.
        """
        distinct = [*dict.fromkeys(texts)]
        known = dict(zip(distinct, map(self._mask, plain(distinct)), strict=True))
        return np.array([known[text] for text in texts], dtype=np.int64)

    def _add(self, phrase: str, bit: int) -> None:
        text = plain([phrase])[0]
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


# --- Which blocks can match -----------------------------------------------------------------------

_SHAPES: Final = 1 << 16


@dataclass(frozen=True, eq=False)
class _Edges:
    """What the first, or the last, words of phrases look like: rules out most blocks at once.

    Attributes:
        shapes: (2^16,) has one of the words such letters and such a length.
        edge: 0 for the first word, -1 for the last.
    """

    shapes: Bools
    edge: Literal[0, -1]

    @classmethod
    def of(cls, phrases: Sequence[str], edge: Literal[0, -1]) -> _Edges:
        """The first or last words of some phrases."""
        chars = np.frombuffer("".join(phrases).encode("utf-32-le"), dtype=np.uint32)
        starts = prefix_sums(np.array([*map(len, phrases)], dtype=np.int64))[:-1]
        tokens = tokenize(chars, starts, starts)
        shapes = np.zeros(_SHAPES, dtype=bool)
        shapes[_shapes(chars, tokens, _edge_tokens(tokens, edge)[1])] = True
        return cls(shapes, edge)

    def are_at(self, table: BlockTable) -> Bools:
        """(n,) can the first or last word of a block be one of these."""
        tokens = table.tokens
        block, token = _edge_tokens(tokens, self.edge)
        likely = self.shapes[_shapes(table.chars, tokens, token)] | (tokens.kind[token] != ALPHA)
        result = np.zeros(len(table), dtype=bool)
        result[block[likely]] = True
        return result


def _edge_tokens(tokens: Tokens, edge: Literal[0, -1]) -> tuple[Ints, Ints]:
    """Blocks with words of letters or unknown signs, and the first or last such word of each."""
    words = tokens.word & (tokens.kind != NUMERIC)
    rank = prefix_sums(words)[tokens.block_offsets]
    block = np.flatnonzero(rank[1:] > rank[:-1])
    return block, np.flatnonzero(words)[rank[block - edge] + edge]


def _shapes(chars: Chars, tokens: Tokens, chosen: Ints) -> Ints:
    """First and last letter and length of some tokens in a few bits."""
    start, end = tokens.start[chosen], tokens.end[chosen]
    first, last = ch.lower(chars[start]), ch.lower(chars[end - 1])
    return np.asarray((first * 2003 + last * 31 + end - start) % _SHAPES)


def _texts(table: BlockTable, start: Ints, end: Ints) -> list[str]:
    """The text of some spans."""
    lengths = end - start
    text = text_of(table.chars[span_indices(start, lengths)])
    return [text[first:last] for first, last in pairwise(prefix_sums(lengths).tolist())]
