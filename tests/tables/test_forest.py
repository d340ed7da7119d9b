"""Forests as arrays."""

import io
from dataclasses import replace

import numpy as np
import pytest
from leaf_table_fixtures import table_of

from victor.errors import ModelError
from victor.tables.cells import TYPES, Contents, measure_cells
from victor.tables.forest import Forest, shipped


def stump():
    """Two trees: y <= 1 is "low", and one that is always half sure."""
    return Forest(
        classes=("low", "high"),
        features=("x", "y"),
        roots=np.array([0, 3], dtype=np.int32),
        feature=np.array([1, 0, 0, 0], dtype=np.int16),
        threshold=np.array([1, 0, 0, 0], dtype=np.float32),
        yes=np.array([1, 1, 2, 3], dtype=np.int32),
        no=np.array([2, 1, 2, 3], dtype=np.int32),
        shares=np.array([[0, 0], [1, 0], [0, 1], [0.4, 0.6]], dtype=np.float32),
        depth=1,
    )


def test_trees_are_averaged():
    rows = np.array([[9, 1], [0, 1.5], [0, np.nan], [np.nan, -np.inf], [0, np.inf]])
    low, high = [0.7, 0.3], [0.2, 0.8]
    assert stump()(rows) == pytest.approx(np.array([low, high, high, low, high]))
    assert stump()(rows[:0]).shape == (0, 2)


def test_what_is_written_is_read():
    file = io.BytesIO()
    stump().write(file)
    again = Forest.read(io.BytesIO(file.getvalue()))
    rows = np.array([[0, 0], [0, 2]])
    assert again(rows) == pytest.approx(stump()(rows), abs=1 / 255)
    assert (again.classes, again.features) == (("low", "high"), ("x", "y"))


@pytest.mark.parametrize(
    ("field", "wrong", "right"),
    [("roots", (-1, 4), (0, 3)), ("yes", (-1, 4), (0, 3)), ("no", (-1, 4), (0, 3)),
     ("feature", (-1, 2), (0, 1)), ("threshold", (np.nan,), (-9,)), ("shares", (np.inf,), (0.5,))],
)  # fmt: skip
def test_a_damaged_forest_is_an_error(field, wrong, right):
    def changed(value):
        column = getattr(stump(), field).copy()
        column[0] = value
        return replace(stump(), **{field: column})

    assert all(map(changed, right))
    for value in wrong:
        with pytest.raises(ModelError, match="damaged"):
            changed(value)
    for other in ({field: getattr(stump(), field)[:0]}, {"depth": -1}, {"depth": 5}):
        with pytest.raises(ModelError, match="damaged"):
            replace(stump(), **other)
    assert [replace(stump(), depth=depth).depth for depth in (0, 4)] == [0, 4]


@pytest.mark.parametrize("name", ["tables", "cells"])
def test_votes_are_shares_of_all_trees(name):
    forest, random = shipped(name), np.random.default_rng(3)
    shares = forest(random.choice(forest.threshold, size=(60, len(forest.features))))
    assert len(np.unique(shares)) > 50
    assert shares.sum(axis=1) == pytest.approx(1, abs=0.02)


def test_shipped_forests_ask_about_what_is_measured():
    assert shipped("tables").classes == ("data", "layout")
    assert {*shipped("cells").features} == {*measure_cells(Contents.of(table_of("A | B\n1 | 2")))}
    assert shipped("cells").classes == TYPES
