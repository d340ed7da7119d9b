"""Labels as letters and back."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.base.labels import UNLABELLED, Label
from victor.corpus.label_letters import LETTERS, from_letters, to_letters, unmarked


def test_every_label_has_a_letter():
    assert from_letters(LETTERS).tolist() == [*Label, UNLABELLED]
    assert to_letters(np.array([*Label, UNLABELLED], np.uint8)) == LETTERS


@settings(derandomize=True)
@given(st.text(LETTERS))
def test_there_and_back(labels):
    assert to_letters(from_letters(labels)) == labels


@pytest.mark.parametrize("wrong", ["x", "htx", "ht\n", "é"])
def test_other_letters_are_none(wrong):
    with pytest.raises(ValueError, match=r"not one of h t o \?"):
        from_letters(wrong)


def test_nobody_marked_anything():
    assert unmarked(3) == "ooo"
