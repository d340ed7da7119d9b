"""Sums over windows and indices in spans."""

import doctest
from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.base import arrays
from victor.base.arrays import prefix_sums, span_indices, window_sums


@given(st.lists(st.integers(0, 9)))
def test_sums_before_every_place_and_of_all(numbers):
    sums = prefix_sums(np.array(numbers, dtype=np.uint8))
    assert sums.tolist() == [sum(numbers[:place]) for place in range(len(numbers) + 1)]


@settings(deadline=None, derandomize=True)
@given(st.lists(st.integers(-9, 9)), st.data())
def test_window_sums(values, data):
    cuts = data.draw(st.lists(st.integers(0, len(values)), min_size=1).map(sorted))
    expected = [sum(values[a:b]) for a, b in pairwise(cuts)]
    found = window_sums(np.array(values, dtype=np.int64), np.array(cuts))
    assert found.tolist() == expected


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 5))))
def test_indices_in_spans(spans):
    start, length = np.array(spans, dtype=np.int64).reshape(-1, 2).T
    expected = [index for first, count in spans for index in range(first, first + count)]
    assert span_indices(start, length).tolist() == expected


def test_examples():
    result = doctest.testmod(arrays)
    assert result.attempted
    assert not result.failed
