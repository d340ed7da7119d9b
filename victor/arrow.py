"""Clean pages in Arrow record batches: for polars, DuckDB, Ray, Spark and all else that has them.

    for batch in reader:
        cleaned = victor.arrow.clean(batch)

One row comes out for each that goes in, in the same order, whatever becomes of its page. A page
that is written has the same fields as in a crawl (`victor crawl -f parquet`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from functools import lru_cache
from pathlib import Path
from pickle import dumps, loads
from threading import Lock
from typing import Any, Final

from msgspec import to_builtins

from victor.base import lazy
from victor.base.errors import ConfigError
from victor.base.files import version
from victor.documents.process import CrawlSpec, Processor
from victor.documents.row import TYPES, Outcome, arrow_schema
from victor.page.plain_data import valid
from victor.sources.record import Damage, Page, Record, Skipped
from victor.sources.rows import read_batch

arrow = lazy.load("pyarrow", extra="crawl", task="victor.arrow")

SCHEMA: Final = arrow.schema(
    [*arrow_schema(), *((name, arrow.string()) for name in ("status", "reason", "message"))]
)
"""Of what `clean` returns: the fields of a crawl's rows, then ``status`` (``written``, ``dropped``
or ``failed``), ``reason`` and ``message``."""

_CANDIDATES: Final[Mapping[str, Sequence[str]]] = {
    "html": ("html", "raw_html", "content", "body", "page"),
    "url": ("url", "uri", "target_uri", "warc_target_uri", "address"),
    "id": ("id", "record_id", "warc_record_id"),
    "date": ("date", "warc_date", "fetched"),
    "charset": ("charset",),
    "media_type": ("media_type", "content_type", "mime"),
    "file_path": ("file_path", "source"),
}
"""What `clean` reads, and the names of columns that it is looked for in, in this order."""


def clean(
    batch: Any,  # noqa: ANN401  (pyarrow has no types)
    *,
    model: str | Path = "default",
    spec: CrawlSpec | None = None,
    columns: Mapping[str, str] | None = None,
) -> Any:  # noqa: ANN401
    """Clean the pages of a record batch.

    The model is loaded once in a process. Threads wait for one another: use processes to clean on
    several cores. Pages are not cleaned in a process of their own as in a crawl, so one that
    crashes ends this one.

    Args:
        batch: ``pyarrow.RecordBatch``, or a ``Table``, of n rows. Its column of pages is binary or
            string. Further columns of plain values become ``metadata.more``.
        model: a shipped model's name or the path of one; how it cleans and which pages it keeps are
            as its configuration says.
        spec: all that a crawl can be told, instead of a model, e.g. a filter or ``markdown``.
        columns: names of columns by what they hold: ``html``, ``url``, ``id``, ``date``,
            ``charset`` and ``media_type`` (as the HTTP header declares them) and ``file_path``.
            What is not named is looked for by its usual names.

    Returns:
        n rows of `SCHEMA`, a table for a table. A page that is dropped or failed has null in place
        of all that cleaning gives (unless the spec keeps what is dropped); a row without an
        identifier has none.

    Raises:
        ConfigError: there is no column of pages, or one that is named is missing.
        VictorError: the model cannot be loaded.
    """
    if spec is not None and model != "default":
        raise ConfigError("a spec names its own model; leave one of model and spec out")
    files = (model,) if spec is None else (spec.model, spec.config)
    versions = tuple(map(version, files))  # a file that is written again is another one
    loaded = _loaded(str(model), b"" if spec is None else dumps(spec), versions)
    if isinstance(batch, arrow.Table):
        cleaned = [_clean(each, *loaded, columns or {}) for each in batch.to_batches()]
        return arrow.Table.from_batches(cleaned, SCHEMA)
    return _clean(batch, *loaded, columns or {})


@lru_cache(maxsize=4)
def _loaded(
    model: str, spec: bytes, versions: tuple[tuple[int, ...], ...]
) -> tuple[Processor, AbstractContextManager[Any]]:
    """What cleans, one thread at a time: as a pickled `CrawlSpec` says, else as a model does."""
    crawl_spec: CrawlSpec = loads(spec) if spec else CrawlSpec(model=model).configured(None)
    return crawl_spec.load(), Lock()


def _clean(
    batch: Any,  # noqa: ANN401
    process: Processor,
    lock: AbstractContextManager[Any],
    columns: Mapping[str, str],
) -> Any:  # noqa: ANN401
    flat = [field.name for field in batch.schema if not arrow.types.is_nested(field.type)]
    named, most = _columns(batch.schema, columns), process.cleaner.limits.bytes
    pages = [*read_batch(batch.select(flat), "", 0, named, most)]
    with lock:
        outcomes = iter(process([page for page in pages if isinstance(page, Record)]))
    rows = [_row(page, next(outcomes) if isinstance(page, Record) else None) for page in pages]
    return arrow.RecordBatch.from_pylist(rows, schema=SCHEMA)


def _columns(schema: Any, named: Mapping[str, str]) -> dict[str, str]:  # noqa: ANN401
    """Names of columns by what they hold.

    Raises:
        ConfigError: see `clean`.
    """
    known = ", ".join(schema.names) or "none"
    if len({*schema.names}) < len(schema.names):
        raise ConfigError(f"two columns have the same name; rename one of {known}")
    for what, name in named.items():
        if what not in _CANDIDATES:
            raise ConfigError(f"no {what!r} is read; there are {', '.join(_CANDIDATES)}")
        if name not in schema.names:
            raise ConfigError(f"no column {name!r} for {what}; the columns are {known}")
    looked_for = {
        what: next((name for name in names if name in schema.names), None)
        for what, names in _CANDIDATES.items()
    }
    columns = {what: name for what, name in {**looked_for, **named}.items() if name is not None}
    if "html" not in columns:
        raise ConfigError(f"no column of pages among {known}; name it: columns={{'html': NAME}}")
    kind = schema.field(columns["html"]).type
    if not any(each in str(kind) for each in ("string", "binary")):
        raise ConfigError(f"the column {columns['html']!r} is {kind}; pages are binary or string")
    return columns


def _row(page: Page, outcome: Outcome | None) -> dict[str, Any]:
    """A row of `SCHEMA`."""
    if outcome is None:
        assert isinstance(page, Damage), "a record has an outcome"
        outcome = Outcome("", page.number, "failed", page.reason, page.message, page.url)
    fields: dict[str, Any] = dict.fromkeys(TYPES)
    if outcome.row is not None:
        fields = to_builtins(outcome.row)
    fields["url"] = None if isinstance(page, Skipped) else _valid(page.url)
    if isinstance(page, Record):
        fields["id"] = _valid(page.id)
        fields["date"] = fields["date"] or _valid(page.date)
        fields["file_path"] = _valid(page.source) or None
    status = {"status": outcome.status, "reason": outcome.reason}
    return {**fields, **status, "message": valid(outcome.message) or None}


def _valid(text: str | None) -> str | None:
    return None if text is None else valid(text)
