"""Labels of blocks as letters, one a block: what a store keeps, the server sends and a page shows.

h header, t text, o other, ? unlabelled: two careful readers could disagree, so that the block is
neither learnt from nor scored. A block that nobody marked is o. The letters are those of the
annotated-corpus format (`victor.corpus.pages`).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from victor.arrays import Labels
from victor.labels import UNLABELLED

LETTERS: Final = "hto?"
"""Those of `victor.labels.Label` in its order, then that of `victor.labels.UNLABELLED`."""
UNMARKED: Final = "o"
UNDECIDED: Final = "?"

_CODES: Final = np.frombuffer(LETTERS.encode(), np.uint8)
_LAST: Final = len(LETTERS) - 1


def unmarked(n_blocks: int) -> str:
    """Labels of a page that nobody has looked at."""
    return UNMARKED * n_blocks


def letters(labels: Labels) -> str:
    """Labels (n,) as one letter each."""
    return _CODES[np.minimum(labels, _LAST)].tobytes().decode("ascii")


def label_values(labels: str) -> Labels:
    """(n,) uint8 value of every letter: of `victor.labels.Label`, or UNLABELLED.

    Raises:
        ValueError: a letter is none of `LETTERS`.
    """
    codes = np.frombuffer(labels.encode("ascii"), np.uint8)
    is_letter = codes[:, None] == _CODES
    if not is_letter.any(axis=1).all():
        raise ValueError(f"labels are the letters {' '.join(LETTERS)}")
    places = is_letter.argmax(axis=1).astype(np.uint8)
    return np.where(places == _LAST, np.uint8(UNLABELLED), places)
