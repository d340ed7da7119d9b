"""What of a page's structure lies in its gold text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from structure.align import aligned
from structure.items import Base, Item, items
from structure.walk import Document, parsed, words

_SHORT: Final = 10
"""Words from which an item may lack some of them; shorter ones must be whole."""
_SHARE: Final = 0.9
_AROUND: Final = 0.5
"""Share of the paragraph around a link or a style that must be there, too."""
_IMAGE_GAP: Final = 30
"""Words (of a caption, or none) between an image and the kept text before and after it."""


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


def gold_of(markup: str, url: str | None, text: str) -> Gold:
    """Gold items of a page.

    Args:
        markup: the decoded page.
        url: its address.
        text: its main content.
    """
    root = parsed(markup)
    declared = next((node.get("href") for node in root.iter("base") if node.get("href")), None)
    document = Document(root)
    gold_words = words(text)
    places = aligned(document.words, gold_words)
    chosen = _in_place(items(document, Base(url, declared)), places)
    return Gold(_once(chosen), document.words, gold_words)


def _in_place(found: Sequence[Item], places: NDArray[np.int64]) -> list[Item]:
    chosen = []
    for item in found:
        if item.kind in ("image", "image alt"):
            between = _between(int(item.words[0]), places)
            if between is not None:
                chosen.append(replace(item, words=between))
        elif is_in(item, places):
            chosen.append(item)
    return chosen


def is_in(item: Item, places: NDArray[np.int64]) -> bool:
    """Whether an item's text is in the text that the words of its page were aligned with."""
    own = places[item.words] >= 0
    around = places[item.around] >= 0
    if item.kind in ("image", "image alt"):
        return bool(own.all())
    if not item.words.size:  # a cell or code without words is where its row or paragraph is
        return bool(around.size and around.mean() >= _SHARE)
    if own.mean() < (1 if own.size < _SHORT else _SHARE):
        return False
    return not around.size or float(around.mean()) >= _AROUND


def _between(word: int, places: NDArray[np.int64]) -> NDArray[np.int64] | None:
    """The kept words before and after an image, if both are near: on the page and in the text."""
    before = np.flatnonzero(places[max(0, word - _IMAGE_GAP) : word] >= 0)
    after = np.flatnonzero(places[word : word + _IMAGE_GAP] >= 0)
    if not before.size or not after.size:
        return None
    last, first = max(0, word - _IMAGE_GAP) + int(before[-1]), word + int(after[0])
    if not 0 < places[first] - places[last] <= _IMAGE_GAP:
        return None
    return np.array([last, first], dtype=np.int64)


def _once(chosen: Sequence[Item]) -> list[Item]:
    """The items, every image only the first time: pages repeat them for other screens."""
    seen: set[Any] = set()
    kept = []
    for item in chosen:
        if item.kind in ("image", "image alt"):
            if (item.kind, item.keys[0]) in seen:
                continue
            seen.add((item.kind, item.keys[0]))
        kept.append(item)
    return kept
