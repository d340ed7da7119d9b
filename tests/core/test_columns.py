"""Columns by the compiled core equal those by numpy, in every bit of every cell."""

from pathlib import Path

import numpy as np
import pytest

from victor import core, features
from victor.errors import FeatureError
from victor.features.base import Column, FeatureSet, Measure
from victor.page.segment import parse_pages

pytestmark = pytest.mark.skipif(core.compiled is None, reason="no compiled core")

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def table():
    return parse_pages([b"<p>Bees live in hives.<p>Home", b"", b"<h1>On bees</h1>"])


def user_feature(values):
    columns = Column("my.a", "number", "a share of something"), Column("my.b", "bool", "a flag")
    return Measure(columns, lambda table: {"my.a": values, "my.b": values > 0.5})


def test_columns_of_numpy_are_given(table):
    chosen = FeatureSet([user_feature(np.array([0.1, 0.9, 1e300]))])
    assert not chosen.has_kernels
    values = chosen.values(table)
    assert values.dtype == np.float32
    assert values.tolist() == [[np.float32(0.1), np.float32(0.9), np.inf], [0, 1, 1]]


def test_codes_are_counts_of_thresholds(table):
    chosen = FeatureSet([user_feature(np.array([0.1, 0.9, 0.3]))])
    thresholds = [np.array([0.1, 0.3, 0.5], np.float32), None]
    codes, raw = chosen.codes(table, thresholds, ["my.b"])
    assert codes.tolist() == [[1, 3, 2], [0, 0, 0]]
    assert raw.tolist() == [[0, 1, 0]]


def test_codes_of_many_blocks_are_those_of_a_search():
    table = parse_pages([b"<p>a" * 1000])
    values = np.random.default_rng(1).normal(size=1000)
    thresholds = np.unique(np.random.default_rng(2).normal(size=255).astype(np.float32))
    codes, _ = FeatureSet([user_feature(values)]).codes(table, [thresholds, thresholds[:0]])
    wanted = np.searchsorted(thresholds, values.astype(np.float32), side="right")
    assert (codes[0] == wanted).all()
    assert not codes[1].any()


def test_other_thresholds_are_not_mistaken_for_the_last(table):
    chosen = FeatureSet([user_feature(np.array([0.1, 0.9, 0.3]))])
    for edge, code in ((0.2, [0, 1, 1]), (0.5, [0, 1, 0])):
        assert chosen.codes(table, (np.float32([edge]), None))[0][0].tolist() == code


def test_contract_is_checked(table):
    with pytest.raises(FeatureError, match=r"my\.a has a value that is not a finite number"):
        FeatureSet([user_feature(np.array([0.1, np.nan, 0.3]))]).values(table)
    with pytest.raises(FeatureError, match=r"no feature gives a column my\.c"):
        FeatureSet([user_feature(np.zeros(3))]).codes(table, [None, None], ["my.c"])


@pytest.mark.parametrize(
    "thresholds",
    [[None], [None, None, None], [np.zeros(256, np.float32), None]],
    ids=["too few", "too many", "more than codes"],
)
def test_thresholds_that_do_not_fit_are_refused(table, thresholds):
    with pytest.raises(ValueError, match="do not fit"):
        FeatureSet([user_feature(np.zeros(3))]).codes(table, thresholds)


@pytest.mark.parametrize("pages", [[], [b""], [b"", b"<!-- nothing -->"]])
def test_pages_without_blocks(pages):
    table = parse_pages(pages)
    codes, raw = FeatureSet([user_feature(np.zeros(0))]).codes(table, [None, None], ["my.a"])
    assert codes.shape == (2, 0)
    assert raw.shape == (1, 0)


def test_bags_are_zero(table):
    chosen = FeatureSet([features.load("lexicon")])
    assert not chosen.values(table).any()


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        ([("nothing", 1, (), ())], "no compiled feature module nothing"),
        ([("given", 1, (), ())], "wants 1 arrays"),
        ([("given", 2, (), (np.zeros(3, np.float32),))], "do not fit together"),
        ([("given", -1, (), (np.zeros(3, np.float32),))], "does not give -1 columns"),
    ],
)
def test_wrong_plans_are_refused(table, plan, message):
    roles, classes = np.zeros(128, np.uint8) + 8, np.zeros(0x110000, np.uint8)
    with pytest.raises(ValueError, match=message):
        core.compiled.measure(table, roles, classes, plan)


@pytest.mark.parametrize(
    "plan",
    [(), [3], [("given", 1, (), (np.zeros(3),))], [("given", "1", (), ())]],
    ids=["no list", "no tuple", "float64", "text"],
)
def test_plans_of_wrong_types_are_refused(table, plan):
    roles, classes = np.zeros(128, np.uint8) + 8, np.zeros(0x110000, np.uint8)
    with pytest.raises(TypeError):
        core.compiled.measure(table, roles, classes, plan)
