"""The chunks whose densities make the threshold of a page, and the candidates among them.

The markup of a chunk is measured in characters. As in the source of the method, ``<`` and ``>`` are
not counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Final, Literal

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from victor.base.arrays import Bools, Floats, Ints
from victor.config.schema import Count, Flat, Limits, PositiveInt, Scope, Share
from victor.labelers.density.ngrams import LONGEST, MOST_CHARACTERS
from victor.page.parsing.events import LENGTH
from victor.page.parsing.tags import CUSTOM, NAMES, PAGE, SPLITTING, UNKNOWN, member_mask
from victor.page.table.blocks import BlockTable, Split
from victor.page.table.segment import read_pages


class Settings(Flat, frozen=True):
    """The schema of ``configs/density.yaml``."""

    labeler: Literal["density"] = "density"
    mode: Literal["density", "ngram", "both"] = "both"
    model: str | None = None
    split: Split = "block"
    density_base: Share = 0.5
    density_deviations: float = 1.0
    density_characters: Count = 60
    ngram_order: Annotated[int, Meta(ge=1, le=LONGEST)] = 6
    ngram_weight: Annotated[float, Meta(gt=0, le=1000)] = 6.0
    ngram_alphabet: Annotated[int, Meta(ge=1, le=MOST_CHARACTERS)] = MOST_CHARACTERS
    ngram_least_count: PositiveInt = 2
    ngram_most_grams: Annotated[int, Meta(ge=1, le=900000)] = 800_000
    ngram_calibrated: bool = True
    ngram_folds: Annotated[int, Meta(ge=2)] = 3
    limits: Limits = Limits()
    scope: Scope = Scope()


_UNNAMED: Final = 10  # characters of a name that is not in the vocabulary, where names are counted


def measured(pages: Sequence[bytes], split: Split = "block") -> BlockTable:
    """Block table of a batch of pages given as UTF-8 bytes, with the lengths of attributes.

    Tags that the parser adds count like all others.
    """
    return read_pages(pages, split, attributes=("class", LENGTH))


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
    first_tag = np.maximum(before, np.append(-1, table.last_tag[:-1]) + 1)
    # Without such a tag before the next block, line breaks separate the two.
    last_tag = np.where(after <= np.append(table.tag[1:], len(positions)), after, table.last_tag)
    return np.asarray(total[last_tag + 1] - total[first_tag])


@cache
def _of_names() -> NDArray[np.int64]:
    """(2, len(NAMES)) characters of start and end tags; the element around a page has none."""
    unnamed = {UNKNOWN, CUSTOM}
    names = np.array([_UNNAMED if name in unnamed else len(name) for name in NAMES])
    lengths = np.stack([names, names + len("/")])
    lengths[:, NAMES.index(PAGE)] = 0
    return lengths


@dataclass(frozen=True, eq=False)
class Chunks:
    """The C chunks of P pages with n blocks.

    They are the blocks themselves, or all lines of the source where blocks are lines. A line
    without visible text, such as one of a script, is a chunk without a block.
    """

    text: Ints  # (C,) int64 characters of the text
    markup: Ints  # (C,) int64 characters of the markup
    page_starts: Ints  # (P + 1,) int64 first chunk of each page
    of_block: Ints  # (n,) int64 chunk of each block

    @classmethod
    def of(cls, table: BlockTable) -> Chunks:
        """The chunks of a table."""
        if table.lines is not None:
            return cls(table.lines.text, table.lines.markup, table.lines.page_starts, table.line)
        text, blocks = table.end - table.start, np.arange(len(table))
        return cls(text, block_markup(table), table.page_starts, blocks)

    @property
    def density(self) -> Floats:
        """(C,) (N(text) + 1) / (N(markup) + N(text) + 1); above 0, at most 1."""
        return np.asarray((self.text + 1) / (self.markup + self.text + 1))

    @property
    def block_density(self) -> Floats:
        """(n,) density of the chunk of each block."""
        return self.density[self.of_block]

    def candidates(self, settings: Settings) -> Bools:
        """(n,) bool; has the chunk of a block enough characters, and is it dense enough."""
        page = np.repeat(np.arange(len(self.page_starts) - 1), np.diff(self.page_starts))
        passing = (self.text >= settings.density_characters) & (
            self.density > self.thresholds(settings)[page]
        )
        return np.asarray(passing[self.of_block])

    def thresholds(self, settings: Settings) -> Floats:
        """(P,) the base less some standard deviations of the densities of each page.

        The deviation is that of a sample (n - 1), of chunks with enough characters only. It is 0
        on pages with fewer than two of them.
        """
        page = np.repeat(np.arange(len(self.page_starts) - 1), np.diff(self.page_starts))
        long_enough = self.text >= settings.density_characters
        page, density = page[long_enough], self.density[long_enough]
        n_pages = len(self.page_starts) - 1
        count = np.bincount(page, minlength=n_pages)
        mean = np.bincount(page, density, n_pages) / np.maximum(count, 1)
        squares = np.bincount(page, (density - mean[page]) ** 2, n_pages)
        deviation = np.sqrt(squares / np.maximum(count - 1, 1))
        return np.asarray(settings.density_base - settings.density_deviations * deviation)
