"""A keep/discard language model of characters: interpolated n-grams with Witten-Bell weights.

I. H. Witten, T. C. Bell: The zero-frequency problem: estimating the probabilities of novel events
in adaptive text compression. IEEE Transactions on Information Theory 37(4), 1991. With h the
characters before c, h' the same without the first of them, T the number of different characters
after h and w a weight (1 in the paper)::

    p(c | h) = (count(h c) + w T(h) p(c | h')) / (count(h) + w T(h))

Below the shortest history all symbols are equally probable. The counts that pruning removes after
a history go to p(c | h'), too, so that the probabilities still add up to 1.

A window of characters is one integer, ten bits per symbol and the last character highest: windows
sorted once are sorted at every length, and the longest known n-gram ends in all shorter ones. Both
sides share one table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Bools, Floats, Ints
from victor.base.errors import ModelError
from victor.base.lazy import cached_property
from victor.page.parsing.characters import SPACE, class_table

BITS: Final = 10
LONGEST: Final = 6
"""The most symbols that one integer holds."""

NONE: Final = 0
"""Symbol before the beginning of a text."""
BOUNDARY: Final = 1
UNKNOWN: Final = 2
"""All characters outside the alphabet."""
_FIRST: Final = 3
MOST_CHARACTERS: Final = (1 << BITS) - _FIRST

_GROWTH: Final = 1.06
"""Counts are stored in one byte; counts with the same code differ by at most this factor."""

_PORTION: Final = 1 << 19  # characters per lookup: with more, sorting does not fit into the caches


@dataclass(frozen=True, eq=False)
class Alphabet:
    """The characters that are distinguished."""

    characters: NDArray[np.uint32]  # (A,) uint32 code points, rising; at most `MOST_CHARACTERS`

    @classmethod
    def fit(cls, chars: NDArray[np.uint32], most: int) -> Alphabet:
        """The most frequent characters of a text; of equally frequent ones the lowest."""
        codes, counts = np.unique(_plain(chars), return_counts=True)
        frequent = np.argsort(-counts, kind="stable")[: min(most, MOST_CHARACTERS)]
        return cls(np.sort(codes[frequent]))

    @property
    def size(self) -> int:
        """Number of symbols that can follow a history: boundary, unknown and the characters."""
        return len(self.characters) + _FIRST - BOUNDARY

    @cached_property
    def _symbols(self) -> NDArray[np.uint16]:
        """(0x110000,) symbol of every code point."""
        table = np.full(0x110000, UNKNOWN, dtype=np.uint16)
        table[self.characters] = np.arange(_FIRST, _FIRST + len(self.characters))
        return table

    def layout(self, chars: NDArray[np.uint32], start: Ints, end: Ints) -> Ints:
        """Symbols of texts with a boundary before, between and after them.

        Args:
            chars: (N,) code points.
            start: (n,) where every text begins in them.
            end: (n,) where it ends, one past its last character.

        Returns:
            (sum of lengths + n + 1,) int64.
        """
        text_start = np.cumsum(end - start + 1) - (end - start)
        symbols = np.full(int((end - start).sum()) + len(start) + 1, BOUNDARY, dtype=np.int64)
        text = _plain(chars[ranges(start, end)])
        symbols[ranges(text_start, text_start + end - start)] = self._symbols[text]
        return symbols


def ranges(start: Ints, end: Ints) -> Ints:
    """All numbers from each start to before its end, one range after the other."""
    length = end - start
    shift = np.repeat(start - np.cumsum(length) + length, length)
    return shift + np.arange(len(shift))


def windows(symbols: Ints) -> Ints:
    """(N,) int64 every symbol with the five before it, as far back as the last boundary."""
    position = np.arange(len(symbols))
    boundary = np.where(symbols == BOUNDARY, position, -1)
    last_boundary = np.concatenate(([-1], np.maximum.accumulate(boundary)[:-1]))[: len(position)]
    codes = symbols << (BITS * (LONGEST - 1))
    for back in range(1, min(LONGEST, len(symbols))):
        earlier = np.where(position[back:] - back >= last_boundary[back:], symbols[:-back], NONE)
        codes[back:] |= earlier << (BITS * (LONGEST - 1 - back))
    return codes


@dataclass(frozen=True, eq=False)
class Grams:
    """Counts of n-grams in kept and in discarded text.

    Attributes:
        codes: for every length from 1 on, (G,) int64 n-grams, rising; ten bits a symbol, the
            last one highest.
        counts: for every length, (G, 2) int64 occurrences, kept and discarded.
    """

    codes: tuple[Ints, ...]
    counts: tuple[Ints, ...]

    @classmethod
    def count(cls, symbols: Ints, discarded: Bools, order: int) -> Grams:
        """Count the n-grams of texts that `Alphabet.layout` laid out.

        Args:
            symbols: (N,) symbols.
            discarded: (N,) bool; side of every symbol.
            order: the longest n-grams, 1 to `LONGEST`.
        """
        # The first boundary ends no text; as a history it equals all others.
        keys = np.sort((windows(symbols) << 1 | discarded)[1:])
        levels = [_runs(keys, length) for length in range(1, order + 1)]
        return cls(tuple(codes for codes, _ in levels), tuple(counts for _, counts in levels))

    def __len__(self) -> int:
        return sum(map(len, self.codes))

    def pruned(self, least: int, most: int) -> Grams:
        """Those of at least `least` occurrences; of more, if there would be above `most` of them.

        The n-grams that begin or end a longer one are never rarer, so they stay, too.
        """
        total = np.sort(np.concatenate([counts.sum(axis=1) for counts in self.counts]))
        least = max(least, int(total[-most - 1]) + 1) if len(total) > most else least
        kept = [counts.sum(axis=1) >= least for counts in self.counts]
        return Grams(
            tuple(codes[rows] for codes, rows in zip(self.codes, kept, strict=True)),
            tuple(counts[rows] for counts, rows in zip(self.counts, kept, strict=True)),
        )


def _runs(keys: Ints, length: int) -> tuple[Ints, Ints]:
    """The distinct n-grams of one length and their occurrences, from sorted windows and sides."""
    codes = keys >> (1 + BITS * (LONGEST - length))
    is_full = (codes & ((1 << BITS) - 1)) != NONE
    codes, side = codes[is_full], keys[is_full] & 1
    starts = np.flatnonzero(np.diff(codes, prepend=-1))
    ends = np.append(starts, len(codes))
    discarded = np.diff(np.concatenate(([0], np.cumsum(side)))[ends])
    return codes[starts], np.stack([np.diff(ends) - discarded, discarded], axis=1)


class _Level(NamedTuple):
    codes: Ints  # (G,) as in `Grams`
    p: Floats  # (G, 2) log probability of the last character after the others, kept and discarded
    rest: Floats  # (G, 2) log of the weight that the shorter history has after these characters


class CharacterModel:
    """Two character language models over one alphabet, of kept and of discarded text.

    Args:
        alphabet: the characters.
        grams: pruned counts.
        weight: of the number of different characters after a history; 1 is Witten-Bell.

    Raises:
        ModelError: the n-grams are not sorted, have wrong lengths, or are not closed.
    """

    def __init__(self, alphabet: Alphabet, grams: Grams, weight: float = 1.0) -> None:
        self.alphabet = alphabet
        self.grams = grams
        self.weight = weight
        _check(alphabet, grams)

    @property
    def order(self) -> int:
        """Length of the longest n-grams."""
        return len(self.grams.codes)

    def log_odds(self, chars: NDArray[np.uint32], start: Ints, end: Ints) -> Floats:
        """(n,) natural log-odds of texts, kept against discarded, the end of the text included.

        Args:
            chars: (N,) code points.
            start: (n,) where every text begins in them.
            end: (n,) where it ends, one past its last character.
        """
        portion = np.cumsum(end - start + 1) // _PORTION
        bounds = pairwise([0, *(np.flatnonzero(np.diff(portion)) + 1).tolist(), len(start)])
        return np.concatenate([self._log_odds(chars, start[a:b], end[a:b]) for a, b in bounds])

    def _log_odds(self, chars: NDArray[np.uint32], start: Ints, end: Ints) -> Floats:
        symbols = self.alphabet.layout(chars, start, end)
        scores = self._scores(symbols)
        length = end - start + 1
        return np.add.reduceat(scores[1:], np.cumsum(length) - length)

    def _scores(self, symbols: Ints) -> Floats:
        """(N,) log-odds of every symbol after those before it.

        Every distinct window is looked up once, in order, which is several times faster.
        """
        unique, inverse = np.unique(windows(symbols), return_inverse=True)
        known_length = np.zeros(len(unique), dtype=np.int64)
        best = np.full(len(unique), _odds(self._root + self._uniform)[0])
        rest = np.zeros((self.order + 1, len(unique)))
        active = np.arange(len(unique))
        for length, level in enumerate(self._levels, 1):
            codes = unique[active] >> (BITS * (LONGEST - length))
            index = np.searchsorted(level.codes, codes)
            is_known = np.append(level.codes, NONE)[index] == codes
            active, index = active[is_known], index[is_known]
            best[active], known_length[active] = _odds(level.p)[index], length
            rest[length, active] = _odds(level.rest)[index]
        return best[inverse] + self._backing_off(np.cumsum(rest, axis=0), known_length, inverse)

    def _backing_off(self, rest: Floats, known_length: Ints, inverse: Ints) -> Floats:
        """(N,) weight of backing off from longer known histories to the known n-grams.

        Args:
            rest: (order + 1, U) weights of every window, summed up to each length of a history.
            known_length: (U,) length of the longest n-gram known.
            inverse: (N,) window of every symbol; its history is the window of the symbol before.
        """
        history = np.concatenate((inverse[:1], inverse[:-1]))
        lower = np.maximum(known_length[inverse] - 1, 0)
        return np.asarray(rest[self.order - 1, history] - rest[lower, history])

    @cached_property
    def _uniform(self) -> Floats:
        return np.full((1, 2), -np.log(self.alphabet.size))

    @property
    def _root(self) -> Floats:
        return self._compiled[0]

    @property
    def _levels(self) -> list[_Level]:
        return self._compiled[1]

    @cached_property
    def _compiled(self) -> tuple[Floats, list[_Level]]:
        """Logarithm of the weight of the uniform distribution, and the tables of all lengths."""
        codes, counts = self.grams.codes, [c.astype(np.float64) for c in self.grams.counts]
        p = [np.exp(self._uniform)]
        rests: list[Floats] = []
        shorter = np.zeros(1, dtype=np.int64)
        histories = counts[0].sum(axis=0, keepdims=True)
        for length, (grams, count) in enumerate(zip(codes, counts, strict=True), 1):
            history_bits = BITS * (length - 1)
            before = (
                np.searchsorted(shorter, grams & ((1 << history_bits) - 1))
                if history_bits
                else 0 * grams
            )
            after = np.searchsorted(shorter, grams >> BITS) if history_bits else 0 * grams
            rest, norm = self._rest(count, before, histories)
            p.append((count + rest[before] * p[-1][after]) / norm[before])
            rests.append(rest / norm)
            shorter, histories = grams, count
        rests.append(np.ones_like(p[-1]))
        levels = [
            _Level(c, np.log(q), np.log(r)) for c, q, r in zip(codes, p[1:], rests[1:], strict=True)
        ]
        return np.log(rests[0]), levels

    def _rest(self, count: Floats, before: Ints, histories: Floats) -> tuple[Floats, Floats]:
        """Per history: weight of the shorter one, and the sum of all weights; both (H, 2)."""
        n = len(histories)
        sides = [count[:, 0], count[:, 1]]
        seen: Floats = np.stack([np.bincount(before, c, n) for c in sides], axis=1)
        kinds = np.stack([np.bincount(before, c > 0, n) for c in sides], axis=1)
        rest: Floats = np.maximum(histories - seen, 0.0) + self.weight * kinds
        # A history that does not occur on a side leaves everything to the shorter one.
        rest = np.where(seen + rest > 0, rest, 1.0)
        return rest, seen + rest

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """The stored arrays: characters, n-grams, and their counts in one byte each."""
        arrays: dict[str, NDArray[Any]] = {"characters": self.alphabet.characters}
        for n, (codes, counts) in enumerate(zip(self.grams.codes, self.grams.counts, strict=True)):
            arrays[f"codes{n + 1}"] = codes
            arrays[f"counts{n + 1}"] = quantized(counts)
        return arrays

    @classmethod
    def from_arrays(
        cls, arrays: Mapping[str, NDArray[Any]], order: int, weight: float
    ) -> CharacterModel:
        """The model that `to_arrays` stored.

        Raises:
            ModelError: arrays are missing or of other types.
        """
        try:
            characters = arrays["characters"].astype(np.uint32, casting="safe")
            lengths = range(1, order + 1)
            codes = tuple(arrays[f"codes{n}"].astype(np.int64, casting="safe") for n in lengths)
            stored = [arrays[f"counts{n}"].astype(np.uint8, casting="safe") for n in lengths]
        except (KeyError, TypeError) as error:
            raise ModelError(f"the n-grams are damaged ({error}): train again") from None
        counts = tuple(quantized_values()[levels] for levels in stored)
        return cls(Alphabet(characters), Grams(codes, counts), weight)

    def stored(self) -> CharacterModel:
        """The model as it is after storing and loading: with quantised counts."""
        return self.from_arrays(self.to_arrays(), self.order, self.weight)


def quantized_values() -> Ints:
    """(256,) int64, rising: the counts that one byte can represent."""
    values = [0]
    while len(values) < 256:
        values.append(max(values[-1] + 1, int(values[-1] * _GROWTH)))
    return np.array(values, dtype=np.int64)


def quantized(counts: Ints) -> NDArray[np.uint8]:
    """Counts as indices into `quantized_values`, rounded down."""
    return (np.searchsorted(quantized_values(), counts, side="right") - 1).astype(np.uint8)


def _odds(logs: Floats) -> Floats:
    return logs[:, 0] - logs[:, 1]


def _plain(chars: NDArray[np.uint32]) -> NDArray[np.uint32]:
    return np.where(class_table()[chars] == SPACE, np.uint32(ord(" ")), chars)


def _check(alphabet: Alphabet, grams: Grams) -> None:
    characters = alphabet.characters
    sound = (
        characters.ndim == 1
        and len(characters) <= MOST_CHARACTERS
        and bool((np.diff(characters.astype(np.int64)) > 0).all())
        and bool((characters < 0x110000).all())
        and 1 <= len(grams.codes) <= LONGEST
        and all(_is_sound(c, n) for c, n in zip(grams.codes, grams.counts, strict=True))
        and len(grams.codes[0]) > 0
        and bool((grams.codes[0] < 1 << BITS).all())
        and all(_is_closed(*pair, n) for n, pair in enumerate(pairwise(grams.codes), 1))
    )
    if not sound:
        raise ModelError("the n-grams are damaged: restore the model or train again")


def _is_sound(codes: Ints, counts: Ints) -> bool:
    rising = codes.ndim == 1 and bool((np.diff(codes) > 0).all()) and bool((codes > 0).all())
    return rising and counts.shape == (len(codes), 2)


def _is_closed(shorter: Ints, longer: Ints, length: int) -> bool:
    begins, ends = longer & ((1 << (BITS * length)) - 1), longer >> BITS
    return bool(np.isin(begins, shorter).all() and np.isin(ends, shorter).all())
