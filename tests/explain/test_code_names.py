"""Codes in words."""

import numpy as np
import pytest

from tests.rows import tables
from victor.explain.wording import CodeNames
from victor.features.base import Column
from victor.model.discretize import Bool, Category, Codebook, Edges, Scale

ROWS = tables(__file__)
COLUMNS = [Column(*each) for each in ROWS["columns"]]
BINS = CodeNames(
    Codebook({"flag": Bool(), "count": Edges((0.5, 1.5, 4.5)), "share": Edges((0.25, 0.4)),
              "tenth": Scale(3), "end": Category(4), "level": Category(3)}),
    {column.name: column for column in COLUMNS},
)  # fmt: skip


@pytest.mark.parametrize("column", ROWS["names"])
def test_names(column):
    names = ROWS["names"][column]
    assert [BINS.name(column, code) for code in range(len(names))] == names


@pytest.mark.parametrize(("column", "value", "shown", "its_bin"), ROWS["values"])
def test_values(column, value, shown, its_bin):
    code = int(BINS.codebook.discretizers[column]([value])[0])
    for given in (value, np.array([value])[0]):
        assert BINS.value(column, given, code) == (shown, its_bin)
