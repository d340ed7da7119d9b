"""Which elements a page hides, as far as their own attributes and names of tags tell."""

from __future__ import annotations

from typing import Final

import numpy as np

from victor.base import core
from victor.base.arrays import Bools
from victor.page.parsing.attributes import rows_with
from victor.page.parsing.patterns import pattern
from victor.page.parsing.tags import IDS, member_mask
from victor.page.table.blocks import BlockTable

HIDING: Final = ("style", "hidden", "aria-hidden")
"""The attributes that `hiding` reads."""
_AWAY: Final = pattern(r"(?:left|right|top|text-indent)\s*:\s*-999")
"""What moves an element off the screen."""
_SIGN: Final = b"-999"
_HIDDEN: Final = frozenset({"noscript", "dialog"})
_WHOLE_PAGE: Final = (IDS["html"], IDS["body"])
"""Hidden until a script has run; then they show everything."""


def hidden_elements(table: BlockTable) -> Bools:
    """(E,) bool; does nobody see an element, by the attributes that the table has, or by its tag.

    What stands in such an element is hidden, too.
    """
    elements, hides = table.elements, np.zeros(len(table.elements), dtype=bool)
    if {*HIDING} <= {*table.attributes}:
        rows = hiding(table).copy()
        for row in rows_with(table.bundles, _SIGN).tolist():
            rows[row] |= _AWAY.search(table.attribute_value("style", row) or "") is not None
        chosen = np.flatnonzero(rows[elements.bundle])
        hides[chosen[~np.isin(elements.tag[chosen], _WHOLE_PAGE)]] = True
    if elements.have(_HIDDEN):
        hides |= member_mask(_HIDDEN)[elements.tag]
    return elements.gathered(hides)


def hiding(table: BlockTable) -> Bools:
    """(B + 1,) which bundle rows have `hidden`, `aria-hidden=true` or a style that hides.

    Styles that hide are ``display: none`` and ``visibility: hidden``. The last is for row -1.
    """
    columns = map(table.attribute_column, HIDING)
    return core.array(core.compiled.hiding(table.bundle_columns, *columns), np.bool_)
