"""Headings that are kept though nothing is that they head."""

from __future__ import annotations

import numpy as np

from victor.base import core
from victor.base.arrays import Ints, Labels
from victor.page.table.blocks import BlockTable


def dangling(table: BlockTable, labels: Labels) -> Ints:
    """(k,) the headings that are the last kept block of their page, right after kept text.

    Several in a row may be a list of names.
    """
    memory = core.compiled.judge("dangling", table.batch, (labels,))
    return np.flatnonzero(core.array(memory, np.bool_))
