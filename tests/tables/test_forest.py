"""Forests as arrays."""

import io

import numpy as np
import pytest
from leaf_table_fixtures import table_of

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
