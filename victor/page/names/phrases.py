"""Lists of phrases that whole texts are compared with, without case, digits and punctuation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Any, Final, Literal, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from victor.base import core
from victor.base.arrays import Bools, Chars, Ints, prefix_sums, span_indices
from victor.base.cached import cached_property
from victor.page.parsing import characters as ch
from victor.page.table.blocks import BlockTable
from victor.page.table.hashes import lower_weights, span_hashes
from victor.page.table.texts import text_of
from victor.page.table.tokens import ALPHA, NUMERIC, Tokens, tokenize

_NO_WORD: Final = re.compile(r"(?:[^\w\n]|[\d_])+")
_NO_LETTER: Final = re.compile(r"[\W\d_]")
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
        self._begins = _Edges.of(texts, 1)
        self._ends = _Edges.of([text for text in texts if text.startswith("* ")], -1)

    def of_blocks(self, table: BlockTable, *, short: int, edge: int) -> Ints:
        """(n,) one bit per list for each block, the first list lowest.

        Args:
            table: the blocks.
            short: up to so many characters the whole text of a block is looked at.
            edge: of longer ones so many characters at both ends, as if they were the text.
        """
        if core.compiled is not None:
            return self._compiled(table, short, edge)
        masks = np.zeros(len(table), dtype=np.int64)
        words = _Words.of(table.tokens)
        begins, ends = (edges.are_at(table, words) for edges in (self._begins, self._ends))
        likely = np.flatnonzero(begins | ends)
        masks[likely] = self._of_edges(table, likely, short, edge)
        return masks

    def _of_edges(self, table: BlockTable, blocks: Ints, short: int, edge: int) -> Ints:
        """Bits of some blocks."""
        start, end = table.start[blocks], table.end[blocks]
        is_long = end - start > short
        head = np.where(is_long, edge, end - start)
        return self.masks(_texts(table.chars, start, head, end, is_long * edge))

    def _compiled(self, table: BlockTable, short: int, edge: int) -> Ints:
        """The same by the compiled core, which leaves texts of rare characters to Python."""
        memory, rare = core.compiled.phrases(table, self._lists, short, edge)
        masks: Ints = core.array(memory, np.int64)
        blocks: Ints = core.array(rare, np.int64)
        if len(blocks):
            masks = masks.copy()
            masks[blocks] = self._of_edges(table, blocks, short, edge)
        return masks

    @cached_property
    def _lists(self) -> object:
        """What the compiled core looks for."""
        return core.compiled.phrase_lists(self._arrays())

    def _arrays(self) -> tuple[NDArray[Any], ...]:
        """The phrases as the compiled core reads them, by ascending hash of the plain text."""
        texts = [*self._exact]
        chars = np.frombuffer("".join(texts).encode("utf-32-le"), dtype=np.uint32)
        ends = np.cumsum([0, *map(len, texts)])
        start, end = ends[:-1], ends[1:]
        hashes = span_hashes(chars, start, end)
        order = np.argsort(hashes)
        bits = [[*self._bits_of(texts[number])] for number in order.tolist()]
        return (
            self._begins.shapes, self._ends.shapes, ch.lower_table(), _plain_codes(),
            lower_weights(), chars, start[order], end[order], hashes[order],
            np.array(bits, dtype=np.int64).ravel(),
        )  # fmt: skip

    def _bits_of(self, text: str) -> tuple[int, int, int]:
        """What a plain text sets alone, before other words and after other words."""
        first, last = text.partition(" ")[0], text.rpartition(" ")[2]
        return (
            self._exact[text],
            self._first.get(first, _NONE).get(f"{text} ", 0),
            self._last.get(last, _NONE).get(f" {text}", 0),
        )

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


# --- Characters as the compiled core reads them -----------------------------------------------

_N_PLAIN: Final = 0x2100
"""Code points that it knows: letters of most alphabets, and punctuation."""
_RARE: Final = 1
"""Stands for characters whose lower case is more than one, or depends on those around."""


@cache
def _plain_codes() -> Chars:
    """(0x2100,) what is left of a character in a plain text: its lower case, or 0 for nothing."""
    text = "".join(map(chr, range(_N_PLAIN))).replace("İ", "\0").lower()
    plain_text = _NO_LETTER.sub("\0", text).encode("utf-32-le")
    codes = np.frombuffer(plain_text, dtype=np.uint32).copy()
    codes[[ord("İ"), ord("Σ")]] = _RARE
    return codes


# --- Which blocks can match -----------------------------------------------------------------------

_SHAPES: Final = 1 << 17


class _Edges(Struct, frozen=True, eq=False):
    """What the first, or the last, two words of phrases look like: rules out most blocks at once.

    Attributes:
        shapes: (2^17,) has one of the phrases two such words, or a word and no other, or one word
            and then anything.
        step: 1 for the first words, -1 for the last.
    """

    shapes: Bools
    step: Literal[1, -1]

    @classmethod
    def of(cls, phrases: Sequence[str], step: Literal[1, -1]) -> _Edges:
        """The first or last words of some phrases."""
        texts = [phrase.strip(" *") for phrase in phrases]
        chars = np.frombuffer("".join(texts).encode("utf-32-le"), dtype=np.uint32)
        starts = prefix_sums(np.array([*map(len, texts)], dtype=np.int64))[:-1]
        tokens = tokenize(chars, starts, starts)
        edges = _edge_words(chars, tokens, _Words.of(tokens), step)
        has_star = np.array([len(t) < len(p) for t, p in zip(texts, phrases, strict=True)], bool)
        shapes = np.zeros(_SHAPES, dtype=bool)
        shapes[edges.two] = True
        shapes[edges.one[edges.is_alone & has_star[edges.text]]] = True
        return cls(shapes, step)

    def are_at(self, table: BlockTable, words: _Words) -> Bools:
        """(n,) can a block begin or end with one of the phrases."""
        edges = _edge_words(table.chars, table.tokens, words, self.step)
        result = np.zeros(len(table), dtype=bool)
        result[edges.text] = self.shapes[edges.one] | self.shapes[edges.two] | edges.is_odd
        return result


class _Words(NamedTuple):
    """Words of texts, numbers left aside; T texts have words.

    Attributes:
        tokens: the words.
        text: (T,) the texts.
        first, last: (T,) of `tokens`, in each text.
    """

    tokens: Ints
    text: Ints
    first: Ints
    last: Ints

    @classmethod
    def of(cls, tokens: Tokens) -> _Words:
        """The words among some tokens."""
        is_word = tokens.word & (tokens.kind != NUMERIC)
        rank = prefix_sums(is_word)[tokens.block_offsets]
        text = np.flatnonzero(rank[1:] > rank[:-1])
        return cls(np.flatnonzero(is_word), text, rank[text], rank[text + 1] - 1)


class _EdgeWords(NamedTuple):
    """The outermost words of texts, numbers left aside; T texts have words.

    Attributes:
        text: (T,) the texts.
        one, two: (T,) what the outermost word and the two outermost look like.
        is_alone: (T,) is there one word only.
        is_odd: (T,) have they other signs than letters, so that they may be several words or none.
    """

    text: Ints
    one: Ints
    two: Ints
    is_alone: Bools
    is_odd: Bools


def _edge_words(chars: Chars, tokens: Tokens, words: _Words, step: Literal[1, -1]) -> _EdgeWords:
    """The first words of texts, or, in steps of -1, the last."""
    outer, is_alone = words.first if step > 0 else words.last, words.first == words.last
    inner = words.tokens[np.where(is_alone, outer, outer + step)]
    outer = words.tokens[outer]
    one = _shapes(chars, tokens, outer)
    two = one * _SECOND + np.where(is_alone, 1, _shapes(chars, tokens, inner))
    is_odd = (tokens.kind[outer] != ALPHA) | (tokens.kind[inner] != ALPHA)
    return _EdgeWords(words.text, one, two % _SHAPES, is_alone, is_odd)


_SECOND: Final = 40503


def _shapes(chars: Chars, tokens: Tokens, chosen: Ints) -> Ints:
    """First and last letter and length of some tokens in a few bits."""
    start, end = tokens.start[chosen], tokens.end[chosen]
    first, last = ch.lower(chars[start]), ch.lower(chars[end - 1])
    return np.asarray((first * 2003 + last * 31 + end - start) % _SHAPES)


def _texts(chars: Chars, start: Ints, head: Ints, end: Ints, tail: Ints) -> list[str]:
    """The first and the last so many characters between starts and ends, as one text each."""
    lengths = np.stack((head, tail), axis=1)
    spans = span_indices(np.stack((start, end - tail), axis=1).ravel(), lengths.ravel())
    text, bounds = text_of(chars[spans]), prefix_sums(lengths.sum(axis=1)).tolist()
    return [text[first:last] for first, last in pairwise(bounds)]
