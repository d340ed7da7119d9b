"""Growing one tree: the questions are the best ones, and sums are exact whatever their order."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from victor.model.boost import Settings, grow_path, leaves_of

BINS = 6


def random_blocks(seed, n_inputs=5, n=60):
    """(codes, gradients, weights); gradients and weights are whole steps of their units."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, BINS, (n_inputs, n)).astype(np.uint8)
    gradients, weights = rng.integers(-1023, 1024, n), rng.integers(1, 1024, n)
    gradients[0], weights[0] = 1023, 1023  # so that the unit is 1
    return codes, gradients.astype(float), weights.astype(float)


def score(leaf, gradients, weights, l2):
    """What leaves explain of the gradients."""
    total = 0.0
    for number in np.unique(leaf):
        here = leaf == number
        total += gradients[here].sum() ** 2 / (weights[here].sum() + l2)
    return total


def best_gain(codes, gradients, weights, leaf, l2):
    """(gain, question) of the best question of all, by trying them."""
    before = score(leaf, gradients, weights, l2)
    return max(
        (score(2 * leaf + (codes[number] > border), gradients, weights, l2) - before,
         (number, border))
        for number in range(len(codes))
        for border in range(BINS - 1)
    )  # fmt: skip


def grown(
    codes, gradients, weights, *, depth=3, share=1.0, l2=5.0, sample=1000, seed=0, nodes=None
):
    settings = Settings(depth, share, l2, BINS, sample)
    nodes = np.zeros(len(gradients), dtype=np.int64) if nodes is None else nodes
    return grow_path(codes, gradients, weights, nodes, settings, np.random.default_rng(seed))


@given(
    st.integers(0, 2**32),
    st.sampled_from([0.5, 5.0, 500.0]),
    st.sampled_from([8, 9, 17]),
    st.sampled_from([1, 3]),
)
def test_every_level_asks_the_best_question(seed, l2, n_inputs, n_nodes):
    codes, gradients, weights = random_blocks(seed, n_inputs)
    nodes = leaf = np.random.default_rng(seed).integers(0, n_nodes, len(gradients))
    path = grown(codes, gradients, weights, l2=l2, nodes=nodes)
    assert len(path) == 3
    for number, border in path:
        asked = 2 * leaf + (codes[number] > border)
        gain = score(asked, gradients, weights, l2) - score(leaf, gradients, weights, l2)
        best, _ = best_gain(codes, gradients, weights, leaf, l2)
        assert gain == pytest.approx(best, rel=1e-9)
        leaf = asked
    assert np.array_equal(leaves_of(codes, path) + 8 * nodes, leaf)


def test_no_question_where_none_explains_anything():
    codes, _, weights = random_blocks(0)
    assert grown(codes, np.zeros(60), weights) == ()
    alike = np.zeros_like(codes)
    assert grown(alike, np.linspace(-1, 1, 60), weights) == ()


def test_levels_ask_about_some_inputs_only():
    """With one input in five at a time, a level rarely asks about the best one."""
    rng = np.random.default_rng(1)
    codes = rng.integers(0, BINS, (5, 300)).astype(np.uint8)
    gradients, weights = np.where(codes[2] > 2, 1.0, -1.0), np.ones(300)
    assert grown(codes, gradients, weights, depth=1)[0] == (2, 2)
    first = [grown(codes, gradients, weights, depth=1, share=0.2, seed=s)[0][0] for s in range(60)]
    assert {*first} == {0, 1, 2, 3, 4}


def test_a_sample_finds_what_all_blocks_say():
    rng = np.random.default_rng(2)
    codes = rng.integers(0, BINS, (8, 20_000)).astype(np.uint8)
    gradients = np.where(codes[5] > 3, 1.0, -0.5) * rng.exponential(size=20_000) ** 2
    weights = rng.random(20_000) + 0.5
    whole, part = (grown(codes, gradients, weights, depth=1, sample=s) for s in (60_000, 2_000))
    assert whole == part == ((5, 3),)
