"""Facts of what a page sells: lists and tables of two columns not far from its price.

A shop says in keys and values what a thing is made of and how large it is. Such blocks are as short
as those of menus, and there may be no prose beside them.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np

from victor.base.arrays import Bools, prefix_sums, unchanging, window_sums
from victor.kinds.units import Raised, Units, raised_with_pages
from victor.page.parsing.patterns import pattern
from victor.page.parsing.tags import IDS, member_mask
from victor.page.table.blocks import BlockTable
from victor.page.table.texts import block_texts
from victor.page.verdict.paragraphs import LISTS

_MARK: Final = '"Offer'
"""In a script that declares a price (https://schema.org/Offer)."""
_SIGNS: Final = "$£¥֏؋৳฿₡₦₩₪₫€₭₮₱₲₴₵₸₹₺₼₽₾"
_MONEY: Final = (
    rf"(?:[{_SIGNS}]|(?:AUD|BRL|CAD|CHF|CZK|DKK|EUR|GBP|HUF|INR|JPY|NOK|PLN|RON|RUB|SEK|USD|"
    r"Ft|Kč|kr|lei|zł|лв|руб|грн|元|円|원)(?!\w))"
)
_PRICE: Final = pattern(rf"{_MONEY}\.?\s?\d|\d[\d.,' \xa0-]{{0,12}}{_MONEY}")
_SHORT: Final = 8
"""Words of a block that is a price, at most."""
_MOST_PRICES: Final = 12
"""Blocks of a page that are prices, at most; a page with more lists goods."""
_NEAR: Final = 80
"""Blocks from a price to a fact, at most."""
_LONGEST: Final = 12
"""Words of a fact, at most, in the mean."""
_KEYED: Final = pattern(r"\d|[:：]|\s[–—=]\s")
"""What most facts of a list have, and few points of a menu."""


def facts(units: Units) -> Raised | None:
    """The lists and tables of facts on the pages of products; None if there are none.

    Each goes with a block that stands for its page.
    """
    prices = _prices(units.table)
    if not prices.any():
        return None
    chosen = units.may_be_raised & units.is_part & _are_near(units, prices)
    chosen &= _are_facts(units, prices)
    return raised_with_pages(units.outermost(chosen)) if chosen.any() else None


def _prices(table: BlockTable) -> Bools:
    """(n,) which short blocks are prices, on pages of few."""
    n_signs = prefix_sums(_are_signs().take(table.chars, mode="clip"))
    may = n_signs[table.end] > n_signs[table.start]
    declared = [any(_MARK in script for script in head.json_ld) for head in table.heads]
    may |= np.array(declared, dtype=bool)[table.page]
    rows = np.flatnonzero(may & (table.words <= _SHORT))
    found = [bool(_PRICE.search(text)) for text in block_texts(table, rows)]
    result = np.zeros(len(table), dtype=bool)
    result[rows[found]] = True
    return np.asarray(result & (window_sums(result, table.page_starts) <= _MOST_PRICES)[table.page])


@cache
def _are_signs() -> Bools:
    """Is each character a sign of money; read-only, the last stands for all above."""
    codes = [*map(ord, _SIGNS)]
    table = np.zeros(max(codes) + 2, dtype=bool)
    table[codes] = True
    return unchanging(table)


def _are_near(units: Units, prices: Bools) -> Bools:
    """(m,) does a price stand on the page not far from each unit."""
    table, n_prices = units.table, prefix_sums(prices)
    page = table.page[units.starts]
    first = np.maximum(units.starts - _NEAR, table.page_starts[page])
    last = np.minimum(units.stops + _NEAR, table.page_starts[page + 1])
    return np.asarray(n_prices[last] > n_prices[first])


def _are_facts(units: Units, prices: Bools) -> Bools:
    """(m,) is each unit a table of two columns, definitions, or a list of short facts, unlinked."""
    table, tag = units.table, units.table.elements.tag[units.elements]
    sizes = units.stops - units.starts
    may = (sizes > 1) & (units.words <= _LONGEST * sizes) & (units.sums(prices) == 0)
    may &= member_mask(LISTS | {"table"})[tag] & (table.element_link_words[units.elements] == 0)
    for row in np.flatnonzero(may).tolist():
        if tag[row] == IDS["table"]:
            may[row] = _has_two_columns(table, units.elements[row])
        elif tag[row] != IDS["dl"]:
            texts = block_texts(table, np.arange(units.starts[row], units.stops[row]))
            may[row] = 2 * sum(bool(_KEYED.search(text)) for text in texts) > len(texts)
    return np.asarray(may)


def _has_two_columns(table: BlockTable, element: int) -> bool:
    """Do all rows of a table have two cells."""
    elements = table.elements
    start, stop = np.searchsorted(elements.open, (elements.open[element], elements.close[element]))
    tags = elements.tag[start:stop]
    cells = start + np.flatnonzero(member_mask(frozenset({"td", "th"}))[tags])
    n_cells = np.bincount(elements.parent[cells] - start, minlength=stop - start)
    return bool(len(cells)) and bool((n_cells[tags == IDS["tr"]] == 2).all())
