"""What of a page's structure lies in its gold text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from structure.align import aligned
from structure.items import Item, items
from structure.walk import Document, parsed, words

_SHORT: Final = 10
"""Words from which an item may lack some of them; shorter ones must be whole."""
_SHARE: Final = 0.9
_AROUND: Final = 0.5
"""Share of the row around a cell that must be there, too."""


@dataclass(frozen=True, eq=False)
class Gold:
    """The items of a page that a converter should give.

    Attributes:
        items: elements of the page whose text is in the gold text.
        page: words of the page.
        text: words of the gold text.
    """

    items: Sequence[Item]
    page: Sequence[str]
    text: Sequence[str]


def gold_of(markup: str, text: str) -> Gold:
    """Gold items of a decoded page, given its main content."""
    document, gold_words = Document(parsed(markup)), words(text)
    places = aligned(document.words, gold_words)
    chosen = [item for item in items(document) if is_in(item, places)]
    return Gold(chosen, document.words, gold_words)


def is_in(item: Item, places: NDArray[np.int64]) -> bool:
    """Whether an item's text is in the text that the words of its page were aligned with."""
    own = places[item.words] >= 0
    around = places[item.around] >= 0
    if not item.words.size:  # a cell or code without words is where its row or paragraph is
        return bool(around.size and around.mean() >= _SHARE)
    if own.mean() < (1 if own.size < _SHORT else _SHARE):
        return False
    return not around.size or float(around.mean()) >= _AROUND
