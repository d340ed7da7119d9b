"""The contract of features is checked, and every breach says which column breaks it."""

import numpy as np
import pytest

from victor.errors import FeatureError
from victor.features.base import Column, Feature, FeatureSet, Measure
from victor.page.parsing.events import ATTRIBUTES, record
from victor.page.table.segment import segment


@pytest.fixture(scope="module")
def table():
    return segment(record([b"<p>a<p>b", b"<p>c"]))


def column(name="x", kind="number"):
    return Column(name, kind, "a column to test with")


def giving(values, kind="number", name="x"):
    return Measure((column(name, kind),), lambda table: {name: values})


@pytest.mark.parametrize(
    ("kind", "values", "message"),
    [
        ("number", np.zeros(2), "x: 2 values for 3 blocks"),
        ("number", [0.5, 1], "x: 2 values for 3 blocks"),
        ("number", np.array([0, np.nan, 1]), "x: nan at block 1 is not a finite number"),
        ("number", np.array([0, 1, -np.inf]), "x: -inf at block 2 is not a finite number"),
        ("bool", np.array([0, 1, 2]), "x: declared as bool, want an array of bool, got .* int64"),
        ("bool", [0, 1, 1], "want an array of bool, got an array of int64"),
        ("category", np.zeros(3), "want an array of integers, got an array of float64"),
        ("count", np.array([0.5, 1, 2]), "want an array of integers, got an array of float64"),
        ("number", ["a", None, 1], "want an array of numbers, got an array of object"),
        ("number", np.array([1, 2, 3], dtype=object), "numbers, got an array of object"),
        ("number", np.zeros((3, 2)), r"numbers, got an array of float64 of shape \(3, 2\)"),
        ("number", 7, "numbers, got a value of type int"),
        ("number", (value for value in [1, 2, 3]), "numbers, got a value of type generator"),
    ],
)
def test_values_that_break_it(table, kind, values, message):
    with pytest.raises(FeatureError, match=message):
        FeatureSet([giving(values, kind)])(table)


@pytest.mark.parametrize(
    ("kind", "values"),
    [("count", [1, 2, 3]), ("number", [1, 2.5, 3]), ("number", (1, 2, 3)),
     ("bool", [True, False, True]), ("category", (0, 0, 5))],
)  # fmt: skip
def test_lists_are_arrays(table, kind, values):
    computed = FeatureSet([giving(values, kind)])(table)["x"]
    assert isinstance(computed, np.ndarray)
    assert computed.tolist() == list(values)


def test_a_column_that_is_not_computed(table):
    feature = Measure((column("x"), column("y")), lambda table: {"x": np.zeros(3)})
    with pytest.raises(FeatureError, match="y is declared but not computed"):
        FeatureSet([feature])(table)


def test_no_column_twice():
    x, y = giving(np.zeros(3)), giving(np.zeros(3), name="y")
    assert [one.name for one in FeatureSet([x, y]).columns] == ["x", "y"]
    with pytest.raises(FeatureError, match="same column: x, y"):
        FeatureSet([y, x, y, x])
    twice = Measure((column("x"), column("x")), lambda table: {})
    with pytest.raises(FeatureError, match="same column: x"):
        FeatureSet([twice])


class Plain:
    """A feature of somebody else: it has no base class and does not say what it reads."""

    columns = (column(),)

    def __call__(self, table):
        return {"x": np.ones(len(table))}


def test_any_callable_with_columns_is_a_feature_that_may_say_what_it_reads(table):
    assert isinstance(Plain(), Feature)
    assert not isinstance(len, Feature)
    assert FeatureSet([Plain()])(table)["x"].tolist() == [1, 1, 1]
    reads = Measure((column(),), lambda table: {}, attributes=("style", "class"))
    assert FeatureSet([reads, giving(0, name="y")]).attributes == ("class", "style")
    assert FeatureSet([]).attributes == ()
    assert FeatureSet([Plain()]).attributes == ATTRIBUTES


@pytest.mark.parametrize(("kind", "dtype"), [("number", np.float32), ("bool", np.float32)])
def test_a_list_without_values_is_of_a_page_without_blocks(kind, dtype):
    nothing = segment(record([b""]))
    assert FeatureSet([giving([], kind)])(nothing)["x"].dtype == dtype
