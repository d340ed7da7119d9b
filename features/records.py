"""Similar siblings, such as results, posts and cards: the group, and the block's place in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from msgspec import Struct

from victor.base.arrays import Bools, Floats, Hashes, Ints
from victor.features.base import Column, ColumnValues, Feature, Kernel, Measure
from victor.features.kernels import tag_ids
from victor.page.parsing.tags import SPLITTING, member_mask
from victor.page.table.blocks import BlockTable
from victor.page.table.hashes import GOLDEN, equal_groups, mixed
from victor.page.table.nearest_blocks import page_maxima

_MEASURES: Final = {
    "size": "records of the group, 0 outside",
    "words": "mean words of a record of the group, -1 outside",
    "sd": "deviation of their words over the mean, -1 outside",
    "link": "link density of the group, -1 outside",
    "blocks": "mean blocks of a record of the group, -1 outside",
    "img": "mean images of a record of the group, -1 outside",
    "share": "share of the page's words in the group, 0 outside",
    "index": "records of the group before this one, -1 outside",
    "rest": "records of the group after this one, -1 outside",
    "own": "words of this record, -1 outside",
}
COLUMNS: Final = (
    *(
        Column(f"{name}.{measure}", "number", f"{which}: {meaning}")
        for name, which in (("record", "innermost record"), ("card", "outermost of several blocks"))
        for measure, meaning in _MEASURES.items()
    ),
    Column("record.level", "number", "block-level elements from the block up to it, -1 outside"),
    Column("page.max-card", "number", "highest card.share of the page"),
)
_GROUP: Final = tuple(_MEASURES).index("index")
"""As many measures are the same for all records of a group."""
_SHARE: Final = tuple(_MEASURES).index("share")
_FEWEST: Final = 3
_LEVELS: Final = 10
_IMAGES: Final = frozenset({"img", "picture"})


def build() -> Feature:
    """Record measures; they have no parameters.

    Records are three or more siblings of one tag and first class, block-level and with text. Only
    the ten block-level elements nearest to a block are looked at.

    >>> from victor.page.table.segment import parse_pages
    >>> page = b"<ul><li>one<li>two<li>three four</ul><p>five"
    >>> values = build()(parse_pages([page], attributes=("class",)))
    >>> values["record.size"], values["record.index"], values["record.share"]
    (array([3., 3., 3., 0.]), array([ 0.,  1.,  2., -1.]), array([0.8, 0.8, 0.8, 0. ]))
    """
    kernel = Kernel("records", (tag_ids(_IMAGES),), lambda table: (table.class_numbers,))
    return Measure(COLUMNS, _compute, attributes=("class",), kernel=kernel)


def _compute(table: BlockTable) -> Mapping[str, ColumnValues]:
    records = _Records.of(table)
    innermost, outermost, level = _around(table, records)
    page_words = np.maximum(table.page_words, 1)[table.page]
    values: dict[str, ColumnValues] = {}
    for name, row in (("record", innermost), ("card", outermost)):
        columns = records.measures.take(row, axis=1)
        columns[_SHARE] /= page_words
        for measure, column in zip(_MEASURES, columns, strict=True):
            values[f"{name}.{measure}"] = column
    values["record.level"] = level
    values["page.max-card"] = page_maxima(table, columns[_SHARE])
    return values


class _Records(Struct, frozen=True, eq=False):
    """All records; R records, and a row R for blocks outside of any.

    Attributes:
        row: (E,) record of each element, R for elements that are not records.
        several: (R + 1,) does a record hold several blocks.
        measures: (10, R + 1) values in the order of `_MEASURES`; "share" in words.
    """

    row: Ints
    several: Bools
    measures: Floats

    @classmethod
    def of(cls, table: BlockTable) -> _Records:
        """The records of a table and what their groups are like."""
        element, starts = _groups(table)
        size = np.diff(starts, append=len(element))
        blocks, images = _blocks_and_images(table, element)
        words = table.element_words[element]
        counts = (words, words**2, table.element_link_words[element], blocks, images)
        sums = np.add.reduceat(counts, starts, axis=1) if len(starts) else np.zeros((5, 0), int)
        group = np.repeat(np.arange(len(size)), size)
        index = np.arange(len(element)) - starts[group]
        measures = np.full((len(_MEASURES), len(element) + 1), -1.0)
        measures[:_GROUP, :-1] = _of_groups(size, sums).take(group, axis=1)
        measures[_GROUP:, :-1] = index, size[group] - 1 - index, words
        measures[[0, _SHARE], -1] = 0
        row = np.full(len(table.elements), len(element))
        row[element] = np.arange(len(element))
        return cls(row, np.append(blocks > 1, [False]), measures)


def _of_groups(size: Ints, sums: Ints) -> Floats:
    """(7, G) measures of the groups, from the sums over their records; "share" in words."""
    words, squares, links, blocks, images = sums
    mean = words / size
    deviation = np.sqrt(np.maximum(squares / size - mean**2, 0))
    return np.stack(
        (
            size,
            mean,
            deviation / np.maximum(mean, 1),
            links / np.maximum(words, 1),
            blocks / size,
            images / size,
            words,
        )
    )


def _groups(table: BlockTable) -> tuple[Ints, Ints]:
    """Records, group after group in page order, and where each group begins among them."""
    elements = table.elements
    fit = member_mask(SPLITTING)[elements.tag] & (table.element_words > 0)
    children = np.bincount(elements.parent[fit], minlength=len(elements))
    fit &= (children >= _FEWEST)[elements.parent]
    chosen = np.flatnonzero(fit)
    groups = equal_groups(_likeness(table, chosen))
    enough = groups.sizes >= _FEWEST
    sizes = groups.sizes[enough]
    return chosen[groups.order[np.repeat(enough, groups.sizes)]], np.cumsum(sizes) - sizes


def _likeness(table: BlockTable, element: Ints) -> Hashes:
    """A random-looking number per element, the same for siblings of one tag and first class."""
    elements = table.elements
    looks = table.class_numbers[elements.bundle[element]] << 8 | elements.tag[element]
    parent = elements.parent[element].astype(np.uint64)
    return mixed(parent * GOLDEN ^ mixed(looks.astype(np.uint64)))


def _blocks_and_images(table: BlockTable, element: Ints) -> tuple[Ints, Ints]:
    """How many blocks and images each of some elements holds; at least one block."""
    tags, elements = table.tags, table.elements
    seen = np.zeros(len(tags.id) + 1, dtype=np.int64)
    seen[1:] = (member_mask(_IMAGES)[tags.id] & (tags.step >= 0)) * _IMAGE
    seen[table.tag + 1] += 1
    total = np.cumsum(seen)
    held = total[elements.close[element]] - total[elements.open[element]]
    return np.maximum(held % _IMAGE, 1), held // _IMAGE


_IMAGE: Final = 1 << 32
"""What an image adds to a sum in which a block is one: both are counted in one pass."""


def _around(table: BlockTable, records: _Records) -> tuple[Ints, Ints, Ints]:
    """(n,) innermost record, outermost record of several blocks, level of the innermost."""
    rows = [records.row[element] for element in table.ancestors(_LEVELS)]
    none = len(records.several) - 1
    innermost, outermost = np.full((2, len(table)), none)
    level = np.full(len(table), -1)
    for above in reversed(range(_LEVELS)):
        is_record = rows[above] < none
        np.copyto(innermost, rows[above], where=is_record)
        np.copyto(level, above, where=is_record)
    for row in rows:
        np.copyto(outermost, row, where=records.several[row])
    return innermost, outermost, level
