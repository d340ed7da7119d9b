"""Shares of images, links and dates in the ancestors of a block, and distances to marks."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Bools, Floats, Hashes, Ints, prefix_sums, unchanging
from victor.features.base import Column, ColumnValues, Feature, Kernel, Measure
from victor.features.kernels import of_tag_ids, tag_ids
from victor.page.parsing import characters as ch
from victor.page.parsing.tags import HEADINGS, IDS, NAMES
from victor.page.table.blocks import BlockTable
from victor.page.table.hashes import GOLDEN, equal_groups, mixed
from victor.page.table.nearest_blocks import last_until, next_from
from victor.page.table.tokens import NUMERIC

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
_LONG: Final = 30
_FAR: Final = 255
_FAR_WORDS: Final = 2000

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
    """Shares and distances; they have no parameters.

    Ancestors are block-level, 0 is the container; free words are those outside links; a year is
    of the 20th or 21st century. Letters are compared without case and order.

    >>> from victor.page.table.segment import parse_pages
    >>> page = b"<div><p><input>In 1999<p>Bees</div><h2>Home</h2><p>fly<p>home"
    >>> values = build()(parse_pages([page]))
    >>> values["ancestor-1.input"], values["ancestor-3.date"]
    (array([0.5, 0.5, 0.2, 0.2, 0.2]), array([0.2, 0.2, 0.2, 0.2, 0.2]))
    >>> values["since-date.blocks"], values["until-dup.blocks"], values["since-dup.words"]
    (array([0, 1, 2, 3, 4]), array([2, 1, 0, 1, 0]), array([-1, -1,  0,  1,  0]))
    """
    return Measure(COLUMNS, _compute, kernel=_kernel())


def _kernel() -> Kernel:
    """The compiled twin."""
    weights = of_tag_ids(_tag_weights().view(np.int64))
    # Shares are numbered as they are there, those of tags first.
    numbers = [*_SHARES]
    columns = np.array([(level, numbers.index(name)) for level, name in _MEASURED])
    parameters = weights, tag_ids(["p", "nav"]), *columns.T.copy()
    return Kernel("surroundings", parameters, constants=lambda: (_letters(),))


def _compute(table: BlockTable) -> Mapping[str, ColumnValues]:
    repeated, year = _alike(table) > 1, _hold_years(table)
    return {**_shares(table, repeated, year), **_distances(table, repeated, year)}


def _alike(table: BlockTable) -> Ints:
    """(n,) blocks of the page with the same letters in any order, case folded."""
    if not len(table):
        return np.zeros(0, dtype=np.int64)
    letters = np.add.reduceat(_letters().take(table.chars, mode="clip"), table.start)
    return equal_groups((letters + table.page.astype(np.uint64)) * GOLDEN).count()


_PLANES: Final = 0x40000
"""No letter has a code point above."""


@cache
def _letters() -> Hashes:
    """A random-looking number for the lower case of each letter, 0 for other code points."""
    codes = np.arange(_PLANES, dtype=np.uint64)
    codes[: ch.N_TABULATED] = ch.lower_table()
    numbers = mixed(codes)
    classes = ch.class_table()[:_PLANES]
    numbers[(classes < ch.LOWER) | (classes > ch.IDEOGRAPH)] = 0
    return unchanging(numbers)


def _hold_years(table: BlockTable) -> Bools:
    """(n,) blocks that hold a token of four digits that begins with 19 or 20."""
    tokens, chars = table.tokens, table.chars
    numbers = np.flatnonzero((tokens.kind == NUMERIC) & (tokens.end - tokens.start == 4))
    start = tokens.start[numbers]
    first, second = chars[start], chars[start + 1]
    years = (first == ord("1")) & (second == ord("9")) | (first == ord("2")) & (second == ord("0"))
    holds = np.zeros(len(table), dtype=bool)
    holds[np.searchsorted(tokens.block_offsets, numbers[years], side="right") - 1] = True
    return holds


def _shares(table: BlockTable, repeated: Bools, year: Bools) -> dict[str, ColumnValues]:
    """Shares in the ancestors of each block."""
    levels = [*_LEVELS]
    around = np.stack([*table.ancestors(levels[-1] + 1)])[levels]
    opens, closes = table.elements.open[around], table.elements.close[around]
    starts = np.zeros(len(table.tags.id) + 1, dtype=np.int64)
    starts[table.tag + 1] = 1
    starts = np.cumsum(starts)
    first, beyond = starts[opens], starts[closes]
    blocks = np.maximum(beyond - first, 1)
    values: dict[str, Floats] = {
        name: count / blocks for name, count in _tag_counts(table, opens, closes).items()
    }
    words = _between(table.words_inside("p"), first, beyond)
    values["p"] = words / np.maximum(table.element_words[around], 1)
    values["date"] = _between(year, first, beyond) / blocks
    values["dup"] = _between(repeated, first, beyond) / blocks
    return {
        f"ancestor-{level}.{name}": values[name][levels.index(level)] for level, name in _MEASURED
    }


def _tag_counts(table: BlockTable, opens: Ints, closes: Ints) -> dict[str, Hashes]:
    """Start tags of each kind from one tag to another.

    One running sum counts all kinds, each in 16 bits: beyond that, counts run into one another.
    """
    running = np.zeros(len(table.tags.id) + 1, dtype=np.uint64)
    np.cumsum(_tag_weights()[table.tags.id] * (table.tags.step >= 0), out=running[1:])
    counts = running[closes] - running[opens]
    return {
        name: counts >> np.uint64(16 * lane) & np.uint64(0xFFFF) for lane, name in enumerate(_TAGS)
    }


@cache
def _tag_weights() -> Hashes:
    """What a start tag of each id adds to the running sum."""
    weights = np.zeros(len(NAMES), dtype=np.uint64)
    for lane, names in enumerate(_TAGS.values()):
        weights[[IDS[name] for name in names]] = 1 << 16 * lane
    return unchanging(weights)


def _between(values: NDArray[np.generic], first: Ints, beyond: Ints) -> Ints:
    """Sums over the blocks from one to before another."""
    total = prefix_sums(values)
    return total[beyond] - total[first]


def _distances(table: BlockTable, repeated: Bools, year: Bools) -> dict[str, ColumnValues]:
    """Blocks and free words between each block and the marks before and after it."""
    free, index = table.free_words, np.arange(len(table))
    marks = {
        "nav": table.blocks_inside(frozenset({"nav"})),
        "long": free >= _LONG,
        "date": year,
        "dup": repeated,
        "heading": table.heading_level > 0,
    }
    last = {name: last_until(table, marks[name]) for name in _WORDS_SINCE}
    following = {name: next_from(table, marks[name]) for name in _UNTIL}
    before = np.cumsum(free) - free
    return {
        **{f"since-{name}.blocks": _blocks(index - last[name], last[name]) for name in _SINCE},
        **{f"until-{n}.blocks": _blocks(following[n] - index, following[n]) for n in _UNTIL},
        **{f"since-{name}.words": _words_since(before, last[name]) for name in _WORDS_SINCE},
    }


def _blocks(distance: Ints, mark: Ints) -> Ints:
    """(n,) distances to marks, `_FAR` where there is none."""
    return np.where(mark >= 0, np.minimum(distance, _FAR), _FAR)


def _words_since(before: Ints, mark: Ints) -> Ints:
    """(n,) words between each block and a mark, -1 where there is none."""
    return np.where(mark >= 0, np.minimum(before - before[mark], _FAR_WORDS), -1)
