"""Judgments of the core refuse what does not fit; what they find is asked for in tests/kinds."""

import copy
import pickle

import numpy as np
import pytest

from victor.base import core
from victor.kinds.names import are_threads
from victor.page.names.name_groups import ATTRIBUTES
from victor.page.table.segment import parse_pages

PAGE = b"<h1 class=postbody>Bees</h1><p>They live in hives"
NONE = np.zeros(0, dtype=np.uint8)
LABELS = np.zeros(2, dtype=np.uint8)
BITS = np.ones(1, dtype=np.uint64)
ROLES = np.zeros(128, dtype=np.uint8)

NO_TITLES = np.zeros(0, dtype=np.uint32), np.zeros(3, dtype=np.int64)


@pytest.fixture(scope="module")
def table():
    return parse_pages([PAGE], attributes=ATTRIBUTES)


@pytest.mark.parametrize(
    ("name", "inputs", "error"),
    [
        ("hidden", (NONE, None), ValueError),
        ("copies", (LABELS, np.zeros(2), NONE), ValueError),
        ("copies", (LABELS, LABELS, NONE), TypeError),
        ("heading_links", (LABELS, np.zeros(1, dtype=np.int64)), ValueError),
        ("headlines", (NONE, None, None, *NO_TITLES), ValueError),
        ("headlines", (LABELS, NONE, None, *NO_TITLES), ValueError),
        ("headlines", (LABELS, None, None, NO_TITLES[0], np.array([0, 0, 1])), ValueError),
        ("hidden_copies", (NONE, NONE, np.zeros(0, dtype=np.int64)), ValueError),
        ("names", (BITS, BITS, NONE, None), ValueError),
        ("names", (BITS, BITS, ROLES, None), ValueError),
        ("dangling", (NONE,), ValueError),
        ("dangling", (), ValueError),
        ("gutters", (NONE,), ValueError),
        ("moods", (), ValueError),
    ],
)
def test_what_does_not_fit_is_refused(table, name, inputs, error):
    with pytest.raises(error):
        core.compiled.judge(name, table.batch, inputs)


def test_what_is_no_batch_is_refused(table):
    with pytest.raises(TypeError, match="batch"):
        core.compiled.judge("dangling", table, (LABELS,))


def test_a_vocabulary_that_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="fit together"):
        core.compiled.vocabulary((*[NONE.view(np.uint8)] * 6, NO_TITLES[0]))


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda table: pickle.loads(pickle.dumps(table))])
def test_copies_are_judged_as_the_table_is(table, copied):
    found = are_threads(table)
    assert are_threads(copied(table)).tolist() == found.tolist() == [True]
