"""Areas: text elements of the same appearance that lie near each other.

The blocks of the paper are called areas here, and its text elements are the blocks of the table.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Floats, Hashes, Ints
from victor.page.parsing.tags import NAMES, member_mask
from victor.page.table.blocks import BlockTable
from victor.page.table.hashes import GOLDEN

LOOKS: Final = ("class", "style", "align", "bgcolor", "color", "face", "size")
"""Attributes that affect appearance; the class comes first."""
_TAGS: Final = frozenset(
    "a abbr address b big blockquote button caption center cite code dd dt em figcaption font h1 "
    "h2 h3 h4 h5 h6 i kbd label legend li listing mark pre q s samp small strike strong sub sup "
    "summary td th tt u".split()
)
"""Tags that affect appearance."""
_DIGITS: Final = re.compile(r"\d+")
_MIXER: Final = np.uint64(0xBF58476D1CE4E5B9)


@dataclass(frozen=True, eq=False)
class Areas:
    """Areas of a batch of pages by their first block; A areas of n blocks, L looks.

    Attributes:
        area: (n,) int64 area of each block.
        look: (A,) int64 number of the appearance, 0 to L - 1; those of two pages differ.
        first, last: (A,) int64 first and last block; blocks of other areas may lie between.
        page: (A,) int64 page.
    """

    area: Ints
    look: Ints
    first: Ints
    last: Ints
    page: Ints

    def __len__(self) -> int:
        return len(self.look)

    @cached_property
    def block_look(self) -> Ints:
        """(n,) appearance of each block."""
        return self.look[self.area]

    @cached_property
    def n_looks(self) -> int:
        """Number of appearances."""
        return int(self.look.max(initial=-1)) + 1

    def sums(self, values: NDArray[np.generic]) -> Floats:
        """(A,) sums of numbers given per block."""
        return np.bincount(self.area, weights=values, minlength=len(self)).astype(np.float64)

    def page_maxima(self, values: Floats) -> Floats:
        """(A,) the maximum on the page of each area of positive numbers given per area."""
        maxima = np.zeros(int(self.page.max(initial=-1)) + 1)
        np.maximum.at(maxima, self.page, values)
        return maxima[self.page]


def group(look: Ints, page: Ints, near: int) -> Areas:
    """Areas of blocks with the same appearance.

    Args:
        look: (n,) int64 number of the appearance, from 0 and different on every page.
        page: (n,) int64 page of each block.
        near: most other blocks between two consecutive ones of an area.
    """
    order = np.argsort(look, kind="stable")
    new = (np.diff(look[order], prepend=-1) != 0) | (np.diff(order, prepend=-1) > near + 1)
    starts = np.flatnonzero(new)
    ends = np.append(starts, len(order))[1:]
    first = order[starts]
    number = np.empty(len(starts), dtype=np.int64)
    by_first = np.argsort(first)
    number[by_first] = np.arange(len(starts))
    area = np.empty(len(look), dtype=np.int64)
    area[order] = np.repeat(number, ends - starts)
    first = first[by_first]
    return Areas(area, look[first], first, order[ends - 1][by_first], page[first])


def looks(table: BlockTable) -> Ints:
    """(n,) int64 number of each block's appearance, from 0 and different on every page.

    Two blocks look alike if the innermost elements with a class have the same class, and the tags
    and attributes inside these that affect appearance are the same; without a class, all such tags
    and attributes around the text. All numbers in class names count as equal: they distinguish
    posts, not appearances.
    """
    appearance = _appearances(table)[_around(table)]
    _, numbers = np.unique(appearance + table.page.astype(np.uint64) * _MIXER, return_inverse=True)
    return np.asarray(numbers, dtype=np.int64)


def _around(table: BlockTable) -> Ints:
    """(n,) the innermost element around each block if all of it is inside, else its container."""
    element = table.element
    return np.where(table.elements.close[element] > table.last_tag, element, table.container)


def _appearances(table: BlockTable) -> Hashes:
    """(E,) hash of how text in each element looks.

    Every element maps the hash of its parent x to f x + a: f is 0 where a class makes everything
    around it irrelevant, and 1 with a = 0 where the element does not affect appearance. Pointer
    doubling composes the maps with those of ever further ancestors.
    """
    elements = table.elements
    factor, addend = _maps(table)
    above = elements.parent
    for _ in range(int(elements.depth.max(initial=0)).bit_length()):
        addend = factor * addend[above] + addend
        factor = factor * factor[above]
        above = above[above]
    return addend


def _maps(table: BlockTable) -> tuple[Hashes, Hashes]:
    """(E,) factors and addends of every element."""
    elements = table.elements
    classes = _class_numbers(table)[elements.bundle]
    tag = np.where(member_mask(_TAGS)[elements.tag], elements.tag + 1, 0)
    bundle = np.where(classes > 0, 0, elements.bundle + 1)
    code = (classes * (len(table.bundles) + 2) + bundle) * (len(NAMES) + 1) + tag
    addend = code.astype(np.uint64) * _MIXER
    addend ^= addend >> np.uint64(29)
    factor = np.where(code > 0, GOLDEN, np.uint64(1))
    factor[(classes > 0) | (elements.depth == 0)] = 0
    return factor, addend


def _class_numbers(table: BlockTable) -> Ints:
    """(B + 1,) number of each bundle's class, 0 for none; the last one stands for no bundle."""
    number = {"": 0}
    values = table.attribute(LOOKS[0])
    classes = {value: _DIGITS.sub("0", " ".join((value or "").split())) for value in set(values)}
    numbers = (number.setdefault(classes[value], len(number)) for value in values)
    return np.array([*numbers, 0], dtype=np.int64)
