"""The vocabulary of tags: every name has one id and one behaviour."""

import numpy as np
import pytest

from victor.page.parsing import tags
from victor.page.parsing.events import TAG_BASE
from victor.page.parsing.tags import IDS, NAMES, SPLITTING, UNKNOWN, VOID, member_mask, tag_id


def test_a_name_has_one_id_and_one_behaviour():
    assert len(set(NAMES)) == len(NAMES) == len(IDS)
    assert all(NAMES[number] == name for name, number in IDS.items())
    assert TAG_BASE + 3 * len(NAMES) <= 0xE000, "tag codes are surrogates"
    assert not tags.INLINE & tags.BLOCK_LEVEL
    assert not tags.DROPPED & (tags.INLINE | tags.BLOCK_LEVEL)
    assert VOID - {tags.LINE} <= tags.INLINE | tags.BLOCK_LEVEL, "void elements are in the stream"
    classes = {name for names in tags.CLASS_2008.values() for name in names}
    assert classes <= {*NAMES, *tags.DROPPED}


@pytest.mark.parametrize(
    ("name", "known", "splits"),
    [
        ("p", "p", True),
        ("br", "br", False),
        ("my-tag", tags.CUSTOM, True),
        *((name, UNKNOWN, False) for name in ("zzz", "svg:g", "")),
    ],
)
def test_custom_elements_split_but_unknown_ones_do_not(name, known, splits):
    assert NAMES[tag_id(name)] == known
    assert (known in SPLITTING) == splits


def test_member_mask():
    mask = member_mask(frozenset({"p", "script", "no such"}))
    assert np.flatnonzero(mask).tolist() == [IDS["p"]]
    with pytest.raises(ValueError, match="read-only"):
        mask[0] = True
