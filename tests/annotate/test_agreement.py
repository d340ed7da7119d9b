"""Cohen's kappa against scikit-learn, over exports of two annotators, and the command."""

import warnings
from itertools import chain

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from victor.annotate.agreement import agreement, kappa
from victor.cli.program import group
from victor.corpus.pages import LETTERS, annotate, from_letters, write_corpus
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


def reference(a, b, words=None):
    """None where scikit-learn has nothing to divide by."""
    if not a:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        value = cohen_kappa_score(a, b, sample_weight=words)
    return None if np.isnan(value) else pytest.approx(value, abs=1e-12)


@settings(derandomize=True, max_examples=40, deadline=None)
@given(PAIRS.filter(len))
def test_kappa_is_that_of_scikit_learn_over_all_that_both_decided(pairs):
    together, pages = agreement(*corpora(pairs))
    decided = [
        [(one, other, number + 1) for number, (one, other) in enumerate(zip(a, b, strict=True))
         if "?" not in (one, other)]
        for a, b in pairs
    ]  # fmt: skip
    everything = [list(part) for part in zip(*chain(*decided), strict=True)] or [[], [], []]
    assert together.blocks == len(everything[0])
    assert together.kappa == reference(*everything[:2])
    assert together.by_words == reference(*everything)
    for found in pages:
        blocks = decided[int(found.id.partition("-")[2])]
        assert found.kappa == reference(*[[block[n] for block in blocks] for n in (0, 1)])
        assert found.different == sum(one != other for one, other, _ in blocks)


def test_a_known_value():
    # 20 yes/yes, 5 yes/no, 10 no/yes, 15 no/no: observed 0.7, expected 0.5.
    assert kappa(np.array([[20.0, 5.0], [10.0, 15.0]])) == pytest.approx(0.4)


def test_the_page_with_most_words_in_dispute_is_first():
    _, pages = agreement(*corpora([("otto", "otto"), ("otto", "ttto"), ("otto", "otth")]))
    assert [(found.id, found.words) for found in pages] == [
        ("page-2", 0.4), ("page-1", 0.1), ("page-0", 0.0)
    ]  # fmt: skip


def test_pages_that_are_no_pair():
    ours, theirs = page("a", "tt"), page("a", "ttt")
    with pytest.raises(CorpusError, match="other bytes"):
        agreement([ours], [theirs])
    with pytest.raises(CorpusError, match="no page in common"):
        agreement([ours], [page("b", "tt")])
    assert len(agreement([ours, page("b", "t")], [ours])[1]) == 1


def test_the_command_prints_kappa_and_the_worst_pages(tmp_path):
    for name, side in zip("ab", corpora([("otto", "otto"), ("otto", "ttto")]), strict=True):
        write_corpus(tmp_path / name, side)
    result = CliRunner().invoke(group, ["annotate", "agree", f"{tmp_path}/a", f"{tmp_path}/b"])
    assert result.exit_code == 0, result.output
    lines = [line.split() for line in result.stdout.splitlines()]
    assert ["2", "pages"] in lines
    assert ["same", "label", "0.8750"] in lines
    assert lines[-1] == ["page-1", "0.5000", "1", "of", "4", "10.0%"]
