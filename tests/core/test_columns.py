"""Columns and codes that the core computes, and those of numpy that it is given."""

from pathlib import Path

import numpy as np
import pytest

from victor.errors import FeatureError
from victor.features.base import Column, FeatureSet, Measure
from victor.model.discretize import Category
from victor.model.extractor import FeatureExtractor
from victor.model.model import Model
from victor.page.table.segment import parse_pages

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "annotations" / "pages").glob("*.html"))


@pytest.fixture(scope="module")
def table():
    return parse_pages([b"<p>Bees live in hives.<p>Home", b"", b"<h1>On bees</h1>"])


def own(*values):
    """A feature of a user with these values, and which of them are more than a half."""
    columns = Column("my.a", "number", "a share of something"), Column("my.b", "bool", "a flag")
    values = np.array(values)
    return FeatureSet([Measure(columns, lambda table: {"my.a": values, "my.b": values > 0.5})])


def test_columns_of_numpy_are_given(table):
    _, values = own(0.1, 0.9, 1e300).codes(table, [None] * 2, ["my.a", "my.b"])
    assert values.dtype == np.float32
    assert values.tolist() == [[np.float32(0.1), np.float32(0.9), np.inf], [0, 1, 1]]


def test_codes_are_counts_of_thresholds(table):
    thresholds = [np.array([0.1, 0.3, 0.5], np.float32), None]
    codes, raw = own(0.1, 0.9, 0.3).codes(table, thresholds, ["my.b"])
    assert codes.tolist() == [[1, 3, 2], [0, 0, 0]]
    assert raw.tolist() == [[0, 1, 0]]


def test_contract_is_checked(table):
    with pytest.raises(FeatureError, match=r"my\.a: nan at block 1"):
        own(0.1, np.nan, 0.3).codes(table, [None] * 2, ["my.a"])
    with pytest.raises(FeatureError, match=r"my\.c"):
        own(0, 0, 0).codes(table, [None, None], ["my.c"])


@pytest.mark.parametrize("name", ["default", "crf"])
def test_codes_of_shipped_models_are_those_of_their_codebooks(name):
    model = Model.load(ROOT / "victor" / "models" / f"{name}.victor")
    extractor = FeatureExtractor(model.config)
    codebook, columns = model.potentials.codebook, extractor.features.columns
    thresholds = [thresholds_of(codebook.discretizers.get(column.name)) for column in columns]
    rows = [[column.name for column in columns].index(name) for name in codebook.names]
    for files in (PAGES[:12], PAGES[12:24]):
        table = extractor.table([file.read_bytes() for file in files])
        wanted = extractor.columns(table)
        codes, raw = extractor.features.codes(table, thresholds, model.edges.columns)
        assert (codes[rows] == codebook.codes(wanted).T).all()
        for column, values in zip(model.edges.columns, raw, strict=True):
            assert (values == wanted[column]).all()


def thresholds_of(discretizer):
    if isinstance(discretizer, Category):
        return np.arange(1, discretizer.levels, dtype=np.float32)
    return discretizer and discretizer.thresholds
