"""Decisions against the definition, brute force and themselves page by page."""

from dataclasses import dataclass
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from victor.base.labels import Label
from victor.errors import ConfigError
from victor.model.decide import Decision, decide

HEADER, TEXT, OTHER = Label.HEADER, Label.TEXT, Label.OTHER


@dataclass(frozen=True)
class Blocks:
    """What `decide` reads of blocks."""

    page_starts: np.ndarray
    words: np.ndarray

    def page(self, number):
        own = slice(*self.page_starts[number : number + 2])
        starts = np.array([0, own.stop - own.start])
        return own, Blocks(starts, self.words[own])


@st.composite
def batches(draw, most_blocks=7):
    """(marginals, blocks) of a few small pages, empty ones and ties among them."""
    sizes = draw(st.lists(st.integers(0, most_blocks), min_size=1, max_size=4))
    n = sum(sizes)
    ninths = st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(1, 9))
    counts = np.array(draw(st.lists(ninths, min_size=n, max_size=n)), dtype=float).reshape(n, 3)
    words = np.array(draw(st.lists(st.integers(0, 12), min_size=n, max_size=n)), dtype=np.int64)
    blocks = Blocks(np.cumsum([0, *sizes]), words)
    return counts / counts.sum(axis=1, keepdims=True), blocks


def expected_f(keep, words, kept):
    """The measure of ACCURACY: approximate expected F of the words of the kept blocks."""
    kept_words = words[kept].sum()
    if not kept_words:
        return 0.0
    return 2 * (keep * words)[kept].sum() / (kept_words + (keep * words).sum())


def kept_of(keep, starts, words):
    """(n,) bool; the blocks that are kept, given their probabilities, of any page some."""
    marginals = np.stack([np.zeros(len(keep)), keep, 1 - keep], axis=1)
    return decide(marginals, Blocks(starts, words), Decision("expected-f", no_content=1)) != OTHER


def label(rows, decision, words=None, **options):
    marginals = np.array(rows, dtype=float)
    words = np.ones(len(rows), dtype=np.int64) if words is None else np.array(words)
    blocks = Blocks(np.array([0, len(rows)]), words)
    return decide(marginals, blocks, decision, **options).tolist()


class TestThreshold:
    def test_content_wins_only_while_other_is_below_the_threshold(self):
        rows = [(0.5, 0.301, 0.199), (0.5, 0.3, 0.2), (0.1, 0.7, 0.2), (0.1, 0.8, 0.1)]
        assert label(rows, Decision(threshold=0.2)) == [HEADER, OTHER, OTHER, TEXT]

    def test_other_does_not_win_by_being_the_most_probable(self):
        assert label([(0.25, 0.3, 0.45)], Decision(threshold=0.5)) == [TEXT]

    def test_a_tie_of_header_and_text_is_text(self):
        assert label([(0.4, 0.4, 0.2)], Decision()) == [TEXT]

    @given(batches(), st.floats(0, 1), st.floats(0, 1))
    def test_a_higher_threshold_never_drops_a_block(self, batch, a, b):
        low, high = (decide(*batch, Decision(threshold=t)) for t in sorted((a, b)))
        assert (high[low != OTHER] == low[low != OTHER]).all()


class TestViterbi:
    def test_takes_the_labels_of_the_sequence(self):
        best = np.array([0, 2], dtype=np.int64)
        labels = label([(0, 0, 1)] * 2, Decision("viterbi"), viterbi_labels=best)
        assert labels == [HEADER, OTHER]

    def test_is_refused_where_there_is_no_sequence(self):
        with pytest.raises(ConfigError, match="choose threshold or expected-f"):
            label([(0, 0, 1)], Decision("viterbi"))


class TestExpectedF:
    @given(batches())
    def test_no_set_of_blocks_does_better(self, batch):
        marginals, blocks = batch
        starts, words = blocks.page_starts, blocks.words
        keep = marginals[:, :2].sum(axis=1)
        kept = kept_of(keep, starts, words)
        for a, b in pairwise(starts):
            best = max(
                expected_f(keep[a:b], words[a:b], np.array(chosen, dtype=bool))
                for chosen in product([False, True], repeat=b - a)
            )
            # Probabilities are summed in units of 2**-32.
            assert expected_f(keep[a:b], words[a:b], kept[a:b]) >= best - 1e-8

    def test_the_first_of_equals_when_nothing_is_probable(self):
        assert label([(0.0, 0.0, 1.0)] * 3, Decision("expected-f", no_content=1)) == [
            TEXT,
            OTHER,
            OTHER,
        ]

    def test_a_page_without_words_keeps_what_is_more_probable_than_not(self):
        rows = [(0.0, 0.5, 0.5), (0.0, 0.51, 0.49), (0.3, 0.25, 0.45)]
        labels = label(rows, Decision("expected-f", no_content=1), words=[0, 0, 0])
        assert labels == [OTHER, TEXT, HEADER]

    def test_a_block_without_words_follows_the_last_block_kept(self):
        rows = [(0, 0.9, 0.1), (0, 0.8, 0.2), (0, 0.79, 0.21), (0, 0.01, 0.99)]
        labels = label(rows, Decision("expected-f", no_content=1), words=[50, 20, 0, 50])
        assert labels == [TEXT, TEXT, OTHER, OTHER]
        labels = label(rows, Decision("expected-f", no_content=1), words=[50, 0, 20, 50])
        assert labels == [TEXT, TEXT, TEXT, OTHER]
        rows[2] = rows[1]
        labels = label(rows, Decision("expected-f", no_content=1), words=[50, 20, 0, 50])
        assert labels == [TEXT, TEXT, TEXT, OTHER]


