"""Clean crawls on many machines: steps of datatrove pipelines, for all of its executors.

    pipeline = [
        VictorReader("/crawl/*.warc.gz"),
        VictorStep(CrawlSpec(filter=Filter(least_words=20))),
        JsonlWriter("/corpus", expand_metadata=True),
    ]
    SlurmPipelineExecutor(pipeline, tasks=1000, time="24:00:00", partition="cpu").run()

datatrove shares the inputs among tasks, starts these, and starts again those that did not end.
Pages are cleaned in another process (`victor.crawl.workers.worker`), so that a task survives a page
that crashes, hangs or runs out of memory. See docs/examples, and docs/how-to/scale.md for costs.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import replace
from functools import partial
from typing import Any, Final

from victor.base import optional
from victor.crawl.workers.batching import Cursor, ReadItem, batches
from victor.crawl.workers.worker import RECYCLE, Supervisor, starter
from victor.crawl.workers.worker_main import WorkerOptions, clean_batches
from victor.documents.fields import parts
from victor.documents.outcome import Document as CleanPage
from victor.documents.outcome import Outcome
from victor.documents.spec import CrawlSpec, Process
from victor.sources import Input, ReadOptions, expand, read
from victor.sources.record import Damage, Record

optional.load("datatrove", extra="all")  # says how to install it

from datatrove.data import Document, Media, MediaType  # noqa: E402
from datatrove.pipeline.base import PipelineStep  # noqa: E402
from datatrove.pipeline.extractors.base import BaseExtractor  # noqa: E402
from datatrove.pipeline.readers.base import BaseReader  # noqa: E402
from datatrove.pipeline.writers.disk_base import DiskWriter  # noqa: E402
from datatrove.utils.logging import logger  # noqa: E402

_RESERVED: Final = ("text", "id", "media")
"""Fields of a document that metadata of the same name would hide in expanded metadata."""


class VictorReader(PipelineStep):  # type: ignore[misc]  # datatrove has no types
    """Reads whatever `victor crawl` reads; of N tasks, task r takes every N-th input from r on.

    Pages stay bytes, because the cleaning step finds out their encoding from HTTP header and
    markup: a document has no text yet but one medium with the bytes, whose metadata are `charset`
    and `media_type`. Only pages that the input holds as text (JSONL) are text. The metadata of the
    document are `url`, `date`, `file_path` and what else the input knows.

    Statistics: `input_files`, `total`, `forwarded`, `failed` and `failed_REASON`; the total is the
    sum of those forwarded and failed.

    Args:
        names: files, folders, patterns, URLs and ``@lists``, see `victor.sources.expand`;
            relative paths start at the working directory of a task.
        reading: how inputs are read.
        exclusion_writer: gets a document with `filter_reason` and `message` for every damage of an
            input.

    Raises:
        ConfigError: there is no such input.
    """

    name = "Victor: pages"
    type = BaseReader.type

    def __init__(
        self,
        names: str | Sequence[str],
        reading: ReadOptions | None = None,
        exclusion_writer: DiskWriter | None = None,
    ) -> None:
        super().__init__()
        # Expanded now, so that all tasks have the same list whenever they start.
        self.inputs = expand([names] if isinstance(names, str) else names)
        self.reading = reading or ReadOptions()
        self.exclusion_writer = exclusion_writer

    def run(
        self, data: Iterable[Document] | None = None, rank: int = 0, world_size: int = 1
    ) -> Iterator[Document]:
        """The pages of a task, after the documents of the step before.

        Raises:
            ConfigError: a package that an input needs is not installed.
        """
        yield from data or ()
        with _entered(self.exclusion_writer) as excluded:
            for source in self.inputs[rank::world_size]:
                self.stat_update("input_files")
                for item in self._items(source):
                    self.stat_update("total")
                    if isinstance(item, Record):
                        self.stat_update("forwarded")
                        yield _document(item)
                    else:
                        self.stat_update("failed", f"failed_{item.reason}")
                        if excluded is not None:
                            excluded.write(_damaged(item), rank)

    def _items(self, source: Input) -> Iterator[Record | Damage]:
        items = read(source, self.reading)
        return iter(partial(self._next, items), None)

    def _next(self, items: Iterator[Record | Damage]) -> Record | Damage | None:
        with self.track_time():
            return next(items, None)


class VictorStep(PipelineStep):  # type: ignore[misc]
    """Cleans documents that hold HTML, from `VictorReader` or as their text.

    To their metadata it adds those of the page, and `url`, `date`, `title`, `language`,
    `language_score`, `kept_share`, `confidence`, `model`, `page_type` and `p_no_content` as in
    `victor.documents.outcome.Document`: written with `expand_metadata`, they have the names
    of FineWeb. Media of a document are not passed on.

    Statistics: `total`, `forwarded`, `dropped` and `dropped_REASON`, `failed` and `failed_REASON`;
    the total is the sum of the other three; `processor_seconds` of cleaning.

    Args:
        spec: what cleans, which pages are kept, limits.
        exclusion_writer: gets a document for every page that was dropped or failed, with
            `filter_reason` and `message`; its text is what was kept, empty if it was not cleaned.
        memory: bytes of data that the cleaning process may hold.

    Raises:
        VictorError: what cleans cannot be loaded; raised here, before any task starts.
    """

    name = "Victor: clean"
    type = BaseExtractor.type

    def __init__(
        self,
        spec: CrawlSpec | None = None,
        exclusion_writer: DiskWriter | None = None,
        memory: int = 2_000_000_000,
    ) -> None:
        super().__init__()
        self.spec = replace(spec or CrawlSpec(), keep_dropped=exclusion_writer is not None)
        self.spec.load()
        self.seconds = self.spec.cleaner().limits.seconds
        self.exclusion_writer = exclusion_writer
        self.memory = memory

    def run(
        self, data: Iterable[Document] | None = None, rank: int = 0, world_size: int = 1
    ) -> Iterator[Document]:
        """Clean documents.

        Raises:
            VictorError: something is wrong that no page is to blame for.
        """
        records = (_record(number, document) for number, document in enumerate(data or ()))
        items = (ReadItem(Cursor(), record) for record in records)
        with closing(self._supervisor()) as supervisor, _entered(self.exclusion_writer) as excluded:
            for batch in batches(items):
                for record, outcome in self._outcomes(supervisor, batch.records):
                    self._count(outcome)
                    if outcome.status == "written":
                        assert outcome.document is not None, "what is written has a document"
                        document = _cleaned(outcome.document)
                        self.update_doc_stats(document)
                        yield document
                    elif excluded is not None:
                        excluded.write(_excluded(record, outcome), rank)
            self.stat_update("processor_seconds", value=supervisor.usage.seconds, unit="task")

    def _supervisor(self) -> Supervisor:
        options = WorkerOptions(self.spec, self.memory, os.getcwd())
        return Supervisor(starter(options, clean_batches), self.seconds, RECYCLE)

    def _outcomes(
        self, supervisor: Supervisor, records: Sequence[Record]
    ) -> Iterator[tuple[Record, Outcome]]:
        with self.track_time("batch"):
            supervisor.begin(records)
            outcomes = supervisor.finish()
        return zip(records, outcomes, strict=True)

    def _count(self, outcome: Outcome) -> None:
        self.stat_update("total")
        if outcome.status == "written":
            self.stat_update("forwarded")
        else:
            self.stat_update(outcome.status, f"{outcome.status}_{outcome.reason}")


class VictorExtractor(BaseExtractor):  # type: ignore[misc]
    """Text from HTML, for existing pipelines; `VictorStep` keeps more and is faster.

    datatrove runs it in another process with a time limit per page, sends it one page at a time,
    and drops pages without text.

    Args:
        spec: what cleans.
        timeout: wall clock seconds that a page may take, loading the labeler included.

    Raises:
        VictorError: what cleans cannot be loaded.
    """

    name = "Victor: text"

    def __init__(self, spec: CrawlSpec | None = None, timeout: float = 10) -> None:
        super().__init__(timeout)
        self.spec = spec or CrawlSpec()
        self.spec.load()
        self._process: Process | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_process": None}

    def extract(self, text: str) -> str:
        """Text of a page; empty if it has none, is dropped or cannot be processed.

        An exception would end the process, and nobody would learn which.
        """
        try:
            if self._process is None:
                self._process = self.spec.load()
            (outcome,) = self._process([Record("", 0, text)])
        except Exception as error:
            logger.warning(f"Victor: {type(error).__name__}: {error}")
            return ""
        return outcome.document.text if outcome.document and outcome.status == "written" else ""


def _entered(writer: DiskWriter | None) -> AbstractContextManager[Any]:
    """A writer that is closed at the end of the block, or None."""
    return nullcontext() if writer is None else writer


def _document(record: Record) -> Document:
    """A document with a page that is still to be cleaned."""
    known = record.metadata.items()
    renamed = {f"source_{key}" if key in _RESERVED else key: value for key, value in known}
    metadata = {**renamed, "url": record.url, "date": record.date, "file_path": record.source}
    document = Document("", record.id or _address(record), metadata=metadata)
    if isinstance(record.body, str):
        document.text = record.body
    else:
        headers = {"charset": record.charset, "media_type": record.media_type}
        url, kind = record.url or "", MediaType.DOCUMENT
        page = Media(document.id, kind, url, media_bytes=record.body, metadata=headers)
        document.media.append(page)
    return document


def _record(number: int, document: Document) -> Record:
    """The page in a document as a record."""
    known = dict(document.metadata)
    url, date, source = (known.pop(name, None) for name in ("url", "date", "file_path"))
    page = next((each for each in document.media if each.media_bytes is not None), None)
    headers = {} if page is None else page.metadata
    return Record(
        source=source or "",
        number=number,
        body=document.text or "" if page is None else page.media_bytes,
        url=url,
        id=document.id,
        charset=headers.get("charset"),
        media_type=headers.get("media_type"),
        date=date.isoformat() if hasattr(date, "isoformat") else date,
        metadata=known,
    )


def _cleaned(page: CleanPage) -> Document:
    """A clean page with its fields and all metadata side by side."""
    fields, known, more = parts(page)
    text, name, markdown = (fields.pop(key) for key in ("text", "id", "markdown"))
    fields["file_path"] = fields["file_path"] or None
    shown = {} if markdown is None else {"markdown": markdown}
    return Document(text, name, metadata={**more, **known, **fields, **shown})


def _excluded(record: Record, outcome: Outcome) -> Document:
    """A page that is not passed on, with what was kept of it."""
    page = outcome.document or CleanPage(
        id=record.id or "",
        text="",
        paragraphs=(),
        url=record.url,
        date=record.date,
        metadata={**record.metadata, "file_path": record.source},
    )
    document = _cleaned(page)
    document.metadata |= {"filter_reason": outcome.reason, "message": outcome.message}
    return document


def _damaged(item: Damage) -> Document:
    """A damage of an input, in place of a page."""
    metadata = {"url": item.url, "file_path": item.source}
    metadata |= {"filter_reason": item.reason, "message": item.message}
    return Document("", _address(item), metadata=metadata)


def _address(item: Record | Damage) -> str:
    return f"{item.source}#{item.number}"
