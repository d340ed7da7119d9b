"""Shares of images, dates and prices in the ancestors of a block, and distances to marks."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from victor.base.arrays import Bools, Floats, Hashes, Ints, prefix_sums, unchanging
from victor.features.base import Column, ColumnValues, Feature, Kernel, Measure
from victor.features.kernels import of_tag_ids, tag_ids
from victor.page.parsing import characters as ch
from victor.page.parsing.tags import HEADINGS, IDS, NAMES
from victor.page.table.blocks import BlockTable
from victor.page.table.hashes import GOLDEN, equal_groups, mixed
from victor.page.table.nearest_blocks import last_until, next_from
from victor.page.table.tokens import NUMERIC, OTHER

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
    "price": "share of blocks with a price",
    "dup": "share of blocks whose letters the page repeats",
}
_MARKS: Final = {
    "nav": "inside <nav>",
    "long": "of 30 free words",
    "date": "with a year",
    "dup": "whose letters the page repeats",
}
_LEVELS: Final = (1, 3, 5)
_LONG: Final = 30
_FAR: Final = 255
_FAR_WORDS: Final = 2000

COLUMNS: Final = (
    *(
        Column(f"ancestor-{level}.{name}", "number", f"{meaning} of ancestor {level}")
        for level in _LEVELS
        for name, meaning in _SHARES.items()
    ),
    *(
        Column(f"{way}-{mark}.blocks", "count", f"blocks {way} the {which} {sign}, 255 if none")
        for mark, sign in _MARKS.items()
        for way, which in (("since", "last"), ("until", "next"))
    ),
    *(
        Column(f"since-{mark}.words", "number", f"free words since the last {sign}, -1 if none")
        for mark, sign in _MARKS.items()
    ),
    Column("since-heading.words", "number", "free words since the last heading, -1 if none"),
    Column("heading.dup", "number", "blocks with the letters of the heading above, -1 if none"),
)


def build() -> Feature:
    """Shares and distances; they have no parameters.

    Ancestors are block-level, 0 is the container; free words are those outside links; a year is
    of the 20th or 21st century. Letters are compared without case and order.

    >>> from victor.page.table.segment import parse_pages
    >>> page = b"<div><p><img>In 1999<p>Bees</div><h2>Home</h2><p>$ 5<p>home"
    >>> values = build()(parse_pages([page]))
    >>> values["ancestor-1.img"], values["ancestor-1.date"]
    (array([0.5, 0.5, 0.2, 0.2, 0.2]), array([0.5, 0.5, 0.2, 0.2, 0.2]))
    >>> values["since-date.blocks"], values["until-dup.blocks"], values["since-dup.words"]
    (array([0, 1, 2, 3, 4]), array([2, 1, 0, 1, 0]), array([-1, -1,  0,  1,  0]))
    """
    return Measure(COLUMNS, _compute, kernel=_kernel())


def _kernel() -> Kernel:
    """The compiled twin."""
    weights = of_tag_ids(_tag_weights().view(np.int64))
    parameters = weights, np.flatnonzero(_currency()), tag_ids(["p", "nav"])
    return Kernel("surroundings", parameters, constants=lambda: (_letters(),))


def _compute(table: BlockTable) -> Mapping[str, ColumnValues]:
    signs = _Signs.of(table)
    return {**_shares(table, signs), **_distances(table, signs)}


class _Signs(Struct, frozen=True, eq=False):
    """Signs of the kind of text that a block holds.

    Attributes:
        alike: (n,) blocks of the page with the same letters, itself included.
        year, price: (n,) does the block hold one.
    """

    alike: Ints
    year: Bools
    price: Bools

    @classmethod
    def of(cls, table: BlockTable) -> _Signs:
        """The signs of all blocks."""
        year, price = (_blocks_of(table, find(table)) for find in (_years, _prices))
        return cls(_alike(table), year, price)


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


def _years(table: BlockTable) -> Ints:
    """Tokens of four digits that begin with 19 or 20."""
    tokens, chars = table.tokens, table.chars
    numbers = np.flatnonzero((tokens.kind == NUMERIC) & (tokens.end - tokens.start == 4))
    start = tokens.start[numbers]
    first, second = chars[start], chars[start + 1]
    years = (first == ord("1")) & (second == ord("9")) | (first == ord("2")) & (second == ord("0"))
    return np.compress(years, numbers)


def _prices(table: BlockTable) -> Ints:
    """Tokens with a currency sign next to a number of the same block."""
    tokens, currency = table.tokens, _currency()
    signs = np.flatnonzero(tokens.kind == OTHER)
    ends = currency.take(table.chars[tokens.end[signs] - 1], mode="clip")
    begins = currency.take(table.chars[tokens.start[signs]], mode="clip")
    any_sign = np.flatnonzero(ends | begins)
    signs, ends, begins = signs[any_sign], ends[any_sign], begins[any_sign]
    block = np.searchsorted(tokens.block_offsets, signs, side="right") - 1
    after = tokens.first_class.take(signs + 1, mode="clip") == ch.DIGIT
    after &= signs + 1 < tokens.block_offsets[block + 1]
    before = tokens.last_class.take(signs - 1, mode="clip") == ch.DIGIT
    before &= signs > tokens.block_offsets[block]
    return np.compress(ends & after | begins & before, signs)


@cache
def _currency() -> Bools:
    """Is a code point a currency sign; the last entry, for all higher code points, is False."""
    signs = [ord(c) for c in "$€£¥₹₽₴₺₩"]
    table = np.zeros(max(signs) + 2, dtype=bool)
    table[signs] = True
    table.flags.writeable = False
    return table


def _blocks_of(table: BlockTable, tokens: Ints) -> Bools:
    """(n,) blocks that hold any of some tokens."""
    holds = np.zeros(len(table), dtype=bool)
    holds[np.searchsorted(table.tokens.block_offsets, tokens, side="right") - 1] = True
    return holds


def _shares(table: BlockTable, signs: _Signs) -> dict[str, ColumnValues]:
    """Shares in the ancestors of each block."""
    around = np.stack([*table.ancestors(_LEVELS[-1] + 1)])[[*_LEVELS]]
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
    for name, chosen in (("date", signs.year), ("price", signs.price), ("dup", signs.alike > 1)):
        values[name] = _between(chosen, first, beyond) / blocks
    return {
        f"ancestor-{level}.{name}": values[name][row]
        for row, level in enumerate(_LEVELS)
        for name in _SHARES
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
    weights.flags.writeable = False
    return weights


def _between(values: NDArray[np.generic], first: Ints, beyond: Ints) -> Ints:
    """Sums over the blocks from one to before another."""
    total = prefix_sums(values)
    return total[beyond] - total[first]


def _distances(table: BlockTable, signs: _Signs) -> dict[str, ColumnValues]:
    """Blocks and free words between each block and the marks before and after it."""
    free = table.free_words
    marks = {
        "nav": table.blocks_inside(frozenset({"nav"})),
        "long": free >= _LONG,
        "date": signs.year,
        "dup": signs.alike > 1,
    }
    index, before = np.arange(len(table)), np.cumsum(free) - free
    values: dict[str, ColumnValues] = {}
    for name, chosen in marks.items():
        mark = last_until(table, chosen)
        is_after = mark >= 0
        values[f"since-{name}.blocks"] = np.where(is_after, np.minimum(index - mark, _FAR), _FAR)
        values[f"since-{name}.words"] = _words_since(before, mark, is_after)
        following = next_from(table, chosen)
        near = (following >= 0) & (following - index < _FAR)
        values[f"until-{name}.blocks"] = np.where(near, following - index, _FAR)
    heading = last_until(table, table.heading_level > 0)
    is_after = heading >= 0
    values["since-heading.words"] = _words_since(before, heading, is_after)
    values["heading.dup"] = np.where(is_after, signs.alike[heading], -1)
    return values


def _words_since(before: Ints, mark: Ints, is_after: Bools) -> Ints:
    """(n,) words between each block and a mark, -1 where there is none."""
    return np.where(is_after, np.minimum(before - before[mark], _FAR_WORDS), -1)
