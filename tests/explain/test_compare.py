"""Differences between two systems, however each of them cuts the page."""

from itertools import pairwise
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rows import tables
from victor.explain.compare import compare

ROWS = tables(__file__)
LABELS = {"h": "header", "t": "text", "o": "other"}


class Block(NamedTuple):
    """What is compared of a block; its label has a probability of 0.8, the others of 0.1."""

    text: str
    label: str

    @property
    def marginals(self):
        return {name: 0.8 if name == self.label else 0.1 for name in LABELS.values()}


class Result(NamedTuple):
    blocks: tuple


def result(written):
    """``t: On bees | o: Home``: the labels and texts of blocks."""
    pairs = (block.split(": ") for block in written.split(" | "))
    return Result(tuple(Block(text, LABELS[letter]) for letter, text in pairs))


@pytest.mark.parametrize(("first", "second", "expected"), ROWS.values(), ids=ROWS)
def test_differences(first, second, expected):
    found = compare(result(first), result(second))
    assert [[d.text, *d.kind, [*d.first.blocks], [*d.second.blocks]] for d in found] == expected
    for side in (side for d in found for side in (d.first, d.second)):
        expected_probabilities = Block("", side.label).marginals
        assert side.probabilities == pytest.approx(expected_probabilities)


@st.composite
def cut_twice(draw):
    """The same words as blocks of two systems, which cut them anywhere."""
    words = draw(st.lists(st.sampled_from(["bees", "fly", "home"]), min_size=1, max_size=9))
    results = []
    for _ in range(2):
        cuts = [0, *sorted(draw(st.sets(st.integers(1, len(words))))), len(words)]
        texts = [" ".join(words[a:b]) for a, b in pairwise(cuts) if a < b]
        labels = st.lists(
            st.sampled_from([*LABELS.values()]), min_size=len(texts), max_size=len(texts)
        )
        results.append(Result(tuple(map(Block, texts, draw(labels)))))
    return results


@given(cut_twice())
def test_every_word_on_which_they_differ_is_in_one_difference(results):
    differences = compare(*results)
    assert all(d.first.label != d.second.label for d in differences)
    swapped = compare(*reversed(results))
    assert [d.kind[::-1] for d in swapped] == [d.kind for d in differences]
    by_word = [
        [block.label for block in each.blocks for _ in block.text.split()] for each in results
    ]
    differ = [pair for pair in zip(*by_word, strict=True) if pair[0] != pair[1]]
    assert [d.kind for d in differences for _ in d.text.split()] == differ
