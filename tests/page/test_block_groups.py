"""Equal hashes put together, sums before places, the highest values of pages."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from victor.arrays import prefix_sums
from victor.page.blocks import equal_groups
from victor.page.events import record
from victor.page.segment import segment


@given(st.lists(st.integers(0, 5)))
def test_groups_are_those_of_equal_numbers_each_in_its_own_order(numbers):
    order, starts = equal_groups(np.array(numbers, dtype=np.uint64))
    groups = [group.tolist() for group in np.split(order, starts)[1:]]
    wanted = [[at for at, n in enumerate(numbers) if n == number] for number in set(numbers)]
    assert sorted(groups) == sorted(wanted)


@given(st.lists(st.integers(0, 9)))
def test_sums_before_every_place_and_of_all(numbers):
    sums = prefix_sums(np.array(numbers, dtype=np.uint8))
    assert sums.tolist() == [sum(numbers[:place]) for place in range(len(numbers) + 1)]


def test_highest_values_of_pages_some_of_them_empty():
    table = segment(record([b"", b"<p>a<p>b", b"", b"<p>c"]))
    assert table.page_maxima(np.array([1.0, 3.0, 2.0])).tolist() == [3.0, 3.0, 2.0]
