"""Agreement of two annotators on the pages of two corpora: Cohen's kappa, by page and over all.

Blocks that one of them calls unlabelled are left out. Two careful readers could disagree on such a
block, so it tells nothing if this pair does.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np

from victor.annotate.blocks import block_table
from victor.base.arrays import Floats, Labels
from victor.base.errors import CorpusError
from victor.base.labels import UNLABELLED, Label
from victor.corpus.pages import AnnotatedPage, block_labels, canonical_table, current_labels
from victor.page.table.blocks import BlockTable
from victor.page.table.texts import segment_texts

_K: Final = len(Label)


class Agreement(NamedTuple):
    """Agreement on the blocks that both decided; None where a measure is not defined.

    Attributes:
        blocks: number of these.
        observed: share of them with the same label.
        kappa: Cohen's kappa of the three labels.
        by_words: kappa with every block weighted by its words.
    """

    blocks: int
    observed: float | None
    kappa: float | None
    by_words: float | None


class PageAgreement(NamedTuple):
    """Agreement on the blocks of one page that both decided.

    Attributes:
        different: number of these with different labels.
        words: share of the words in the latter among those in the former.
    """

    id: str
    kappa: float | None
    blocks: int
    different: int
    words: float


def agreement(
    a: Iterable[AnnotatedPage], b: Iterable[AnnotatedPage]
) -> tuple[Agreement, list[PageAgreement]]:
    """Agreement over all pages that both corpora hold, and on each; the worst page is first.

    Raises:
        CorpusError: no page is in both, or a page has other bytes in the other one.
    """
    theirs = {page.id: page for page in b}
    blocks, words, pages = np.zeros((_K, _K)), np.zeros((_K, _K)), []
    for ours in a:
        if ours.id in theirs:
            of_blocks, of_words = _confusions(ours, theirs[ours.id])
            blocks, words = blocks + of_blocks, words + of_words
            pages.append(_on_page(ours.id, of_blocks, of_words))
    if not pages:
        raise CorpusError("the corpora have no page in common")
    total = int(blocks.sum())
    observed = float(np.trace(blocks)) / total if total else None
    together = Agreement(total, observed, kappa(blocks), kappa(words))
    return together, sorted(pages, key=lambda page: (-page.words, -page.different))


def _confusions(a: AnnotatedPage, b: AnnotatedPage) -> tuple[Floats, Floats]:
    """(3, 3) blocks, and their words, by label of a (rows) and of b (columns)."""
    if a.html != b.html:
        raise CorpusError(f"page {a.id} has other bytes in the other corpus; rename one")
    table, texts = block_table(a.html), segment_texts(canonical_table(a.html))
    rows, columns = (_block_labels(page, texts, table) for page in (a, b))
    both = (rows != UNLABELLED) & (columns != UNLABELLED)
    cells = rows[both].astype(np.int64) * _K + columns[both]
    counted = (np.bincount(cells, weights, _K * _K) for weights in (None, table.words[both]))
    of_blocks, of_words = (each.astype(np.float64).reshape(_K, _K) for each in counted)
    return of_blocks, of_words


def _block_labels(page: AnnotatedPage, texts: list[str], table: BlockTable) -> Labels:
    return block_labels(current_labels(page, texts)[0], table)


def _on_page(page_id: str, blocks: Floats, words: Floats) -> PageAgreement:
    total, different = int(blocks.sum()), int(blocks.sum() - np.trace(blocks))
    share = float((words.sum() - np.trace(words)) / max(words.sum(), 1.0))
    return PageAgreement(page_id, kappa(blocks), total, different, share)


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
