"""What CSS selectors select on a page, as places of its block table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from victor.base.arrays import Bools, Ints
from victor.page.markup.elements import MarkupElements
from victor.page.markup.full_record import markup_of
from victor.page.places.selectors import read
from victor.page.table.blocks import BlockTable


class Selected(NamedTuple):
    """What is selected of a page of T tags.

    Attributes:
        text: (T,) bool; does the text right after each tag lie in a selected element.
        tags: (T,) bool; does each tag itself, or is it a selected void element.
    """

    text: Bools
    tags: Bools


class Selectors:
    """Some CSS selectors.

    Args:
        selectors: each may have commas; cssselect's documentation says what else.

    Raises:
        ConfigError: one of them is no CSS selector, see `victor.page.places.selectors.read`.
    """

    def __init__(self, selectors: Sequence[str]) -> None:
        self._tests = [test for selector in selectors for test in read(selector)]

    def on(self, table: BlockTable, page: int, markup: bytes) -> Selected:
        """What is selected on a page.

        Args:
            table: of a batch of pages.
            page: number of the page.
            markup: its UTF-8 bytes.
        """
        record = markup_of(table, page, markup)
        elements = MarkupElements.of(record)
        chosen = ~elements.dropped & np.logical_or.reduce([test(elements) for test in self._tests])
        is_void = elements.start == elements.end
        start, end = record.tag[elements.start], record.tag[elements.end]
        holding, void = chosen & ~is_void, chosen & is_void
        text = _covered(start[holding], end[holding], record.n_tags)
        return Selected(text, text | _covered(start[void], end[void] + 1, record.n_tags))


def _covered(start: Ints, end: Ints, size: int) -> Bools:
    """(size,) is each place in one of some spans, which do not cross."""
    step = np.bincount(start, minlength=size + 1) - np.bincount(end, minlength=size + 1)
    return np.asarray(np.cumsum(step[:-1]) > 0)
