"""The whole page as a verdict: what renderers read where no system shall drop anything."""

from __future__ import annotations

import numpy as np

from victor.blocks import BlockTable
from victor.labels import Label
from victor.rules import marginals
from victor.verdict import Verdict

NAME = "none"


def whole(table: BlockTable) -> Verdict:
    """Every block of a batch kept, headings h1 to h6 as header and all others as text."""
    header = table.heading_level > 0
    labels = np.where(header, Label.HEADER, Label.TEXT).astype(np.uint8)
    return Verdict(table, labels, marginals(np.ones(len(table)), header), NAME)
