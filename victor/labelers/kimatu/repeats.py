"""Repetitions: function elements such as "posted by", and quotes of earlier text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from victor.base.arrays import Bools, Hashes, Ints
from victor.base.lazy import cached_property
from victor.labelers.kimatu.areas import Areas, Settings
from victor.page.table.blocks import BlockTable
from victor.page.table.hashes import span_hashes
from victor.page.table.tokens import NUMERIC

_NUMBER: Final = np.uint64(1)
"""Hash of every number, as dates and counters differ in otherwise equal text."""
_SHINGLE: Final = 3  # consecutive words that a quote shares with the text that it quotes
_FACTOR: Final = np.uint64(0xD6E8FEB86659FD93)


@dataclass(frozen=True, eq=False)
class Words:
    """The words of n blocks in order; W words."""

    hashes: Hashes  # (W,) uint64, equal for words that differ at most in case
    block: Ints  # (W,) int64 block of each word
    starts: Ints  # (n + 1,) int64; block i owns words ``starts[i]:starts[i + 1]``

    @classmethod
    def of(cls, table: BlockTable) -> Words:
        """The words of a table."""
        tokens = table.tokens
        word_tokens = np.flatnonzero(tokens.word)
        hashes = span_hashes(table.chars, tokens.start[word_tokens], tokens.end[word_tokens])
        hashes[tokens.kind[word_tokens] == NUMERIC] = _NUMBER
        lengths = table.words
        starts = np.concatenate(([0], np.cumsum(lengths)))
        return cls(hashes, np.repeat(np.arange(len(table)), lengths), starts)

    @cached_property
    def counts(self) -> Ints:
        """(n,) words of each block."""
        return np.diff(self.starts)

    def first(self, block: int, limit: int) -> list[int]:
        """The first words of a block."""
        start = int(self.starts[block])
        end = min(int(self.starts[block + 1]), start + limit)
        hashes: list[int] = self.hashes[start:end].tolist()
        return hashes


def functions(words: Words, areas: Areas, settings: Settings) -> Bools:
    """(L,) bool; are the elements of an appearance short, and most of their words shared.

    A word is shared if it is in more than a given share of the elements of that appearance.
    """
    n_looks = areas.n_looks
    elements = np.bincount(areas.block_look, minlength=n_looks)
    total = np.bincount(areas.block_look, weights=words.counts, minlength=n_looks)
    in_short = total <= settings.functions_words * elements
    in_short &= elements >= settings.functions_elements
    short_words = np.flatnonzero(in_short[areas.block_look[words.block]])
    look = areas.block_look[words.block[short_words]]
    shared = _elements_with(words.hashes[short_words], words.block[short_words], look)
    is_shared = shared > settings.functions_common * elements[look]
    n_shared = np.bincount(look[is_shared], minlength=n_looks)
    return np.asarray(in_short & (n_shared > settings.functions_shared * total))


def _elements_with(hashes: Hashes, block: Ints, look: Ints) -> Ints:
    """(K,) number of blocks of the same appearance that contain each word."""
    keys = hashes + look.astype(np.uint64) * _FACTOR
    order = np.lexsort((block, keys))
    new_key = np.diff(keys[order], prepend=keys[order[:1]] + np.uint64(1)) != 0
    new_block = new_key | (np.diff(block[order], prepend=-1) != 0)
    key = np.cumsum(new_key) - 1
    counts = np.empty(len(keys), dtype=np.int64)
    counts[order] = np.bincount(key[new_block], minlength=1)[key] if len(keys) else 0
    return counts


def quotes(words: Words, areas: Areas, sure: Bools, settings: Settings) -> Bools:
    """(L,) bool; do most texts of an appearance repeat an earlier sure text of another appearance.

    Only texts that share three consecutive words with such a sure text are compared, each with the
    one that shares most of them, so the number of comparisons is linear in the page.

    Args:
        words: of the blocks.
        areas: which area and appearance each block has.
        sure: (A,) bool; the sure areas.
        settings: the limits.
    """
    long = words.counts >= settings.quotes_words
    quote = np.zeros(len(words.counts), dtype=bool)
    pairs = _pairs(words, areas, sure[areas.area], long)
    for block, earlier in _capped(pairs, areas.page[areas.area], settings.quotes_pair_cap):
        quote[block] = _similarity(words, block, earlier, settings) > settings.quotes_similarity
    n_long = np.bincount(areas.block_look[long], minlength=areas.n_looks)
    n_quotes = np.bincount(areas.block_look[quote], minlength=areas.n_looks)
    return np.asarray(n_quotes > settings.quotes_most * n_long)


def _similarity(words: Words, block: int, earlier: int, settings: Settings) -> float:
    quoted = words.first(block, settings.quotes_word_cap)
    return common_length(quoted, words.first(earlier, settings.quotes_word_cap)) / len(quoted)


def common_length(a: Sequence[int], b: Sequence[int]) -> int:
    """Length of the longest common subsequence, by one integer with a bit for each item of `a`.

    Source: Hyyrö (2004), Bit-parallel LCS-length computation revisited.

    >>> common_length([1, 2, 3, 4], [2, 9, 4, 1])
    2
    """
    masks: dict[int, int] = {}
    for index, item in enumerate(a):
        masks[item] = masks.get(item, 0) | 1 << index
    every = rest = (1 << len(a)) - 1
    for item in b:
        if matched := rest & masks.get(item, 0):
            rest = (rest + matched) | (rest - matched)
    return len(a) - (rest & every).bit_count()


def _pairs(words: Words, areas: Areas, sure: Bools, long: Bools) -> Ints:
    """(2, K) long blocks by rising number, and the earlier sure block with most of each's shingles.

    Of the sure blocks of another appearance that hold a shingle, the first stands for all.
    """
    hashes, block = _shingles(words, areas)
    owner = _first_owner(hashes, block, areas.block_look, sure)
    valid = (owner >= 0) & (owner < block) & long[block]
    keys, shared = np.unique(block[valid] * len(long) + owner[valid], return_counts=True)
    blocks, owners = np.divmod(keys, len(long))
    best = np.lexsort((owners, -shared, blocks))
    best = best[np.diff(blocks[best], prepend=-1) != 0]
    return np.array([blocks[best], owners[best]])


def _shingles(words: Words, areas: Areas) -> tuple[Hashes, Ints]:
    """Hashes of every three words in a row of a block, different on every page; and the block."""
    hashes, block = words.hashes, words.block
    if len(hashes) < _SHINGLE:
        return hashes[:0], block[:0]
    joined = (hashes[:-2] * _FACTOR + hashes[1:-1]) * _FACTOR + hashes[2:]
    in_block = block[:-2] == block[2:]
    page = areas.page[areas.area[block[:-2][in_block]]]
    return joined[in_block] + page.astype(np.uint64) * _FACTOR, block[:-2][in_block]


def _first_owner(hashes: Hashes, block: Ints, look: Ints, sure: Bools) -> Ints:
    """(K,) first sure block of another appearance that holds each shingle, -1 if none.

    Args:
        hashes: (K,) shingles.
        block: (K,) block of each.
        look: (n,) appearance of each block.
        sure: (n,) bool; is each block in a sure area.
    """
    if not sure[block].any():
        return np.full(len(hashes), -1, dtype=np.int64)
    # Sorting is faster than lookups: a table of all shingles fits into no cache.
    order = np.argsort(hashes)
    starts = np.flatnonzero(np.append(True, np.diff(hashes[order]) != 0))
    times = np.diff(starts, append=len(order))
    none = len(sure)
    look = np.append(look, -1)
    holder = np.where(sure[block], block, none)[order]
    first = np.repeat(np.minimum.reduceat(holder, starts), times)
    # The first sure block with another appearance than that one stands for its own appearance.
    other = np.where(look[holder] != look[first], holder, none)
    second = np.repeat(np.minimum.reduceat(other, starts), times)
    chosen = np.where(look[first] != look[block[order]], first, second)
    owner = np.empty(len(hashes), dtype=np.int64)
    owner[order] = np.where(chosen < none, chosen, -1)
    return owner


def _capped(pairs: Ints, page: Ints, cap: int) -> Iterable[tuple[int, int]]:
    pages = page[pairs[0]]
    rank = np.arange(len(pages)) - np.searchsorted(pages, pages)
    compared = pairs[:, rank < cap]
    return zip(compared[0].tolist(), compared[1].tolist(), strict=True)
