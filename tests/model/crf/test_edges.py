"""Edges by kind: which kind each edge has, storage, damage."""

import json
from contextlib import nullcontext

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from victor.errors import FeatureError, TemplateError
from victor.model.chain import MOST_KINDS, Edges, EdgeTables
from victor.model.discretize import Bool, Category, Codebook
from victor.model.template import Entry

STARTS = np.array([0, 4])


def edges(n_kinds=4, column="relation"):
    tables = np.random.default_rng(0).normal(size=(n_kinds, 3, 3))
    return Edges(tables) if column is None else Edges.by_category(tables, column)


def several():
    """Edges that read a flag of the block before, and a flag with a category."""
    entries = (Entry((("flag", -1),)), Entry((("flag", 0), ("kind", 0))))
    codebook = Codebook({"flag": Bool(), "kind": Category(3)})
    tables = np.random.default_rng(0).normal(size=(3 + 6, 3, 3))
    return Edges(tables, entries, codebook)


def test_the_column_says_the_kind():
    columns = {"relation": np.array([0, 3, 1, 2]), "other": np.array([1, 1, 1, 1])}
    assert edges().kinds(columns, STARTS).tolist() == [0, 3, 1, 2]
    assert edges().columns == ("relation",)


def test_kinds_that_were_never_seen_count_as_the_last():
    columns = {"relation": np.array([2, 10**6, -1, 0])}
    assert edges(3).kinds(columns, STARTS).tolist() == [2, 2, 0, 0]


def test_the_potentials_of_a_kind_are_the_sum_of_its_rows():
    columns = {"flag": np.array([1, 0, 1, 1]), "kind": np.array([0, 2, 1, 9])}
    kinds = several().kinds(columns, STARTS)
    rows = [(1, 3 + 3), (1, 3 + 2), (0, 3 + 4), (1, 3 + 5)]  # flag before; flag and kind here
    for block, (before, here) in [*enumerate(rows)][1:]:  # the first block has no edge
        expected = several().tables[before] + several().tables[here]
        np.testing.assert_allclose(several().values[kinds[block]], expected)


@given(st.lists(st.integers(1, 4), max_size=3).map(tuple))
def test_derivatives_by_tables_are_those_by_kinds_gathered(sizes):
    """<spread(t), s> = <t, gathered(s)> for every t and s: one is the transpose of the other."""
    layout, wild = EdgeTables(sizes), np.random.default_rng(1)
    tables = wild.normal(size=(layout.n_rows, 3, 3))
    slopes = wild.normal(size=(layout.n_kinds, 3, 3))
    spread, gathered = layout.spread(tables), layout.gathered(slopes)
    assert (spread.shape, gathered.shape) == (slopes.shape, tables.shape)
    np.testing.assert_allclose((spread * slopes).sum(), (tables * gathered).sum())


@pytest.mark.parametrize(("levels", "is_fine"), [(64, True), (65, False)])
def test_there_are_not_too_many_kinds(levels, is_fine):
    codebook = Codebook({"a": Category(64), "b": Category(levels)})
    entries = (Entry((("a", 0),)), Entry((("b", 0),)))
    with nullcontext() if is_fine else pytest.raises(TemplateError, match="coarser codes"):
        assert Edges.untrained(entries, codebook).layout.n_kinds == MOST_KINDS


@pytest.mark.parametrize(
    "stored", [edges(), edges(1, None), several()], ids=["one", "alike", "several"]
)
def test_round_trip(stored):
    document, arrays = stored.to_arrays()
    again = Edges.from_arrays(json.loads(json.dumps(document)), arrays)
    assert again.entries == stored.entries
    assert again.codebook.to_json() == stored.codebook.to_json()
    assert np.array_equal(again.values, stored.values)


def test_a_column_that_is_missing():
    with pytest.raises(FeatureError, match="need column relation"):
        edges().kinds({}, np.array([0, 2]))
