"""Links that serve a heading and say none of it: ``[edit]`` of wikis, ``¶`` to its own place."""

from __future__ import annotations

from typing import Final

import numpy as np

from victor.base import core
from victor.base.arrays import unchanging
from victor.page.parsing.tags import IDS
from victor.page.verdict.verdict import HEADING_LINK, Verdict

TAGS: Final = unchanging(np.array([IDS["dt"], IDS["a"], IDS["sup"]]))


def without_heading_links(verdict: Verdict) -> Verdict:
    """The verdict of a model without links of a sign, or in brackets, around the text of headings.

    Terms of a list (``<dt>``) are headings, too. What is raised may mark a note, and stays.
    """
    if not verdict.by_model:
        return verdict
    memory = core.compiled.judge("heading_links", verdict.table.batch, (verdict.labels, TAGS))
    gone = core.array(memory, np.bool_)
    return verdict.without_segments(gone, HEADING_LINK) if gone.any() else verdict
