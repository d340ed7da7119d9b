"""Pages of which a part is UTF-8 and a part is in a Latin encoding, as templates and old contents.

The two are told apart line by line and text by text: in UTF-8 there are sequences of several
bytes, in the other there are none but by accident.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Bools
from victor.page.decoding.latin import Letters, read_latin

FEWEST = 6
"""Characters of either kind from which they are no accident."""
_PLAIN_SHARE = 0.95
_ACCIDENTS = 10
"""Errors of UTF-8 to one sequence that is valid by accident, in a text that is not UTF-8."""
_BETWEEN = np.frombuffer(b"<>\r\n", np.uint8)
_BAD = 0xFFFD

_Codes = NDArray[np.uint32]


def mixed_text(page: bytes, preferred: str) -> str | None:
    """The text of a page whose pieces are plainly of two kinds; None if they are not.

    Args:
        page: bytes that are not valid UTF-8 throughout.
        preferred: the Latin encoding that the page declares, or ``windows-1252``.
    """
    # A byte that is no UTF-8 becomes one lone surrogate.
    escaped = page.decode("utf-8", "surrogateescape").encode("utf-32-le", "surrogatepass")
    codes = np.frombuffer(escaped, np.uint32)
    is_bad = (codes >= 0xDC80) & (codes <= 0xDCFF)
    is_valid = (codes >= 0x80) & ~is_bad
    is_legacy, n_valid = _legacy(codes, is_bad, is_valid)
    if n_valid < FEWEST or np.count_nonzero(is_legacy & is_bad) < FEWEST:
        return None
    sizes = 1 + is_valid.astype(np.uint8) + (is_valid & (codes >= 0x800)) + (codes >= 0x10000)
    raw = np.frombuffer(page, np.uint8)
    of_legacy = np.repeat(is_legacy, sizes)
    letters = Letters.of(raw[of_legacy].tobytes())
    encoding, share = letters.arbitrate(preferred)
    if letters.runs or letters.count < FEWEST or share < _PLAIN_SHARE:
        return None
    return _joined(raw, of_legacy, np.where(is_bad, np.uint32(_BAD), codes), sizes, encoding)


def _legacy(codes: _Codes, is_bad: Bools, is_valid: Bools) -> tuple[Bools, int]:
    """(n,) whether a character stands in a piece that is not UTF-8; characters of those that are.

    Pieces are texts between tags, and lines.
    """
    piece = np.cumsum(np.isin(codes, _BETWEEN), dtype=np.int32)
    n_pieces = int(piece[-1]) + 1
    bad = np.bincount(piece[is_bad], minlength=n_pieces)
    valid = np.bincount(piece[is_valid], minlength=n_pieces)
    is_legacy = (bad > 0) & (valid * _ACCIDENTS <= bad)
    return is_legacy[piece], int(valid[bad == 0].sum())


def _joined(
    raw: NDArray[np.uint8], of_legacy: Bools, codes: _Codes, sizes: NDArray[np.uint8], encoding: str
) -> str:
    """The text of the whole page.

    Args:
        raw: (b,) its bytes.
        of_legacy: (b,) which of them are not UTF-8.
        codes: (n,) its characters if all were UTF-8.
        sizes: (n,) bytes of every character.
        encoding: of the others.
    """
    table = np.array([*map(ord, read_latin(bytes(range(256)), encoding))], dtype=np.uint32)
    texts = np.where(of_legacy, table[raw], np.repeat(codes, sizes))
    # A character of several bytes counts at the last of them.
    ends = np.cumsum(sizes, dtype=np.int64) - 1
    is_kept = of_legacy.copy()
    is_kept[ends] = True
    return texts[is_kept].tobytes().decode("utf-32-le")
