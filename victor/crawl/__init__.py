"""Whole crawls: records in, documents out, every record accounted for.

>>> from victor.crawl import PageFilter, Record, process, writer

The names load when they are first used; importing this package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from victor.crawl.documents.crawl_spec import CrawlSpec
    from victor.crawl.documents.document import Document, Outcome
    from victor.crawl.documents.duplicates import RepeatMarker
    from victor.crawl.documents.filters import PageFilter
    from victor.crawl.documents.process import process
    from victor.crawl.run.run import Job, crawl
    from victor.crawl.writers import writer
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
    "crawl",
    "expand",
    "process",
    "read",
    "writer",
]

_MODULES = {
    "CrawlSpec": "victor.crawl.documents.crawl_spec",
    "Damage": "victor.sources.record",
    "Document": "victor.crawl.documents.document",
    "Job": "victor.crawl.run.run",
    "Outcome": "victor.crawl.documents.document",
    "PageFilter": "victor.crawl.documents.filters",
    "ReadOptions": "victor.sources",
    "Record": "victor.sources.record",
    "RepeatMarker": "victor.crawl.documents.duplicates",
    "crawl": "victor.crawl.run.run",
    "expand": "victor.sources",
    "process": "victor.crawl.documents.process",
    "read": "victor.sources",
    "writer": "victor.crawl.writers",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401  (whatever the module holds)
    if name in _MODULES:
        return getattr(import_module(_MODULES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
