"""Agreement of two annotators on the pages of two corpora: Cohen's kappa, by page and over all.

Blocks that one of them calls unlabelled are left out. Two careful readers could disagree on such a
block, so it tells nothing if this pair does.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np

from victor.annotate.blocks import block_table
from victor.base.arrays import Floats
from victor.base.errors import CorpusError
from victor.base.labels import UNLABELLED, Label
from victor.corpus.pages import AnnotatedPage, block_labels, canonical_table, current_labels
from victor.page.table.texts import segment_texts

_K: Final = len(Label)


class Agreement(NamedTuple):
    """Agreement on the blocks of a page, or of all pages, that both decided.

    Attributes:
        id: of the page; empty for all pages.
        blocks: number of the blocks.
        different: number of these with different labels.
        kappa: Cohen's kappa of the three labels; None where it is not defined.
        words: share of the words that are in blocks with different labels.
    """

    id: str
    blocks: int
    different: int
    kappa: float | None
    words: float

    @classmethod
    def of(cls, page_id: str, blocks: Floats, words: Floats) -> Agreement:
        """The agreement that (3, 3) blocks, and their words, by label of each show."""
        total, different = int(blocks.sum()), int(blocks.sum() - np.trace(blocks))
        share = float((words.sum() - np.trace(words)) / max(words.sum(), 1.0))
        return cls(page_id, total, different, kappa(blocks), share)


def agreement(a: Iterable[AnnotatedPage], b: Iterable[AnnotatedPage]) -> list[Agreement]:
    """Agreement over all pages that both corpora hold, and then on each; the worst page is first.

    Raises:
        CorpusError: no page is in both, or a page has other bytes in the other one.
    """
    theirs = {page.id: page for page in b}
    counts = {ours.id: _confusions(ours, theirs[ours.id]) for ours in a if ours.id in theirs}
    if not counts:
        raise CorpusError("the corpora have no page in common")
    pages = [Agreement.of(page_id, *of_page) for page_id, of_page in counts.items()]
    pages.sort(key=lambda page: (-page.words, -page.different))
    blocks, words = (sum(parts, np.zeros((_K, _K))) for parts in zip(*counts.values(), strict=True))
    return [Agreement.of("", blocks, words), *pages]


def _confusions(a: AnnotatedPage, b: AnnotatedPage) -> tuple[Floats, Floats]:
    """(3, 3) blocks, and their words, by label of a (rows) and of b (columns)."""
    if a.html != b.html:
        raise CorpusError(f"page {a.id} has other bytes in the other corpus; rename one")
    table, texts = block_table(a.html), segment_texts(canonical_table(a.html))
    rows, columns = (block_labels(current_labels(page, texts)[0], table) for page in (a, b))
    both = (rows != UNLABELLED) & (columns != UNLABELLED)
    cells = rows[both].astype(np.int64) * _K + columns[both]
    counted = (np.bincount(cells, weights, _K * _K) for weights in (None, table.words[both]))
    of_blocks, of_words = (each.astype(np.float64).reshape(_K, _K) for each in counted)
    return of_blocks, of_words


def kappa(table: Floats) -> float | None:
    """Cohen's kappa of a table of counts, rows one annotator and columns the other.

    ``(p_o - p_e) / (1 - p_e)``, where p_o is the observed share of agreement and p_e the expected
    one if both chose labels as often as they did, but independently (Cohen 1960). None for an empty
    table, and if both gave the same label to all blocks: then p_e is 1.
    """
    total = table.sum()
    if not total:
        return None
    shares = table / total
    expected = float(shares.sum(axis=1) @ shares.sum(axis=0))
    if 1.0 - expected < np.finfo(np.float64).eps * _K:
        return None
    return (float(np.trace(shares)) - expected) / (1.0 - expected)
