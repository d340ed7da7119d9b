"""Chains against enumeration: marginals, best paths, the likelihood and its gradient."""

from itertools import pairwise

import numpy as np
import pytest
from brute_force import marginals_of, sequences_of
from hypothesis import given
from hypothesis import strategies as st

from victor.model import chain as module
from victor.model.chain import marginals, messages, viterbi
from victor.model.likelihood import Chains


def log_domain(scores, edges, kinds):
    """Marginals of one page of any length by log-sum-exp, one block at a time."""
    forward, backward = scores.copy(), np.zeros_like(scores)
    for t in range(1, len(scores)):
        before = forward[t - 1][:, None] + edges[kinds[t]]
        forward[t] += np.logaddexp.reduce(before, axis=0)
        t_back = len(scores) - 1 - t
        after = edges[kinds[t_back + 1]] + scores[t_back + 1] + backward[t_back + 1]
        backward[t_back] = np.logaddexp.reduce(after, axis=1)
    joint = forward + backward
    return np.exp(joint - np.logaddexp.reduce(joint, axis=1, keepdims=True))


def random_chain(seed, lengths, *, score=3.0, transition=3.0, n_kinds=3):
    """(scores, edges, kinds, page starts)."""
    rng = np.random.default_rng(seed)
    starts = np.append(0, np.cumsum(lengths)).astype(np.int64)
    scores = rng.uniform(-score, score, (starts[-1], 3))
    edges = rng.uniform(-transition, transition, (n_kinds, 3, 3))
    return scores, edges, rng.integers(0, n_kinds, starts[-1]), starts


def pages(chain):
    """(slice, (scores, edges, kinds)) of every page."""
    scores, edges, kinds, starts = chain
    for a, b in pairwise(starts.tolist()):
        yield slice(a, b), (scores[a:b], edges, kinds[a:b])


chains = st.builds(
    random_chain,
    st.integers(0, 2**32),
    st.lists(st.integers(0, 6), min_size=1, max_size=5),
    score=st.sampled_from([0.1, 3.0, 500.0]),
    transition=st.sampled_from([0.0, 1.0, 20.0]),
    n_kinds=st.integers(1, 4),
)


@given(chains, st.sampled_from([1, 2, 3, 64]))
def test_marginals_equal_enumeration(chain, chunk):
    """Also with pages cut into small chunks, which real short pages are not."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "CHUNK", chunk)
        found = marginals(*chain)
    assert found.shape == chain[0].shape
    for rows, page in pages(chain):
        np.testing.assert_allclose(found[rows], marginals_of(*page), atol=1e-9)


@given(chains)
def test_scores_and_messages_add_up_to_the_marginals(chain):
    scores, _, _, starts = chain
    both = messages(*chain)
    joint = scores + both.sum(axis=0)
    joint = np.exp(joint - joint.max(axis=1, keepdims=True))
    np.testing.assert_allclose(joint / joint.sum(axis=1, keepdims=True), marginals(*chain),
                               atol=1e-9)  # fmt: skip
    lengths = np.diff(starts)
    assert (both[0, starts[:-1][lengths > 0]] == 0).all()
    assert (both[1, starts[1:][lengths > 0] - 1] == 0).all()


@given(chains)
def test_viterbi_finds_a_best_sequence(chain):
    labels = viterbi(*chain)
    assert labels.dtype == np.uint8
    assert labels.shape == (len(chain[0]),)
    for rows, page in pages(chain):
        sequences, totals = sequences_of(*page)
        best = totals[(sequences == labels[rows]).all(axis=1)]
        assert best == pytest.approx([totals.max()], abs=1e-9)


@pytest.mark.parametrize("lengths", [[1000], [70, 1, 0, 300, 65, 2], [5] * 200 + [400], [0, 0, 90]])
@pytest.mark.parametrize(("score", "transition"), [(2, 2), (500, 2), (500, 20), (20, 140)])
@pytest.mark.parametrize("n_kinds", [1, 5])
def test_long_pages_equal_the_log_domain(lengths, score, transition, n_kinds):
    chain = random_chain(1, lengths, score=score, transition=transition, n_kinds=n_kinds)
    found = marginals(*chain)
    for rows, page in pages(chain):
        if rows.start < rows.stop:
            np.testing.assert_allclose(found[rows], log_domain(*page), atol=1e-9)


def test_a_kind_of_equal_edges_parts_the_page():
    """What is before such an edge says nothing to what is behind it."""
    scores, edges, kinds, _ = random_chain(7, [80])
    edges[0] = 0.3
    kinds[:] = np.where(np.arange(80) == 30, 0, np.maximum(kinds, 1))
    whole = marginals(scores, edges, kinds, np.array([0, 80]))
    parts = marginals(scores, edges, kinds, np.array([0, 30, 80]))
    np.testing.assert_allclose(whole, parts, atol=1e-12)


# --- the likelihood and its gradient --------------------------------------------------------------


STEP = 1e-5


def random_case(seed, lengths, n_kinds=3, most=10, size=2.0):
    """Chains with everything that their likelihood depends on, in the order of the pages."""
    nodes, edges, kinds, starts = random_chain(
        seed, lengths, score=size, transition=2.0, n_kinds=n_kinds
    )
    rng, n = np.random.default_rng(seed), len(nodes)
    weights = rng.random(n) * (rng.random(n) < 0.7)  # some blocks only connect their neighbours
    labels = rng.integers(0, 3, n)
    arrays = {"nodes": nodes.T, "edges": edges, "labels": labels, "weights": weights}
    return {"starts": starts, "kinds": kinds, "most": most, **arrays}


def pages_of(case):
    """(slice, (scores, edges, kinds)) of every piece of a page that is a chain of its own."""
    for start, end in pairwise(case["starts"].tolist()):
        for first in range(start, end, case["most"]):
            own = slice(first, min(first + case["most"], end))
            yield own, (case["nodes"][:, own].T, case["edges"], case["kinds"][own])


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
    for own, page in pages_of(case):
        labels = case["labels"][own]
        right = marginals_of(*page)[np.arange(len(labels)), labels]
        total += float(case["weights"][own] @ np.log(right))
    return total


cases = st.builds(
    random_case,
    st.integers(0, 2**32),
    st.lists(st.integers(0, 6), min_size=1, max_size=5).filter(any),
    n_kinds=st.integers(1, 4),
    most=st.sampled_from([1, 2, 3, 10]),
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
    expected = np.concatenate([marginals_of(*page) for _, page in pages_of(case)])
    np.testing.assert_allclose(gradient.marginals.T, expected[chains.order], atol=1e-9)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("lengths", "n_kinds"), [([5, 1, 0, 3], 3), ([6], 1), ([2, 2, 4], 4)])
def test_gradient_equals_finite_differences(seed, lengths, n_kinds):
    case = random_case(seed, lengths, n_kinds, most=4)
    chains, gradient = gradient_of(case)
    nodes = slopes(case, "nodes")
    np.testing.assert_allclose(gradient.nodes, nodes[:, chains.order], atol=1e-7)
    np.testing.assert_allclose(gradient.edges, slopes(case, "edges"), atol=1e-7)


def test_extreme_potentials_stay_finite():
    _, gradient = gradient_of(random_case(5, [30, 4], size=300.0))
    assert np.isfinite(gradient.nodes).all()
    assert np.isfinite(gradient.edges).all()
    assert np.isfinite(gradient.value)
