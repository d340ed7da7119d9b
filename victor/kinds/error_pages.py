"""Pages that say that there is no page: errors of servers, doors for bots, closed accounts."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np

from victor.base.arrays import Bools, Ints, Labels, window_sums
from victor.base.labels import Label
from victor.config import compiled
from victor.page.names.phrases import Phrases
from victor.page.table.blocks import BlockTable
from victor.page.table.nearest_blocks import first_of_page
from victor.page.table.texts import block_texts

MOST_WORDS: Final = 60
"""An error message is short; a text of that title may be an article about errors."""
_PHRASES: Final = Path(__file__).with_suffix(".yaml")


def of_error_pages(table: BlockTable, labels: Labels) -> Bools:
    """Which blocks are of pages with an error message for title or first heading, and little text.

    Args:
        table: the pages.
        labels: (n,) labels that the blocks would have.

    Returns:
        (n,) bool.
    """
    words = window_sums(np.where(labels != Label.OTHER, table.words, 0), table.page_starts)
    is_short = (words > 0) & (words <= MOST_WORDS)
    if not is_short.any():
        return np.zeros(len(table), dtype=bool)
    return _are_errors(table, np.flatnonzero(is_short))[table.page]


def _are_errors(table: BlockTable, short: Ints) -> Bools:
    """(P,) given the pages of which few words would be kept."""
    result = np.zeros(table.n_pages, dtype=bool)
    headings = first_of_page(table, table.heading_level > 0)[short]
    texts = [table.heads[page].title for page in short.tolist()]
    texts += block_texts(table, headings[headings >= 0])
    says_so = _phrases().masks(texts) > 0
    result[short] = says_so[: len(short)]
    result[short[headings >= 0]] |= says_so[len(short) :]
    return result


@lru_cache(maxsize=1)
def _phrases() -> Phrases:
    return Phrases([[phrase for phrases in compiled.read(_PHRASES).values() for phrase in phrases]])
