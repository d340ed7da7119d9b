"""Splits by site: what a site is, and that no site stands on both sides."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rows import tables
from victor.corpus.pages import folds, site
from victor.errors import ConfigError

ROWS = tables(__file__)


@pytest.mark.parametrize(("url", "expected"), ROWS["site_of_a_url"])
def test_site_of_a_url(url, expected):
    assert site(url) == expected


site_lists = st.lists(st.sampled_from("abcdefgh"), min_size=6, max_size=60)


@settings(derandomize=True, deadline=None, max_examples=30)
@given(site_lists, st.integers(2, 4), st.integers(0, 3))
def test_no_site_is_in_two_folds(sites, k, seed):
    if len(set(sites)) < k:
        return
    fold = folds(sites, k, seed=seed)
    assert len(set(zip(sites, fold.tolist(), strict=True))) == len(set(sites))
    assert set(fold.tolist()) == set(range(k))
    # Dealt largest first, the folds differ by at most one largest site.
    sizes = np.bincount(fold, minlength=k)
    assert sizes.max() - sizes.min() <= max(Counter(sites).values())


def test_folds_are_balanced_by_pages():
    sites = ["big"] * 6 + [f"small{i}" for i in range(12)]
    assert np.bincount(folds(sites, 3)).tolist() == [6, 6, 6]


@pytest.mark.parametrize("k", [0, 1, 3])
def test_impossible_folds(k):
    with pytest.raises(ConfigError, match="2 sites"):
        folds(["a", "b", "b"], k)
