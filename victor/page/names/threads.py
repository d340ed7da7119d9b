"""Is a page a thread of a forum or a question with answers: what its names and its head say."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from victor.base.arrays import Ints
from victor.base.lazy import pattern
from victor.page.parsing.heads import Head
from victor.page.table.blocks import BlockTable

_SYSTEM: Final = pattern(
    r"phpbb|vbulletin|discourse|xenforo|mybb|simple machines|smf|invision|flarum|vanilla|nodebb"
    r"|discuz|ubb\.threads|woltlab|burning board|punbb|fluxbb|kunena",
    re.IGNORECASE,
)
"""Systems of forums, as a page names the one that made it."""
_TYPES: Final = ("DiscussionForumPosting", "QAPage")
"""Types of https://schema.org of what such a page is about."""


def head_signs(table: BlockTable) -> Ints:
    """(P,) 0 to 2 sorts of sign in the head of each page."""
    return np.array([signs_of(head) for head in table.heads], dtype=np.int64)


def signs_of(head: Head) -> int:
    """How many sorts of sign a head has."""
    is_typed = any(name in text for text in head.json_ld for name in _TYPES)
    generator = head.meta.get("generator")
    return bool(generator and _SYSTEM.search(generator)) + is_typed
