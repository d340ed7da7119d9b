"""What a model has learnt, in words."""

import numpy as np
import pytest
from msgspec.structs import replace

from victor.explain.model_summary import learnt
from victor.model.chain import Edges


def rows_of(model, top=None):
    return [row for module in learnt(model, top).modules for row in module.rows]


@pytest.mark.parametrize("name", ["linear", "joined"])
def test_all_weights_that_are_not_that_of_other(models, name):
    weights = models[name].potentials.weights
    strength = np.abs(np.concatenate([w - w[:, 2:] for w in weights.entries])).max(axis=1)
    rows = rows_of(models[name])
    shown = sorted(max(map(abs, row.numbers.values())) for row in rows)
    np.testing.assert_allclose(shown, np.sort(strength[strength > 0]), rtol=1e-5)
    assert all(row.name and row.value for row in rows)
    modules = learnt(models[name], 2).modules
    assert len(rows) == sum(len(module.rows) + module.n_more for module in modules)
    assert all(len(module.rows) <= 2 for module in modules)
    for module in modules:
        assert module.size == max(map(abs, module.rows[0].numbers.values()))


def test_the_shares_of_the_inputs_of_trees(tree_model):
    summary, trees = learnt(tree_model, None), tree_model.potentials
    assert (summary.potentials, summary.bias) == ("trees", {})
    assert sum(module.size for module in summary.modules) == pytest.approx(1)
    rows = rows_of(tree_model)
    assert len({row.name for row in rows}) == len(rows) == len(trees.inputs)
    best = max(rows, key=lambda row: row.numbers["share"])
    top = trees.inputs[int(trees.importance().argmax())]
    assert best.name == f"{top[0]} [{top[1]:+d}]".replace("[+0]", "[0]")
    # Where trees say nothing at all, shares are 0, not a quotient of zeros.
    empty = replace(tree_model, potentials=replace(trees, leaves=np.zeros_like(trees.leaves)))
    assert {row.numbers["share"] for row in rows_of(empty)} == {0.0}


def edges_of(model, edges):
    return learnt(replace(model, edges=edges)).edges


def test_edges_with_the_names_of_their_kinds(tree_model, small_model):
    edges = learnt(tree_model).edges
    assert [edge.kind for edge in edges][:5] == ["alike", "close", "near", "apart", "heading alike"]
    for edge, values in zip(edges, tree_model.edges.values, strict=True):
        assert [[*row.values()] for row in edge.transitions.values()] == values.tolist()
    (alike,) = edges_of(small_model, Edges.alike(small_model.edges.values[0]))
    assert alike.kind == ""
    numbered = edges_of(tree_model, Edges.by_category(np.zeros((3, 3, 3)), "word.count"))
    assert [edge.kind for edge in numbered] == ["0", "1", "2 or above"]
