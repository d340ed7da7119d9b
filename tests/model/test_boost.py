"""Growing trees and edges in the chain: what is learnt, and that it is always the same."""

import numpy as np
import pytest

from victor.base.labels import UNLABELLED, Label
from victor.config.schema import Trees as TreeOptions
from victor.errors import CorpusError
from victor.model.boost import Examples, grow, narrow_codes, narrowed
from victor.model.chain import EdgeTables, marginals
from victor.model.discretize import Category, Codebook, Edges
from victor.model.trees import Trees, input_codes

OPTIONS = TreeOptions(count=80, depth=3, learning_rate=0.3, l2=1.0, share=1.0)
NAMES = ("a", "b", "c", "noise")
CODEBOOK = Codebook(dict.fromkeys(NAMES, Category(20)))
INPUTS = (("a", 0), ("b", 0), ("b", -1), ("noise", 0), ("c", 0), ("c", 1))
STARTS = np.append([0, 40, 41], np.arange(80, 840, 40))
N = int(STARTS[-1])


def examples_of(columns, labels, weights=None, kinds=None, n_kinds=1, **more):
    nothing = np.zeros(N, dtype=np.int64)
    return Examples(
        codes=input_codes(INPUTS, CODEBOOK, columns, STARTS),
        labels=labels.astype(np.uint8),
        weights=np.ones(N) if weights is None else weights,
        page_starts=STARTS,
        kinds=nothing if kinds is None else kinds,
        layout=EdgeTables((n_kinds,)),
        **{"experts": nothing, **more},
    )


@pytest.fixture(scope="module")
def columns():
    rng = np.random.default_rng(5)
    return {name: rng.integers(0, 20, N) for name in NAMES}


@pytest.fixture(scope="module")
def examples(columns):
    """Neither a nor b alone says anything of what is kept; c decides some, and tells headers."""
    kept = ((columns["a"] > 9) ^ (columns["b"] > 12)) | (columns["c"] > 17)
    labels = np.where(kept, np.where(columns["c"] > 11, Label.HEADER, Label.TEXT), Label.OTHER)
    return examples_of(columns, labels, np.random.default_rng(6).random(N) + 0.1)


def grown(examples, *, connected=True, **options):
    options = OPTIONS.replace(**options)
    return grow(examples, codebook=CODEBOOK, inputs=INPUTS, options=options, connected=connected)


def probabilities(learnt, examples, columns):
    trees, edges = learnt
    return marginals(trees(columns, STARTS), edges, examples.kinds, STARTS)


# --- what is learnt ------------------------------------------------------------------------------


def test_a_conjunction_and_what_tells_headers_are_learnt(examples, columns):
    learnt = grown(examples)
    found = probabilities(learnt, examples, columns).argmax(axis=1)
    assert ((found == Label.OTHER) == (examples.labels == Label.OTHER)).mean() > 0.97
    assert (found == examples.labels).mean() > 0.95
    trees = learnt[0]
    most = sorted(zip(trees.importance(), trees.inputs, strict=True), reverse=True)
    assert {column for _, column in most[:3]} == {("a", 0), ("b", 0), ("c", 0)}
    assert 0 < trees.n_text < len(trees.questions)


def runs():
    """Labels in long runs that end where the kind of edge is 1; columns hardly say which."""
    rng = np.random.default_rng(3)
    kinds = (rng.random(N) < 0.15).astype(np.int64)
    labels = np.zeros(N, dtype=np.uint8)
    for block in range(1, N):
        ends = kinds[block] or block in STARTS
        labels[block] = rng.choice([1, 2]) if ends else labels[block - 1]
    labels[0] = labels[1]
    hint = np.where(labels == Label.TEXT, 12, 8) + rng.integers(-8, 8, N)
    columns = {name: rng.integers(0, 20, N) for name in NAMES} | {"a": hint}
    return examples_of(columns, labels, kinds=kinds, n_kinds=2), columns


def test_edges_are_learnt_by_kind():
    """Where labels go on they attract each other; where the kind says they end, less so."""
    examples, columns = runs()
    learnt = grown(examples, learning_rate=0.1)
    attraction = [edge[1, 1] + edge[2, 2] - edge[1, 2] - edge[2, 1] for edge in learnt[1]]
    assert attraction[0] > 0.2
    assert attraction[0] > 2 * abs(attraction[1])
    apart = grown(examples, learning_rate=0.1, connected=False)
    assert (apart[1] == 0).all()
    known = np.arange(N), examples.labels
    right = [probabilities(each, examples, columns)[known].mean() for each in (learnt, apart)]
    assert right[0] > right[1]


def test_blocks_of_no_weight_have_no_label(examples):
    """Whatever is said of them, the bytes are the same; but they stand between others."""
    weights = examples.weights * (np.arange(N) % 3 > 0)
    unknown = np.where(weights > 0, examples.labels, UNLABELLED).astype(np.uint8)
    first, second = (
        grown(examples._replace(weights=weights, labels=labels), count=40)
        for labels in (examples.labels, unknown)
    )
    assert np.array_equal(first[1], second[1])
    assert first[0].leaves.tobytes() == second[0].leaves.tobytes()


def stored(learnt):
    """Everything that a model file holds of trees and edges."""
    document, arrays = learnt[0].to_arrays()
    named = sorted((name, values.tobytes()) for name, values in arrays.items())
    return document, named, learnt[1].tobytes()


