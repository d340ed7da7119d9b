"""The vocabulary of tags: every name has one id and one behaviour."""

import numpy as np
import pytest

from victor.page.parsing.events import TAG_BASE
from victor.page.parsing.tags import (
    BLOCK_LEVEL,
    CLASS_2008,
    CUSTOM,
    DROPPED,
    IDS,
    INLINE,
    LINE,
    NAMES,
    PAGE,
    SPLITTING,
    UNKNOWN,
    VOID,
    member_mask,
    tag_id,
)


def test_a_name_has_one_behaviour():
    assert not INLINE & BLOCK_LEVEL
    assert not DROPPED & (INLINE | BLOCK_LEVEL)
    assert VOID - {LINE} <= INLINE | BLOCK_LEVEL, "void elements are in the stream"


def test_ids():
    assert len(set(NAMES)) == len(NAMES) == len(IDS)
    assert all(NAMES[number] == name for name, number in IDS.items())
    assert TAG_BASE + 3 * len(NAMES) <= 0xE000, "tag codes are surrogates"


@pytest.mark.parametrize(
    ("name", "expected"),
    [("p", "p"), ("my-tag", CUSTOM), ("zzz", UNKNOWN), ("svg:g", UNKNOWN), ("", UNKNOWN)],
)
def test_names_that_html_does_not_know(name, expected):
    assert NAMES[tag_id(name)] == expected


def test_custom_elements_split_but_unknown_ones_do_not():
    assert {PAGE, CUSTOM, "p", "li"} <= SPLITTING
    assert not {UNKNOWN, "b", "span", "br"} & SPLITTING


def test_member_mask():
    mask = member_mask(frozenset({"p", "script", "no such"}))
    assert np.flatnonzero(mask).tolist() == [IDS["p"]]
    with pytest.raises(ValueError, match="read-only"):
        mask[0] = True


def test_classes_of_2008_know_their_tags():
    known = set(NAMES) | DROPPED
    assert not {name for names in CLASS_2008.values() for name in names} - known
