"""Hashes of 64 bits: mixed numbers, spans of text, and groups of equal hashes.

All arithmetic is modulo 2^64. Things that differ are taken for equal only where their hashes agree.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
from msgspec import Struct

from victor.base.arrays import Bools, Chars, Hashes, Ints
from victor.base.lazy import cached_property
from victor.page.parsing import characters as ch

GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
"""2^64 over the golden ratio, odd: the base of polynomials, and a factor that spreads numbers."""
_KEPT_POWERS: Final = 1 << 18
_FEWEST_POWERS: Final = 1 << 12


def mixed(values: Hashes) -> Hashes:
    """Numbers that look random, one for each number: the last two rounds of SplitMix64.

    Source: G. L. Steele, D. Lea, C. H. Flood: Fast splittable pseudorandom number generators.
    OOPSLA, 2014.
    """
    bits = values + np.uint64(1)
    bits *= np.uint64(0xBF58476D1CE4E5B9)
    bits ^= bits >> np.uint64(27)
    bits *= np.uint64(0x94D049BB133111EB)
    bits ^= bits >> np.uint64(31)
    return bits


class Groups(Struct, frozen=True, eq=False, dict=True):
    """Groups of equal hashes among m.

    Attributes:
        order: (m,) int64 indices that put equal hashes together, those of a group ascending.
        starts: where in `order` each group begins.
    """

    order: Ints
    starts: Ints

    @cached_property
    def sizes(self) -> Ints:
        """How many hashes each group has."""
        return np.diff(self.starts, append=len(self.order))


def equal_groups(hashes: Hashes) -> Groups:
    """Group equal hashes.

    Hashes that differ are taken for equal where they agree in all but as many of the highest bits
    as their number m has.
    """
    # Sorted as one number each, which is several times as fast as sorting indices by hashes.
    bits = np.uint64(len(hashes).bit_length())
    keys = hashes << bits
    keys |= np.arange(len(hashes), dtype=np.uint64)
    keys.sort()
    begins = np.ones(len(keys), dtype=bool)
    begins[1:] = (keys[1:] ^ keys[:-1]) >> bits != 0
    keys &= (np.uint64(1) << bits) - np.uint64(1)
    return Groups(keys.astype(np.int64), np.flatnonzero(begins))


def span_hashes(chars: Chars, start: Ints, end: Ints) -> Hashes:
    """(K,) hash of the lower-cased text of each span, equal for equal texts.

    A polynomial from one prefix sum: the hash of a span is the difference of two prefixes times
    the inverse power of the base.
    """
    weights = _letter_weights(chars)
    prefix = np.zeros(len(chars) + 1, dtype=np.uint64)
    np.cumsum(weights * cached_powers(int(GOLDEN), len(chars)), out=prefix[1:])
    inverse = cached_powers(pow(int(GOLDEN), -1, 1 << 64), len(chars) + 1)
    hashes: Hashes = (prefix[end] - prefix[start]) * inverse[start]
    return hashes


def _letter_weights(chars: Chars) -> Hashes:
    """A random-looking number per character, the same for both cases."""
    bits = ch.lower(chars).astype(np.uint64) + np.uint64(1)
    bits *= np.uint64(0xBF58476D1CE4E5B9)
    return bits ^ (bits >> np.uint64(29))


def powers(count: int, base: int = int(GOLDEN)) -> Hashes:
    """The first powers of a base, from 1 on."""
    factors = np.full(count, base, dtype=np.uint64)
    factors[:1] = 1
    return np.cumprod(factors, dtype=np.uint64)


def cached_powers(base: int, count: int) -> Hashes:
    """The first powers of a base; those that a batch of ordinary size needs are kept."""
    enough = max(_FEWEST_POWERS, 1 << count.bit_length())
    return _kept_powers(base, enough)[:count] if enough <= _KEPT_POWERS else powers(count, base)


@cache
def _kept_powers(base: int, count: int) -> Hashes:
    kept = powers(count, base)
    kept.flags.writeable = False
    return kept


class Known(Struct, frozen=True, eq=False):
    """Which of many hashes are among some that are known; K known ones.

    Attributes:
        hashes: (K,) the known hashes, ascending.
        number: (K,) place of each where they were given.
        slots: for each value of the highest bits, does a known hash have it.
    """

    hashes: Hashes
    number: Ints
    slots: Bools

    @classmethod
    def of(cls, hashes: Hashes) -> Known:
        """An index of hashes."""
        number = np.argsort(hashes, kind="stable")
        slots = np.zeros(1 << _SLOT_BITS, dtype=bool)
        slots[hashes >> _SLOT_SHIFT] = True
        return cls(hashes[number], number, slots)

    def find(self, hashes: Hashes) -> tuple[Ints, Ints]:
        """Places of those of (m,) hashes that are known, ascending, and their numbers.

        Of equal known ones it is the number of the first.
        """
        # Older versions of numpy take no unsigned rows.
        slot = (hashes >> _SLOT_SHIFT).view(np.int64)
        likely = np.flatnonzero(self.slots.take(slot, mode="clip"))
        some = hashes[likely]
        row = np.searchsorted(self.hashes, some)
        same = self.hashes.take(row, mode="clip") == some if len(self.hashes) else row > 0
        return likely[same], self.number[row[same]]


_SLOT_BITS: Final = 16
_SLOT_SHIFT: Final = np.uint64(64 - _SLOT_BITS)
