"""Edges by kind: which kind each edge has, storage, damage."""

import json

import numpy as np
import pytest

from victor.errors import FeatureError, ModelError
from victor.model.crf.edges import MOST_KINDS, Edges, kinds_of


def edges(n_kinds=4, column="relation"):
    return Edges(np.random.default_rng(0).normal(size=(n_kinds, 3, 3)), column)


def test_the_column_says_the_kind():
    columns = {"relation": np.array([0, 3, 1]), "other": np.array([1, 1, 1])}
    assert edges().kinds(columns, 3).tolist() == [0, 3, 1]
    assert edges().columns == ("relation",)


def test_kinds_that_were_never_seen_count_as_the_last():
    assert edges(3).kinds({"relation": np.array([2, 3, 255, 0])}, 4).tolist() == [2, 2, 2, 0]
    high = np.array([10**6, -1])
    assert kinds_of({"relation": high}, "relation", MOST_KINDS).tolist() == [MOST_KINDS - 1, 0]


def test_edges_that_are_all_alike_read_no_column():
    one = Edges.alike(np.eye(3))
    assert one.values.shape == (1, 3, 3)
    assert one.columns == ()
    assert one.kinds({}, 4).tolist() == [0, 0, 0, 0]


def test_a_column_that_is_missing_or_a_bag(make):
    bag = make["bag"]([["nav"], []], ["nav"])
    for columns in ({}, {"relation": bag}):
        with pytest.raises(FeatureError, match="need column relation"):
            edges().kinds(columns, 2)


@pytest.mark.parametrize("column", ["relation", None])
def test_round_trip(column):
    stored = edges(1 if column is None else 4, column)
    document, arrays = stored.to_arrays()
    again = Edges.from_arrays(json.loads(json.dumps(document)), arrays)
    assert again.column == column
    assert np.array_equal(again.values, stored.values)


@pytest.mark.parametrize(
    "values",
    [
        np.zeros((3, 3)), np.zeros((2, 3, 2)), np.zeros((0, 3, 3)), np.zeros((65, 3, 3)),
        np.full((1, 3, 3), np.inf), np.full((1, 3, 3), np.nan),
    ],
    ids=["flat", "narrow", "none", "many", "endless", "no number"],
)  # fmt: skip
def test_values_that_do_not_fit(values):
    with pytest.raises(ModelError, match="train"):
        Edges(values)


@pytest.mark.parametrize("part", [0, 1])
def test_missing_parts(part):
    parts = edges().to_arrays()
    parts[part].clear()
    with pytest.raises(ModelError, match="damaged"):
        Edges.from_arrays(*parts)


@pytest.mark.parametrize("document", [None, [], 3, "column"])
def test_a_description_of_another_form(document):
    with pytest.raises(ModelError, match="damaged"):
        Edges.from_arrays(document, edges().to_arrays()[1])
