"""Cohen's kappa against scikit-learn, over exports of two annotators, and the command."""

import warnings
from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from victor.annotate.agreement import agreement
from victor.corpus.pages import LETTERS, annotate, from_letters
from victor.errors import CorpusError

PAIRS = st.lists(
    st.integers(0, 12).flatmap(lambda n: st.tuples(*[st.text(LETTERS, min_size=n, max_size=n)] * 2))
)


def page(page_id, letters):
    """A page of as many blocks, the first of one word, the second of two, and so on."""
    html = "".join(f"<p>{'word ' * (number + 1)}" for number in range(len(letters)))
    return annotate(page_id, html.encode(), from_letters(letters))


def corpora(pairs):
    names = [f"page-{number}" for number in range(len(pairs))]
    return [list(map(page, names, side)) for side in zip(*pairs, strict=True)]


def reference(blocks):
    """Kappa of (label, label) pairs; None where scikit-learn has nothing to divide by."""
    if not blocks:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        value = cohen_kappa_score(*zip(*blocks, strict=True))
    return None if np.isnan(value) else pytest.approx(value, abs=1e-12)


@settings(max_examples=40)
@given(PAIRS.filter(len))
def test_kappa_is_that_of_scikit_learn_over_all_that_both_decided(pairs):
    every, *pages = agreement(*corpora(pairs))
    decided = [[both for both in zip(*pair, strict=True) if "?" not in both] for pair in pairs]
    expected = [[*chain(*decided)], *(decided[int(found.id.partition("-")[2])] for found in pages)]
    for found, blocks in zip((every, *pages), expected, strict=True):
        assert (found.blocks, found.kappa) == (len(blocks), reference(blocks))
        assert found.different == sum(one != other for one, other in blocks)


def test_pages_that_are_no_pair():
    ours, theirs = page("a", "tt"), page("a", "ttt")
    with pytest.raises(CorpusError, match="other bytes"):
        agreement([ours], [theirs])
    with pytest.raises(CorpusError, match="no page in common"):
        agreement([ours], [page("b", "tt")])
    assert len(agreement([ours, page("b", "t")], [ours])) == 2
