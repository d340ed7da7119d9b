"""The markup of a block in characters: the lengths of tags and the blocks they count for.

As in the source of the method, ``<`` and ``>`` are not counted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Ints
from victor.page.parsing.events import Bundles, PageTarget, Recorder
from victor.page.parsing.tags import CUSTOM, NAMES, PAGE, SPLITTING, UNKNOWN, member_mask
from victor.page.table.blocks import BlockTable, Split
from victor.page.table.segment import segment

LENGTH: Final = "#length"
"""Pseudo-attribute in which the length of the attributes of a start tag is recorded."""
_QUOTING: Final = 4
"""A space, an equals sign and two quotes for every attribute."""
_UNNAMED: Final = 10
"""Characters of a name that is not in the vocabulary, where names are counted."""
_RECORDED: Final = ("class", LENGTH)


class MeasuringTarget(PageTarget):
    """Parser target of one page that records the length of the attributes of every start tag.

    They count as the parser returns them, each in quotes and with its entities resolved. The rest
    of a tag follows from its name; tags that the parser adds count like all others.
    """

    __slots__ = ()

    def __init__(
        self, bundles: Bundles, *, alt_text: bool = False, attributes: tuple[str, ...] = _RECORDED
    ) -> None:
        super().__init__(bundles, alt_text=alt_text, attributes=attributes)
        self.start = _measuring(self.start)


def _measuring(
    lean: Callable[[str, Mapping[str, str]], None],
) -> Callable[[str, Mapping[str, str]], None]:
    def start(name: str, attributes: Mapping[str, str]) -> None:
        if attributes:
            size = sum(map(len, attributes)) + sum(map(len, attributes.values()))
            # The parser makes a dictionary for every tag that has attributes.
            cast("dict[str, str]", attributes)[LENGTH] = str(size + _QUOTING * len(attributes))
        lean(name, attributes)

    return start


def measured(pages: Sequence[bytes], split: Split = "block") -> BlockTable:
    """Block table of a batch of pages given as UTF-8 bytes, with the lengths of attributes."""
    recorder = Recorder(attributes=_RECORDED, target=MeasuringTarget)
    for page in pages:
        recorder.add(page)
    return segment(recorder.events(), split)


def tag_lengths(table: BlockTable) -> Ints:
    """(T,) int64 characters of every tag; of its name alone if the table was not measured."""
    is_end = (table.tags.step < 0).astype(np.int64)
    lengths = _of_names()[is_end, table.tags.id]
    if LENGTH in table.attributes:
        has_attributes = table.tags.bundle >= 0
        of_bundle = np.array([int(value or 0) for value in table.attribute(LENGTH)], dtype=np.int64)
        lengths[has_attributes] += of_bundle[table.tags.bundle[has_attributes]]
    return lengths


def block_markup(table: BlockTable) -> Ints:
    """(n,) int64 characters of the markup of every block.

    It reaches from the last tag before the block that ends blocks to the first one after it, both
    included, and never into another block.
    """
    if not len(table):
        return np.zeros(0, dtype=np.int64)
    total = np.concatenate(([0], np.cumsum(tag_lengths(table))))
    positions = np.arange(len(table.tags.id))
    ends = member_mask(SPLITTING)[table.tags.id] if table.split == "block" else positions >= 0
    before = np.maximum.accumulate(np.where(ends, positions, 0))[table.tag]
    after = np.minimum.accumulate(np.where(ends, positions, len(positions))[::-1])[::-1][
        table.last_tag + 1
    ]
    first = np.maximum(before, np.append(-1, table.last_tag[:-1]) + 1)
    # Without such a tag before the next block, line breaks separate the two.
    last = np.where(after <= np.append(table.tag[1:], len(positions)), after, table.last_tag)
    return np.asarray(total[last + 1] - total[first])


@cache
def _of_names() -> NDArray[np.int64]:
    """(2, len(NAMES)) characters of start and end tags; the element around a page has none."""
    unnamed = {UNKNOWN, CUSTOM}
    names = np.array([_UNNAMED if name in unnamed else len(name) for name in NAMES])
    lengths = np.stack([names, names + len("/")])
    lengths[:, NAMES.index(PAGE)] = 0
    return lengths
