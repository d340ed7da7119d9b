"""From codes to labels: one call as its stages one by one, and what does not fit together."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from brute_force import marginals_of, sequences_of
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.base import core
from victor.base.labels import Label
from victor.labelers.crf import CrfLabeler
from victor.labelers.load import load_model
from victor.model.chain import Factors, marginals, viterbi
from victor.model.discretize import Bool, Category, Codebook
from victor.model.trees import OUTSIDE, Gate, Trees, pages_alike

PAGES = [
    path.read_bytes() for path in sorted(Path(__file__).parents[2].glob("annotations/pages/*"))
]

few = settings(max_examples=150, deadline=None, derandomize=True)
LENGTHS = st.lists(
    st.one_of(st.integers(0, 6), st.sampled_from([31, 32, 33, 64, 65, 255, 256, 257, 700])),
    max_size=6,
)
SEEDS = st.integers(0, 2**32 - 1)


def starts_of(lengths):
    return np.cumsum([0, *lengths], dtype=np.int64)


def make_trees(rng, n_columns, n_trees, depth, n_experts=1):
    n_inputs, n_questions = 9, 30
    names = [f"column.{number}" for number in range(n_columns)]
    shape = n_experts, n_trees, 2**depth
    experts = tuple(f"expert{number}" for number in range(n_experts))
    gate = rng.normal(size=(2 * n_columns + 1, n_experts)) / 100
    offsets = rng.choice([0, 0, 0, -2, -1, 1, 2, 100, -100], n_inputs)
    return Trees(
        codebook=Codebook({name: Bool() for name in names}),
        inputs=tuple((names[rng.integers(n_columns)], int(offset)) for offset in offsets),
        asked=rng.integers(0, n_inputs, n_questions),
        border=rng.choice([0, 1, 2, 3, 127, 128, 254, OUTSIDE], n_questions).astype(np.uint8),
        questions=rng.integers(0, n_questions, (n_trees, depth)),
        leaves=rng.normal(size=shape).astype(np.float32),
        cover=np.ones(shape, dtype=np.float32),
        n_text=int(rng.integers(0, n_trees + 1)),
        bias=(float(rng.normal()), float(rng.normal())),
        gate=Gate(experts, gate) if n_experts > 1 else None,
    )


@few
@given(SEEDS, LENGTHS, st.integers(0, 11), st.integers(1, 8), st.integers(1, 4))
def test_a_leaf_is_that_of_the_answers(seed, lengths, n_trees, depth, n_experts):
    rng = np.random.default_rng(seed)
    starts = starts_of(lengths)
    trees = make_trees(rng, 4, n_trees, depth, n_experts)
    columns = {name: rng.integers(0, 2, starts[-1]) for name in trees.codebook.names}
    leaves = trees.leaves_of(columns, starts)
    weights = trees.weights(trees.codebook.codes(columns).T, starts)
    wanted = np.zeros((starts[-1], 3))
    for of_page, blocks in pages_alike(weights, starts):
        own = trees.mixed(of_page).leaves[0].astype(float)
        values = own[np.arange(n_trees)[:, None], leaves[:, blocks]]
        text = trees.bias[0] + values[: trees.n_text].sum(axis=0)
        wanted[blocks, Label.TEXT] = text
        wanted[blocks, Label.HEADER] = text + trees.bias[1] + values[trees.n_text :].sum(axis=0)
    np.testing.assert_allclose(trees(columns, starts), wanted, atol=1e-4)


CHAINS = st.tuples(
    st.lists(st.integers(0, 5), max_size=5),
    st.sampled_from([0.0, 0.1, 3.0, 500.0, 1e5]),
    st.sampled_from([0.0, 1.0, 20.0, 140.0]),
    st.integers(1, 4),
)


@few
@given(SEEDS, CHAINS)
def test_marginals_and_best_sequences_are_those_of_all_sequences(seed, shape):
    lengths, score, transition, n_kinds = shape
    rng, starts = np.random.default_rng(seed), starts_of(lengths)
    scores = rng.uniform(-score, score, (starts[-1], 3))
    edges = rng.uniform(-transition, transition, (n_kinds, 3, 3))
    kinds = rng.integers(0, n_kinds, starts[-1])
    found, best = (f(scores, Factors(edges), kinds, starts) for f in (marginals, viterbi))
    for a, b in pairwise(starts.tolist()):
        page = scores[a:b], edges, kinds[a:b]
        np.testing.assert_allclose(found[a:b], marginals_of(*page), atol=1e-6)
        sequences, totals = sequences_of(*page)
        assert totals[(sequences == best[a:b]).all(axis=1)] == pytest.approx([totals.max()])


def test_a_long_page_of_strong_edges():
    """What is far below 1 is scaled back, and part of the page says as much as all of it."""
    rng, n = np.random.default_rng(5), 2_000
    chain = rng.uniform(-500, 500, (n, 3)), Factors(rng.uniform(-140, 140, (3, 3, 3)))
    found = marginals(*chain, kinds := rng.integers(0, 3, n), np.array([0, n]))
    part = marginals(chain[0][-300:], chain[1], kinds[-300:], np.array([0, 300]))
    np.testing.assert_allclose(found[-100:], part[-100:], atol=1e-9)


@pytest.mark.parametrize("name", ["default", "crf"])
@pytest.mark.parametrize("method", ["expected-f", "viterbi", "threshold"])
def test_labels_of_a_batch_are_those_of_each_page(name, method):
    labeler = CrfLabeler(load_model(name))
    pages = [*PAGES[:20], b""]
    decision = labeler.decision.replace(method=method)
    together = labeler.label(labeler.table(pages), decision)
    alone = [labeler.label(labeler.table([page]), decision) for page in pages]
    assert len(together.labels) > 1000
    assert np.array_equal(together.labels, np.concatenate([each.labels for each in alone]))
    assert np.array_equal(together.marginals, np.concatenate([each.marginals for each in alone]))


def test_pages_without_blocks():
    labeler = CrfLabeler(load_model("default"))
    for pages in ([], [b""], [b"", b"<br>"]):
        verdict = labeler.label(labeler.table(pages))
        assert verdict.marginals.shape == (0, 3)


def test_codes_of_categories_are_counts_of_thresholds():
    values = np.array([-1, 0, 1, 5, 6, 7, 300])
    codebook = Codebook({"tag": Category(7)})
    thresholds = codebook.thresholds["tag"]
    counts = (values[:, None] >= thresholds).sum(axis=1)
    assert counts.tolist() == codebook.codes({"tag": values})[:, 0].tolist()


STARTS = np.array([0, 2])


LAYOUT = {
    "column": np.array([0]),
    "offset": np.array([0]),
    "asked": np.zeros(8, dtype=np.int32),
    "border": np.array([OUTSIDE] * 7 + [0], dtype=np.uint8),
    "leaves": np.zeros(2, dtype=np.float32),
    "counts": np.array([1, 1]),
    "bias": np.zeros(2, dtype=np.float32),
    "gate columns": np.zeros(0, dtype=np.int64),
    "gate": np.zeros(0),
}


def test_what_is_kept_is_not_changed():
    layout = LAYOUT | {"asked": np.zeros(8, dtype=np.int32)}
    kept = core.compiled.tree_layout(tuple(layout.values()))
    layout["asked"][:] = 2**30
    codes = np.zeros((1, 2), dtype=np.uint8)
    assert not core.array(core.compiled.trees(codes, STARTS, kept), np.float64).any()


EXPERTS = {"leaves": np.zeros(4, dtype=np.float32), "counts": np.array([1, 2])}


@pytest.mark.parametrize(
    "wrong",
    [
        {"gate": np.zeros(6)},
        EXPERTS,
        EXPERTS | {"gate": np.zeros(6)},
        EXPERTS | {"gate columns": np.array([0]), "gate": np.zeros(4)},
        EXPERTS | {"gate columns": np.array([-1]), "gate": np.zeros(6)},
    ],
)
def test_a_gate_that_does_not_fit(wrong):
    with pytest.raises(ValueError, match="fit"):
        core.compiled.tree_layout(tuple((LAYOUT | wrong).values()))


@pytest.mark.parametrize("column", [1, 2**62])
def test_a_gate_of_columns_that_are_not_there(column):
    layout = LAYOUT | EXPERTS | {"gate columns": np.array([column]), "gate": np.zeros(6)}
    kept = core.compiled.tree_layout(tuple(layout.values()))
    for stage in (core.compiled.trees, core.compiled.expert_weights):
        with pytest.raises(ValueError, match="fit"):
            stage(np.zeros((1, 2), dtype=np.uint8), STARTS, kept)


@pytest.mark.parametrize("counts", [[1], [1, 1, 1], [1, 0], [1, -1], [1, 2], [1, 17], [1, 2**62]])
def test_experts_that_the_leaves_are_not_of(counts):
    layout = LAYOUT | {"counts": np.array(counts)}
    with pytest.raises(ValueError, match="fit"):
        core.compiled.tree_layout(tuple(layout.values()))
