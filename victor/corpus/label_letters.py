"""Labels as letters, one per block: what corpora and stores hold, and what the server sends.

h header, t text, o other, ? unlabelled: two careful readers could disagree, so that the block is
neither learnt from nor scored. A block that nobody marked is o.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from victor.base.arrays import Labels
from victor.base.labels import UNLABELLED

LETTERS: Final = "hto?"
"""Letters of `victor.base.labels.Label` in its order, then that of ``UNLABELLED``."""
UNMARKED: Final = "o"

_CODES: Final = np.frombuffer(LETTERS.encode(), np.uint8)
_LAST: Final = len(LETTERS) - 1


def unmarked(n_blocks: int) -> str:
    """Labels of a page that nobody has looked at."""
    return UNMARKED * n_blocks


def to_letters(labels: Labels) -> str:
    """(n,) labels as one letter each."""
    return _CODES[np.minimum(labels, _LAST)].tobytes().decode("ascii")


def from_letters(letters: str) -> Labels:
    """(n,) uint8 label of every letter: a `victor.base.labels.Label`, or UNLABELLED.

    Raises:
        ValueError: a letter is not one of `LETTERS`.
    """
    unknown = set(letters) - set(LETTERS)
    if unknown:
        raise ValueError(f"label {min(unknown)!r} is not one of {' '.join(LETTERS)}")
    codes = np.frombuffer(letters.encode(), np.uint8)
    indexes = (codes[:, None] == _CODES).argmax(axis=1).astype(np.uint8)
    return np.where(indexes == _LAST, np.uint8(UNLABELLED), indexes)
