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
    """How many tables of all pages hold data, and the columns of all their cells."""
    table = parse_pages(pages)
    keep = np.ones(len(table), dtype=bool) if kept is None else np.isin(np.arange(len(table)), kept)
    tables = data_tables(table, keep)
    return int(tables.is_data.sum()), tables.column[tables.column >= 0].tolist()


def holding(n):
    """A table with tables in n of its fifteen cells."""
    inner = ["<table><tr><td>a<td>b</table>"] * n + [""] * 12
    cells = [f"<td>{hour}:40{inner[hour]}" for hour in range(12)]
    rows = "".join("<tr>" + "".join(cells[row : row + 3]) for row in range(0, 12, 3))
    return f"<p>Trains.</p><table border=1><tr><th>Train<th>Leaves<th>Arrives</tr>{rows}</table>"


SPANS = CELLS.replace("<td>R 5", "<td rowspan=2>R 5").replace("<tr><td>R 6</td>", "<tr>")
AROUND = f"<table><tr><td>{DATA}</td><td>x</td></tr><tr><td>y<td>z</table>"
CODE = "<table><tr><td><pre>1\n2</pre><td><pre>a\nb</pre><tr><td>c<td>d</table>"


@pytest.mark.parametrize(
    ("pages", "count", "columns"),
    [
        ((DATA, LAYOUT, DATA), 2, [0, 1, 2] * 16),
        ((LAYOUT,), 0, []),
        ((AROUND,), 1, [0, 1, 2] * 8),
        ((f"<table border=1>{SPANS}</table>",), 1, [*[0, 1, 2] * 2, 1, 2, *[0, 1, 2] * 5]),
        ((CODE,), 0, []),
        ((holding(5),), 1, [0, 1, 2] * 5),
        ((holding(6),), 0, []),
    ],
    ids=["pages", "layout", "around a table", "spans", "code", "a third of cells", "more of them"],
)
def test_tables_of_data_and_their_columns(pages, count, columns):
    assert found(*pages) == (count, columns)


def test_a_table_of_which_nothing_is_kept_is_not_looked_at():
    assert found(DATA, kept=[0]) == (0, [])


@pytest.mark.parametrize("rows", [19, 20, 21, 400])
def test_the_first_rows_tell(rows):
    row = "<tr><td>Lhota</td><td>1,204</td><td>12.5</td></tr>"
    page = f"<table border=1><tr><th>Village<th>People<th>Area</tr>{row * rows}</table>"
    count, columns = found(page)
    assert (count, columns) == (1, [0, 1, 2] * (rows + 1))


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