class TestWithoutHead:
    """Pages that give nothing by their marginals alone."""

    decision = Decision("expected-f")

    def test_both_sides_of_25_words(self):
        rows = [(0.0, 0.25, 0.75)]
        assert label(rows, self.decision, words=[99]) == [OTHER]
        assert label(rows, self.decision, words=[100]) == [TEXT]

    def test_one_probable_block_is_enough(self):
        assert label([(0.0, 0.2999, 0.7001)], self.decision) == [OTHER]
        assert label([(0.1, 0.2001, 0.6999)], self.decision) == [TEXT]

    @given(batches())
    def test_a_page_is_decided_as_ever_or_gives_nothing(self, batch):
        marginals, blocks = batch
        usual = decide(*batch, self.decision.replace(no_content=1))
        is_empty = [
            (blocks.words[own] @ (1 - marginals[own, OTHER])) < 25 - 1e-9
            and (marginals[own, OTHER][blocks.words[own] > 0] > 0.7 + 1e-9).all()
            for own in (blocks.page(page)[0] for page in range(len(blocks.page_starts) - 1))
        ]
        expected = np.where(np.repeat(is_empty, np.diff(blocks.page_starts)), OTHER, usual)
        assert decide(*batch, self.decision).tolist() == expected.tolist()


def test_the_head_decides_where_there_is_one():
    decision = Decision("expected-f", no_content=0.4)
    rows = [(0.0, 0.9, 0.1)] * 10
    for p_no_content, found in ((0.41, OTHER), (0.4, TEXT)):
        assert label(rows, decision, p_no_content=np.array([p_no_content])) == [found] * 10
    unlikely = [(0.0, 0.1, 0.9)]
    assert label(unlikely, decision, p_no_content=np.array([0.1])) == [TEXT]
    assert label(unlikely, decision, p_no_content=np.array([np.nan])) == [OTHER]


@pytest.mark.parametrize(("words", "found"), [(34, OTHER), (35, TEXT)])
def test_the_head_is_not_asked_where_many_words_are_expected(words, found):
    rows, decision = [[0.0, 0.8, 0.2]] * 10, Decision("expected-f")
    labels = label(rows, decision, [words, *[10] * 9], p_no_content=np.array([1.0]))
    assert labels == [found] * 10


@pytest.mark.parametrize(
    ("rows", "words", "found"),
    [
        ([(0.0, 0.21, 0.79)] * 9, [3] * 9, TEXT),
        ([(0.0, 0.2, 0.8)] * 9, [3] * 9, OTHER),
        ([(0.0, 0.21, 0.79)] * 10, [3] * 10, OTHER),
        ([(0.0, 0.21, 0.79)] * 10, [3] * 9 + [0], TEXT),
    ],
)
def test_the_head_does_not_empty_a_snippet_with_a_block_that_may_be_text(rows, words, found):
    labels = label(rows, Decision("expected-f"), words, p_no_content=np.array([1.0]))
    assert labels[0] == found


@pytest.mark.parametrize(
    ("n", "p_other", "found"), [(9, 0.79, TEXT), (9, 0.8, OTHER), (10, 0.79, OTHER)]
)
def test_a_snippet_loses_only_what_is_surely_other(n, p_other, found):
    rows = [(0.0, 1.0, 0.0)] * (n - 1) + [(0.0, 1 - p_other, p_other)]
    labels = label(rows, Decision("expected-f"), [10] * n, p_no_content=np.array([0.0]))
    assert labels == [TEXT] * (n - 1) + [found]


@pytest.mark.parametrize("temperature", [0.5, 0.8, 1.25, 3.0])
def test_a_temperature_divides_the_log_odds(temperature):
    rng = np.random.default_rng(8)
    starts = np.arange(0, 601, 6)
    other = rng.random(600)
    marginals = np.stack([np.zeros(600), 1 - other, other], axis=1)
    words = rng.integers(1, 30, 600)
    keep = (1 - other) ** (1 / temperature)
    softened = keep / (keep + other ** (1 / temperature))
    decision = Decision("expected-f", no_content=1, temperature=temperature)
    labels = decide(marginals, Blocks(starts, words), decision)
    assert ((labels != OTHER) == kept_of(softened, starts, words)).all()
