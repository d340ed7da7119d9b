"""Whole crawls: records in, documents out, every record accounted for.

>>> from victor.crawl import PageFilter, Record, process, writer

The names load when they are first used; importing this package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

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

_MODULES: Final = {
    "victor.crawl.documents.crawl_spec": "CrawlSpec",
    "victor.crawl.documents.document": "Document Outcome",
    "victor.crawl.documents.duplicates": "RepeatMarker",
    "victor.crawl.documents.filters": "PageFilter",
    "victor.crawl.documents.process": "process",
    "victor.crawl.run.run": "Job crawl",
    "victor.crawl.writers": "writer",
    "victor.sources": "ReadOptions expand read",
    "victor.sources.record": "Damage Record",
}
"""Module to the names that it offers here."""
_HOMES: Final = {name: module for module, names in _MODULES.items() for name in names.split()}


def __getattr__(name: str) -> Any:  # noqa: ANN401  (whatever the module holds)
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
