"""Shares of images, links and dates in the ancestors of a block, and distances to marks."""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np

from victor.base.arrays import Hashes, unchanging
from victor.features.base import Column, Feature, Kernel, of_tag_ids, tag_ids
from victor.page.parsing.tags import HEADINGS, IDS, NAMES

_TAGS: Final = {
    "img": ("img", "picture"),
    "input": ("input", "button", "select"),
    "a": ("a",),
    "head": HEADINGS,
}
_SHARES: Final = {
    "img": "images per block",
    "input": "form fields and buttons per block",
    "a": "links per block",
    "head": "headings per block",
    "p": "share of words inside <p>",
    "date": "share of blocks with a year",
    "dup": "share of blocks whose letters the page repeats",
}
_ALL: Final = ("img", "input", "a", "head", "p", "date", "dup")
_LEVELS: Final = {1: ("input", "a", "p", "dup"), 3: _ALL, 5: _ALL}
"""What the ancestors of each level are asked for; the container is level 0."""
_MEASURED: Final = [(level, name) for level, names in _LEVELS.items() for name in names]
_MARKS: Final = {
    "nav": "inside <nav>",
    "long": "of 30 free words",
    "date": "with a year",
    "dup": "whose letters the page repeats",
    "heading": "in a heading",
}
_SINCE: Final = ("nav", "date")
_UNTIL: Final = ("nav", "long", "dup")
_WORDS_SINCE: Final = ("nav", "date", "dup", "heading")

COLUMNS: Final = (
    *(
        Column(f"ancestor-{level}.{name}", "number", f"{_SHARES[name]} of ancestor {level}")
        for level, name in _MEASURED
    ),
    *(
        Column(
            f"since-{mark}.blocks", "count", f"blocks since the last {_MARKS[mark]}, 255 if none"
        )
        for mark in _SINCE
    ),
    *(
        Column(
            f"until-{mark}.blocks", "count", f"blocks until the next {_MARKS[mark]}, 255 if none"
        )
        for mark in _UNTIL
    ),
    *(
        Column(
            f"since-{mark}.words", "number", f"free words since the last {_MARKS[mark]}, -1 if none"
        )
        for mark in _WORDS_SINCE
    ),
)


def build() -> Feature:
    """Shares and distances; they have no parameters. Distances in words end at 2,000.

    Ancestors are block-level, 0 is the container; free words are those outside links; a year is
    of the 20th or 21st century. Letters are compared without case and order.

    >>> from victor.page.table.segment import parse_pages
    >>> page = b"<div><p><input>In 1999<p>Bees</div><h2>Home</h2><p>fly<p>home"
    >>> values = build()(parse_pages([page]))
    >>> [(values[f"ancestor-{name}"] * 10).tolist() for name in ("1.input", "3.date")]
    [[5.0, 5.0, 2.0, 2.0, 2.0], [2.0, 2.0, 2.0, 2.0, 2.0]]
    >>> [values[name].tolist() for name in ("since-date.blocks", "until-dup.blocks")]
    [[0.0, 1.0, 2.0, 3.0, 4.0], [2.0, 1.0, 0.0, 1.0, 0.0]]
    >>> values["since-dup.words"].tolist()
    [-1.0, -1.0, 0.0, 1.0, 0.0]
    """
    weights = of_tag_ids(_tag_weights().view(np.int64))
    # Shares are numbered as they are there, those of tags first.
    numbers = [*_SHARES]
    columns = np.array([(level, numbers.index(name)) for level, name in _MEASURED])
    parameters = weights, tag_ids(["p", "nav"]), *columns.T.copy()
    return Kernel(COLUMNS, "surroundings", parameters)


@cache
def _tag_weights() -> Hashes:
    """What a start tag of each id adds to one running sum of all kinds, each in 16 bits."""
    weights = np.zeros(len(NAMES), dtype=np.uint64)
    for lane, names in enumerate(_TAGS.values()):
        weights[[IDS[name] for name in names]] = 1 << 16 * lane
    return unchanging(weights)
