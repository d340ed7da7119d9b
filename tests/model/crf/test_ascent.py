"""Training by our own gradient: slopes, what CRFsuite finds where it can, edges that read."""

from dataclasses import replace

import numpy as np
import pytest

from victor.base.labels import UNLABELLED
from victor.config import Crf
from victor.errors import ConfigError
from victor.model.crf.ascent import _Hill, ascend
from victor.model.crf.edges import Edges
from victor.model.crf.emission import Emission
from victor.model.crf.marginals import marginals
from victor.model.crf.sequences import Pages
from victor.model.crf.train import collect, estimate, prepare
from victor.model.discretize import Category, Codebook
from victor.model.template import Entry, Template

EDGES = Edges.untrained(
    (Entry((("a", 0),)), Entry((("b", -1), ("b", 0)))),
    Codebook({"a": Category(3), "b": Category(2)}),
)


def sequences_of(world, template, options, edges=EDGES):
    wild = np.random.default_rng(5)
    columns = {
        name: wild.integers(0, size, len(world.labels)) for name, size in edges.sizes.items()
    }
    pages = Pages(
        world.codes, tuple(world.sizes), world.page_starts, world.labels,
        np.arange(len(world.sites)), edges.kinds(columns, world.page_starts),
        np.random.default_rng(7).random(len(world.labels)),
    )  # fmt: skip
    return prepare(pages, template, sizes=world.sizes, options=options)


@pytest.mark.parametrize("drop_reference", [True, False])
def test_the_slope_is_what_small_steps_find(world, make, drop_reference):
    options = Crf(c2=0.3, drop_reference=drop_reference, scale={"a": 0.5})
    sequences = sequences_of(world, make["template"](), options)
    hill = _Hill.of(sequences.pages, sequences.attributes, EDGES, options.c2)
    at = np.random.default_rng(0).normal(size=hill.n_weights)
    slope = hill.depth(at)[1]
    for number in np.random.default_rng(1).choice(hill.n_weights, 12, replace=False):
        step = np.zeros(hill.n_weights)
        step[number] = 1e-2
        rise = (hill.depth(at + step)[0] - hill.depth(at - step)[0]) / 2e-2
        assert slope[number] == pytest.approx(rise, rel=0.02, abs=0.02)


@pytest.mark.parametrize("c1", [0.0, 0.4])
def test_on_pages_of_one_block_it_finds_what_crfsuite_finds(c1):
    """There the likelihood of a block is that of its page, and no edge has a say.

    Every code goes with every label: CRFsuite has no weight for a pair that it never saw.
    """
    wild = np.random.default_rng(3)
    codes = wild.integers(0, 3, (400, 2)).astype(np.uint8)
    labels = ((codes[:, 0] + (wild.random(400) < 0.5) * wild.integers(0, 3, 400)) % 3).astype("u1")
    starts, kinds = np.arange(401), np.zeros(400, dtype=np.int64)
    pages = Pages(codes, ("a", "b"), starts, labels, np.arange(400), kinds, np.ones(400))
    template = Template((Entry((("a", 0),)), Entry((("b", 0),))))
    options = Crf(c1=c1, c2=0.2, max_iterations=300)
    sequences = prepare(pages, template, sizes={"a": 3, "b": 3}, options=options)
    of_crfsuite, _ = collect(sequences.attributes, estimate(sequences, options))
    learnt, edges = ascend(sequences, EDGES, options)
    for found, expected in zip(
        (*learnt.entries, learnt.bias), (*of_crfsuite.entries, of_crfsuite.bias), strict=True
    ):
        np.testing.assert_allclose(found - found[..., 2:], expected - expected[..., 2:], atol=0.03)
    assert not edges.tables.any()


def test_an_edge_that_reads_the_input_tells_where_labels_change():
    """Blocks look alike; a label differs from the one before just where the edge says so."""
    wild = np.random.default_rng(2)
    n, length = 1200, 30
    changes = wild.integers(0, 2, n)
    labels = (1 + np.cumsum(changes) % 2).astype(np.uint8)
    hints = np.where(wild.random(n) < 0.15, labels, 0).astype(np.uint8)[:, None]
    starts = np.arange(0, n + 1, length)
    options = Crf(c2=0.01, max_iterations=100)
    template = Template((Entry((("hint", 0),)),))
    found = {}
    for name, edge_column in (("alike", np.zeros(n)), ("read", changes)):
        edges = Edges.untrained((Entry((("change", 0),)),), Codebook({"change": Category(2)}))
        kinds = edges.kinds({"change": edge_column}, starts)
        sites = np.arange(len(starts) - 1)
        pages = Pages(hints, ("hint",), starts, labels, sites, kinds, np.ones(n))
        sequences = prepare(pages, template, sizes={"hint": 3}, options=options)
        weights, learnt = ascend(sequences, edges, options)
        scores = Emission.compile(weights, ["hint"])(hints, starts)
        probabilities = marginals(scores, learnt.values, kinds, starts)
        found[name] = (probabilities.argmax(axis=1) == labels).mean()
    assert found["alike"] < 0.75
    assert found["read"] > 0.95


@pytest.mark.parametrize("missing", [0, 2])
def test_a_label_without_examples_has_no_probability(world, make, missing):
    options = Crf()
    labels = np.where(world.labels == missing, np.uint8(UNLABELLED), world.labels)
    fewer = replace(world, labels=labels)
    sequences = sequences_of(fewer, make["template"](), options)
    weights, edges = ascend(sequences, EDGES, options)
    scores = Emission.compile(weights, [*world.sizes])(world.codes, world.page_starts)
    kinds = np.zeros(len(labels), dtype=np.int64)
    found = marginals(scores, edges.values, kinds, world.page_starts)
    assert (found[:, missing] == 0).all()


def test_every_iteration_is_told_and_the_same_weights_come_out(world, make):
    options = Crf(max_iterations=7)
    sequences = sequences_of(world, make["template"](), options)
    told = []
    learnt = [ascend(sequences, EDGES, options, lambda *news: told.append(news)) for _ in range(2)]
    assert [iteration for iteration, _ in told] == [*range(1, 8)] * 2
    losses = [loss for _, loss in told[:7]]
    assert losses == sorted(losses, reverse=True)
    np.testing.assert_array_equal(learnt[0][1].tables, learnt[1][1].tables)


def test_another_optimiser_is_refused(world, make):
    options = Crf(algorithm="l2sgd")
    with pytest.raises(ConfigError, match="set lbfgs"):
        ascend(sequences_of(world, make["template"](), options), EDGES, options)
