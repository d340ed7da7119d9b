"""The kinds of the blocks of a verdict, whatever its labeler reads of a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from victor.arrays import Codes, Ints
from victor.kinds.positions import positions
from victor.kinds.rules import kinds
from victor.labels import Label
from victor.page.blocks import BlockTable
from victor.page.events import record
from victor.page.name_groups import ATTRIBUTES
from victor.page.segment import segment
from victor.page.verdict import Verdict


def with_kinds(verdict: Verdict, pages: Sequence[bytes]) -> Verdict:
    """The verdict with the kinds of its blocks, which are made when they are asked for.

    Args:
        verdict: on these pages.
        pages: as UTF-8 bytes.
    """
    return replace(verdict, find_kinds=partial(kinds_of, pages=pages))


def kinds_of(verdict: Verdict, *, pages: Sequence[bytes]) -> Codes:
    """(n,) uint8 `victor.labels.Kind` of the blocks of a verdict.

    Rules need the names that markup gives to elements, and blocks cut at block-level tags. A table
    of another cut, or without these names, is made again from the pages.
    """
    table = verdict.table
    if table.split == "block" and set(ATTRIBUTES) <= {*table.attributes}:
        return kinds(table, verdict.labels)
    named = segment(record(pages, attributes=ATTRIBUTES), "block")
    if not len(table) or not len(named):
        return np.zeros(len(table), dtype=np.uint8)
    outer = np.searchsorted(_of_blocks(named), _of_blocks(table), side="right") - 1
    outer = np.maximum(outer, 0)
    return kinds(named, _labels(verdict, outer, len(named)))[outer]


def _of_blocks(table: BlockTable) -> Ints:
    """(n,) position of each block."""
    return positions(table)[table.tag]


def _labels(verdict: Verdict, outer: Ints, n: int) -> Codes:
    """(n,) label of most words of the verdict's blocks in each of some larger blocks."""
    weights = np.zeros((n, len(Label)))
    np.add.at(weights, (outer, verdict.labels), np.maximum(verdict.table.words, 1))
    weights[weights.sum(axis=1) == 0, Label.OTHER] = 1
    return np.asarray(weights.argmax(axis=1), dtype=np.uint8)
