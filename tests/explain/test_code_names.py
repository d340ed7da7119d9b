"""Codes in words."""

import numpy as np
import pytest

from victor.explain.wording import CodeNames, category_name, number, outside
from victor.features.base import Column
from victor.model.discretize import Bool, Category, Codebook, Edges, Scale

COLUMNS = (
    Column("flag", "bool", "a flag"),
    Column("count", "count", "a count"),
    Column("share", "number", "a share"),
    Column("tenth", "number", "a share"),
    Column("end", "category", "last character: 0 word, 1 sentence end, 2 other"),
    Column("level", "category", "1-6 inside h1-h6, else 0"),
)
BINS = CodeNames(
    Codebook(
        {
            "flag": Bool(),
            "count": Edges((0.5, 1.5, 4.5)),
            "share": Edges((0.25, 0.4)),
            "tenth": Scale(3),
            "end": Category(4),
            "level": Category(3),
        }
    ),
    {column.name: column for column in COLUMNS},
)


@pytest.mark.parametrize(
    ("column", "names"),
    [
        ("flag", ["no", "yes"]),
        ("count", ["0", "1", "2 to 4", "5 or more"]),
        ("share", ["below 0.25", "0.25 to 0.4", "0.4 or more"]),
        ("tenth", ["below 0.25", "0.25 to 0.5", "0.5 to 0.75", "0.75 or more"]),
        ("end", ["word", "sentence end", "other", "3 or above"]),
        ("level", ["0", "1", "2 or above"]),
    ],
)
def test_names(column, names):
    assert [BINS.name(column, code) for code in range(len(names))] == names


@pytest.mark.parametrize(
    ("column", "value", "shown"),
    [
        ("flag", True, ("yes", "")),
        ("count", np.int64(1), ("1", "")),
        ("count", np.int64(3), ("3", "2 to 4")),
        ("share", np.float32(0.3), ("0.3", "0.25 to 0.4")),
        ("end", 1, ("sentence end", "")),
    ],
)
def test_values(column, value, shown):
    code = int(BINS.codebook.discretizers[column]([value])[0])
    assert BINS.value(column, value, code) == shown


def test_places_outside_the_page():
    assert outside(-1, 0, 1) == "before the page"
    assert outside(2, 0, 1) == "after the page"
    assert outside(-3, 1, 3) == "2 before the page"


def test_numbers():
    assert [number(x) for x in (0.0, 3.0, 0.12345, 1e-7, -2.5, 1234.5)] == [
        "0", "3", "0.123", "0", "-2.5", "1.23e+03",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("meaning", "code", "name"),
    [
        ("number of the first of 3 expressions found, 0 if none", 3, "3"),
        ("4 x (0 digits, 1 lower, 2 upper case) + (1 . 2 ) 3 / 4 -)", 4, "4"),
        ("level of the last heading, 0 if none", 0, "none"),
        ("0 word, 1 sentence end", 1, "sentence end"),
    ],
)
def test_only_lists_of_names_name_codes(meaning, code, name):
    assert category_name(code, 9, meaning) == name


@pytest.mark.parametrize(
    ("meaning", "value", "shown"),
    [
        ("blocks since the last heading, 255 if none", 255, ("none", "")),
        ("blocks since the last heading, 255 if none", 7, ("7", "5 or more")),
        ("words of the description, 0 if there is none", 0, ("none", "")),
        ("is around it named as body: 0 none, 1 far, 2 near", 2, ("near", "")),
    ],
)
def test_values_that_the_meaning_names(meaning, value, shown):
    codebook = Codebook({"count": Edges((0.5, 1.5, 4.5))})
    names = CodeNames(codebook, {"count": Column("count", "count", meaning)})
    (code,) = codebook.discretizers["count"]([value]).tolist()
    assert names.value("count", value, code) == shown
