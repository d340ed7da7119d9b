"""Leaf tables of markup that is written short, for tests of tables and of their clauses."""

from victor.page.markup.full_record import record_full
from victor.tables.leaf_tables import leaf_tables


def tables_of(markup, texts=None):
    return leaf_tables(record_full(markup.encode()), texts)


def table_of(rows):
    """One row per line; cells divided by |; `^` before a cell makes it <th>, `2*` two columns."""
    return tables_of(f"<table>{''.join(map(row_markup, rows.strip().splitlines()))}</table>")[0]


def row_markup(line):
    return f"<tr>{''.join(map(cell_markup, line.split('|')))}</tr>"


def cell_markup(written):
    text = written.strip()
    name = "th" if text.startswith("^") else "td"
    columns, star, rest = text.removeprefix("^").partition("*")
    span = f' colspan="{columns}"' if star and columns.isdigit() else ""
    return f"<{name}{span}>{rest if span else text.removeprefix('^')}</{name}>"
