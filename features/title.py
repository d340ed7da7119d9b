"""How many words a block shares with the title and description of the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from victor.arrays import Chars, Hashes, Ints, span_indices
from victor.features.base import Column, ColumnValues, Feature, Measure
from victor.page.blocks import BlockTable
from victor.page.characters import lower
from victor.page.events import Head
from victor.page.hashes import GOLDEN, span_hashes
from victor.page.on_page import distance, first_of_page, page_maxima
from victor.page.tokens import tokenize

COLUMNS = (
    Column("title.jaccard", "number", "words shared with the title over words of either"),
    Column("title.offset", "number", "blocks after the block most like the title, 999 if none"),
    Column("description.overlap", "number", "share of words that the page's description holds"),
)
_LIKE = 0.3
_SHAPES = 1 << 17
_PAGE_STEP = 40503
"""Odd, so that the same word on other pages gets other bits."""


def build() -> Feature:
    """Likeness to title and description; they have no parameters.

    >>> from victor.page.segment import parse_pages
    >>> page = b"<title>On bees</title><meta name=description content='They fly'>"
    >>> values = build()(parse_pages([page + b"<p>Home<h1>On Bees!</h1><p>They swarm"]))
    >>> values["title.jaccard"], values["title.offset"], values["description.overlap"]
    (array([0., 1., 0.]), array([-1,  0,  1]), array([0. , 0. , 0.5]))
    """
    return Measure(COLUMNS, _compute)


def _compute(table: BlockTable) -> Mapping[str, ColumnValues]:
    title = _Words.of_texts([h.meta.get("og:title", "") or h.title for h in table.heads])
    description = _Words.of_texts([_description(head) for head in table.heads])
    in_title, in_description = _shared(table, title, description)
    of_title = np.bincount(title.page, minlength=table.n_pages)[table.page]
    in_title = np.minimum(in_title, of_title)
    jaccard = in_title / np.maximum(table.words + of_title - in_title, 1)
    likest = (jaccard == page_maxima(table, jaccard)) & (jaccard >= _LIKE)
    return {
        "title.jaccard": jaccard,
        "title.offset": distance(table, first_of_page(table, likest)),
        "description.overlap": in_description / np.maximum(table.words, 1),
    }


def _description(head: Head) -> str:
    return head.meta.get("description", "") or head.meta.get("og:description", "")


def _shared(table: BlockTable, *others: _Words) -> list[Ints]:
    """For each of some texts, (n,) words of each block that the text of its page holds."""
    tokens = table.tokens
    shape = np.zeros(_SHAPES, dtype=bool)
    for words in others:
        shape[words.shapes()] = True
    page = np.repeat(np.arange(table.n_pages), np.diff(tokens.block_offsets[table.page_starts]))
    everything = _Words(table.chars, tokens.start, tokens.end, page)
    alike = np.flatnonzero(shape[everything.shapes()] & tokens.word)
    block = np.searchsorted(tokens.block_offsets, alike, side="right") - 1
    chosen = _Words(table.chars, tokens.start[alike], tokens.end[alike], page[alike])
    keys = chosen.keys()
    return [
        np.bincount(block[np.isin(keys, words.keys())], minlength=len(table)) for words in others
    ]


@dataclass(frozen=True, eq=False)
class _Words:
    """Words as spans of characters, each of a page."""

    chars: Chars
    start: Ints
    end: Ints
    page: Ints

    @classmethod
    def of_texts(cls, texts: Sequence[str]) -> _Words:
        """The words of some texts, one per page."""
        encoded = [text.encode("utf-32-le", "replace") for text in texts]
        chars = np.frombuffer(b"".join(encoded), dtype=np.uint32)
        lengths = np.array([len(text) // 4 for text in encoded], dtype=np.int64)
        starts = np.cumsum(lengths) - lengths
        tokens = tokenize(chars, starts[lengths > 0], starts[:0])
        start, end = tokens.start[tokens.word], tokens.end[tokens.word]
        return cls(chars, start, end, np.searchsorted(starts, start, side="right") - 1)

    def shapes(self) -> Ints:
        """Page, first letter and length in a few bits: rules out most words before any is hashed.

        Collisions with words of other pages are removed later.
        """
        first = lower(self.chars[self.start]).astype(np.int64)
        length = np.minimum(self.end - self.start, 0xFF)
        return np.asarray((self.page * _PAGE_STEP + (first << 5) + length) & (_SHAPES - 1))

    def keys(self) -> Hashes:
        """Hash of every word, case folded, different between pages."""
        lengths = self.end - self.start
        ends = np.cumsum(lengths)
        chars = self.chars[span_indices(self.start, lengths)]
        return span_hashes(chars, ends - lengths, ends) + self.page.astype(np.uint64) * GOLDEN
