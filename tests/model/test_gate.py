"""The gate of experts: which of them speak of a page, and that a batch changes nothing."""

from itertools import pairwise

import numpy as np
import pytest
from gates import weigh
from hypothesis import given
from hypothesis import strategies as st

from victor.errors import ConfigError
from victor.model.trees import EXPERTS, Gate, expert_of
from victor.training.training import page_means

NAMES = ("article", "forum", "other")


def make_gate(rng, n_columns, scale=0.01):
    return Gate(NAMES, rng.normal(size=(2 * n_columns + 1, 3)) * scale)


@given(
    st.integers(0, 2**32 - 1),
    st.lists(st.integers(0, 40), max_size=9),
    st.sampled_from([0.0, 0.001, 0.01, 1.0, 1e9]),
)
def test_weights_of_pages(seed, lengths, scale):
    rng = np.random.default_rng(seed)
    starts = np.cumsum([0, *lengths])
    codes = rng.integers(0, 256, (30, starts[-1])).astype(np.uint8)
    gate = make_gate(rng, 30, scale)
    weights = weigh(gate, codes, starts)
    assert (weights.shape, weights.dtype) == ((len(lengths), 3), np.float32)
    np.testing.assert_allclose(weights.sum(axis=1), 1, atol=1e-6)
    assert ((weights == 0) | (weights >= 0.05)).all()
    alone = [weigh(gate, codes[:, a:b], np.array([0, b - a])) for a, b in pairwise(starts)]
    # Its definition: a softmax of the weighted means.
    scores = page_means(codes, starts) @ gate.weights[:-1] + gate.weights[-1]
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    if not (abs(shares - 0.05) < 1e-9).any():
        shares[shares < 0.05] = 0
        np.testing.assert_allclose(weights, shares / shares.sum(axis=1, keepdims=True), atol=1e-6)
    assert np.array_equal(weights, np.concatenate([weights[:0], *alone]))


@pytest.mark.parametrize(("share", "is_asked"), [(0.051, True), (0.049, False)])
def test_an_expert_that_would_say_little_is_not_asked(share, is_asked):
    intercepts = np.log([1 - share, share])
    gate = Gate(NAMES[:2], np.array([[0, 0], [0, 0], intercepts]))
    weights = weigh(gate, np.zeros((1, 4), dtype=np.uint8), np.array([0, 4]))
    expected = [1 - share, share] if is_asked else [1, 0]
    np.testing.assert_allclose(weights, [expected], rtol=1e-6)


def test_types_of_pages_have_an_expert():
    found = {name: expert_of(name) for name in ("article", "recipe", "forum", "listing", "other")}
    assert found == {
        "article": "article", "recipe": "article", "forum": "forum", "listing": "other",
        "other": "other",
    }  # fmt: skip
    every = [name for types in EXPERTS.values() for name in types]
    assert len(every) == len({*every})


def test_a_type_that_there_is_not():
    with pytest.raises(ConfigError, match=r"no page type forums, did you mean forum.*: article,"):
        expert_of("forums")
