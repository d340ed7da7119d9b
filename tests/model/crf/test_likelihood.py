"""The likelihood of chains and its gradient, against enumeration and finite differences."""

from itertools import pairwise

import numpy as np
import pytest
from brute_force import marginals_of
from hypothesis import given
from hypothesis import strategies as st

from victor.model.likelihood import Chains

STEP = 1e-5


def random_case(seed, lengths, n_kinds=3, most=10, size=2.0):
    """Chains with everything that their likelihood depends on, in the order of the pages."""
    rng = np.random.default_rng(seed)
    starts = np.append(0, np.cumsum(lengths)).astype(np.int64)
    n = int(starts[-1])
    kinds = rng.integers(0, n_kinds, n)
    weights = rng.random(n) * (rng.random(n) < 0.7)  # some blocks only connect their neighbours
    return {
        "starts": starts,
        "kinds": kinds,
        "most": most,
        "nodes": rng.normal(0, size, (3, n)),
        "edges": rng.normal(0, size, (n_kinds, 3, 3)),
        "labels": rng.integers(0, 3, n),
        "weights": weights,
    }


def gradient_of(case, **changes):
    """(chains, gradient)."""
    case = {**case, **changes}
    chains = Chains.of(case["starts"], case["kinds"], case["most"])
    at = chains.order
    return chains, chains.gradient(
        case["nodes"][:, at], case["edges"], case["labels"][at], case["weights"][at]
    )


def likelihood(case, **changes):
    """By its definition, page by page."""
    case = {**case, **changes}
    total = 0.0
    for a, b in pairwise(case["starts"].tolist()):
        if a < b:
            found = marginals_of(case["nodes"][:, a:b].T, case["edges"], case["kinds"][a:b])
            right = found[np.arange(b - a), case["labels"][a:b]]
            total += float(case["weights"][a:b] @ np.log(right))
    return total


cases = st.builds(
    random_case,
    st.integers(0, 2**32),
    st.lists(st.integers(0, 6), min_size=1, max_size=5).filter(any),
    n_kinds=st.integers(1, 4),
)


def moved(array, index, by):
    """A copy with one number moved."""
    copy = array.copy()
    copy[index] += by
    return copy


def slopes(case, name):
    """Central differences by every number of an array."""
    found = np.zeros_like(case[name])
    for index in np.ndindex(found.shape):
        up, down = (
            likelihood(case, **{name: moved(case[name], index, by)}) for by in (STEP, -STEP)
        )
        found[index] = (up - down) / (2 * STEP)
    return found


@given(cases)
def test_value_and_marginals_equal_enumeration(case):
    chains, gradient = gradient_of(case)
    assert gradient.value == pytest.approx(likelihood(case), abs=1e-9)
    expected = np.concatenate(
        [
            marginals_of(case["nodes"][:, a:b].T, case["edges"], case["kinds"][a:b])
            for a, b in pairwise(case["starts"].tolist())
            if a < b
        ]
    )
    np.testing.assert_allclose(gradient.marginals.T, expected[chains.order], atol=1e-9)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("lengths", "n_kinds"), [([5, 1, 0, 3], 3), ([6], 1), ([2, 2, 4], 4)])
def test_gradient_equals_finite_differences(seed, lengths, n_kinds):
    case = random_case(seed, lengths, n_kinds)
    chains, gradient = gradient_of(case)
    nodes = slopes(case, "nodes")
    np.testing.assert_allclose(gradient.nodes, nodes[:, chains.order], atol=1e-7)
    np.testing.assert_allclose(gradient.edges, slopes(case, "edges"), atol=1e-7)


# --- how chains are laid out ---------------------------------------------------------------------


@given(st.lists(st.integers(0, 30), min_size=1, max_size=8), st.integers(1, 12))
def test_chains_are_the_pages_cut_into_pieces(lengths, most):
    starts = np.append(0, np.cumsum(lengths)).astype(np.int64)
    kinds = np.arange(starts[-1]) + 1  # above 0, so that a 0 is the start of a chain
    chains = Chains.of(starts, kinds, most)
    assert len(chains) == starts[-1]
    assert sorted(chains.order.tolist()) == [*range(starts[-1])]
    before = np.full(starts[-1], -1)
    for here, last in chains.steps:
        before[chains.order[here]] = chains.order[last]
    first_of_page = {int(a) for a, b in pairwise(starts) if a < b}
    page = np.repeat(np.arange(len(lengths)), lengths)
    place = np.arange(starts[-1]) - starts[:-1][page]
    for block in range(starts[-1]):
        begins = place[block] % most == 0
        assert before[block] == (-1 if begins else block - 1)
        assert not (block in first_of_page and not begins)
    assert np.array_equal(chains.kind, np.where(before >= 0, kinds, 0)[chains.order])


def test_extreme_potentials_stay_finite():
    case = random_case(5, [30, 4], size=300.0)
    _, gradient = gradient_of(case, edges=np.random.default_rng(0).normal(0, 5, (3, 3, 3)))
    assert np.isfinite(gradient.nodes).all()
    assert np.isfinite(gradient.edges).all()
    assert np.isfinite(gradient.value)
