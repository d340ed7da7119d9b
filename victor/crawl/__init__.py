"""Whole crawls: records in, documents out, every record accounted for.

>>> from victor.crawl import PageFilter, Record, process, writer

The names load when they are first used; importing this package costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from victor.base import lazy

if TYPE_CHECKING:
    from victor.crawl.run import Job, crawl
    from victor.crawl.writers import writer
    from victor.documents.outcome import Outcome
    from victor.documents.page_filter import PageFilter
    from victor.documents.process import process
    from victor.documents.row import Row, arrow_schema, text_at
    from victor.documents.spec import CrawlSpec
    from victor.sources.inputs import ReadOptions, expand
    from victor.sources.reading import read
    from victor.sources.record import Damage, Record

__all__ = [
    "CrawlSpec",
    "Damage",
    "Job",
    "Outcome",
    "PageFilter",
    "ReadOptions",
    "Record",
    "Row",
    "arrow_schema",
    "crawl",
    "expand",
    "process",
    "read",
    "text_at",
    "writer",
]

__getattr__, __dir__ = lazy.loader(
    __name__,
    {
        "victor.documents.spec": "CrawlSpec",
        "victor.documents.outcome": "Outcome",
        "victor.documents.page_filter": "PageFilter",
        "victor.documents.process": "process",
        "victor.crawl.run": "Job crawl",
        "victor.crawl.writers": "writer",
        "victor.documents.row": "Row arrow_schema text_at",
        "victor.sources.inputs": "ReadOptions expand",
        "victor.sources.reading": "read",
        "victor.sources.record": "Damage Record",
    },
)
