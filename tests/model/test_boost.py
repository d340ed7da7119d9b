"""Growing trees: what is learnt, and that our evaluation is that of CatBoost."""

import sys
from dataclasses import replace

import numpy as np
import pytest

from victor.config import Trees as TreeOptions
from victor.errors import ConfigError, CorpusError
from victor.model.boost import grow, narrowed
from victor.model.discretize import Category, Codebook, Edges
from victor.model.trees import OUTSIDE, Trees, input_codes

OPTIONS = TreeOptions(count=60, depth=3, learning_rate=0.3, l2=1.0, share=1.0)
NAMES = ("a", "b", "c", "noise")
CODEBOOK = Codebook(dict.fromkeys(NAMES, Category(20)))
INPUTS = (("a", 0), ("b", 0), ("b", -1), ("noise", 0), ("c", 0), ("c", 1))
STARTS = np.array([0, 40, 41, 600])


@pytest.fixture(scope="module")
def columns():
    rng = np.random.default_rng(5)
    return {name: rng.integers(0, 20, STARTS[-1]) for name in NAMES}


@pytest.fixture(scope="module")
def kept(columns):
    """Neither a nor b alone says anything, and c decides some."""
    return ((columns["a"] > 9) ^ (columns["b"] > 12)) | (columns["c"] > 17)


@pytest.fixture(scope="module")
def codes(columns):
    return input_codes(INPUTS, CODEBOOK, columns, STARTS)


@pytest.fixture(scope="module")
def weights(columns):
    return np.random.default_rng(6).random(STARTS[-1]) + 0.1


def grown(codes, kept, weights, **options):
    return grow(
        codes, kept, weights,
        codebook=CODEBOOK, inputs=INPUTS, options=OPTIONS.replace(**options),
    )  # fmt: skip


@pytest.fixture
def watched(monkeypatch):
    """Every booster that CatBoost makes from here on."""
    import catboost

    made = []

    class Watched(catboost.CatBoostClassifier):
        def fit(self, *arguments, **options):
            made.append(self)
            return super().fit(*arguments, **options)

    monkeypatch.setattr(catboost, "CatBoostClassifier", Watched)
    return made


# --- what is learnt ------------------------------------------------------------------------------


def test_a_conjunction_is_learnt(codes, kept, weights, columns):
    trees = grown(codes, kept, weights)
    assert ((trees(columns, STARTS) > 0) == kept).mean() > 0.98
    most = sorted(zip(trees.importance(), trees.inputs, strict=True), reverse=True)
    assert {place for _, place in most[:3]} == {("a", 0), ("b", 0), ("c", 0)}


def test_blocks_count_by_their_weight(codes, columns):
    """Where blocks of equal codes disagree, the heavier side wins."""
    alike = np.zeros_like(codes[:, :4])
    alike[0, 2:] = 1
    found = grown(alike, np.array([1, 0, 1, 0], bool), np.array([5.0, 1, 1, 5]), count=5, depth=1)
    a = np.array([0, 1])
    scores = found(dict.fromkeys(NAMES, a), np.array([0, 2]))
    assert scores[0] > 0 > scores[1]


def test_the_same_blocks_give_the_same_trees(codes, kept, weights):
    first, second = (grown(codes, kept, weights, share=0.5).to_arrays() for _ in range(2))
    assert first[0] == second[0]
    for name, values in first[1].items():
        assert values.tobytes() == second[1][name].tobytes(), name


def test_inputs_that_no_tree_asks_about_are_left_out(codes, kept, weights, columns):
    trees = grown(codes, kept, weights, count=3, depth=2)
    assert 0 < len(trees.inputs) < len(INPUTS)
    assert [*trees.inputs] == [place for place in INPUTS if place in trees.inputs]
    whole = replace(trees, inputs=INPUTS, codebook=CODEBOOK, asked=np.array(
        [INPUTS.index(trees.inputs[number]) for number in trees.asked]
    ))  # fmt: skip
    assert np.array_equal(whole(columns, STARTS), trees(columns, STARTS))


def test_edges_that_no_question_is_about_are_left_out(kept, weights, columns):
    fine = Codebook({name: Edges(tuple(np.arange(0.5, 19))) for name in NAMES})
    codes = input_codes(INPUTS, fine, columns, STARTS)
    trees = grow(codes, kept, weights, codebook=fine, inputs=INPUTS,
                 options=OPTIONS.replace(count=8))  # fmt: skip
    edges = {name: d.edges for name, d in trees.codebook.discretizers.items()}
    assert 0 < sum(map(len, edges.values())) < 19 * len(NAMES)
    for asked, border in zip(trees.asked, trees.border, strict=True):
        assert border <= len(edges[trees.inputs[asked][0]])
    again = narrowed(trees)
    assert np.array_equal(again.border, trees.border)
    assert again.codebook.to_json() == trees.codebook.to_json()


