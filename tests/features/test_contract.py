"""What holds for every feature module: declarations are kept, batches change nothing."""

import re
from functools import cache, partial

import numpy as np
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

from victor import features
from victor.features.base import FeatureSet
from victor.page.table.segment import read_pages

load = cache(features.load)
PAGES = (
    b"<title>On bees</title><h1>On bees</h1><p class='post a1'>Bees <b>live</b> in <a>hives</a>.",
    b"<p>It was 12:30 on 5. 11. 2024.<br>See www.bees.org! <a href='/more'>More on bees</a>",
    b"",
    b"<script>none()</script><!-- nothing -->",
    b"<table><tr><td>1. one<td>b) two<td><ul><li>x<li hidden>***<li>x</ul></table>",
    "<pre>Včely\n  žijí</pre>東京<img alt='a hive'><nav><a>Home</a> <a>Home</a></nav>".encode(),
)


all_modules = pytest.mark.parametrize("name", features.NAMES)
all_splits = pytest.mark.parametrize("split", ["tag", "block"])


def test_no_two_modules_give_the_same_column():
    FeatureSet([load(name) for name in features.NAMES])


@all_modules
def test_declarations(name):
    columns = load(name).columns
    assert columns
    for column in columns:
        assert re.fullmatch(r"[a-z][a-z0-9.-]*", column.name)
        assert column.kind in ("bool", "category", "count", "number")
        assert re.fullmatch(r".{10,150}", column.meaning), "one line for people"


@all_modules
@all_splits
def test_values_keep_the_declaration(name, split):
    table = read_pages(PAGES, split)
    values = load(name)(table)
    assert set(values) == {column.name for column in load(name).columns}
    for column in load(name).columns:
        check_kind(column, values[column.name])
        assert len(values[column.name]) == len(table) > 0


def check_kind(column, values):
    assert np.isfinite(values).all(), column
    if column.kind == "bool":
        assert np.isin(values, (0, 1)).all(), column
    elif column.kind != "number":
        assert (values == np.floor(values)).all(), column
        assert values.min() >= 0, column


@all_modules
@all_splits
@pytest.mark.parametrize("pages", [(), (b"",), (b"", b" ")])
def test_nothing_in_nothing_out(name, split, pages):
    values = load(name)(read_pages(pages, split))
    assert {key: len(found) for key, found in values.items()} == {
        column.name: 0 for column in load(name).columns
    }


@all_splits
@settings(max_examples=20, deadline=None, derandomize=True)
@given(data=st.data())
def test_a_batch_equals_its_pages(split, data):
    pages = data.draw(strategies.batch())
    pages.insert(data.draw(st.integers(0, len(pages))), b"")
    alt_text, pre_lines = data.draw(st.booleans()), data.draw(st.booleans())

    read = partial(read_pages, split=split, alt_text=alt_text, pre_lines=pre_lines)
    whole, alone = read(pages), [read([page]) for page in pages]
    for name in features.NAMES:
        in_batch, by_page = load(name)(whole), [load(name)(table) for table in alone]
        for column in load(name).columns:
            assert_same(column, in_batch[column.name], [found[column.name] for found in by_page])


def assert_same(column, in_batch, by_page):
    check_kind(column, np.append(in_batch, np.zeros(1, in_batch.dtype)))
    # Sums of products may be added up in another order.
    tolerance = 1e-6 if column.kind == "number" else 0
    expected = np.concatenate(by_page)
    np.testing.assert_allclose(in_batch, expected, rtol=tolerance, atol=tolerance, err_msg=column)
