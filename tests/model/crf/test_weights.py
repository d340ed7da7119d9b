"""Weights survive storage, and damage is noticed."""

import json

import numpy as np
import pytest

from victor.errors import ModelError
from victor.model.crf.attributes import n_values
from victor.model.crf.weights import Weights


@pytest.fixture
def weights(world, make):
    return random_weights(make["template"](), world.sizes)


def random_weights(template, sizes):
    rng = np.random.default_rng(0)
    return Weights(
        template,
        sizes,
        tuple(
            rng.normal(size=(n_values(e, template, sizes), 3)).astype(np.float32)
            for e in template.entries
        ),
        rng.normal(size=3).astype(np.float32),
    )


def test_round_trip(weights):
    document, arrays = weights.to_arrays()
    again = Weights.from_arrays(json.loads(json.dumps(document)), arrays)
    assert again.template == weights.template
    assert again.sizes == weights.sizes
    for mine, theirs in zip(again.entries, weights.entries, strict=True):
        assert (mine == theirs).all()
    assert (again.bias == weights.bias).all()


@pytest.mark.parametrize("missing", ["entries", "bias"])
def test_missing_array_is_damage(weights, missing):
    document, arrays = weights.to_arrays()
    del arrays[missing]
    with pytest.raises(ModelError, match="damaged"):
        Weights.from_arrays(document, arrays)


@pytest.mark.parametrize("missing", ["labels", "template", "sizes"])
def test_missing_description_is_damage(weights, missing):
    document, arrays = weights.to_arrays()
    del document[missing]
    with pytest.raises(ModelError, match="damaged"):
        Weights.from_arrays(document, arrays)


@pytest.mark.parametrize("name", ["entries", "bias"])
@pytest.mark.parametrize("change", [lambda a: a[:-1], lambda a: np.concatenate([a, a[:1]])])
def test_arrays_of_another_size_are_refused(weights, name, change):
    document, arrays = weights.to_arrays()
    arrays[name] = change(arrays[name])
    with pytest.raises(ModelError, match="train"):
        Weights.from_arrays(document, arrays)


def test_other_labels_are_refused(weights):
    document, arrays = weights.to_arrays()
    document["labels"] = ["content", "other"]
    with pytest.raises(ModelError, match="other labels"):
        Weights.from_arrays(document, arrays)
