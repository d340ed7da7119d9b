"""Whole crawls: records in, documents out, every record accounted for."""

from victor.crawl.run import Job, crawl
from victor.crawl.writers import writer
from victor.documents.page_filter import PageFilter
from victor.documents.process import CrawlSpec, Processor
from victor.documents.row import Outcome, Row, arrow_schema, text_at
from victor.sources.inputs import ReadOptions, expand
from victor.sources.reading import read
from victor.sources.record import Damage, Record

__all__ = [
    "CrawlSpec",
    "Damage",
    "Job",
    "Outcome",
    "PageFilter",
    "Processor",
    "ReadOptions",
    "Record",
    "Row",
    "arrow_schema",
    "crawl",
    "expand",
    "read",
    "text_at",
    "writer",
]
