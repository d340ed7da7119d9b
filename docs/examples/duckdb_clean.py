"""Clean a column of pages with DuckDB: a query in, Parquet out.

    python duckdb_clean.py "SELECT html, url FROM 'pages/*.parquet'" clean.parquet

Batches go through one after the other, so the result of the query may be larger than memory.
"""

from __future__ import annotations

import argparse

import duckdb
import pyarrow

import victor.arrow

ROWS = 1000
"""Of a batch: large enough for the model, small enough for memory."""


def parsed(arguments: list[str] | None = None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("query", help="what gives the pages")
    parser.add_argument("out", help="Parquet file to write")
    parser.add_argument("--html-column", default="html", help="column of the pages")
    parser.add_argument("--model", default="default", help="a shipped model, or path of one")
    return parser.parse_args(arguments)


def cleaned(query: str, html_column: str, model: str) -> pyarrow.RecordBatchReader:
    """A row for each page, with status and reason."""
    pages = duckdb.connect().sql(query).to_arrow_reader(ROWS)
    batches = (
        victor.arrow.clean(batch, model=model, columns={"html": html_column}) for batch in pages
    )
    return pyarrow.RecordBatchReader.from_batches(victor.arrow.SCHEMA, batches)


def main(arguments: list[str] | None = None) -> None:
    """Read, clean, write what was kept."""
    options = parsed(arguments)
    reader = cleaned(options.query, options.html_column, options.model)
    connection = duckdb.connect()
    connection.register("cleaned", reader)
    rows = connection.sql("SELECT * FROM cleaned WHERE status = 'written'")
    rows.write_parquet(options.out)


if __name__ == "__main__":
    main()
