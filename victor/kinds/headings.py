"""The headline of a page, the links of headings, and headings that head nothing."""

from __future__ import annotations

from typing import Final

import numpy as np

from victor.base import core
from victor.base.arrays import Bools, Floats, Ints, Labels, unchanging
from victor.base.labels import OTHER
from victor.kinds.names import Signs
from victor.page.parsing.tags import IDS
from victor.page.table.blocks import BlockTable
from victor.page.verdict.verdict import HEADING_LINK, Verdict

_ELSEWHERE_TAGS: Final = frozenset({"nav", "footer", "aside"})
_NAMED: Final = 0.8
_ELSEWHERE: Final = 2.0


def headlines(signs: Signs, labels: Labels) -> Ints:
    """(P,) the headline of each page, -1 where no block is like one.

    Args:
        signs: of the pages.
        labels: (n,) uint8 `victor.base.labels.Label`.
    """
    table = signs.table
    elsewhere = signs.far("comment", "related", "footer", "cookie")
    elsewhere |= signs.near("navigation", "site") | table.blocks_inside(_ELSEWHERE_TAGS)
    by_names = _NAMED * signs.near("headline") - _ELSEWHERE * elsewhere
    return _best(table, labels, None, by_names)


def kept_headlines(table: BlockTable, labels: Labels, no_text: Bools | None = None) -> Ints:
    """(k,) the headlines that a labeler keeps, of at most as many pages, ascending.

    This is what `headlines` finds, but for the names in the markup. Only an h1 or h2 and what is
    kept as a heading or as a header may be the headline: so it costs a small part of the time, and
    needs nothing but the blocks.

    Args:
        table: the blocks.
        labels: (n,) uint8 `victor.base.labels.Label`.
        no_text: (n,) bool; which blocks are copies of others; None if none is.
    """
    found = _best(table, labels, no_text, None)
    found = found[found >= 0]
    return np.asarray(found[labels[found] != OTHER])


def _best(
    table: BlockTable, labels: Labels, no_text: Bools | None, by_names: Floats | None
) -> Ints:
    """(P,) the block of each page that is most like a headline, -1 for none.

    Args:
        table: the blocks.
        labels: (n,) uint8 `victor.base.labels.Label`.
        no_text: as of `kept_headlines`.
        by_names: (n,) what names in the markup add to the score, for all blocks; None to look at
            those only that `kept_headlines` does.
    """
    inputs = labels, no_text, by_names
    return core.array(core.compiled.judge("headlines", table.batch, inputs), np.int64)


# --- Links of headings ----------------------------------------------------------------------------

TAGS: Final = unchanging(np.array([IDS["dt"], IDS["a"], IDS["sup"]]))


def without_heading_links(verdict: Verdict) -> Verdict:
    """The verdict of a model without links of a sign, or in brackets, around the text of headings.

    Terms of a list (``<dt>``) are headings, too. What is raised may mark a note, and stays.
    """
    if not verdict.by_model:
        return verdict
    memory = core.compiled.judge("heading_links", verdict.table.batch, (verdict.labels, TAGS))
    gone = core.array(memory, np.bool_)
    return verdict.without_segments(gone, HEADING_LINK) if gone.any() else verdict


# --- Headings that head nothing -------------------------------------------------------------------


def dangling(table: BlockTable, labels: Labels) -> Ints:
    """(k,) the headings that are the last kept block of their page, right after kept text.

    Several in a row may be a list of names.
    """
    memory = core.compiled.judge("dangling", table.batch, (labels,))
    return np.flatnonzero(core.array(memory, np.bool_))
