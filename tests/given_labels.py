"""A model whose marginals are written down: ``k h 0.7*3 d``, a word a block.

It keeps the first block, takes the second for a header, gives three others p(other) 0.7, and drops
all others: the last word is of all further blocks. A ``split`` is ``block``, ``tag`` (blocks end at
every tag) or ``tag-lines`` (and lines of preformatted text are blocks).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from victor.base.labels import Label
from victor.config.schema import Limits, Scope
from victor.model.decide import Decision
from victor.page.parsing.events import ATTRIBUTES
from victor.page.table.blocks import BlockTable
from victor.page.table.segment import read_pages
from victor.page.verdict.verdict import Verdict, marginals

P_OTHER = {"k": 0.1, "h": 0.1, "d": 0.9}


class GivenLabels:
    """The labeler of the only page, or of the second one of a batch, whose others are kept."""

    limits, canonical, scope, attributes = Limits(), True, Scope(), ATTRIBUTES
    presets: dict[str, float] = {}  # noqa: RUF012
    decision = Decision()

    def __init__(self, written: str, *, by_model: bool = True, split: str = "block") -> None:
        parts = [word.partition("*") for word in written.split()]
        self._words = [word for word, _, n in parts for _ in range(int(n or 1))]
        self.name, self._by_model, self._split = "given", by_model, split

    def table(self, pages: Sequence[bytes]) -> BlockTable:
        split, _, lines = self._split.partition("-")
        return read_pages(pages, split, attributes=self.attributes, pre_lines=lines == "lines")

    def label(self, table: BlockTable, decision: Decision | None = None) -> Verdict:
        n_before = int(table.page_starts[1]) if table.n_pages > 1 else 0
        words = ["k"] * n_before + self._words + self._words[-1:] * len(table)
        p_other = np.array([P_OTHER.get(w) or float(w) for w in words[: len(table)]])
        is_header = np.array([word == "h" for word in words[: len(table)]], dtype=bool)
        if n_before:
            p_other[int(table.page_starts[2]) :] = P_OTHER["k"]
        labels = np.where(is_header, Label.HEADER, Label.TEXT)
        labels = np.where(p_other < 0.5, labels, Label.OTHER).astype(np.uint8)
        probabilities = marginals(1 - p_other, is_header)
        return Verdict(table, labels, probabilities, "threshold", by_model=self._by_model)
