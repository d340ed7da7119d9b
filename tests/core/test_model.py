"""From codes to labels: the compiled core gives what the Python path gives, bit by bit."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from victor.base import core
from victor.base.labels import Label
from victor.labelers.crf import CrfLabeler
from victor.labelers.load import load_model
from victor.model.crf.edges import Edges
from victor.model.crf.marginals import Factors, marginals, viterbi
from victor.model.crf.pooling import Pooling
from victor.model.decide import Decision, decide
from victor.model.discretize import Bool, Category, Codebook
from victor.model.gate import Gate
from victor.model.model import Reading
from victor.model.trees import OUTSIDE, Trees

pytestmark = pytest.mark.skipif(core.compiled is None, reason="there is no compiled core")

PAGES = [
    path.read_bytes() for path in sorted(Path(__file__).parents[2].glob("annotations/pages/*"))
]

few = settings(max_examples=150, deadline=None, derandomize=True)
LENGTHS = st.lists(
    st.one_of(st.integers(0, 6), st.sampled_from([31, 32, 33, 64, 65, 255, 256, 257, 700])),
    max_size=6,
)
SEEDS = st.integers(0, 2**32 - 1)


class Blocks:
    """What `decide` reads of blocks."""

    def __init__(self, page_starts, words):
        self.page_starts, self.words = page_starts, words


def starts_of(lengths):
    return np.cumsum([0, *lengths], dtype=np.int64)


def both(function, *arguments):
    """What the compiled core gives, and what the Python path gives."""
    compiled = function(*arguments)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(core, "compiled", None)
        return compiled, function(*arguments)


def assert_same(function, *arguments):
    """Every bit."""
    compiled, python = both(function, *arguments)
    assert compiled.shape == python.shape
    assert compiled.dtype == python.dtype
    bits = f"u{compiled.dtype.itemsize}"
    assert np.array_equal(
        np.ascontiguousarray(compiled).view(bits), np.ascontiguousarray(python).view(bits)
    )
    return compiled


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
def test_trees(seed, lengths, n_trees, depth, n_experts):
    rng = np.random.default_rng(seed)
    starts = starts_of(lengths)
    trees = make_trees(rng, 4, n_trees, depth, n_experts)
    codes = rng.choice([0, 1, 2, 3, 4, 127, 128, 254], (4, starts[-1])).astype(np.uint8)
    potentials = assert_same(trees.scorer(trees.codebook.names), codes, starts)
    assert (potentials[:, Label.OTHER] == 0).all()


class Told(Gate, frozen=True):
    """A gate that weighs experts as it is told."""

    told: np.ndarray = np.zeros((0, 0))

    def __call__(self, codes, page_starts):
        return self.told


def told(trees, weights):
    """The trees, with weights of E experts on P pages, (P, E)."""
    return replace(trees, gate=Told(trees.gate.experts, trees.gate.weights, weights))


@few
@given(SEEDS, LENGTHS, st.integers(0, 11), st.integers(2, 4))
def test_trees_of_any_weights(seed, lengths, n_trees, n_experts):
    """One expert alone, some of them, none, and such as no gate gives."""
    rng = np.random.default_rng(seed)
    starts = starts_of(lengths)
    drawn = rng.choice([0, 0, 0, 1, 0.25, 0.3, 2, 1e30], (len(lengths), n_experts))
    drawn[(drawn == 1).any(axis=1)] = np.eye(n_experts)[0]
    drawn = rng.permuted(drawn, axis=1).astype(np.float32)
    trees = told(make_trees(rng, 4, n_trees, 3, n_experts), drawn)
    codes = rng.choice([0, 1, 2, 3, 4, 127, 128, 254], (4, starts[-1])).astype(np.uint8)
    assert_same(trees.scorer(trees.codebook.names), codes, starts)


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_weights_that_are_no_numbers(number):
    """The other pages keep their potentials."""
    trees = make_trees(np.random.default_rng(1), 4, 7, 8, n_experts=3)
    codes, starts = np.ones((4, 90), dtype=np.uint8), np.array([0, 30, 60, 90])
    found = []
    for middle in (0.5, number):
        weights = np.array([[0, 1, 0], [middle, 0.5, 0], [0.5, 0, 0.5]], dtype=np.float32)
        found.append(told(trees, weights).scorer(trees.codebook.names)(codes, starts))
    sound, broken = found
    assert np.array_equal(sound[:30], broken[:30])
    assert np.array_equal(sound[60:], broken[60:])
    assert not np.isfinite(broken[30:60, Label.TEXT]).any()


def path_columns(rng, lengths):
    """For each block the first block of its path on the page, and words."""
    first = [rng.integers(0, max(1, -(-n // 4)) + 2, n) for n in lengths]
    n_words = rng.integers(0, 40, sum(lengths)) * rng.integers(0, 2, sum(lengths))
    return {
        "path-class.first": np.concatenate([np.zeros(0, int), *first]).astype(np.float32),
        "word.count": n_words.astype(np.float32),
    }


def make_chain(rng, lengths, score, transition, n_kinds):
    starts = starts_of(lengths)
    scores = rng.uniform(-score, score, (starts[-1], 3))
    edges = rng.uniform(-transition, transition, (n_kinds, 3, 3))
    return scores, Factors(edges), rng.integers(0, n_kinds, starts[-1]), starts


CHAINS = st.tuples(
    LENGTHS,
    st.sampled_from([0.0, 0.1, 3.0, 500.0, 1e5]),
    st.sampled_from([0.0, 1.0, 20.0, 140.0, 1e4]),
    st.integers(1, 4),
)


@few
@given(SEEDS, CHAINS)
def test_marginals_and_best_sequences(seed, shape):
    chain = make_chain(np.random.default_rng(seed), *shape)
    assert_same(marginals, *chain)
    assert_same(viterbi, *chain)


@few
@given(SEEDS, LENGTHS)
def test_best_sequences_among_equals(seed, lengths):
    rng = np.random.default_rng(seed)
    starts = starts_of(lengths)
    scores = rng.integers(0, 2, (starts[-1], 3)).astype(float)
    factors = Factors(rng.integers(0, 2, (2, 3, 3)).astype(float))
    assert_same(viterbi, scores, factors, rng.integers(0, 2, starts[-1]), starts)


@few
@given(
    SEEDS,
    LENGTHS,
    st.integers(2, 12),
    st.sampled_from([1.0, 1.5]),
    st.sampled_from([0.0, 0.4, 1.0]),
)
def test_decision(seed, lengths, levels, temperature, no_content):
    rng = np.random.default_rng(seed)
    starts = starts_of(lengths)
    n = starts[-1]
    counts = rng.integers(0, levels, (n, 3)) + np.array([0, 0, 1])  # few levels: many ties
    words = rng.integers(0, 12, n) * rng.integers(0, 2, n)
    blocks = Blocks(starts, words)
    decision = Decision(method="expected-f", temperature=temperature, no_content=no_content)
    marginals_of_blocks = counts / counts.sum(axis=1, keepdims=True)
    assert_same(decide, marginals_of_blocks, blocks, decision)


def test_a_long_page():
    rng = np.random.default_rng(5)
    n = 100_000
    starts = np.array([0, n])
    trees = make_trees(rng, 4, 6, 8, n_experts=3)
    scores = assert_same(
        trees.scorer(trees.codebook.names), rng.integers(0, 9, (4, n), dtype=np.uint8), starts
    )
    factors, kinds = Factors(rng.normal(size=(3, 3, 3))), rng.integers(0, 3, n)
    found = assert_same(marginals, scores, factors, kinds, starts)
    assert_same(viterbi, scores, factors, kinds, starts)
    words = rng.integers(0, 30, n)
    decision = Decision(method="expected-f")
    assert_same(decide, found, Blocks(starts, words), decision)


@pytest.mark.parametrize("name", ["default", "crf"])
@pytest.mark.parametrize("method", ["expected-f", "viterbi", "threshold"])
def test_labels_of_pages(name, method):
    labeler = CrfLabeler(load_model(name))
    table = labeler.table([*PAGES[:20], b""])
    decision = labeler.decision.replace(method=method)
    compiled, python = both(labeler.label, table, decision)
    assert len(table) > 1000
    assert np.array_equal(compiled.labels, python.labels)
    assert compiled.marginals.tobytes() == np.ascontiguousarray(python.marginals).tobytes()


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


def test_a_model_is_read_by_codes_if_no_column_is_missing():
    model = load_model("default")
    names = [*model.columns]
    assert Reading.of(model, names) is not None
    assert Reading.of(model, names[1:]) is None


def test_what_is_returned_may_be_changed():
    blocks = Blocks(np.array([0, 1]), np.array([3]))
    labels = decide(np.array([[0.1, 0.8, 0.1]]), blocks, Decision(method="expected-f"))
    labels[:] = Label.OTHER


STARTS = np.array([0, 2])


LAYOUT = {
    "column": np.array([0]),
    "offset": np.array([0]),
    "asked": np.zeros(8, dtype=np.int32),
    "border": np.array([OUTSIDE] * 7 + [0], dtype=np.uint8),
    "leaves": np.zeros(2, dtype=np.float32),
    "counts": np.array([1, 1]),
    "bias": np.zeros(2, dtype=np.float32),
}


def test_what_is_kept_is_not_changed():
    layout = LAYOUT | {"asked": np.zeros(8, dtype=np.int32)}
    kept = core.compiled.tree_layout(tuple(layout.values()))
    layout["asked"][:] = 2**30
    codes = np.zeros((1, 2), dtype=np.uint8)
    weights = np.ones(1, dtype=np.float32)
    assert not core.array(core.compiled.trees(codes, STARTS, weights, kept), np.float64).any()


def test_weights_of_other_pages_or_experts():
    trees = make_trees(np.random.default_rng(1), 4, 7, 8, n_experts=3)
    codes, starts = np.ones((4, 9), dtype=np.uint8), np.array([0, 4, 9])
    for shape in ((0, 3), (1, 3), (3, 3), (2, 2), (2, 4)):
        weights = np.full(shape, 0.5, dtype=np.float32)
        with pytest.raises(ValueError, match="fit"):
            told(trees, weights).scorer(trees.codebook.names)(codes, starts)


@pytest.mark.parametrize("counts", [[1], [1, 1, 1], [1, 0], [1, -1], [1, 2], [1, 17], [1, 2**62]])
def test_experts_that_the_leaves_are_not_of(counts):
    layout = LAYOUT | {"counts": np.array(counts)}
    with pytest.raises(ValueError, match="fit"):
        core.compiled.tree_layout(tuple(layout.values()))


def make_reading(rng, strength, n_kinds, n_experts):
    """A model of trees as it reads codes and values."""
    trees, pooling = make_trees(rng, 4, 6, 8, n_experts), Pooling(strength)
    edges = Edges.by_category(rng.normal(size=(n_kinds, 3, 3)), "kind")
    names, raw = trees.codebook.names, (*pooling.columns, *edges.columns)
    rules = trees.layout(names), trees.weigher(names)
    return Reading((), raw, trees.scorer(names), pooling, edges, *rules)


@few
@given(SEEDS, LENGTHS, st.sampled_from([0.0, 0.4, 1.0]), st.sampled_from([1, 4]), st.integers(1, 3))
def test_marginals_of_codes(seed, lengths, strength, n_kinds, n_experts):
    rng = np.random.default_rng(seed)
    starts, n = starts_of(lengths), sum(lengths)
    reading = make_reading(rng, strength, n_kinds, n_experts)
    kinds = rng.integers(-3, 9, n).astype(np.float32)
    values = {**path_columns(rng, lengths), "kind": kinds}
    raw = np.array([values[name] for name in reading.raw], np.float32)
    codes = rng.integers(0, 9, (4, n), dtype=np.uint8)
    found = reading.marginals(codes, raw.reshape(len(reading.raw), n), starts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(core, "compiled", None)
        wanted = replace(reading, layout=None).marginals(codes, raw, starts)
    assert found.tobytes() == np.ascontiguousarray(wanted).tobytes()
