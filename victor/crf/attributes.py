"""The attribute that every template entry gives every block: a row number of its weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from victor.crf.weights import coded_entries, entry_codes, entry_outside
from victor.template import Entry, Template

Ints = NDArray[np.int64]


class Places:
    """Where every block stands on its page.

    Attributes:
        before, after: (n,) blocks of the same page before and after each block.
    """

    def __init__(self, page_starts: Ints) -> None:
        lengths = np.diff(page_starts)
        self.before = np.arange(page_starts[-1]) - np.repeat(page_starts[:-1], lengths)
        self.after = np.repeat(lengths, lengths) - 1 - self.before

    def beyond(self, offset: int) -> Ints:
        """(n,) how far outside the page the block at an offset lies; 0 inside."""
        room = self.before if offset < 0 else self.after
        return np.maximum(abs(offset) - room, 0)


def attributes(
    codes: NDArray[np.uint8],
    names: Sequence[str],
    page_starts: Ints,
    template: Template,
    sizes: Mapping[str, int],
) -> NDArray[np.int32]:
    """(n, E) row of each entry's weights for each block.

    Args:
        codes: (n, C) codes of the columns.
        names: the C column names.
        page_starts: (P + 1,) first block of each page.
        template: the entries; bags are passed over.
        sizes: number of codes per column.
    """
    entries = coded_entries(template, sizes)
    places = Places(page_starts)
    column = {name: codes[:, place] for place, name in enumerate(names)}
    found = np.empty((len(codes), len(entries)), dtype=np.int32)
    for position, entry in enumerate(entries):
        found[:, position] = entry_rows(entry, column, places, template, sizes)
    return found


def entry_rows(
    entry: Entry,
    column: Mapping[str, NDArray[np.uint8]],
    places: Places,
    template: Template,
    sizes: Mapping[str, int],
) -> Ints:
    """(n,) row of one entry's weights for each block.

    Codes of a conjunction are combined in the order of its columns. A block for which a place of
    the entry lies outside the page has a row after those, by how far outside the farthest is.
    """
    n = len(places.before)
    index = np.arange(n)
    rows = np.zeros(n, dtype=np.int64)
    beyond = np.zeros(n, dtype=np.int64)
    for name, offset in entry.columns:
        neighbour = np.clip(index + offset, 0, max(n - 1, 0))
        rows = rows * sizes[name] + column[name][neighbour]
        beyond = np.maximum(beyond, places.beyond(offset))
    outside = np.minimum(beyond, entry_outside(entry, template)) - 1
    return np.where(beyond > 0, entry_codes(entry, sizes) + outside, rows)
