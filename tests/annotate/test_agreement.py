"""Cohen's kappa against scikit-learn, and the ranges where annotators differ."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from victor.annotate.agreement import Difference, agreement, common_labels, differences, kappa
from victor.corpus.label_letters import LETTERS
from victor.errors import CorpusError

PAIRS = st.integers(0, 40).flatmap(
    lambda n: st.tuples(*[st.text(LETTERS, min_size=n, max_size=n)] * 2)
)


def reference(a, b, weights=None):
    """None where scikit-learn has nothing to divide by."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        kappa_of_sklearn = (
            cohen_kappa_score(list(a), list(b), sample_weight=weights) if a else np.nan
        )
    return None if np.isnan(kappa_of_sklearn) else kappa_of_sklearn


def decided(a, b, *more):
    """Both annotations without the blocks that one of them leaves open, and more with them."""
    kept = [n for n in range(len(a)) if "?" not in (a[n], b[n])]
    return ["".join(a[n] for n in kept), "".join(b[n] for n in kept), *(m[kept] for m in more)]


def close(value, expected):
    return value is expected is None or value == pytest.approx(expected, abs=1e-12)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(PAIRS, st.integers(0, 99))
def test_kappa_is_that_of_scikit_learn(pair, seed):
    a, b = pair
    words = np.random.default_rng(seed).integers(1, 50, len(a)).astype(float)
    *both, weights = decided(a, b, words)
    assert close(kappa(a, b), reference(*both))
    assert close(kappa(a, b, words), reference(*both, weights))
    measures = agreement([(a, b, words)])
    assert measures.blocks == len(both[0])
    assert close(measures.kappa, reference(*both))
    assert close(measures.weighted, reference(*both, weights))
    for name, letter in (("header", "h"), ("text", "t"), ("other", "o")):
        binary = [[label == letter for label in labels] for labels in both]
        assert close(measures.per_label[name], reference(*binary))


def test_pages_are_pooled():
    measures = agreement([("htt", "hto", None), ("oo", "to", None)])
    assert measures.blocks == 5
    assert measures.observed == pytest.approx(3 / 5)
    assert close(measures.kappa, reference("httoo", "htoto"))
    assert measures.weighted is None


def test_a_known_value():
    # 20 yes/yes, 5 yes/no, 10 no/yes, 15 no/no: observed 0.7, expected 0.5.
    assert kappa("t" * 25 + "o" * 25, "t" * 20 + "o" * 5 + "t" * 10 + "o" * 15) == pytest.approx(
        0.4
    )


def test_one_label_only_is_not_defined():
    assert kappa("ooo", "ooo") is None
    assert kappa("ooo", "ott") == pytest.approx(0.0)
    measures = agreement([])
    assert (measures.blocks, measures.observed, measures.kappa) == (0, None, None)


def test_differences_are_ranges():
    assert differences("ottth", "ohhoh") == [Difference(1, 2, "t", "h"), Difference(3, 3, "t", "o")]
    assert differences("", "") == differences("hto", "hto") == []


def test_unlabelled_blocks_are_no_differences_and_part_others():
    assert differences("t?t?", "oooo") == [Difference(0, 0, "t", "o"), Difference(2, 2, "t", "o")]
    assert differences("???", "hto") == differences("hto", "???") == []


def test_what_one_leaves_open_stays_open_for_both():
    assert common_labels("ht?oo", "h?tot") == "h??oo"


@settings(derandomize=True, max_examples=100)
@given(PAIRS)
def test_differences_are_all_and_only_those(pair):
    a, b = pair
    blocks = [n for first, last, *_ in differences(a, b) for n in range(first, last + 1)]
    assert blocks == [n for n in range(len(a)) if a[n] != b[n] and "?" not in (a[n], b[n])]
    for first, last, one, other in differences(a, b):
        assert set(a[first : last + 1]) == {one}
        assert set(b[first : last + 1]) == {other}


@pytest.mark.parametrize("compare", [kappa, differences, common_labels])
def test_annotations_of_different_lengths(compare):
    with pytest.raises(CorpusError, match="the annotations have 1 and 2 blocks"):
        compare("o", "oo")
