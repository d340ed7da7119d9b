"""Oblivious trees against their definition: block by block, tree by tree, question by question."""

from itertools import pairwise

import numpy as np
import pytest
from gates import weigh
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from victor.base.labels import Label
from victor.model.discretize import Bool, Category, Codebook, Edges
from victor.model.trees import OUTSIDE, Gate, Trees, expert_of

CODEBOOK = Codebook({"count": Edges((1.0, 2.0, 4.0, 8.0)), "flag": Bool(), "tag": Category(7)})
NAMES = st.sampled_from(["count", "flag", "tag"])
EXPERTS = ("article", "forum", "other")


def make_columns(rng, n):
    return {
        "count": rng.integers(0, 12, n),
        "flag": rng.integers(0, 2, n).astype(bool),
        "tag": rng.integers(0, 9, n),
        "not-read": np.full(n, np.nan),
    }


def make_gate(rng, experts):
    """Codes of 0 to 8 give some pages to one expert and divide others among all."""
    n_columns = len(CODEBOOK.names)
    weights = rng.normal(size=(2 * n_columns + 1, len(experts)))
    return Gate(experts, weights * np.array([1] * n_columns + [0.1] * n_columns + [1])[:, None])


def make_trees(rng, inputs, n_trees, depth, n_questions=9, experts=()):
    shape = max(1, len(experts)), n_trees, 2**depth
    cover = rng.integers(0, 4, shape) / 8
    return Trees(
        codebook=CODEBOOK,
        inputs=tuple(inputs),
        asked=rng.integers(0, len(inputs), n_questions),
        border=rng.choice([0, 1, 2, 3, 5, 254], n_questions).astype(np.uint8),
        questions=rng.integers(0, n_questions, (n_trees, depth)),
        leaves=rng.normal(size=shape).astype(np.float32),
        cover=cover.astype(np.float32),
        n_text=int(rng.integers(0, n_trees + 1)),
        bias=tuple(rng.normal(size=2).tolist()),
        gate=make_gate(rng, experts) if experts else None,
    )


