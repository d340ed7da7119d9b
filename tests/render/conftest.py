"""Verdicts over markup, with the kept blocks named by their numbers."""

import numpy as np
import pytest

from victor.base.labels import Label
from victor.page.parsing.events import record
from victor.page.table.segment import segment
from victor.page.verdict.verdict import Verdict


@pytest.fixture(scope="session")
def judge():
    """A verdict on pages given as text: all blocks are kept but those named in `drop`."""

    def judge(*pages, split="block", drop=(), headers=(), pre_lines=False, alt_text=False):
        markups = [page.encode() for page in pages]
        events = record(markups, alt_text=alt_text)
        table = segment(events, split, pre_lines=pre_lines)
        labels = np.full(len(table), Label.TEXT, dtype=np.uint8)
        labels[list(headers)] = Label.HEADER
        labels[list(drop)] = Label.OTHER
        marginals = np.full((len(table), 3), 1 / 3)
        return Verdict(table, labels, marginals, "threshold", markups=markups)

    return judge
