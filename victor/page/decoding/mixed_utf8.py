"""Pages of which a part is UTF-8 and a part is in a Latin encoding, as templates and old contents.

Valid sequences stay and other bytes are characters of the Latin encoding, wherever they stand:
lines and tags do not part the two, for many pages have only one line.
"""

from __future__ import annotations

from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Bools, prefix_sums
from victor.page.decoding.latin import Letters, letter_bytes, read_latin

FEWEST = 3
"""Broken bytes from which they are no accident."""
_FEWEST_VALID = 6
_PLAIN_SHARE = 0.95
_NEAR = 3
"""Characters beyond ASCII on each side that say whether one is like those around it."""
_BAD = 0xFFFD

_Codes = NDArray[np.uint32]


def mixed_text(page: bytes, preferred: str) -> str | None:
    """The text of a page whose characters are plainly of two kinds; None if they are not.

    Args:
        page: bytes that are not valid UTF-8 throughout.
        preferred: the Latin encoding that the page declares, or ``windows-1252``.
    """
    # A byte that is no UTF-8 becomes one lone surrogate.
    escaped = page.decode("utf-8", "surrogateescape").encode("utf-32-le", "surrogatepass")
    codes = np.frombuffer(escaped, np.uint32)
    is_bad = (codes >= 0xDC80) & (codes <= 0xDCFF)
    is_valid = (codes >= 0x80) & ~is_bad
    sizes = 1 + is_valid.astype(np.uint8) + (is_valid & (codes >= 0x800)) + (codes >= 0x10000)
    is_legacy = _legacy(codes, is_bad)
    n_valid = np.count_nonzero(is_valid & ~is_legacy)
    if n_valid < _FEWEST_VALID or np.count_nonzero(is_legacy & is_bad) < FEWEST:
        return None
    raw, of_legacy = np.frombuffer(page, np.uint8), np.repeat(is_legacy, sizes)
    letters = Letters.of(raw[of_legacy | (raw < 0x80)].tobytes())
    readings = [letters.arbitrate(name) for name in (preferred, "windows-1252")]
    encoding, share = max(readings, key=itemgetter(1))
    if letters.runs or letters.count < FEWEST or share < _PLAIN_SHARE or _are_cut(raw, of_legacy):
        return None
    table = np.array([*map(ord, read_latin(bytes(range(256)), encoding))], dtype=np.uint32)
    read = np.where(is_bad, np.uint32(_BAD), codes)
    texts = np.where(of_legacy, table[raw], np.repeat(read, sizes))
    # A character of several bytes counts at the last of them.
    of_legacy[np.cumsum(sizes, dtype=np.int64) - 1] = True
    return texts[of_legacy].tobytes().decode("utf-32-le")


def _legacy(codes: _Codes, is_bad: Bools) -> Bools:
    """(n,) whether a character is of the Latin encoding.

    Two bytes among others of it make a valid sequence by accident, three hardly ever; one broken
    byte among valid characters is damage.
    """
    foreign = np.flatnonzero(codes >= 0x80)
    n_bad, at = prefix_sums(is_bad[foreign]), np.arange(len(foreign))
    first, end = np.maximum(at - _NEAR, 0), np.minimum(at + _NEAR + 1, len(foreign))
    near = n_bad[end] - n_bad[first]
    is_legacy = is_bad.copy()
    is_legacy[foreign] = np.where(
        is_bad[foreign], near > 1, (codes[foreign] < 0x800) & (2 * near > end - first)
    )
    return is_legacy


def _are_cut(raw: NDArray[np.uint8], of_legacy: Bools) -> bool:
    """Whether most of the bytes end a word, as those of characters that were cut through do."""
    after = np.append(raw[1:], np.uint8(0))[of_legacy]
    return bool(2 * np.count_nonzero(letter_bytes()[after]) < len(after))
