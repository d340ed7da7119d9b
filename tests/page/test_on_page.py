"""Blocks of interest on a page, found one block after the other."""

from itertools import pairwise

import numpy as np
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.corpus.policy import last_until, next_from
from victor.page.table.segment import parse_pages


@pytest.mark.slow
@settings(max_examples=50, deadline=None, derandomize=True)
@given(data=st.data())
def test_against_a_walk(data):
    table = parse_pages(data.draw(strategies.batch()), "tag")
    chosen = data.draw(st.lists(st.booleans(), min_size=len(table), max_size=len(table)))
    marks = np.array(chosen, dtype=bool)
    bounds = table.page_starts.tolist()
    last, following = [], []
    for start, end in pairwise(bounds):
        here = [block for block in range(start, end) if chosen[block]]
        for block in range(start, end):
            last.append(max((mark for mark in here if mark <= block), default=-1))
            following.append(min((mark for mark in here if mark >= block), default=-1))
    assert last_until(table, marks).tolist() == last
    assert next_from(table, marks).tolist() == following
