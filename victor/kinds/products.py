"""Facts of what a page sells: lists and tables of two columns not far from its price.

A shop says in keys and values what a thing is made of and how large it is. Such blocks are as short
as those of menus, and there may be no prose beside them.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Final

import numpy as np

from victor.base.arrays import Bools, Ints, prefix_sums, unchanging
from victor.base.lazy import pattern
from victor.kinds.units import Raised, Units, raised_with_pages
from victor.page.parsing.tags import IDS, member_mask
from victor.page.table.blocks import BlockTable
from victor.page.table.texts import block_texts

MARK: Final = '"Offer'
"""In a script that declares a price (https://schema.org/Offer)."""
SIGNS: Final = "$£¥֏؋৳฿₡₦₩₪₫€₭₮₱₲₴₵₸₹₺₼₽₾"
_MONEY: Final = (
    rf"(?:[{SIGNS}]|(?:AUD|BRL|CAD|CHF|CZK|DKK|EUR|GBP|HUF|INR|JPY|NOK|PLN|RON|RUB|SEK|USD|"
    r"Ft|Kč|kr|lei|zł|лв|руб|грн|元|円|원)(?!\w))"
)
_PRICE: Final = pattern(rf"{_MONEY}\.?\s?\d|\d[\d.,' \xa0-]{{0,12}}{_MONEY}")
_SHORT: Final = 8  # words of a block that is a price, at most
_MOST_PRICES: Final = 12  # blocks of a page that are prices, at most; a page with more lists goods
_NEAR: Final = 80  # blocks from a price to a fact, at most
_KEYED: Final = pattern(r"\d|[:：]|\s[–—=]\s")
"""What most facts of a list have, and few points of a menu."""


def facts(units: Units) -> Raised | None:
    """The lists and tables of facts on the pages of products; None if there are none.

    Each goes with a block that stands for its page.

    Args:
        units: those that may be.
    """
    prices = _prices(units.table, {*units.table.page[units.starts].tolist()})
    if not prices.any():
        return None
    chosen = _are_near(units, prices) & (units.sums(prices) == 0)
    chosen &= _are_facts(units, chosen)
    return raised_with_pages(units.outermost(chosen)) if chosen.any() else None


def _prices(table: BlockTable, pages: Iterable[int]) -> Bools:
    """(n,) which short blocks of some pages are prices, if they are few on their page."""
    result = np.zeros(len(table), dtype=bool)
    for page in pages:
        start, stop = table.page_starts[page : page + 2].tolist()
        rows = start + np.flatnonzero(table.words[start:stop] <= _SHORT)
        if not any(MARK in script for script in table.heads[page].json_ld):
            rows = rows[_have_signs(table, rows)]
        found = [bool(_PRICE.search(text)) for text in block_texts(table, rows)]
        result[rows[found]] = sum(found) <= _MOST_PRICES
    return result


def _have_signs(table: BlockTable, rows: Ints) -> Bools:
    """(m,) has each of some blocks of a page a sign of money."""
    starts, ends = table.start[rows], table.end[rows]
    first, last = starts[:1].sum(), ends[-1:].sum()
    signs = first + np.flatnonzero(_are_signs().take(table.chars[first:last], mode="clip"))
    return np.asarray(np.searchsorted(signs, ends) > np.searchsorted(signs, starts))


@cache
def _are_signs() -> Bools:
    """Is each character a sign of money; read-only, the last stands for all above."""
    codes = [*map(ord, SIGNS)]
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


def _are_facts(units: Units, among: Bools) -> Bools:
    """(m,) which of some units are tables of two columns, definitions, or lists of keyed facts."""
    table, tag = units.table, units.table.elements.tag[units.elements]
    may = among.copy()
    for row in np.flatnonzero(may).tolist():
        if tag[row] == IDS["table"]:
            may[row] = _has_two_columns(table, units.elements[row])
        elif tag[row] != IDS["dl"]:
            texts = block_texts(table, np.arange(units.starts[row], units.stops[row]))
            may[row] = 2 * sum(bool(_KEYED.search(text)) for text in texts) > len(texts)
    return may


def _has_two_columns(table: BlockTable, element: int) -> bool:
    """Do all rows of a table have two cells."""
    elements = table.elements
    start, stop = np.searchsorted(elements.open, (elements.open[element], elements.close[element]))
    tags = elements.tag[start:stop]
    cells = start + np.flatnonzero(member_mask(frozenset({"td", "th"}))[tags])
    n_cells = np.bincount(elements.parent[cells] - start, minlength=stop - start)
    return bool(len(cells)) and bool((n_cells[tags == IDS["tr"]] == 2).all())
