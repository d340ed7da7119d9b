"""Number the value of a template entry at every block, page edges included."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from victor.base.arrays import Codes, Ints
from victor.model.template import Entry, Template


def extents(entry: Entry, template: Template, sizes: Mapping[str, int]) -> tuple[int, ...]:
    """Number of values of each place of an entry: the codes of its column, then those outside."""
    return tuple(sizes[name] + template.outside(offset) for name, offset in entry.columns)


def n_values(entry: Entry, template: Template, sizes: Mapping[str, int]) -> int:
    """Number of values of an entry; those of a conjunction are counted row by row."""
    return math.prod(extents(entry, template, sizes))


def entry_values(
    entry: Entry,
    codes: Mapping[str, Codes],
    page_starts: Ints,
    *,
    template: Template,
    sizes: Mapping[str, int],
) -> Ints:
    """The value of an entry at every block of a batch.

    Args:
        entry: an entry of the template.
        codes: column name to (n,) codes.
        page_starts: (P + 1,) page p owns blocks ``page_starts[p]:page_starts[p + 1]``.
        template: the template of the entry, for its page edge.
        sizes: column name to number of codes.

    Returns:
        (n,) int64 below `n_values`.
    """
    values = np.zeros(int(page_starts[-1]), dtype=np.int64)
    for (name, offset), extent in zip(entry.columns, extents(entry, template, sizes), strict=True):
        values *= extent
        values += _shifted(codes[name], offset, page_starts, template=template, size=sizes[name])
    return values


def _shifted(
    codes: Codes, offset: int, page_starts: Ints, *, template: Template, size: int
) -> Ints:
    """Codes of the blocks at an offset; outside the page they begin at `size`."""
    blocks, rows = outside(page_starts, offset, template=template)
    shifted = np.roll(codes.astype(np.int64), -offset)
    shifted[blocks] = size + rows
    return shifted


def outside(page_starts: Ints, offset: int, *, template: Template) -> tuple[Ints, Ints]:
    """Where an offset leads out of the page.

    Returns:
        The blocks whose place at the offset is outside, and which of the values outside
        (below ``template.outside(offset)``) each of these places has.
    """
    starts, ends = page_starts[:-1, None], page_starts[1:, None]
    distance = np.arange(1, abs(offset) + 1)
    if offset < 0:
        blocks = starts - offset - distance
        valid = blocks < ends
    else:
        blocks = ends - 1 - offset + distance
        valid = blocks >= starts
    rows = np.minimum(distance, template.outside(offset)) - 1
    return blocks[valid], np.broadcast_to(rows, blocks.shape)[valid]