@st.composite
def cases(draw):
    """(trees, columns, page_starts) of a few pages, empty ones and single blocks among them."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    lengths = draw(st.lists(st.integers(0, 6), min_size=1, max_size=5))
    inputs = draw(st.lists(st.tuples(NAMES, st.integers(-7, 7)), min_size=1, max_size=6))
    experts = draw(st.sampled_from([(), EXPERTS[:2], EXPERTS]))
    sizes = draw(st.integers(1, 12)), draw(st.integers(1, 8))
    trees = make_trees(rng, inputs, *sizes, experts=experts)
    return trees, make_columns(rng, sum(lengths)), np.cumsum([0, *lengths])


def codes_of(trees, columns, page_starts):
    """(I, n) codes, place by place."""
    own = {name: trees.codebook.discretizers[name](columns[name]) for name in CODEBOOK.names}
    codes = np.full((len(trees.inputs), page_starts[-1]), OUTSIDE)
    for row, (name, offset) in enumerate(trees.inputs):
        for a, b in pairwise(page_starts.tolist()):
            for block in range(a, b):
                if a <= block + offset < b:
                    codes[row, block] = own[name][block + offset]
    return codes


def weights_of(trees, columns, page_starts):
    """(P, E) what each expert weighs, page by page; 0 for less than a twentieth."""
    if trees.gate is None:
        return np.ones((len(page_starts) - 1, 1))
    own = trees.codebook.codes(columns).astype(float)
    rows = []
    for a, b in pairwise(page_starts):
        means = [own[a:b].mean(axis=0), (own[a:b] ** 2).mean(axis=0)] if b > a else np.zeros(6)
        scores = np.append(np.ravel(means), 1) @ trees.gate.weights
        shares = np.exp(scores - scores.max())
        shares /= shares.sum()
        shares[shares < 0.05] = 0
        rows.append(shares / shares.sum())
    return np.array(rows)


def potentials(trees, columns, page_starts):
    """(n, 3) by walking down every tree: header goes on from where text ended."""
    codes = codes_of(trees, columns, page_starts)
    weights = weights_of(trees, columns, page_starts).repeat(np.diff(page_starts), axis=0)
    rows = []
    for block in range(codes.shape[1]):
        sums = [*trees.bias]
        for number, (questions, leaves) in enumerate(
            zip(trees.questions, trees.leaves.transpose(1, 2, 0), strict=True)
        ):
            leaf = 0
            for question in questions:
                above = codes[trees.asked[question], block] > trees.border[question]
                leaf = 2 * leaf + int(above)
            sums[int(number >= trees.n_text)] += float(leaves[leaf] @ weights[block])
        rows.append([sum(sums), sums[0], 0.0])
    return np.array(rows).reshape(-1, 3)


def example(n_trees=40, depth=6, lengths=(5, 0, 1, 9, 3), experts=()):
    rng = np.random.default_rng(7)
    inputs = [("count", 0), ("count", -1), ("flag", 1), ("tag", 0), ("tag", 3)]
    starts = np.cumsum([0, *lengths])
    trees = make_trees(rng, inputs, n_trees, depth, 30, experts)
    return trees, make_columns(rng, starts[-1]), starts


# --- evaluation ----------------------------------------------------------------------------------


@given(cases())
def test_evaluation_is_the_walk_down_every_tree(case):
    trees, columns, starts = case
    found = trees(columns, starts)
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, potentials(*case), atol=1e-5)
    assert (found[:, Label.OTHER] == 0).all()


@pytest.mark.parametrize("n", [511, 512, 513, 2000])
def test_more_blocks_than_are_evaluated_at_once(n):
    trees, columns, starts = example(n_trees=5, depth=3, lengths=(n,))
    found = trees(columns, starts)
    np.testing.assert_allclose(found, potentials(trees, columns, starts), atol=1e-5)


@pytest.mark.parametrize("inputs", [[("tag", 0), ("count", 0)], [("count", 0), ("tag", 0)]])
def test_codes_without_a_column_that_is_read_are_refused(inputs):
    """Whichever input reads it: the compiled core looks at all of them."""
    trees = make_trees(np.random.default_rng(0), inputs, 2, 1)
    score, starts = trees.scorer(("count", "flag", "tag")), np.array([0, 4])
    assert score(np.zeros((3, 4), dtype=np.uint8), starts).shape == (4, 3)
    with pytest.raises(ValueError, match="do not fit"):
        score(np.zeros((2, 4), dtype=np.uint8), starts)


# --- experts -------------------------------------------------------------------------------------


def test_an_expert_alone_has_its_leaves_on_all_pages():
    trees, columns, starts = example(experts=EXPERTS)
    for number, name in enumerate(EXPERTS):
        alone = trees.of_expert(name)
        assert np.array_equal(alone.leaves, trees.leaves[[number]])
        np.testing.assert_allclose(
            alone(columns, starts), potentials(alone, columns, starts), atol=1e-5
        )


@pytest.mark.parametrize(("share", "is_asked"), [(0.051, True), (0.049, False)])
def test_an_expert_that_would_say_little_is_not_asked(share, is_asked):
    intercepts = np.log([1 - share, share])
    gate = Gate(EXPERTS[:2], np.array([[0, 0], [0, 0], intercepts]))
    weights = weigh(gate, np.zeros((1, 4), dtype=np.uint8), np.array([0, 4]))
    expected = [1 - share, share] if is_asked else [1, 0]
    np.testing.assert_allclose(weights, [expected], rtol=1e-6)


def test_types_of_pages_have_an_expert():
    types = "article", "recipe", "forum", "listing", "other"
    assert [*map(expert_of, types)] == ["article", "article", "forum", "other", "other"]


# --- contributions -------------------------------------------------------------------------------


@given(cases())
def test_contributions_sum_to_the_potentials(case):
    trees, columns, starts = case
    found = trees.contributions(columns, starts)
    assert found.shape == (3, starts[-1], len(trees.inputs) + 1)
    np.testing.assert_allclose(found.sum(axis=2).T, potentials(*case), rtol=1e-6, atol=1e-5)
    assert (found[Label.OTHER] == 0).all()


def test_an_answer_adds_the_change_of_the_mean_of_the_leaves_below():
    """One tree: is the count at least 2, and is the flag set. Root 3.5; below it 1 and 6."""
    trees = Trees(
        codebook=CODEBOOK,
        inputs=(("count", 0), ("flag", 0), ("tag", 0)),
        asked=np.array([0, 1]),
        border=np.array([1, 0], dtype=np.uint8),
        questions=np.array([[0, 1]]),
        leaves=np.array([[[-1.0, 3.0, 5.0, 7.0]]], dtype=np.float32),
        cover=np.full((1, 1, 4), 0.25, dtype=np.float32),
        n_text=1,
        bias=(0.5, 0.0),
    )
    answers = {"count": [0, 0, 5, 5], "flag": [False, True, False, True], "tag": [0, 1, 2, 3]}
    page = {name: np.array(values) for name, values in answers.items()}, np.array([0, 4])
    assert trees(*page)[:, Label.TEXT].tolist() == [-0.5, 3.5, 5.5, 7.5]
    header, text, _ = trees.contributions(*page).tolist()
    assert text == header == [
        [-2.5, -2, 0, 4], [-2.5, 2, 0, 4], [2.5, -1, 0, 4], [2.5, 1, 0, 4],
    ]  # fmt: skip


@given(cases())
def test_importance_adds_up_to_the_variance_of_the_leaves(case):
    trees, _, _ = case
    trees = replace(trees, cover=trees.cover + np.float32(0.125))
    weight = trees.cover.astype(float)
    mean = (trees.leaves * weight).sum(axis=2) / weight.sum(axis=2)
    spread = (weight * (trees.leaves - mean[..., None]) ** 2).sum()
    assert trees.importance().sum() == pytest.approx(spread, rel=1e-6)


@pytest.mark.parametrize("experts", [(), EXPERTS])
def test_round_trip(experts):
    trees, columns, starts = example(experts=experts)
    again = Trees.from_arrays(*trees.to_arrays())
    assert again.inputs == trees.inputs
    assert np.array_equal(again(columns, starts), trees(columns, starts))
    kept, other = again.to_arrays(), trees.to_arrays()
    assert kept[0] == other[0]
    assert all(np.array_equal(kept[1][name], values) for name, values in other[1].items())
