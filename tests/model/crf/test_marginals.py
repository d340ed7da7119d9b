"""Marginals and best paths against enumeration, and where numbers get extreme."""

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from victor.model.crf import marginals as module
from victor.model.crf.marginals import marginals, viterbi


def enumerate_page(scores, transitions):
    """(marginals, score of every label sequence) of one short page by listing all sequences."""
    sequences = np.array(list(product(range(3), repeat=len(scores))), dtype=np.int64)
    totals = scores[np.arange(len(scores)), sequences].sum(axis=1)
    totals += transitions[sequences[:, :-1], sequences[:, 1:]].sum(axis=1)
    weights = np.exp(totals - totals.max())
    weights /= weights.sum()
    found = [[weights[sequences[:, t] == y].sum() for y in range(3)] for t in range(len(scores))]
    return np.array(found).reshape(-1, 3), {
        tuple(s): t for s, t in zip(sequences, totals, strict=True)
    }


def log_domain(scores, transitions):
    """Marginals of one page of any length by log-sum-exp, one block at a time."""
    forward, backward = scores.copy(), np.zeros_like(scores)
    for t in range(1, len(scores)):
        before = forward[t - 1][:, None] + transitions
        forward[t] += np.logaddexp.reduce(before, axis=0)
        t_back = len(scores) - 1 - t
        after = transitions + scores[t_back + 1] + backward[t_back + 1]
        backward[t_back] = np.logaddexp.reduce(after, axis=1)
    joint = forward + backward
    return np.exp(joint - np.logaddexp.reduce(joint, axis=1, keepdims=True))


def random_chain(seed, lengths, *, score=3.0, transition=3.0):
    rng = np.random.default_rng(seed)
    starts = np.append(0, np.cumsum(lengths)).astype(np.int64)
    scores = rng.uniform(-score, score, (starts[-1], 3))
    return scores, rng.uniform(-transition, transition, (3, 3)), starts


chains = st.builds(
    random_chain,
    st.integers(0, 2**32),
    st.lists(st.integers(0, 6), min_size=1, max_size=5),
    score=st.sampled_from([0.1, 3.0, 500.0]),
    transition=st.sampled_from([0.0, 1.0, 20.0]),
)


@pytest.mark.slow
@given(chains, st.sampled_from([1, 2, 3, 64]))
def test_marginals_equal_enumeration(chain, one_chunk):
    """Also with pages cut into small chunks, which real short pages are not."""
    scores, transitions, starts = chain
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_ONE_CHUNK", one_chunk)
        found = marginals(scores, transitions, starts)
    assert found.shape == scores.shape
    for a, b in pairwise(starts):
        np.testing.assert_allclose(
            found[a:b], enumerate_page(scores[a:b], transitions)[0], atol=1e-9
        )


@pytest.mark.slow
@given(chains)
def test_viterbi_finds_a_best_sequence(chain):
    scores, transitions, starts = chain
    labels = viterbi(scores, transitions, starts)
    assert labels.dtype == np.uint8
    assert labels.shape == (len(scores),)
    for a, b in pairwise(starts):
        totals = enumerate_page(scores[a:b], transitions)[1]
        assert totals[tuple(labels[a:b])] == pytest.approx(max(totals.values()), abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("lengths", [[1000], [70, 1, 0, 300, 65, 2], [5] * 200 + [400], [0, 0, 90]])
@pytest.mark.parametrize(("score", "transition"), [(2, 2), (500, 2), (500, 20), (20, 140)])
def test_long_pages_equal_the_log_domain(lengths, score, transition):
    scores, transitions, starts = random_chain(1, lengths, score=score, transition=transition)
    found = marginals(scores, transitions, starts)
    for a, b in pairwise(starts):
        if a < b:
            expected = log_domain(scores[a:b], transitions)
            np.testing.assert_allclose(found[a:b], expected, atol=1e-9)


@pytest.mark.parametrize("score", [0.0, 500.0])
def test_very_long_page_stays_finite(score):
    scores, transitions, starts = random_chain(2, [100_000], score=score, transition=5.0)
    found = marginals(scores, transitions, starts)
    np.testing.assert_allclose(found.sum(axis=1), 1.0)
    tail = log_domain(scores[-200:], transitions)
    np.testing.assert_allclose(found[-50:], tail[-50:], atol=1e-9)


def test_batch_equals_page_by_page():
    scores, transitions, starts = random_chain(3, [3, 200, 0, 77, 1, 500])
    found = marginals(scores, transitions, starts)
    for a, b in pairwise(starts):
        alone = marginals(scores[a:b], transitions, np.array([0, b - a]))
        np.testing.assert_allclose(found[a:b], alone, atol=1e-12)


def test_label_that_training_never_saw_has_no_probability():
    scores, transitions, starts = random_chain(4, [100, 20])
    scores[:, 0] = -1e4
    found = marginals(scores, transitions, starts)
    assert (found[:, 0] == 0).all()
    assert (viterbi(scores, transitions, starts) != 0).all()


def test_equal_transitions_are_none():
    scores, _, starts = random_chain(5, [10, 90])
    constant = np.full((3, 3), 0.7)
    nearly = constant + np.eye(3) * 1e-13
    np.testing.assert_allclose(
        marginals(scores, constant, starts), marginals(scores, nearly, starts), atol=1e-9
    )
    assert (viterbi(scores, constant, starts) == scores.argmax(axis=1)).all()


def test_ties_give_one_of_the_best_sequences_not_a_mixture():
    alternate = np.where(np.eye(3), -1.0, 0.0)
    labels = viterbi(np.zeros((6, 3)), alternate, np.array([0, 6]))
    assert (labels[1:] != labels[:-1]).all()


def test_nothing_to_tag():
    for starts in ([0], [0, 0, 0]):
        assert marginals(np.empty((0, 3)), np.eye(3), np.array(starts)).shape == (0, 3)
        assert viterbi(np.empty((0, 3)), np.eye(3), np.array(starts)).shape == (0,)
