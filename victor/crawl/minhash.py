"""Sets that resemble one another: MinHash values, and an index that finds similar ones.

A. Z. Broder: On the resemblance and containment of documents, 1997; bands of values as in
J. Leskovec, A. Rajaraman, J. D. Ullman: Mining of Massive Datasets, section 3.4.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.uint32]

HASHES: Final = 64
"""Values of a set: the standard error of an estimated similarity of 0.8 is 0.05."""
_BANDS, _ROWS = 10, 6
"""A pair of similarity 0.9 is compared with a probability of 0.9995, of 0.8 with 0.95; of 0.5 with
0.15, and then told apart by the estimate."""
_SHINGLE: Final = 3
_HALF: Final = np.uint64(32)


def _odd(*shape: int, seed: int) -> NDArray[np.uint64]:
    """Odd 64-bit multipliers: the upper half of a product with one is a hash of the lower half.

    Drawn bit by bit with a generator whose stream NumPy promises never to change.
    """
    raw = np.random.PCG64(seed).random_raw(int(np.prod(shape)))
    return (np.asarray(raw, dtype=np.uint64) | np.uint64(1)).reshape(shape)


_WORD_FACTORS: Final = _odd(_SHINGLE, seed=1)
_FACTORS: Final = _odd(HASHES, seed=2)
_OFFSETS: Final = _odd(HASHES, seed=3)
_BAND_FACTORS: Final = _odd(_BANDS, _ROWS, seed=4)


def shingles(words: Sequence[str]) -> NDArray[np.uint64]:
    """Distinct 32-bit hashes of the runs of three words; at least three words are needed."""
    codes = np.array([zlib.crc32(word.encode("utf-8", "replace")) for word in words], np.uint64)
    count = len(codes) - _SHINGLE + 1
    mixed = codes[:count] * _WORD_FACTORS[0]
    for place in range(1, _SHINGLE):
        mixed += codes[place : place + count] * _WORD_FACTORS[place]
    return np.unique(mixed >> _HALF)


def minhash(elements: NDArray[np.uint64]) -> Values:
    """(64,) uint32: the least hash of a set of 32-bit numbers under each of 64 hash functions."""
    hashed = elements[:, None] * _FACTORS + _OFFSETS
    return np.asarray(hashed.min(axis=0) >> _HALF, dtype=np.uint32)


class SimilarSets:
    """MinHash values by key; finds the key whose values agree most with others.

    What it finds depends on what it holds, not on the order in which that came.

    Args:
        size: most keys that are held at a time.
    """

    def __init__(self, size: int) -> None:
        self._values = np.zeros((size, HASHES), dtype=np.uint32)
        self._keys: list[int] = []
        """By row; a row that is free holds the key that was there last."""
        self._free: list[int] = []
        self._row: dict[int, int] = {}
        self._rows_of_band: dict[int, list[int]] = {}

    def values(self, key: int) -> Values | None:
        """(64,) uint32 of a key; None if it is not held."""
        row = self._row.get(key)
        return None if row is None else self._values[row]

    def nearest(self, values: Values, least: float) -> int | None:
        """Key of the most similar set; of equal ones the smallest; None if all are below `least`.

        Sets that share no band with it are not compared, see the source.
        """
        rows = {row for band in _bands(values) for row in self._rows_of_band.get(band, ())}
        if not rows:
            return None
        found = np.array([*rows])
        agree = np.count_nonzero(self._values[found] == values, axis=1)
        best = int(agree.max())
        if best < least * HASHES:
            return None
        nearest: list[int] = found[agree == best].tolist()
        return min(self._keys[row] for row in nearest)

    def add(self, key: int, values: Values) -> None:
        """Hold a key that is not held."""
        row = self._free.pop() if self._free else len(self._keys)
        self._keys[row : row + 1] = [key]
        self._row[key] = row
        self._values[row] = values
        for band in _bands(values):
            self._rows_of_band.setdefault(band, []).append(row)

    def remove(self, key: int) -> None:
        """Hold a key no more; nothing happens if it is not held."""
        row = self._row.pop(key, None)
        if row is None:
            return
        for band in _bands(self._values[row]):
            rows = self._rows_of_band[band]
            rows.remove(row)
            if not rows:
                del self._rows_of_band[band]
        self._free.append(row)


def _bands(values: Values) -> list[int]:
    """A 64-bit hash of every band of values; those of different bands differ."""
    banded = values[: _BANDS * _ROWS].reshape(_BANDS, _ROWS).astype(np.uint64)
    hashed: list[int] = (banded * _BAND_FACTORS).sum(axis=1, dtype=np.uint64).tolist()
    return hashed
