"""What a verdict says of its blocks."""

import numpy as np
import pytest

from victor.page.parsing.events import record
from victor.page.table.segment import segment
from victor.page.verdict.verdict import Verdict


def verdict(labels, method):
    table = segment(record([b"<p>a<p>b", b"", b"<p>c"]))
    return Verdict(table, np.array(labels, dtype=np.uint8), np.zeros((3, 3)), method)


def test_kept_is_all_but_other():
    assert verdict([0, 1, 2], "threshold").kept.tolist() == [True, True, False]


def test_pages_are_slices_of_blocks():
    pages = [verdict([1, 1, 1], "threshold").page(number) for number in range(3)]
    assert pages == [slice(0, 2), slice(2, 2), slice(2, 3)]


@pytest.mark.parametrize(
    ("method", "code"),
    [
        ("threshold", "below-threshold"),
        ("viterbi", "viterbi"),
        ("expected-f", "expected-f"),
        ("kimatu", "kimatu"),
    ],
)
def test_a_dropped_block_names_what_dropped_it(method, code):
    outcome = verdict([2, 0, 1], method)
    assert outcome.reasons() == [code, "kept", "kept"]
    assert outcome.reasons(outcome.page(2)) == ["kept"]
    assert [outcome.reason(block) for block in range(3)] == outcome.reasons()


def test_one_label_a_block():
    with pytest.raises(AssertionError, match="one label a block"):
        verdict([0, 1], "threshold")
