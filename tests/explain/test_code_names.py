"""Codes in words."""

import numpy as np
import pytest

from victor.explain.wording import CodeNames
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
