"""What tags are to tables, as bits for the compiled core, and which are kept or dropped whole."""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from victor.page.parsing.tags import BLOCK_LEVEL, HEADINGS, member_mask
from victor.page.verdict.paragraphs import LISTS
from victor.page.verdict.preformatted import PRE

BOLD: Final = frozenset({"b", "strong", *HEADINGS})
CONTROLS: Final = frozenset("button form input isindex select".split())
SECTIONS: Final = frozenset({"thead", "tbody", "tfoot"})
UNITS: Final = LISTS | PRE | {"table", "blockquote", "details", "math"}
"""Elements between block and page that are content or not as a whole."""
BREAKS: Final = BLOCK_LEVEL | {"br"}
"""Elements whose tags end lines of a cell."""

_ROLES: Final = {
    1 << 0: frozenset({"table"}),
    1 << 1: frozenset({"tr"}),
    1 << 2: frozenset({"td", "th"}),
    1 << 3: frozenset({"th"}),
    1 << 4: SECTIONS,
    1 << 5: frozenset({"thead"}),
    1 << 6: frozenset({"caption"}),
    1 << 7: BOLD,
    1 << 8: frozenset({"a"}),
    1 << 9: BREAKS,
    1 << 10: frozenset({"img"}),
    1 << 11: CONTROLS,
}
"""Names of elements by what they are to a table.

The bits are those of ``core/tables/leaf.h``.
"""
_N_TAG_IDS: Final = 128


@cache
def roles() -> NDArray[np.uint16]:
    """(128,) uint16, read-only: what each tag id is to a table, as bits."""
    result = np.zeros(_N_TAG_IDS, dtype=np.uint16)
    for bit, names in _ROLES.items():
        mask = member_mask(names)
        result[: len(mask)] |= np.where(mask, np.uint16(bit), np.uint16(0))
    result.flags.writeable = False
    return result
