"""Data or layout: the measures on small tables, and what the shipped forest says."""

import numpy as np
import pytest

from victor.tables.data_tables import TABLE_FEATURES, is_data, measure_table


def measured(table):
    return dict(zip(TABLE_FEATURES, measure_table(table).tolist(), strict=True))


def test_shape(table):
    values = measured(table("a | b | c\nd"))
    assert (values["columns"], values["columns_deviation"]) == (2, 1)
    assert values["rows"] == pytest.approx(4 / 3)


def test_consistency_of_lengths(table):
    assert measured(table("aa | bb\ncc | dd"))["length_consistency_rows"] == pytest.approx(1)
    assert measured(table("a | bbb"))["length_consistency_rows"] == pytest.approx(0)


def test_consistency_of_types(table):
    values = measured(table("a | 1\nb | 2\nc | 3"))
    assert (values["type_consistency_rows"], values["type_consistency_columns"]) == (0, 3)


def test_rates(tables, table):
    values = measured(table("a | \n | \nb | c"))
    assert values["empty_rows"] == pytest.approx(1 / 3)
    assert values["empty_columns"] == pytest.approx(1 / 2)
    (form,) = tables("<table><caption>x</caption><tr><td><input></table>")
    assert (measured(form)["has_form"], measured(form)["has_caption"]) == (1, 1)
    assert (values["has_form"], values["has_caption"]) == (0, 0)


def test_a_table_in_a_table_is_known(tables):
    inner = tables("<table><tr><td><table><tr><td>x</table></table>")[0]
    assert (measured(inner)["is_nested"], measured(inner)["tags"]) == (1, 2)


def test_measures_are_numbers(tables):
    for page in ("<table><td></table>", "<table><tr><tr><td><td>x</table>"):
        assert np.isfinite(measure_table(tables(page)[0])).all()


def test_a_price_list_is_data(table):
    rows = "\n".join(f"Item {number} | {number}.50 | {number * 3}" for number in range(1, 9))
    assert is_data(table(f"^Product | ^Price | ^Stock\n{rows}"))


def test_a_page_frame_is_layout(tables):
    menu = "<br>".join(f"<a href=x>Section {number}</a>" for number in range(9))
    story = "<p>A paragraph of running text that goes on for a good while.</p>" * 8
    page = f"<table width=760><tr><td width=120>{menu}</td><td>{story}</td></tr></table>"
    assert not is_data(tables(page)[0])


def test_nothing_is_no_data(tables):
    assert not is_data(tables("<table></table>")[0])
    assert not is_data(tables("<table><tr></table>")[0])
