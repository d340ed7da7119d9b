"""Words that blocks share with other texts of their page, such as its title."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from victor.base.arrays import Chars, Hashes, Ints, span_indices
from victor.page.parsing.characters import lower
from victor.page.table.blocks import BlockTable
from victor.page.table.hashes import GOLDEN, Known, span_hashes
from victor.page.table.tokens import tokenize

_SHAPES: Final = 1 << 17
_PAGE_STEP: Final = 40503
"""Odd, so that the same word on other pages gets other bits."""


class Words(Struct, frozen=True, eq=False):
    """Words as spans of characters, each of a page."""

    chars: Chars
    start: Ints
    end: Ints
    page: Ints

    @classmethod
    def of_texts(cls, texts: Sequence[str]) -> Words:
        """The words of some texts, one per page."""
        encoded = [text.encode("utf-32-le", "replace") for text in texts]
        chars = np.frombuffer(b"".join(encoded), dtype=np.uint32)
        lengths = np.array([len(text) // 4 for text in encoded], dtype=np.int64)
        starts = np.cumsum(lengths) - lengths
        tokens = tokenize(chars, starts[lengths > 0], starts[:0])
        start, end = tokens.start[tokens.word], tokens.end[tokens.word]
        return cls(chars, start, end, np.searchsorted(starts, start, side="right") - 1)

    def shapes(self) -> NDArray[np.uint32]:
        """Page, first letter and length in a few bits: rules out most words before any is hashed.

        Collisions with words of other pages are removed later.
        """
        # In 32 bits and in place: all words of a batch are looked at.
        shapes = self.page.astype(np.uint32)
        shapes *= np.uint32(_PAGE_STEP)
        shapes += lower(self.chars.take(self.start)) << np.uint32(5)
        shapes += np.minimum(self.end - self.start, 0xFF).astype(np.uint32)
        shapes &= np.uint32(_SHAPES - 1)
        return shapes

    def keys(self) -> Hashes:
        """Hash of every word, case folded, different between pages."""
        lengths = self.end - self.start
        ends = np.cumsum(lengths)
        chars = self.chars[span_indices(self.start, lengths)]
        return span_hashes(chars, ends - lengths, ends) + self.page.astype(np.uint64) * GOLDEN


def shared_words(table: BlockTable, *others: Words) -> list[Ints]:
    """For each of some texts, (n,) words of each block that the text of its page holds."""
    tokens = table.tokens
    shape = np.zeros(_SHAPES, dtype=bool)
    for words in others:
        shape[words.shapes()] = True
    starts = tokens.block_offsets[table.page_starts]
    pages = sorted({page for words in others for page in words.page.tolist()})
    bounds = [*zip(starts[pages].tolist(), starts[1:][pages].tolist(), strict=True)]
    of_pages = [a + np.flatnonzero(tokens.word[a:b]) for a, b in bounds]
    rows = np.concatenate([starts[:0], *of_pages])
    page = np.searchsorted(starts, rows, side="right") - 1
    everything = Words(table.chars, tokens.start[rows], tokens.end[rows], page)
    alike = np.flatnonzero(shape.take(everything.shapes()))
    block = np.searchsorted(tokens.block_offsets, rows[alike], side="right") - 1
    start, end = everything.start[alike], everything.end[alike]
    chosen = Words(table.chars, start, end, page[alike])
    keys = chosen.keys()
    hits = [Known.of(words.keys()).find(keys)[0] for words in others]
    return [np.bincount(block[hit], minlength=len(table)) for hit in hits]
