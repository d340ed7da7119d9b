"""Which elements a page hides, as far as their own attributes and names of tags tell."""

from __future__ import annotations

from typing import Final

import numpy as np

from victor.base import core
from victor.base.arrays import Bools
from victor.page.parsing.tags import roles_of
from victor.page.table.blocks import BlockTable

HIDING: Final = ("style", "hidden", "aria-hidden")  # the attributes that say it
_HIDDEN: Final = frozenset({"noscript", "dialog"})
_WHOLE_PAGE: Final = frozenset({"html", "body"})
"""Hidden until a script has run; then they show everything."""
ROLES: Final = roles_of(_HIDDEN, _WHOLE_PAGE)
"""What tags are to what hides, as core/kinds/copies.c has it."""


def hidden_elements(table: BlockTable) -> Bools:
    """(E,) bool; does nobody see an element, by the attributes that the table has, or by its tag.

    These are `hidden`, `aria-hidden=true` and a style: ``display: none``, ``visibility: hidden`` or
    far off the screen. What stands in such an element is hidden, too.
    """
    rows = None
    if {*HIDING} <= {*table.attributes}:
        rows = core.compiled.hiding(table.batch, *map(table.attribute_column, HIDING))
    memory = core.compiled.judge("hidden", table.batch, (ROLES, rows))
    return core.array(memory, np.bool_)
