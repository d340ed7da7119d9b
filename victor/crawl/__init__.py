"""Whole crawls: records in, documents out, every record accounted for.

>>> from victor.crawl import PageFilter, Record, process, writer

The names load when they are first used; importing this package costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from victor import lazy_names

if TYPE_CHECKING:
    from victor.crawl.documents.crawl_spec import CrawlSpec
    from victor.crawl.documents.document import Document, Outcome
    from victor.crawl.documents.duplicates import RepeatMarker
    from victor.crawl.documents.filters import PageFilter
    from victor.crawl.documents.process import process
    from victor.crawl.run.run import Job, crawl
    from victor.crawl.writers import writer
    from victor.crawl.writers.schema import arrow_schema
    from victor.sources import ReadOptions, expand, read
    from victor.sources.record import Damage, Record

__all__ = [
    "CrawlSpec",
    "Damage",
    "Document",
    "Job",
    "Outcome",
    "PageFilter",
    "ReadOptions",
    "Record",
    "RepeatMarker",
    "arrow_schema",
    "crawl",
    "expand",
    "process",
    "read",
    "writer",
]

__getattr__ = lazy_names.loader(
    __name__,
    {
        "victor.crawl.documents.crawl_spec": "CrawlSpec",
        "victor.crawl.documents.document": "Document Outcome",
        "victor.crawl.documents.duplicates": "RepeatMarker",
        "victor.crawl.documents.filters": "PageFilter",
        "victor.crawl.documents.process": "process",
        "victor.crawl.run.run": "Job crawl",
        "victor.crawl.writers": "writer",
        "victor.crawl.writers.schema": "arrow_schema",
        "victor.sources": "ReadOptions expand read",
        "victor.sources.record": "Damage Record",
    },
)
