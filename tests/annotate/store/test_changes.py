"""Changes of labels against a plain list of letters."""

import json
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.annotate.store.changes import (
    Change,
    changes_between,
    check_ranges,
    checked_labels,
    decided_other,
    parsed_changes,
    replay,
)
from victor.corpus.pages import LETTERS
from victor.errors import CorpusError

N = 12
letters = st.sampled_from(LETTERS)
labels = st.text(letters, min_size=N, max_size=N)
change = st.tuples(st.integers(0, N - 1), st.integers(0, N - 1), letters).map(
    lambda c: Change(min(c[:2]), max(c[:2]), c[2])
)
changes = st.lists(change, max_size=8)


@settings(derandomize=True)
@given(labels, changes)
def test_replay_is_what_a_list_does(before, made):
    model = list(before)
    for first, last, label in made:
        for block in range(first, last + 1):
            model[block] = label
    assert replay(before, made) == "".join(model)


@settings(derandomize=True)
@given(labels, changes)
def test_an_undo_is_a_change(before, made):
    after = replay(before, made)
    assert replay(after, changes_between(after, before)) == before


@settings(derandomize=True)
@given(labels, labels)
def test_changes_between_are_in_order_and_needed(before, after):
    changes = changes_between(before, after)
    assert replay(before, changes) == after
    assert all(one.last < other.first for one, other in pairwise(changes))
    assert all(
        replay(before, changes[:at] + changes[at + 1 :]) != after for at in range(len(changes))
    )


def test_a_passage_that_had_some_of_the_label_is_one_change():
    assert changes_between("ototo", "ottto") == (Change(1, 3, "t"),)


@pytest.mark.parametrize("wrong", [(-1, 1, "t"), (2, 1, "t"), (0, 3, "t"), (9, 9, "t")])
def test_what_is_no_range_of_the_page_is_refused(wrong):
    check_ranges([(0, 2, "h")], 3)
    with pytest.raises(CorpusError, match="not a range of the 3 blocks"):
        check_ranges([(0, 2, "h"), wrong], 3)


@given(st.lists(change, max_size=8))
def test_changes_are_read_from_json(made):
    assert parsed_changes(json.dumps(made)) == made


@pytest.mark.parametrize(
    "text", ["", "[", "]", "[]]", "[[]]", "[[0,0]]", "[[0,0,'t']]", '[[0,0,"t"],,]',
             '[[0,0,"t"][0,0,"t"]]', '[[0,0,"z"]]', "{}", "null", '["x"]', '[[0,0,"t"]] x'],
)  # fmt: skip
def test_what_is_no_list_of_changes_is_not_parsed(text):
    with pytest.raises(msgspec.MsgspecError):
        parsed_changes(text)


@pytest.mark.parametrize("wrong", [None, 3, "tt", "tttt", "ttx", ["t", "t", "t"]])
def test_labels_that_do_not_fit_are_refused(wrong):
    with pytest.raises(CorpusError):
        checked_labels(wrong, 3)


def test_blocks_left_other_on_purpose_are_told_from_those_that_nobody_touched():
    changes = [(0, 2, "t"), (1, 1, "o"), (6, 7, "o"), (4, 4, "?")]
    assert decided_other("tot" + "o?ooo", changes) == [(1, 1), (6, 7)]


def test_a_page_that_was_cleared_is_other_on_purpose():
    assert decided_other("oooo", [(0, 3, "t"), (0, 3, "o")]) == [(0, 3)]
