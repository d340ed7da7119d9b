"""Discretizers at both sides of every boundary, and the codebook as a whole."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from victor.errors import ConfigError, FeatureError
from victor.model.discretize import (
    Categories,
    Codebook,
    Quantiles,
    Scale,
    from_config,
)

ROWS = yaml.safe_load(Path(__file__).with_name("rows.yaml").read_text("utf-8"))


@pytest.mark.parametrize(("config", "values", "codes"), ROWS["boundaries"])
def test_boundaries(config, values, codes):
    discretizer = from_config(config)
    got = discretizer(np.array(values))
    assert got.dtype == np.uint8
    assert got.tolist() == codes
    assert max(codes) < discretizer.size


@given(st.integers(1, 40), st.integers(0, 60), st.integers(1, 60), st.booleans())
def test_scale_is_exact_for_fractions(bins, count, total, single):
    """Shares are quotients of counts: rounding must not move one over a bin boundary."""
    share = Fraction(min(count, total), total)
    dtype = np.float32 if single else np.float64
    value = np.array([share.numerator], dtype=dtype) / np.array([share.denominator], dtype=dtype)
    expected = min(int(share * (bins + 1)), bins)
    assert Scale(bins)(value).tolist() == [expected]


values_to_fit = st.lists(st.floats(-1e6, 1e6, width=32), min_size=1, max_size=80)


@given(values_to_fit, st.integers(3, 20), st.randoms())
def test_quantiles_are_few_monotone_and_independent_of_order(values, bins, random):
    edges = Quantiles(bins).fit(values)
    shuffled = list(values)
    random.shuffle(shuffled)
    assert Quantiles(bins).fit(shuffled) == edges
    assert edges.size <= bins + 2
    codes = edges(np.sort(values))
    assert (np.diff(codes.astype(int)) >= 0).all()
    assert codes[0] == 0
    assert codes[-1] == edges.size - 1, "no bin above all training values"
    if len(set(values)) <= bins + 2:
        assert edges.size == len(set(values))


@pytest.mark.parametrize(("config", "message"), ROWS["no discretizers"])
def test_wrong_configurations_are_refused(config, message):
    with pytest.raises(ConfigError, match=message):
        from_config(config)


@pytest.fixture
def columns():
    rng = np.random.default_rng(0)
    return {
        "flag": rng.random(300) < 0.2,
        "count": rng.integers(0, 40, 300),
        "share": rng.random(300).astype(np.float32),
        "level": rng.integers(0, 7, 300),
        "unused": np.zeros(300),
    }


CONFIG = {
    "share": {"scale": 10},
    "level": {"category": 7},
    "count": {"quantiles": 5},
    "flag": "bool",
}


def test_codebook_equals_its_discretizers_column_by_column(columns):
    codebook = Codebook.fit(columns, CONFIG)
    codes = codebook.codes(columns)
    assert codebook.names == tuple(CONFIG)
    assert codes.shape == (300, 4)
    assert codes.dtype == np.uint8
    for place, (name, discretizer) in enumerate(codebook.discretizers.items()):
        assert codes[:, place].tolist() == discretizer(columns[name]).tolist()
        assert codebook.sizes[name] == discretizer.size


def test_codebook_names_the_wrong_column(columns):
    with pytest.raises(ConfigError, match="no feature gives a column cuont, did you mean count"):
        Codebook.fit(columns, {"cuont": "bool"})
    with pytest.raises(ConfigError, match="discretize: count: unknown discretizer"):
        Codebook.fit(columns, {"count": "boole"})
    codebook = Codebook.fit(columns, CONFIG)
    with pytest.raises(FeatureError, match="needs column flag"):
        codebook.codes({name: columns[name] for name in ("share", "level", "count")})


@pytest.mark.parametrize(("values", "bins", "edges"), ROWS["quantiles"])
def test_edges_of_quantiles(values, bins, edges):
    assert Quantiles(bins).fit(np.array(values, dtype=float)).edges == tuple(edges)


@pytest.mark.parametrize(("values", "size"), ROWS["categories"])
def test_categories_have_a_level_for_what_was_not_seen(values, size):
    assert Categories().fit(np.array(values, dtype=int)).size == size
