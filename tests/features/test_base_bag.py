"""Bags of tokens against plain lists of words."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.features.base import Bag

WORDS = ("nav", "post", "body", "side", "ad")


def offsets(lists):
    return np.cumsum([0, *map(len, lists)]).astype(np.int64)


def flattened(lists):
    return np.array([item for one in lists for item in one], dtype=np.int64)


def bag(groups, blocks, vocabulary=WORDS):
    """A bag from the token ids of every group and the groups of every block."""
    return Bag(offsets(blocks), flattened(blocks), offsets(groups), flattened(groups), vocabulary)


def bags(max_blocks=5):
    """Drawn bags, each with its blocks as lists of words."""

    def of_groups(groups):
        most = 4 if groups else 0
        numbers = st.integers(0, max(len(groups) - 1, 0))
        blocks = st.lists(st.lists(numbers, max_size=most), max_size=max_blocks)
        return st.tuples(st.just(groups), blocks, st.permutations(WORDS))

    def built(parts):
        groups, blocks, vocabulary = parts
        words = [[vocabulary[i] for group in block for i in groups[group]] for block in blocks]
        return bag(groups, blocks, vocabulary), words

    groups = st.lists(st.lists(st.integers(0, len(WORDS) - 1), max_size=3), max_size=4)
    return groups.flatmap(of_groups).map(built)


def test_tokens_by_way_of_groups():
    found = bag([[0, 1], [], [2]], [[0, 2], [], [1], [2, 2]])
    assert found.tokens() == [["nav", "post", "body"], [], [], ["body", "body"]]
    assert len(found) == 4


@settings(deadline=None, derandomize=True)
@given(bags())
def test_flat(drawn):
    found, words = drawn
    assert len(found) == len(words)
    assert found.tokens() == words
    indptr, ids = found.flat()
    assert indptr.tolist() == offsets(words).tolist()
    assert [found.vocabulary[i] for i in ids] == [word for block in words for word in block]


@settings(deadline=None, derandomize=True)
@given(bags(), st.integers(0, 3))
def test_sums(drawn, width):
    found, words = drawn
    values = np.random.default_rng(width).normal(size=(len(WORDS), width))
    number = {word: row for row, word in enumerate(found.vocabulary)}
    expected = np.zeros((len(words), width))
    for row, block in enumerate(words):
        for word in block:
            expected[row] += values[number[word]]
    np.testing.assert_allclose(found.sums(values), expected, atol=1e-12)


@settings(deadline=None, derandomize=True)
@given(bags(), st.data())
def test_take(drawn, data):
    found, words = drawn
    rows = data.draw(st.lists(st.integers(0, len(words) - 1))) if words else []
    taken = found.take(np.array(rows, dtype=np.int64))
    assert taken.tokens() == [words[row] for row in rows]


@settings(deadline=None, derandomize=True)
@given(st.lists(bags(), min_size=1, max_size=4))
def test_concatenate(drawn):
    joined = Bag.concatenate([one for one, _ in drawn])
    assert joined.tokens() == [block for _, words in drawn for block in words]
    assert len(set(joined.vocabulary)) == len(joined.vocabulary)
    assert joined.indptr.dtype == joined.groups.dtype == joined.ids.dtype == np.int64


@settings(deadline=None, derandomize=True)
@given(st.lists(bags(), min_size=1, max_size=3), st.data())
def test_what_is_taken_from_the_whole(drawn, data):
    joined = Bag.concatenate([one for one, _ in drawn])
    words = [block for _, blocks in drawn for block in blocks]
    rows = data.draw(st.permutations(range(len(words))))
    taken = joined.take(np.array(rows, dtype=np.int64))
    assert taken.tokens() == [words[row] for row in rows]
    weights = np.arange(1.0, len(joined.vocabulary) + 1)[:, None]
    number = {word: row + 1 for row, word in enumerate(joined.vocabulary)}
    sums = [sum(number[word] for word in words[row]) for row in rows]
    assert taken.sums(weights)[:, 0].tolist() == pytest.approx(sums)


def test_without_blocks_or_tokens():
    assert bag([], []).tokens() == []
    assert bag([[], []], [[0], [1, 0]]).tokens() == [[], []]
    assert bag([[]], [[0]]).sums(np.ones((5, 2))).tolist() == [[0, 0]]
    assert bag([], [], ()).sums(np.ones((0, 2))).shape == (0, 2)
