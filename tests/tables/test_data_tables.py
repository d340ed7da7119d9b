"""Data tables of pages in a batch, and the columns of their cells."""

import numpy as np
import pytest

from victor.page.parsing.events import record
from victor.page.parsing.source_lines import record_lines
from victor.page.table.segment import parse_pages, segment
from victor.tables.data_tables import data_tables

CELLS = "<tr><th>Train</th><th>Leaves</th><th>Arrives</th></tr>" + "".join(
    f"<tr><td>R {n}</td><td>{n}:40</td><td>{n + 1}:05</td></tr>" for n in range(5, 12)
)
DATA = f"<p>When trains go.</p><table border=1>{CELLS}</table>"
LAYOUT = (
    "<table width=100%><tr><td><a href=/>Home</a><br><a href=/b>News</a></td><td><p>"
    + "A long story about the mill by the river, told by those who were there. " * 9
    + "</p></td></tr><tr><td></td><td>Contact</td></tr></table>"
)


def found(*pages, kept=None):
    """Positions of data tables among the tables of all pages, and the columns of all cells."""
    table = parse_pages(pages)
    keep = np.ones(len(table), dtype=bool) if kept is None else np.isin(np.arange(len(table)), kept)
    tables = data_tables(table, keep)
    opened = np.flatnonzero(tables.is_data)
    return len(opened), tables.column[tables.column >= 0].tolist()


def test_tables_of_data_and_of_the_layout():
    assert found(DATA, LAYOUT, DATA) == (2, [0, 1, 2] * 16)
    assert found(LAYOUT) == (0, [])


def test_a_table_of_which_nothing_is_kept_is_not_looked_at():
    assert found(DATA, kept=[0]) == (0, [])


def test_a_table_around_tables_only_lays_out():
    assert found(f"<table><tr><td>{DATA}</td><td>x</td></tr><tr><td>y<td>z</table>")[0] == 1


def test_spans_move_columns():
    spans = CELLS.replace("<td>R 5", "<td rowspan=2>R 5").replace("<tr><td>R 6</td>", "<tr>")
    assert found(f"<table border=1>{spans}</table>")[1] == [0, 1, 2, 0, 1, 2, 1, 2, *[0, 1, 2] * 5]


@pytest.mark.parametrize("rows", [19, 20, 21, 400])
def test_the_first_rows_tell(rows):
    row = "<tr><td>Lhota</td><td>1,204</td><td>12.5</td></tr>"
    page = f"<table border=1><tr><th>Village<th>People<th>Area</tr>{row * rows}</table>"
    count, columns = found(page)
    assert (count, columns) == (1, [0, 1, 2] * (rows + 1))


def test_code_beside_its_numbers_is_no_data():
    page = "<table><tr><td><pre>1\n2</pre><td><pre>a\nb</pre><tr><td>c<td>d</table>"
    assert found(page) == (0, [])


@pytest.mark.parametrize("mode", ["pre_lines", "line", "alt_text"])
def test_spans_stand_at_their_cells_however_a_page_is_cut(mode):
    code = "<pre>a\nb\nc</pre><img alt='a b'><br>\n<b>c</b>\n"
    cells = "<td rowspan=2>R</td><td colspan=\n2>12:40</td><td>1:05</td>"
    pages = [f"{code}<table border=1><tr>{cells}</tr>{CELLS}</table>{code}".encode()] * 2
    if mode == "line":
        table = segment(record_lines(pages), "line")
    else:
        events = record(pages, alt_text=mode == "alt_text")
        table = segment(events, "tag", pre_lines=mode == "pre_lines")
    tables = data_tables(table, np.ones(len(table), dtype=bool))
    plain = found(pages[0].decode())[1]
    assert plain[:6] == [0, 1, 3, 1, 2, 3]
    assert tables.column[tables.column >= 0].tolist() == plain * 2


def test_a_cell_that_spans_more_than_there_is_room_for():
    trains = "<tr><td>Train<td>7:40<td>R 5" * 30
    wide = "<tr>" + "<td rowspan=9 colspan=900>R 6<td>8:10" * 3
    count, columns = found(f"<table border=1>{trains}{wide}{trains}</table>")
    assert count == 1
    assert max(columns) > 900