def test_leaving_out_edges_changes_no_score(kept, weights, columns):
    """Places outside the page are told from the last bin as before."""
    rng = np.random.default_rng(8)
    fine = Codebook({name: Edges(tuple(np.arange(0.5, 19))) for name in NAMES})
    wide = Trees(
        codebook=fine,
        inputs=INPUTS,
        asked=np.array([0, 1, 2, 2, 5, 5]),
        border=np.array([3, 18, 7, 19, 19, 4], dtype=np.uint8),
        questions=rng.integers(0, 6, (5, 3)),
        leaves=rng.normal(size=(5, 8)).astype(np.float32),
        cover=np.ones((5, 8), dtype=np.float32),
        bias=0.5,
    )
    narrow = narrowed(wide)
    assert sum(len(d.edges) for d in narrow.codebook.discretizers.values()) == 4
    assert np.array_equal(narrow(columns, STARTS), wide(columns, STARTS))


# --- ours and CatBoost's -------------------------------------------------------------------------


def check_raw(trees, booster, codes, columns):
    raw = booster.predict(codes.T.astype(np.float32), prediction_type="RawFormulaVal")
    np.testing.assert_allclose(trees(columns, STARTS), raw, atol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("depth", [1, 2, 6, 8])
def test_evaluation_is_that_of_catboost(watched, codes, kept, weights, columns, depth):
    trees = grown(codes, kept, weights, depth=depth)
    assert depth - 1 <= trees.questions.shape[1] <= depth  # as far as there is something to ask
    check_raw(trees, watched[0], codes, columns)


def test_pages_end_where_catboost_saw_them_end(codes, kept, weights, watched, columns):
    """The only question that helps is whether there is a block before."""
    edge = np.where(codes == OUTSIDE, OUTSIDE, 0).astype(np.uint8)
    first = np.zeros(len(kept), dtype=bool)
    first[STARTS[:-1]] = True
    trees = grown(edge, first, weights, depth=1)
    assert ("b", -1) in trees.inputs
    constant = {name: np.zeros(len(kept), dtype=int) for name in NAMES}
    check_raw(trees, watched[0], edge, constant)
    assert ((trees(constant, STARTS) > 0) == first).all()


def test_trees_with_fewer_levels_and_without_any(codes, kept, weights, columns, watched):
    """Few inputs at a time, and there may be nothing left to ask: some trees are one leaf."""
    some = codes[:3]
    trees = grow(
        some, kept, weights,
        codebook=CODEBOOK, inputs=INPUTS[:3], options=OPTIONS.replace(share=0.34),
    )  # fmt: skip
    repeated = (trees.questions[:, -1] == trees.questions[:, 0]).sum()
    assert repeated > 5
    assert len(trees.questions) < OPTIONS.count
    assert trees.bias != 0
    check_raw(trees, watched[0], some, columns)


def test_the_first_question_of_a_tree_is_the_one_that_was_asked_first(codes, kept, weights):
    """Alone in a tree it is the same: explanations follow the order that the trees grew in."""
    deep, flat = (grown(codes, kept, weights, count=1, depth=depth) for depth in (3, 1))
    question = deep.questions[0, 0]
    assert deep.inputs[deep.asked[question]] == flat.inputs[0]
    assert deep.border[question] == flat.border[0]


def test_cover_is_the_share_of_the_weight(codes, kept, weights, columns):
    trees = grown(codes, kept, weights, count=4)
    np.testing.assert_allclose(trees.cover.sum(axis=1), 1, atol=1e-3)
    found = input_codes(trees.inputs, CODEBOOK, columns, STARTS)
    answers = found[trees.asked] > trees.border[:, None]
    leaf = answers[trees.questions[0]].T @ [4, 2, 1]
    share = np.bincount(leaf, weights, minlength=8) / weights.sum()
    np.testing.assert_allclose(trees.cover[0], share, atol=1e-3)


def test_what_is_stored_explains_as_what_was_grown(codes, kept, weights, columns):
    trees = grown(codes, kept, weights)
    again = type(trees).from_arrays(*trees.to_arrays())
    for found, expected in ((again(columns, STARTS), trees(columns, STARTS)),
                            (again.contributions(columns, STARTS),
                             trees.contributions(columns, STARTS))):  # fmt: skip
        assert np.array_equal(found, expected)


# --- what cannot be grown ------------------------------------------------------------------------


@pytest.mark.parametrize("value", [False, True])
def test_blocks_of_one_kind(codes, weights, value):
    with pytest.raises(CorpusError, match="kept and dropped blocks"):
        grown(codes, np.full(codes.shape[1], value), weights)


def test_no_block(codes, weights):
    with pytest.raises(CorpusError, match="kept and dropped blocks"):
        grown(codes[:, :0], np.zeros(0, dtype=bool), weights[:0])


def test_blocks_that_look_alike(codes, kept, weights):
    with pytest.raises(CorpusError, match="look alike"):
        grown(np.zeros_like(codes), kept, weights)


def test_no_tree_found_a_question(codes, kept, weights):
    with pytest.raises(CorpusError, match=r"raise trees\.share"):
        grown(codes, kept, weights, share=0.01, count=2)


def test_without_the_package(codes, kept, weights, monkeypatch):
    monkeypatch.setitem(sys.modules, "catboost", None)
    with pytest.raises(ConfigError, match=r"package catboost: pip install 'victor\[train\]'"):
        grown(codes, kept, weights)


def test_nothing_is_written(codes, kept, weights, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    grown(codes, kept, weights, count=2)
    assert not [*tmp_path.iterdir()]
