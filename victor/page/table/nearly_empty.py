"""Find pages that show nearly nothing; `victor.page.markup.embedded` searches their scripts."""

from __future__ import annotations

from typing import Final

import numpy as np

from victor.page.table.blocks import BlockTable

THIN: Final = 300
"""Fewer characters of visible text are nearly nothing: some fifty words.

Between 300 and 2,000 characters, what is visible was better on nine of eleven development pages.
"""


def thin_pages(table: BlockTable) -> list[int]:
    """Pages of a batch whose visible text is nearly nothing."""
    ends = np.concatenate(([0], np.cumsum(table.end - table.start)))[table.page_starts]
    return np.flatnonzero(np.diff(ends) < THIN).tolist()
