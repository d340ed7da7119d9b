"""Clean a column of pages with polars: Parquet in, Parquet out.

    python polars_clean.py pages.parquet clean.parquet --html-column html

Frames go through in pieces, so the input may be larger than memory.
"""

from __future__ import annotations

import argparse

import polars

import victor.arrow


def parsed(arguments: list[str] | None = None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", help="Parquet file or pattern")
    parser.add_argument("out", help="Parquet file to write")
    parser.add_argument("--html-column", default="html", help="column of the pages")
    parser.add_argument("--model", default="default", help="a shipped model, or path of one")
    return parser.parse_args(arguments)


def cleaned(frame: polars.LazyFrame, html_column: str, model: str) -> polars.LazyFrame:
    """A row for each page, with status and reason."""
    schema = polars.from_arrow(victor.arrow.SCHEMA.empty_table()).schema

    def clean(piece: polars.DataFrame) -> polars.DataFrame:
        table = victor.arrow.clean(piece.to_arrow(), model=model, columns={"html": html_column})
        return polars.from_arrow(table)

    return frame.map_batches(clean, schema=schema, streamable=True)


def main(arguments: list[str] | None = None) -> None:
    """Read, clean, write what was kept."""
    options = parsed(arguments)
    pages = cleaned(polars.scan_parquet(options.pages), options.html_column, options.model)
    pages.filter(polars.col("status") == "written").sink_parquet(options.out)


if __name__ == "__main__":
    main()
