"""Clean a column of pages with Spark: Parquet in, a folder of Parquet out.

    spark-submit spark_clean.py pages/ clean/ --html-column html

Victor must be installed where the workers run. Every worker process loads the model once.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import pyarrow
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

import victor.arrow
from victor.crawl import CrawlSpec


def parsed(arguments: list[str] | None = None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", help="folder or file of Parquet")
    parser.add_argument("out", help="folder to write")
    parser.add_argument("--html-column", default="html", help="column of the pages")
    parser.add_argument("--model", default="default", help="a shipped model, or path of one")
    parser.add_argument("--rows", default="1000", help="pages that a worker holds at a time")
    return parser.parse_args(arguments)


def cleaned(pages: DataFrame, html_column: str, model: str) -> DataFrame:
    """A row for each page, with status and reason."""
    spec = CrawlSpec(model=model).configured(None)

    def clean(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            yield victor.arrow.clean(batch, spec=spec, columns={"html": html_column})

    return pages.mapInArrow(clean, from_arrow_schema(victor.arrow.SCHEMA))


def main(arguments: list[str] | None = None) -> None:
    """Read, clean, write what was kept."""
    options = parsed(arguments)
    builder = SparkSession.builder.appName("victor")
    builder = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", options.rows)
    spark = builder.getOrCreate()
    pages = spark.read.parquet(options.pages)
    rows = cleaned(pages, options.html_column, options.model)
    rows.where("status = 'written'").write.mode("overwrite").parquet(options.out)


if __name__ == "__main__":
    main()
