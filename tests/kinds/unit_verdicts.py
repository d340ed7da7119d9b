"""What is made of units by a labeler whose probabilities a test names."""

import numpy as np

from victor.base.labels import Label
from victor.kinds.whole_units import with_whole_units
from victor.page.table.segment import parse_pages
from victor.page.table.texts import block_texts
from victor.page.verdict.verdict import Verdict


def unit_verdict(page, p_other_of, *, threshold=0.5, by_model=True):
    """The verdict with whole units; p(other) of a block is what a function gives of its text."""
    table = parse_pages([page])
    p_other = np.array([p_other_of(text) for text in block_texts(table)])
    marginals = np.stack([0 * p_other, 1 - p_other, p_other], axis=1)
    labels = np.where(p_other < threshold, Label.TEXT, Label.OTHER).astype(np.uint8)
    verdict = Verdict(table, labels, marginals, "threshold", by_model=by_model)
    return with_whole_units(verdict, [page.encode()])
