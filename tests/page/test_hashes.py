"""Hashes of spans of text, and equal hashes put together."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from victor.page.table.hashes import Known, equal_groups, mixed, span_hashes

WILD = st.text(
    st.one_of(
        st.sampled_from("aZé1٣_.,!-東カ \n\u00ad\u200d\u0301😀"),
        st.characters(exclude_categories=("Cs",)),
    ),
    max_size=20,
)

ALIKE = st.sampled_from("A a ab ba É é İ i ß ss ſ Ω ω \u2126".split())


@given(st.lists(st.integers(0, 5)))
def test_groups_are_those_of_equal_numbers_each_in_its_own_order(numbers):
    groups = equal_groups(np.array(numbers, dtype=np.uint64))
    members = [group.tolist() for group in np.split(groups.order, groups.starts)[1:]]
    wanted = [[at for at, n in enumerate(numbers) if n == number] for number in set(numbers)]
    assert sorted(members) == sorted(wanted)
    assert groups.sizes.tolist() == [len(group) for group in members]


def hashes(texts):
    ends = np.cumsum([len(text) for text in texts], dtype=np.int64)
    starts = ends - np.array([len(text) for text in texts], dtype=np.int64)
    chars = "".join(texts).encode("utf-32-le", "surrogatepass")
    return span_hashes(np.frombuffer(chars, dtype=np.uint32), starts, ends).tolist()


def lowered(text):
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


@given(st.lists(st.one_of(ALIKE, WILD), max_size=12))
def test_hashes_of_any_texts(texts):
    pairs = sorted(zip(map(lowered, texts), hashes(texts), strict=True))
    for (a, x), (b, y) in pairwise(pairs):
        assert (a == b) == (x == y)


def test_far_down_a_long_text():
    codes = hashes(["word", "x" * 300_000, "WORD", "y" * 300_000, "word", "wort"])
    assert codes[0] == codes[2] == codes[4] != codes[5]


@pytest.mark.parametrize("known", [[], [3], [0, 2**64 - 1, 7], range(0, 2000, 3)])
def test_known_hashes_are_found_with_their_numbers(known):
    hashes = mixed(np.array([*known], dtype=np.uint64))
    asked = np.array([5, 3, 2**64 - 1, 0, 3, 9], dtype=np.uint64)
    at, number = Known.of(hashes).find(mixed(asked))
    assert at.tolist() == [i for i, n in enumerate(asked.tolist()) if n in known]
    assert [[*known][n] for n in number.tolist()] == asked[at].tolist()
