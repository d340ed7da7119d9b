"""Forests as arrays."""

import io

import numpy as np
import pytest

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
    shares = stump()(np.array([[9, 1], [0, 1.5]]))
    assert shares == pytest.approx(np.array([[0.7, 0.3], [0.2, 0.8]]))


def test_what_is_written_is_read():
    file = io.BytesIO()
    stump().write(file)
    again = Forest.read(io.BytesIO(file.getvalue()))
    rows = np.array([[0, 0], [0, 2]])
    assert again(rows) == pytest.approx(stump()(rows), abs=1 / 255)
    assert (again.classes, again.features) == (("low", "high"), ("x", "y"))


def test_shipped_forests_ask_about_what_is_measured(table):
    assert shipped("tables").classes == ("data", "layout")
    assert {*shipped("cells").features} == {*measure_cells(Contents.of(table("A | B\n1 | 2")))}
    assert shipped("cells").classes == TYPES


def leaf_of(forest, node, row):
    """Where a row leads from a node of a tree."""
    for _ in range(forest.depth):
        is_yes = row[forest.feature[node]] <= forest.threshold[node]
        node = int(forest.yes[node] if is_yes else forest.no[node])
    return node


@pytest.mark.parametrize("name", ["tables", "cells"])
def test_votes_of_forests(name):
    forest = shipped(name)
    random = np.random.default_rng(3)
    chosen = random.choice(forest.threshold, size=(60, len(forest.features)))
    rows = np.where(random.random(chosen.shape) < 0.2, random.normal(size=chosen.shape), chosen)
    rows[0] = np.nan
    rows[1] = np.inf
    shares = forest(rows)
    assert len(np.unique(shares)) > 50
    for row, found in zip(rows.astype(np.float32), shares, strict=True):
        leaves = [leaf_of(forest, root, row) for root in forest.roots.tolist()]
        np.testing.assert_allclose(found, forest.shares[leaves].mean(axis=0), rtol=1e-5)
    assert forest(rows[:0]).shape == (0, len(forest.classes))
