"""Gold pages to annotated pages: segments take their labels from the aligned gold standard."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from victor.base.arrays import Bools, Labels
from victor.base.errors import CorpusError
from victor.base.labels import UNLABELLED, Label
from victor.corpus.alignment import (
    align,
    align_kinds,
    align_labelled,
    align_segments,
    labels,
    oracle,
    without_blocks,
)
from victor.corpus.importers import GoldPage
from victor.corpus.pages import AnnotatedPage, annotate
from victor.corpus.policy import judge
from victor.measures.words import WordScore
from victor.page.names.name_groups import NameGroups
from victor.page.parsing.tags import member_mask
from victor.page.table.blocks import BlockTable
from victor.page.table.segment import parse_pages
from victor.page.table.texts import block_texts, segment_texts

_WHOLE_PAGE: Final = frozenset({"html", "body"})
"""Elements around everything; their names say something of the whole page."""


class Labelled(NamedTuple):
    """An annotated page.

    Attributes:
        page: it.
        oracle: word score of its labels, None without gold text.
        changes: blocks that the policy changed, by the name of the rule.
    """

    page: AnnotatedPage
    oracle: WordScore | None
    changes: Counter[str]


def label_page(
    gold: GoldPage,
    *,
    dont_care_in: Sequence[str] = (),
    by_policy: bool = False,
    believed: Collection[str] = (),
) -> Labelled:
    """Label the segments of a page by its gold standard.

    The labels come from the block labels of the source where it has them, else from its marked
    segments, else from its plain text; content inside h1 to h6 is always a header, and text on
    which the source was undecided is don't-care. The page is split at block-level tags (at every
    tag for sources that label pieces of text), and all segments of a block share its label.

    Args:
        gold: the page with its gold standard.
        dont_care_in: names of elements, as `victor.page.names.name_groups` reads them, whose text
            is don't-care; it is taken out of the gold text as well. A page with no other gold text
            has none then, and its words are not scored.
        by_policy: labels and gold text follow `victor.corpus.policy`.
        believed: with `by_policy`, names of its rules on which gold decides all the same.

    Raises:
        CorpusError: the source has no gold standard for this page.
    """
    table = parse_pages([gold.html], "block")
    texts = block_texts(table)
    segment_labels = _segment_labels(gold, table, texts)
    if dont_care_in:
        is_inside = _inside_named(table, dont_care_in)
        segment_labels = np.where(is_inside, np.uint8(UNLABELLED), segment_labels)
        gold = replace(gold, gold=_without(gold.gold, table, is_inside))
    kinds = _kinds(gold, table)
    changes: Counter[str] = Counter()
    if by_policy:
        before = segment_labels
        segment_labels, changes = judge(
            table,
            before,
            page_type=gold.kind,
            kinds=kinds,
            believed=believed,
        )
        gold = replace(gold, gold=_agreeing(gold, table, before, segment_labels))
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
        metadata={**gold.metadata, **({"kinds": kinds} if kinds else {})},
    )
    if not gold.gold:
        return Labelled(page, None, changes)
    return Labelled(page, oracle(texts, _has_kept(table, segment_labels), gold.gold), changes)


def _kinds(gold: GoldPage, table: BlockTable) -> list[str]:
    """(S,) what each segment is, where the source says it of its blocks, else nothing."""
    if not gold.labelled or not gold.kinds:
        return []
    texts = (text for _, text in gold.labelled)
    return align_kinds(segment_texts(table), [*zip(gold.kinds, texts, strict=True)])


def _is_kept(labels: Labels) -> Bools:
    return np.isin(labels, (Label.HEADER, Label.TEXT))


def _has_kept(table: BlockTable, labels: Labels) -> Bools:
    """(n,) is a segment of a block content."""
    kept = np.zeros(len(table), dtype=bool)
    kept[table.block_of_segment[_is_kept(labels)]] = True
    return kept


def _agreeing(gold: GoldPage, table: BlockTable, before: Labels, after: Labels) -> str | None:
    """Gold text that has what the labels after the policy keep.

    Where the source labels all blocks, it is their text. Elsewhere it is the gold text without what
    the policy no longer keeps.
    """
    if gold.gold is None or (before == after).all():
        return gold.gold
    if gold.labelled is not None:
        texts, kept = block_texts(table), _has_kept(table, after)
        return "\n".join(texts[block] for block in np.flatnonzero(kept).tolist())
    return _without(gold.gold, table, _is_kept(before) & ~_is_kept(after))


def _inside_named(table: BlockTable, names: Sequence[str]) -> Bools:
    """(S,) bool, the segment is in an element of one of the names, <html> and <body> excepted."""
    elements, n_tags = table.elements, len(table.tags.id)
    is_named = NameGroups([names]).masks(table)[elements.bundle] > 0
    is_named &= ~member_mask(_WHOLE_PAGE)[elements.tag]
    opened = np.bincount(elements.open[is_named], minlength=n_tags)
    closed = np.bincount(elements.close[is_named], minlength=n_tags)
    depth = np.cumsum(opened - closed)
    return np.asarray(depth[table.segments.tag] > 0)


def _without(gold: str | None, table: BlockTable, is_out: Bools) -> str | None:
    """Gold text without what is in the segments `is_out`; None if nothing else was in it."""
    if not gold:
        return gold
    return without_blocks(segment_texts(table), is_out, gold) or None


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