def test_the_same_blocks_give_the_same_bytes(examples):
    first, second, other = (grown(examples, share=0.5, count=40, seed=s) for s in (1, 1, 2))
    assert stored(first) == stored(second)
    assert stored(first) != stored(other)


# --- experts -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def opposed(columns):
    """On two pages of twenty the very blocks are dropped that are kept on all others."""
    is_forum = np.isin(np.arange(len(STARTS) - 1), (5, 9)).repeat(np.diff(STARTS))
    kept = (columns["a"] > 9) != is_forum
    labels = np.where(kept, Label.TEXT, Label.OTHER)
    experts = is_forum.astype(np.int64)
    return examples_of(columns, labels, experts=experts, names=("article", "forum"))


def test_an_expert_of_few_pages_learns_leaves_of_its_own(opposed, columns):
    trees, _ = grown(opposed, connected=False, count=20)
    assert trees.leaves.shape[:2] == (2, 20)
    assert trees.gate.experts == ("article", "forum")
    is_kept = opposed.labels == Label.TEXT
    for number, name in enumerate(trees.gate.experts):
        own = opposed.experts == number
        says = trees.of_expert(name)(columns, STARTS)[:, Label.TEXT] > 0
        assert (says == is_kept)[own].mean() > 0.95
        assert (says == is_kept)[~own].mean() < 0.1


def test_leaving_out_edges_changes_no_score(columns):
    """Places outside the page are told from the last bin as before."""
    rng = np.random.default_rng(8)
    fine = Codebook({name: Edges(tuple(np.arange(0.5, 19))) for name in NAMES})
    wide = Trees(
        codebook=fine,
        inputs=INPUTS,
        asked=np.array([0, 1, 2, 2, 5, 5]),
        border=np.array([3, 18, 7, 19, 19, 4], dtype=np.uint8),
        questions=rng.integers(0, 6, (5, 3)),
        leaves=rng.normal(size=(1, 5, 8)).astype(np.float32),
        cover=np.ones((1, 5, 8), dtype=np.float32),
        n_text=3,
        bias=(0.5, -0.5),
    )
    narrow = narrowed(wide)
    assert sum(len(d.edges) for d in narrow.codebook.discretizers.values()) == 4
    assert np.array_equal(narrow(columns, STARTS), wide(columns, STARTS))


# --- what cannot be grown ------------------------------------------------------------------------


@pytest.mark.parametrize("label", [Label.OTHER, Label.TEXT])
def test_blocks_of_one_kind(examples, label):
    labels = np.full(N, label, dtype=np.uint8)
    with pytest.raises(CorpusError, match="kept and dropped blocks"):
        grown(examples._replace(labels=labels))


def test_the_trees_and_edges_of_a_small_corpus_are_as_recorded():
    """Every number of how trees grow shows in these sums; a change of one wants new models."""
    rng = np.random.default_rng(5)
    starts = np.append([0, 230, 231], np.arange(260, 700, 30))
    n = int(starts[-1])
    columns = {name: rng.integers(0, 20, n) for name in ("a", "b", "noise")}
    kept = (columns["a"] > 9) ^ (columns["b"] > 12)
    labels = np.where(kept, np.where(columns["b"] > 6, Label.HEADER, Label.TEXT), Label.OTHER)
    labels[rng.random(n) < 0.2] = Label.OTHER
    weights, kinds = rng.integers(0, 9, n).astype(float), rng.integers(0, 2, n)
    codebook = Codebook(dict.fromkeys(columns, Category(20)))
    inputs = (("a", 0), ("b", 0), ("b", -1), ("noise", 0), ("a", 1))
    codes = input_codes(inputs, codebook, columns, starts)
    options = TreeOptions(count=55, depth=7, learning_rate=0.3, l2=2.0, share=0.6)
    trees, edges = grow(
        Examples(
            codes, labels.astype(np.uint8), weights, starts, kinds, EdgeTables((2,)), 0 * kinds
        ),
        codebook=codebook,
        inputs=inputs,
        options=options,
    )
    assert (trees.n_text, trees.questions.shape) == (44, (55, 7))
    assert [int(a.sum()) for a in (trees.questions, trees.asked, trees.border)] == [13662, 175, 814]
    assert trees.bias == pytest.approx((-0.486872, 0.684284), rel=1e-4)
    sums = np.abs(trees.leaves[0].astype(float)).sum(axis=1)[::6]
    expected = [18.736, 10.984, 5.0119, 4.3879, 3.8458, 4.0184, 2.4066, 2.5811, 10.481, 5.0131]
    assert sums == pytest.approx(expected, rel=1e-3)
    assert trees.cover.std() == pytest.approx(0.0205294, rel=1e-3)
    assert np.abs(edges).sum() == pytest.approx(1.95, abs=0.05)
    assert edges[1, 1] == pytest.approx([0.0358, 0.219, -0.2221], abs=2e-4)


def test_codes_by_a_narrowed_codebook(columns):
    fine = Codebook(
        {name: Edges(tuple(np.arange(0.5, 19))) for name in NAMES[:3]} | {"noise": Category(20)}
    )
    few = Codebook({"noise": fine.discretizers["noise"], "a": Edges((3.5, 11.5)), "b": Edges(())})
    found = narrow_codes(fine, few, fine.codes(columns).T)
    assert np.array_equal(found, few.codes(columns).T)
