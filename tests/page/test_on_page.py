"""Blocks of interest on a page, found one block after the other."""

from itertools import pairwise

import numpy as np
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.page.table.nearest_blocks import (
    distance,
    first_of_page,
    last_of_page,
    last_until,
    next_from,
    page_maxima,
)
from victor.page.table.segment import parse_pages


@pytest.mark.slow
@settings(max_examples=50, deadline=None, derandomize=True)
@given(data=st.data())
def test_against_a_walk(data):
    table = parse_pages(data.draw(strategies.batch()), "tag")
    chosen = data.draw(st.lists(st.booleans(), min_size=len(table), max_size=len(table)))
    marks = np.array(chosen, dtype=bool)
    bounds = table.page_starts.tolist()
    last, following, firsts, lasts = [], [], [], []
    for start, end in pairwise(bounds):
        here = [block for block in range(start, end) if chosen[block]]
        firsts.append(min(here, default=-1))
        lasts.append(max(here, default=-1))
        for block in range(start, end):
            last.append(max((mark for mark in here if mark <= block), default=-1))
            following.append(min((mark for mark in here if mark >= block), default=-1))
    assert last_until(table, marks).tolist() == last
    assert next_from(table, marks).tolist() == following
    assert first_of_page(table, marks).tolist() == firsts
    assert last_of_page(table, marks).tolist() == lasts


def test_highest_values_of_pages_some_of_them_empty():
    table = parse_pages([b"", b"<p>a<p>b", b"", b"<p>c"])
    assert page_maxima(table, np.array([1.0, 3.0, 2.0])).tolist() == [3.0, 3.0, 2.0]


def test_distance_from_the_mark_of_the_page():
    table = parse_pages([b"<p>a<p>b<p>c", b"", b"<p>d", b"<p>e" * 300])
    steps = distance(table, np.array([1, -1, -1, 4]))
    assert steps[:4].tolist() == [-1, 0, 1, 999]
    assert (steps[4:7].tolist(), int(steps[-1])) == ([0, 1, 2], 255)
