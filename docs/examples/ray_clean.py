"""Clean a column of pages with Ray Data: Parquet in, a folder of Parquet out.

    python ray_clean.py pages/ clean/ --address auto

Every worker process loads the model once. A page that crashes its process is tried again by Ray,
which then gives up; `victor crawl --shard` loses that page alone.
"""

from __future__ import annotations

import argparse

import pyarrow
import ray

import victor.arrow

ROWS = 256
"""Of a batch; Ray keeps some of them in memory."""


def parsed(arguments: list[str] | None = None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", help="folder or file of Parquet")
    parser.add_argument("out", help="folder to write")
    parser.add_argument("--html-column", default="html", help="column of the pages")
    parser.add_argument("--model", default="default", help="a shipped model, or path of one")
    parser.add_argument("--address", help="of the Ray cluster, e.g. auto; without it, here")
    return parser.parse_args(arguments)


def cleaned(pages: ray.data.Dataset, html_column: str, model: str) -> ray.data.Dataset:
    """A row for each page, with status and reason."""

    def clean(table: pyarrow.Table) -> pyarrow.Table:
        return victor.arrow.clean(table, model=model, columns={"html": html_column})

    return pages.map_batches(clean, batch_format="pyarrow", batch_size=ROWS, zero_copy_batch=True)


def main(arguments: list[str] | None = None) -> None:
    """Read, clean, write what was kept."""
    options = parsed(arguments)
    ray.init(address=options.address)
    rows = cleaned(ray.data.read_parquet(options.pages), options.html_column, options.model)
    rows.filter(lambda row: row["status"] == "written").write_parquet(options.out)


if __name__ == "__main__":
    main()
