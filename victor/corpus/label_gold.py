"""Gold pages to annotated pages: segments take their labels from the aligned gold standard."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from victor.arrays import Bools, Labels
from victor.corpus.alignment import align, align_labelled, align_segments, labels, oracle
from victor.corpus.importers import GoldPage
from victor.corpus.pages import AnnotatedPage, annotate
from victor.errors import CorpusError
from victor.labels import UNLABELLED, Label
from victor.measures.words import WordScore
from victor.page.blocks import BlockTable
from victor.page.segment import parse_pages
from victor.page.texts import block_texts, segment_texts


class Labelled(NamedTuple):
    """An annotated page and the word score of its labels, None without gold text."""

    page: AnnotatedPage
    oracle: WordScore | None


def label_page(gold: GoldPage) -> Labelled:
    """Label the segments of a page by its gold standard.

    The labels come from the block labels of the source where it has them, else from its marked
    segments, else from its plain text; content inside h1 to h6 is always a header, and text on
    which the source was undecided is don't-care. The page is split at block-level tags (at every
    tag for sources that label pieces of text), and all segments of a block share its label.

    Raises:
        CorpusError: the source has no gold standard for this page.
    """
    table = parse_pages([gold.html], "block")
    texts = block_texts(table)
    segment_labels = _segment_labels(gold, table, texts)
    page = annotate(
        gold.id,
        gold.html,
        segment_labels,
        texts=segment_texts(table),
        gold=gold.gold,
        url=gold.url,
        site=gold.site,
        language=gold.language,
        kind=gold.kind,
        licence=gold.licence,
        metadata=gold.metadata,
    )
    if not gold.gold:
        return Labelled(page, None)
    kept = np.zeros(len(table), dtype=bool)
    kept[table.block_of_segment[np.isin(segment_labels, (Label.HEADER, Label.TEXT))]] = True
    return Labelled(page, oracle(texts, kept, gold.gold))


def _segment_labels(gold: GoldPage, table: BlockTable, texts: list[str]) -> Labels:
    if gold.labelled is not None:
        return align_labelled(segment_texts(table), gold.labelled)
    heading = table.heading_level > 0
    if gold.segments:
        block_labels = align_segments(texts, gold.segments)
        # Sources mark few headlines: what the markup calls a heading is one as well.
        block_labels[(block_labels == Label.TEXT) & heading] = Label.HEADER
    elif gold.gold is not None:
        block_labels = labels(align(texts, gold.gold), heading)
    else:
        raise CorpusError(f"page {gold.id} has no gold standard; leave it out of the corpus")
    if gold.undecided:
        block_labels[_undecided(texts, block_labels, gold.undecided)] = UNLABELLED
    return block_labels[table.block_of_segment]


def _undecided(texts: list[str], block_labels: Labels, undecided: str) -> Bools:
    """Which of the blocks that are not content hold text on which the source was undecided."""
    is_other = block_labels == Label.OTHER
    others = [text if free else "" for text, free in zip(texts, is_other.tolist(), strict=True)]
    return np.asarray(is_other & align(others, undecided).content)
