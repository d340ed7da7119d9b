"""Words of blocks numbered together with their page's gold text, to score many choices fast."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np

from victor.base.arrays import Ints
from victor.measures.words import words


@dataclass(frozen=True, eq=False)
class WordBags:
    """Words of b blocks on P pages and of the pages' gold texts.

    A number stands for one word on one page, so words of two pages never share one. The blocks
    have K words; blocks and gold texts together have D numbers.

    Attributes:
        word, block: (K,) int64 number of each word of the blocks, and its block.
        sizes: (b,) int64 words of each block.
        gold_counts: (D,) int64 how often each number occurs in the gold text of its page.
        page: (D,) int64 page of each number, rising.
        gold_sizes: (P,) int64 words of each gold text.
    """

    word: Ints
    block: Ints
    sizes: Ints
    gold_counts: Ints
    page: Ints
    gold_sizes: Ints


def word_bags(pages: Iterable[tuple[Sequence[str], str]]) -> WordBags:
    """Number the words of pages, each given as the texts of its blocks and its gold text."""
    next_number = count()
    word, gold_word = array("q"), array("q")
    sizes: list[int] = []
    gold_sizes: list[int] = []
    vocabulary_sizes: list[int] = []
    for texts, gold in pages:
        # A fresh table with a common counter: words of two pages never share a number.
        numbers: defaultdict[str, int] = defaultdict(next_number.__next__)
        for text in texts:
            block_words = words(text)
            word.extend(map(numbers.__getitem__, block_words))
            sizes.append(len(block_words))
        gold_words = words(gold)
        gold_word.extend(map(numbers.__getitem__, gold_words))
        gold_sizes.append(len(gold_words))
        vocabulary_sizes.append(len(numbers))
    return WordBags(
        word=_ints(word),
        block=np.repeat(np.arange(len(sizes)), sizes),
        sizes=_ints(sizes),
        gold_counts=np.bincount(_ints(gold_word), minlength=sum(vocabulary_sizes)),
        page=np.repeat(np.arange(len(vocabulary_sizes)), vocabulary_sizes),
        gold_sizes=_ints(gold_sizes),
    )


def _ints(values: Sequence[int] | array[int]) -> Ints:
    return np.array(values, dtype=np.int64)
