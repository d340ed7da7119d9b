"""What a model has learnt, in words."""

import numpy as np
import pytest
from msgspec.structs import replace

from victor.explain import edge_kinds, important, strongest
from victor.explain.entries import EdgeNames
from victor.features import load
from victor.model.crf.edges import Edges
from victor.model.discretize import Category, Codebook
from victor.model.discretize import Edges as Bins
from victor.model.template import Entry


@pytest.mark.slow
@pytest.mark.parametrize("name", ["linear", "bags"])
def test_the_strongest_weights(models, name):
    weights = models[name].potentials.weights
    every = [*weights.entries, *(bag.values for bag in weights.bags.values())]
    strength = np.abs(np.concatenate([w - w[:, 2:] for w in every])).max(axis=1)
    strong = strongest(models[name], 30)
    shown = [max(abs(weight.header), abs(weight.text)) for weight in strong]
    np.testing.assert_allclose(shown, np.sort(strength)[::-1][:30], rtol=1e-5)
    assert len(strongest(models[name], None)) == np.count_nonzero(strength)
    assert all(weight.name and weight.value for weight in strong)


def test_a_weight_has_the_name_of_its_value(small_model):
    weights = small_model.potentials.weights
    number = [str(e) for e in weights.column_entries].index("inside.nav")
    row = weights.entries[number][1] - weights.entries[number][1, 2]
    (weight,) = [
        weight
        for weight in strongest(small_model, None)
        if (weight.name, weight.value) == ("inside.nav [0]", "yes")
    ]
    assert (weight.header, weight.text) == pytest.approx((row[0], row[1]), rel=1e-5)


def test_the_most_important_inputs(tree_model):
    inputs, trees = important(tree_model, None), tree_model.potentials
    assert sum(row.share for row in inputs) == pytest.approx(1)
    assert len({row.name for row in inputs}) == len(inputs) == len(trees.inputs)
    shares = [row.share for row in inputs]
    assert shares == sorted(shares, reverse=True)
    top = trees.inputs[int(trees.importance().argmax())]
    assert inputs[0].name == f"{top[0]} [{top[1]:+d}]".replace("[+0]", "[0]")
    assert important(tree_model, 3) == inputs[:3]


def test_each_kind_of_potentials_has_a_list_of_its_own(small_model, tree_model):
    assert important(small_model) == []
    assert strongest(tree_model) == []


def test_trees_that_say_nothing_at_all(tree_model):
    """Importance shares are 0, not a quotient of zeros."""
    trees = tree_model.potentials
    model = replace(tree_model, potentials=replace(trees, leaves=np.zeros_like(trees.leaves)))
    assert {row.share for row in important(model)} == {0.0}


def test_edges_with_the_names_of_their_kinds(tree_model, small_model):
    kinds = edge_kinds(tree_model)
    assert [kind.name for kind in kinds][:5] == ["alike", "close", "near", "apart", "heading alike"]
    for kind, values in zip(kinds, tree_model.edges.values, strict=True):
        assert np.array_equal(kind.transitions, values)
    transitions = small_model.edges.values[0]
    (alike,) = edge_kinds(replace(small_model, edges=Edges.alike(transitions)))
    assert alike.name == ""
    assert np.array_equal(alike.transitions, transitions)


def test_kinds_of_a_column_without_names(tree_model):
    edges = Edges.by_category(np.zeros((3, 3, 3)), "word.count")
    names = [kind.name for kind in edge_kinds(replace(tree_model, edges=edges))]
    assert names == ["0", "1", "2 or above"]


def test_edges_of_several_entries_have_the_names_of_both(small_model):
    entries = (Entry((("word.count", -1),)), Entry((("word.count", 0), ("word.end", 0))))
    codebook = Codebook({"word.count": Bins((1, 5)), "word.end": Category(2)})
    edges = Edges(np.zeros((4 + 6, 3, 3)), entries, codebook)
    names = [kind.name for kind in edge_kinds(replace(small_model, edges=edges))]
    assert names[0] == "word.count [-1]: 0"
    assert names[3] == "word.count [-1]: before the page"
    assert names[4] == "word.count & word.end [0]: 0 & word"
    declared = {column.name: column for column in load("words").columns}
    both = EdgeNames.of(edges, declared).kind(1 * 6 + 3)
    assert both == "word.count [-1]: 1 to 4, word.count & word.end [0]: 1 to 4 & sentence end"
