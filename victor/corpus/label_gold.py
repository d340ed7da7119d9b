"""Gold pages to annotated pages: align the gold standard with the page and label its segments."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from victor.corpus.alignment import align, align_labelled, align_segments, labels, oracle
from victor.corpus.importers import GoldPage
from victor.corpus.pages import AnnotatedPage, annotate
from victor.errors import CorpusError
from victor.labels import UNLABELLED, Label
from victor.measures.words import WordScore
from victor.page.blocks import BlockTable
from victor.page.segment import parse_pages


class Labelled(NamedTuple):
    """An annotated page and the word score that its labels reach, None without gold text."""

    page: AnnotatedPage
    oracle: WordScore | None


def label_page(gold: GoldPage) -> Labelled:
    """Label the segments of a page by its gold standard.

    Block labels of the source are used where it has them, else marked segments, else plain text;
    content inside h1 to h6 is a header in any case, and what is left of the page is don't-care
    where the source was undecided. The page is cut at block-level tags (every tag for sources that
    label pieces of text) and all segments of a block share its label.

    Raises:
        CorpusError: the source gives no gold standard at all for this page.
    """
    table = parse_pages([gold.html], "block")
    texts = table.texts()
    segment_labels = _segment_labels(gold, table, texts)
    page = annotate(
        gold.id,
        gold.html,
        segment_labels,
        texts=table.segment_texts(),
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
    kept[table.block_of_segment[_kept(segment_labels)]] = True
    return Labelled(page, oracle(texts, kept, gold.gold))


def _kept(segment_labels: NDArray[np.uint8]) -> NDArray[np.bool_]:
    return np.asarray((segment_labels != Label.OTHER) & (segment_labels != UNLABELLED))


def _segment_labels(gold: GoldPage, table: BlockTable, texts: list[str]) -> NDArray[np.uint8]:
    if gold.labelled is not None:
        return align_labelled(table.segment_texts(), gold.labelled)
    heading = table.heading_level > 0
    if gold.segments:
        block_labels = align_segments(texts, gold.segments)
        # Sources mark few headlines: what the page itself calls a heading is one as well.
        block_labels[(block_labels == Label.TEXT) & heading] = Label.HEADER
    elif gold.gold is not None:
        block_labels = labels(align(texts, gold.gold), heading)
    else:
        raise CorpusError(f"page {gold.id} has no gold standard; leave it out of the corpus")
    if gold.undecided:
        block_labels[_undecided(texts, block_labels, gold.undecided)] = UNLABELLED
    return block_labels[table.block_of_segment]


def _undecided(
    texts: list[str], block_labels: NDArray[np.uint8], undecided: str
) -> NDArray[np.bool_]:
    """Which of the blocks that are not content hold the text that the source was undecided on."""
    free = block_labels == Label.OTHER
    left = [text if is_free else "" for text, is_free in zip(texts, free.tolist(), strict=True)]
    return np.asarray(free & align(left, undecided).content)
