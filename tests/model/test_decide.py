"""Decisions against the definition, brute force and themselves page by page."""

from dataclasses import dataclass
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rows import tables
from victor.base.labels import Label
from victor.corpus.pages import to_letters
from victor.errors import ConfigError
from victor.model.decide import Decision, decide

OTHER = Label.OTHER
ROWS = tables(__file__)


@dataclass(frozen=True)
class Blocks:
    """What `decide` reads of blocks."""

    page_starts: np.ndarray
    words: np.ndarray


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


@pytest.mark.parametrize(("options", "rows"), ROWS.values(), ids=ROWS)
def test_what_becomes_of_blocks(options, rows):
    expanded = [row[:5] for row in rows for _ in range(row[5] if row[5:] else 1)]
    *marginals, words, expected = zip(*expanded, strict=True)
    options = dict(options)
    head, error = (options.pop(name, None) for name in ("p_no_content", "p_error"))
    labels = decide(
        np.array(marginals, dtype=float).T,
        Blocks(np.array([0, len(words)]), np.array(words)),
        Decision(**options),
        p_no_content=None if head is None else np.array([head]),
        p_error=None if error is None else np.array([error]),
    )
    assert to_letters(labels) == "".join(expected)


@given(batches(), st.floats(0, 1), st.floats(0, 1))
def test_a_higher_threshold_never_drops_a_block(batch, a, b):
    low, high = (decide(*batch, Decision(threshold=t)) for t in sorted((a, b)))
    assert (high[low != OTHER] == low[low != OTHER]).all()


def test_viterbi_takes_the_labels_of_the_sequence_and_wants_one():
    marginals, blocks = np.eye(3)[[2, 2]], Blocks(np.array([0, 2]), np.ones(2, dtype=np.int64))
    best = np.array([0, 2], dtype=np.int64)
    labels = decide(marginals, blocks, Decision("viterbi"), viterbi_labels=best)
    assert to_letters(labels) == "ho"
    with pytest.raises(ConfigError, match="choose threshold or expected-f"):
        decide(marginals, blocks, Decision("viterbi"))


@given(batches())
def test_no_set_of_blocks_has_a_higher_expected_f(batch):
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


@given(batches())
def test_without_a_head_a_page_is_decided_as_ever_or_gives_nothing(batch):
    (marginals, blocks), decision = batch, Decision("expected-f")
    usual = decide(*batch, decision.replace(no_content=1))
    is_empty = [
        (blocks.words[own] @ (1 - marginals[own, OTHER])) < 25 - 1e-9
        and (marginals[own, OTHER][blocks.words[own] > 0] > 0.7 + 1e-9).all()
        for own in (slice(a, b) for a, b in pairwise(blocks.page_starts))
    ]
    expected = np.where(np.repeat(is_empty, np.diff(blocks.page_starts)), OTHER, usual)
    assert decide(*batch, decision).tolist() == expected.tolist()


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
