"""The contract of features is checked, and every breach says which column breaks it."""

import numpy as np
import pytest

from victor.errors import FeatureError
from victor.features.base import Bag, Column, Feature, FeatureSet, Measure
from victor.page.events import ATTRIBUTES, record
from victor.page.segment import segment


@pytest.fixture(scope="module")
def table():
    return segment(record([b"<p>a<p>b", b"<p>c"]))


def column(name="x", kind="number"):
    return Column(name, kind, "a column to test with")


def giving(values, kind="number", name="x"):
    return Measure((column(name, kind),), lambda table: {name: values})


def a_bag(length):
    zeros = np.zeros(length + 1, dtype=np.int64)
    return Bag(zeros, zeros[:0], zeros[:1], zeros[:0], ())


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("bool", np.array([True, False, True])),
        ("category", np.array([0, 5, 1])),
        ("count", np.array([0, 7, 1], dtype=np.uint8)),
        ("number", np.array([0.5, -1, 2])),
        ("number", np.array([1, 2, -3])),
        ("bag", a_bag(3)),
    ],
)
def test_values_that_keep_the_declaration(table, kind, values):
    assert FeatureSet([giving(values, kind)])(table)["x"] is values


@pytest.mark.parametrize(
    ("kind", "values", "message"),
    [
        ("number", np.zeros(2), "x has 2 values for 3 blocks"),
        ("number", np.zeros(0), "x has 0 values for 3 blocks"),
        ("number", np.array([0, np.nan, 1]), "x has a value that is not a finite number"),
        ("number", np.array([0, np.inf, 1]), "x has a value that is not a finite number"),
        ("number", a_bag(3), "x is declared as number but is not"),
        ("bag", np.zeros(3), "x is declared as bag but is not"),
        ("bag", a_bag(4), "x has 4 values for 3 blocks"),
        ("bool", np.array([0, 1, 2]), "x is declared as bool but is not"),
        ("bool", np.zeros(3), "x is declared as bool but is not"),
        ("category", np.zeros(3), "x is declared as category but is not"),
        ("count", np.array([0.5, 1, 2]), "x is declared as count but is not"),
        ("number", np.array(["a", "b", "c"]), "x is declared as number but is not"),
        ("number", np.array([1, 2, 3], dtype=object), "x is declared as number but is not"),
        ("number", np.zeros((3, 2)), "x is declared as number but is not"),
        ("count", [1, 2, 3], "x is declared as count but is not"),
    ],
)
def test_values_that_break_it(table, kind, values, message):
    with pytest.raises(FeatureError, match=message):
        FeatureSet([giving(values, kind)])(table)


def test_a_column_that_is_not_computed(table):
    feature = Measure((column("x"), column("y")), lambda table: {"x": np.zeros(3)})
    with pytest.raises(FeatureError, match="y is declared but not computed"):
        FeatureSet([feature])(table)


def test_columns_that_are_not_declared_are_left_out(table):
    feature = Measure((column("x"),), lambda table: {"x": np.zeros(3), "y": np.zeros(9)})
    assert list(FeatureSet([feature])(table)) == ["x"]


def test_no_column_twice():
    x, y = giving(np.zeros(3)), giving(np.zeros(3), name="y")
    assert [one.name for one in FeatureSet([x, y]).columns] == ["x", "y"]
    with pytest.raises(FeatureError, match="same column: x, y"):
        FeatureSet([y, x, y, x])
    twice = Measure((column("x"), column("x")), lambda table: {})
    with pytest.raises(FeatureError, match="same column: x"):
        FeatureSet([twice])


def test_the_order_is_that_of_the_features(table):
    features = [giving(np.zeros(3), name=name) for name in ("c", "a", "b")]
    assert list(FeatureSet(features)(table)) == ["c", "a", "b"]


def test_no_feature_at_all(table):
    assert FeatureSet([])(table) == {}


class Plain:
    """A feature of somebody else: it has no base class and does not say what it reads."""

    columns = (column(),)

    def __call__(self, table):
        return {"x": np.ones(len(table))}


def test_any_callable_with_columns_is_a_feature(table):
    assert isinstance(Plain(), Feature)
    assert not isinstance(len, Feature)
    assert FeatureSet([Plain()])(table)["x"].tolist() == [1, 1, 1]


def test_which_attributes_are_read():
    reads = Measure((column(),), lambda table: {}, attributes=("style", "class"))
    assert FeatureSet([reads, giving(0, name="y")]).attributes == ("class", "style")
    assert FeatureSet([]).attributes == ()
    assert FeatureSet([Plain()]).attributes == ATTRIBUTES
