"""Compiled scores against the plain sum of weights."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from victor.errors import ModelError
from victor.model.linear import Emission, Weights
from victor.model.template import Entry, Template, entry_values, n_values

SIZES = {"a": 12, "b": 2, "c": 7, "d": 2, "e": 30, "f": 200, "g": 250, "h": 11}


def random_weights(template, sizes, seed=0):
    rng = np.random.default_rng(seed)
    return Weights(
        template=template,
        sizes=sizes,
        entries=tuple(
            rng.normal(size=(n_values(entry, template, sizes), 3)).astype(np.float32)
            for entry in template.entries
        ),
        bias=rng.normal(size=3).astype(np.float32),
    )


def plain_scores(weights, names, codes, page_starts):
    """Sum of the weights of all values of all entries, relative to the last label."""
    columns = {name: codes[:, place] for place, name in enumerate(names)}
    scores = np.tile(weights.bias.astype(float), (len(codes), 1))
    for entry, values in zip(weights.template.entries, weights.entries, strict=True):
        found = entry_values(
            entry, columns, page_starts, template=weights.template, sizes=weights.sizes
        )
        scores += values[found]
    return scores - scores[:, 2:]


def random_codes(seed, sizes, lengths):
    rng = np.random.default_rng(seed)
    starts = np.append(0, np.cumsum(lengths)).astype(np.int64)
    columns = [rng.integers(0, size, starts[-1]) for size in sizes.values()]
    return np.array(columns, dtype=np.uint8).T, starts


places = st.tuples(st.sampled_from(sorted(set(SIZES) - {"f", "g"})), st.integers(-3, 3))
entries = st.one_of(
    places.map(lambda place: (place,)),
    st.tuples(places, places).filter(lambda pair: pair[0] != pair[1]),
    st.tuples(st.integers(-3, 3), st.sampled_from([("a", "c"), ("b", "e"), ("c", "d", "b")])).map(
        lambda drawn: tuple((name, drawn[0]) for name in drawn[1])
    ),
)
templates = st.builds(
    lambda found, edge: Template(tuple(map(Entry, found)), edge),
    st.lists(entries, min_size=1, max_size=12, unique_by=frozenset),
    st.sampled_from(["one", "distance"]),
)


@given(templates, st.lists(st.integers(0, 9), min_size=1, max_size=6), st.integers(0, 9999))
def test_scores_are_sums_of_weights(template, lengths, seed):
    codes, starts = random_codes(seed, SIZES, lengths)
    weights = random_weights(template, SIZES, seed)
    scores = Emission.compile(weights, [*SIZES])(codes.T, starts)
    assert scores.shape == (len(codes), 3)
    np.testing.assert_allclose(scores, plain_scores(weights, [*SIZES], codes, starts), atol=1e-4)


def test_columns_are_found_by_name():
    template = Template((Entry((("a", 0),)), Entry((("c", 1),))))
    weights = random_weights(template, {"a": 12, "c": 7})
    codes, starts = random_codes(2, SIZES, [9])
    scores = Emission.compile(weights, [*SIZES])(codes.T, starts)
    np.testing.assert_allclose(scores, plain_scores(weights, [*SIZES], codes, starts), atol=1e-5)
    with pytest.raises(ModelError, match="no codes for columns c"):
        Emission.compile(weights, ["b", "a"])
