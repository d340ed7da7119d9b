"""Training: what CRFsuite is given, and that tagging agrees with it."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from tests.rows import tables
from victor.base.labels import LABEL_NAMES, UNLABELLED
from victor.config.schema import Crf
from victor.corpus.pages import from_letters
from victor.errors import CorpusError, TemplateError
from victor.model.chain import marginals, viterbi
from victor.model.crfsuite import Pages, collect, estimate, learn, prepare
from victor.model.linear import Emission
from victor.model.template import Entry, Template

ROWS = tables(__file__)
OPTIONS = Crf(c2=0.1, max_iterations=40, drop_reference=False)
SIZES = {"a": 4, "b": 3, "flag": 2, "wide": 9}


@pytest.fixture(scope="module")
def world():
    """Some pages whose labels follow from codes and the label before."""
    rng = np.random.default_rng(0)
    starts = np.append(0, np.cumsum((7, 1, 12, 0, 9, 3, 15, 2, 20))).astype(np.int64)
    n = int(starts[-1])
    codes = np.stack([rng.integers(0, size, n) for size in SIZES.values()], axis=1)
    evidence = codes[:, 0] + 2 * codes[:, 1] + rng.integers(0, 4, n)
    labels = (np.roll(evidence, 1) // 3 + evidence) % 3
    return Pages(codes.astype(np.uint8), tuple(SIZES), starts, labels.astype(np.uint8))


def template_of(page_edge="distance"):
    structure = [
        {"column": "a", "offset": "{-2..2}"},
        {"column": "b", "offset": "{-1..1}"},
        {"column": "{flag,wide}"},
        {"columns": ["a", "b"], "offset": [-1, 0]},
        {"columns": ["flag", "wide"], "offset": 3},
        [{"column": "a", "offset": -1}, {"column": "flag", "offset": 2}],
    ]
    return Template.from_config(structure, columns=[*SIZES], page_edge=page_edge)


def train(world, template, options=OPTIONS):
    inputs = world.codes, world.page_starts, world.labels
    return learn(*inputs, template=template, sizes=SIZES, options=options)


def chain_of(weights, edges, world):
    """What `marginals` and `viterbi` take."""
    scores = Emission.compile(weights, [*SIZES])(world.codes.T, world.page_starts)
    return scores, edges.values, edges.kinds({}, world.page_starts), world.page_starts


@pytest.mark.parametrize("page_edge", ["one", "distance"])
@pytest.mark.parametrize("changes", ROWS["options"], ids=str)
def test_tagging_equals_crfsuite(world, page_edge, changes):
    options = OPTIONS.replace(**changes)
    template = template_of(page_edge)
    sequences = prepare(world, template, sizes=SIZES, options=options)
    estimator = estimate(sequences, options)
    weights, edges = collect(sequences.attributes, estimator)
    found = marginals(*chain_of(weights, edges, world))
    labels = viterbi(*chain_of(weights, edges, world))
    items = sequences.attributes.items(world)
    for a, b in pairwise(world.page_starts.tolist()):
        if a == b:
            continue
        theirs = estimator.predict_marginals_single(items[a:b])
        expected = [[row[name] for name in LABEL_NAMES] for row in theirs]
        np.testing.assert_allclose(found[a:b], expected, atol=1e-5)
        tagged = estimator.predict_single(items[a:b])
        assert [LABEL_NAMES[label] for label in labels[a:b]] == tagged
    assert edges.values.any() == options.transitions


def test_it_learns(world):
    found = marginals(*chain_of(*train(world, template_of()), world))
    assert (found.argmax(axis=1) == world.labels).mean() > 0.9


@pytest.mark.parametrize(("labels", "joined", "expected"), ROWS["sequences"])
def test_unlabelled_blocks_split_sequences(labels, joined, expected):
    starts = np.array([0, 3, 3, 5])
    codes = np.zeros((5, 0), dtype=np.uint8)
    pages = Pages(codes, (), starts, from_letters(labels))
    assert [[*span] for span in pages.spans(joined=joined)] == expected


def test_reference_is_the_most_frequent_value_of_labelled_blocks():
    codes = np.array([[1], [1], [1], [2], [2]], dtype=np.uint8)
    labels = from_letters("??tho")
    pages = Pages(codes, ("x",), np.array([0, 5]), labels)
    options = OPTIONS.replace(drop_reference=True)
    found = prepare(pages, Template((Entry((("x", 0),)),)), sizes={"x": 3}, options=options)
    assert list(found) == [[{b"0:1": 1, b"bias": 1}, {b"bias": 1}, {b"bias": 1}]]


@pytest.mark.parametrize("missing", [0, 2])
@pytest.mark.parametrize("drop_reference", [True, False])
def test_label_without_examples_has_no_probability(world, missing, drop_reference):
    fewer = replace(world, labels=np.where(world.labels == missing, 1, world.labels))
    options = OPTIONS.replace(drop_reference=drop_reference)
    found = marginals(*chain_of(*train(fewer, template_of(), options), fewer))
    assert (found[:, missing] == 0).all()
    np.testing.assert_allclose(found.sum(axis=1), 1)


def test_nothing_to_learn_from(world):
    unlabelled = replace(world, labels=np.full_like(world.labels, UNLABELLED))
    with pytest.raises(CorpusError, match="no page is left"):
        train(unlabelled, template_of())
    long = replace(world, page_starts=np.array([0, len(world.labels)]))
    with pytest.raises(CorpusError, match=r"longer than crf\.max_blocks"):
        train(long, template_of(), OPTIONS.replace(max_blocks=1))


def test_edges_that_read_the_input_are_for_trees(world):
    reads = Template((Entry((("a", 0),)),), edges=(Entry((("b", 0),)),))
    with pytest.raises(TemplateError, match="only trees learn edges"):
        train(world, reads)
