"""Letters of labels, there and back."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.annotate.store.label_letters import LETTERS, label_values, letters, unmarked
from victor.labels import UNLABELLED, Label


def test_every_label_has_a_letter():
    assert label_values(LETTERS).tolist() == [*Label, UNLABELLED]
    assert letters(np.array([*Label, UNLABELLED], np.uint8)) == LETTERS


@settings(derandomize=True)
@given(st.text(LETTERS))
def test_there_and_back(labels):
    assert letters(label_values(labels)) == labels


@pytest.mark.parametrize("wrong", ["x", "htx", "ht\n", "é"])
def test_other_letters_are_none(wrong):
    with pytest.raises(ValueError, match=r"letters h t o|ascii"):
        label_values(wrong)


def test_nobody_marked_anything():
    assert unmarked(3) == "ooo"
