"""How much a block repeats of the page's own title and description."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from victor.blocks import BlockTable
from victor.columns import Column, ColumnValues, Feature, Measure
from victor.events import Head
from victor.tokens import span_hashes, tokenize

COLUMNS = (
    Column("title.jaccard", "number", "words shared with the title over words of either"),
    Column("title.offset", "number", "blocks after the block most like the title, 999 if none"),
    Column("description.overlap", "number", "share of words that the page's description holds"),
)
_NOWHERE = 999
_FAR = 255
_LIKE = 0.3


def build() -> Feature:
    """Likeness to title and description; they have no parameters."""
    return Measure(COLUMNS, _compute)


def _compute(table: BlockTable) -> Mapping[str, ColumnValues]:
    titles = [head.meta.get("og:title", "") or head.title for head in table.heads]
    shared, title_words = _shared(table, titles)
    jaccard = shared / np.maximum(table.words + title_words - shared, 1)
    described, _ = _shared(table, [_description(head) for head in table.heads])
    return {
        "title.jaccard": jaccard,
        "title.offset": _offset(table, jaccard),
        "description.overlap": described / np.maximum(table.words, 1),
    }


def _description(head: Head) -> str:
    return head.meta.get("description", "") or head.meta.get("og:description", "")


def _shared(table: BlockTable, texts: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Words of each block that the text of its page holds; and the length of that text."""
    page_of_word, hashes = _word_hashes(texts)
    length = np.bincount(page_of_word, minlength=table.n_pages)[table.page]
    pages = np.repeat(table.page, np.diff(table.tokens.block_offsets))
    known = _members(_keyed(table.word_hashes, pages), _keyed(hashes, page_of_word))
    return np.minimum(table.tokens.per_block(known & table.tokens.word), length), length


def _members(keys: NDArray[np.uint64], wanted: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Which keys are wanted; their upper 16 bits rule most of them out."""
    upper = np.uint64(48)
    maybe = np.zeros(1 << 16, dtype=bool)
    maybe[wanted >> upper] = True
    found: NDArray[np.bool_] = maybe[keys >> upper]
    at = np.flatnonzero(found)
    found[at] = np.isin(keys[at], wanted)
    return found


def _keyed(hashes: NDArray[np.uint64], page: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Hashes that differ between pages."""
    return hashes + page.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)


def _word_hashes(texts: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Page and hash of every word of some texts, one per page."""
    encoded = [text.encode("utf-32-le", "replace") for text in texts]
    chars = np.frombuffer(b"".join(encoded), dtype=np.uint32)
    lengths = np.array([len(text) // 4 for text in encoded], dtype=np.int64)
    starts = np.cumsum(lengths) - lengths
    tokens = tokenize(chars, starts[lengths > 0], starts[:0])
    page = np.searchsorted(starts, tokens.start, side="right") - 1
    hashes = span_hashes(chars, tokens.start, tokens.end)
    return page[tokens.word], hashes[tokens.word]


def _offset(table: BlockTable, jaccard: NDArray[np.float64]) -> NDArray[np.int64]:
    """Signed distance in blocks from the first block most like the title of its page."""
    order = np.lexsort((np.arange(len(table)), -jaccard, table.page))
    best = np.full(table.n_pages, -1, dtype=np.int64)
    filled = np.diff(table.page_starts) > 0
    best[filled] = order[table.page_starts[:-1][filled]]
    mark = best[table.page]
    distance = np.clip(np.arange(len(table)) - mark, -_FAR, _FAR)
    return np.where(jaccard[mark] >= _LIKE, distance, _NOWHERE)
