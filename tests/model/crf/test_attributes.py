"""The value of an entry at every block, by hand."""

from pathlib import Path

import numpy as np
import pytest
import yaml

from victor.model.template import Entry, Template, entry_values, n_values

ROWS = yaml.safe_load((Path(__file__).parents[1] / "rows.yaml").read_text("utf-8"))
STARTS = np.array([0, 3, 3, 4, 6])  # pages of 3, 0, 1 and 2 blocks
CODES = {
    "x": np.array([0, 1, 2, 1, 2, 0], dtype=np.uint8),
    "y": np.array([1, 0, 1, 0, 1, 1], dtype=np.uint8),
}
SIZES = {"x": 3, "y": 2}


def values(places, page_edge):
    entry = Entry(places)
    template = Template((entry,), page_edge)
    found = entry_values(entry, CODES, STARTS, template=template, sizes=SIZES)
    assert found.max() < n_values(entry, template, SIZES)
    return found.tolist()


@pytest.mark.parametrize(("offset", "page_edge", "expected"), ROWS["offsets"])
def test_offsets(offset, page_edge, expected):
    assert values((("x", offset),), page_edge) == expected


def test_conjunction_inside_a_block():
    assert values((("x", 0), ("y", 0)), "one") == [1, 2, 5, 2, 5, 1]


def test_conjunction_counts_places_outside_as_values():
    """x has 3 codes; y at +1 has 2 and one for outside."""
    assert values((("x", 0), ("y", 1)), "one") == [0, 3 + 1, 6 + 2, 3 + 2, 6 + 1, 0 + 2]
