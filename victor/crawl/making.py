"""Make a part: read its records, clean them batch by batch, write what they became.

This runs in a worker, which may crash, hang or run out of memory at any time: it says what it is
at, and the part is made again without that record.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any, Final

import msgspec

from victor.base import processes
from victor.base.errors import ConfigError, VictorError
from victor.base.files import created, replaced
from victor.crawl.state import Part, RunFolder, State
from victor.crawl.writers import Writer, writer
from victor.documents.process import CrawlSpec, Processor, failed
from victor.documents.row import Outcome
from victor.model.extractor import BATCH_BYTES
from victor.page.plain_data import plain, valid
from victor.sources.inputs import ReadOptions
from victor.sources.reading import read
from victor.sources.record import Damage, Page, Record, Skipped

_MOST_ITEMS: Final = 256
"""Of a batch: pages may be tiny."""
_SAMPLE: Final = Record(
    "sample", 0, b"<title>A</title><h1>A page</h1><p>The first of all pages.</p>"
)
"""Cleaned before the first part: so what is loaded late is loaded, and fits into the memory."""


@dataclass(frozen=True, slots=True)
class Order:
    """What a worker makes parts of, and how; calling it loads what that needs."""

    spec: CrawlSpec
    reading: ReadOptions
    folder: Path
    form: str
    directory: str

    def __call__(self) -> Maker:
        """Load the labeler and clean a first page."""
        os.chdir(self.directory)
        return Maker(self, self.spec.load())


class Maker:
    """Makes parts."""

    def __init__(self, order: Order, process: Processor) -> None:
        self._order, self._process = order, process
        self._folder = RunFolder(order.folder, order.form)
        self._open: tuple[object, int, Iterator[Page]] = (None, 0, iter(()))
        if process([_SAMPLE])[0].reason == "memory":
            raise ConfigError("a worker needs more memory to begin with; raise --memory")

    def __call__(self, part: Part) -> State:
        """Make a part and count what is in it; none is written if its input had ended before."""
        state = State()
        cut = batches(self._pages(part, state))
        first = next(cut, None)
        if first is not None:
            self._write(part, state, chain([first], cut))
        return state

    def _write(self, part: Part, state: State, cut: Iterator[_Batch]) -> None:
        folder, order = self._folder, self._order
        with ExitStack() as stack:
            path = stack.enter_context(replaced(folder.part(part.name)))
            out = stack.enter_context(writer(order.form, path))
            dropped: IO[bytes] | None = None
            if order.spec.keep_dropped:
                aside = stack.enter_context(replaced(folder.dropped(part.name)))
                dropped = stack.enter_context(created(aside))
            for batch in cut:
                for page in self._cleaned(part, *batch):
                    _add(page, state, out, dropped)
        folder.finish(part.name, state)

    def _pages(self, part: Part, state: State) -> Iterator[Page]:
        """What is read for a part; says what it is at."""
        count, found = 0, self._read(part)
        while True:
            if part.stop is not None and count >= part.stop[0]:
                _, reason, message = part.stop
                source = part.sources[0].name
                yield Damage(source, count, reason, f"reading ended here: {message}")
                return
            processes.at(count, 0)
            page = next(found, None)
            if page is None:
                break
            state.bytes += size_of(page)
            yield page
            count += 1
        state.ended = part.is_counted and part.end is not None and count < part.end - part.start

    def _read(self, part: Part) -> Iterator[Page]:
        reading = self._order.reading
        if not part.is_counted:
            for source in part.sources:
                yield from read(source, reading, part.start, part.end)
            return
        source, end = part.sources[0], part.end or 0
        known, begin, opened = self._open
        if known != source or begin > part.start:
            begin, opened = 0, read(source, reading)
        self._open = (None, 0, iter(()))  # if this fails
        for at, page in enumerate(islice(opened, end - begin), begin):
            if at >= part.start:
                yield page
        self._open = (source, end, opened)

    def _cleaned(self, part: Part, first: int, pages: Sequence[Page]) -> Iterator[Page | Outcome]:
        """What became of the pages of a batch, in their order."""
        fates: dict[int, Page | Outcome] = dict(enumerate(pages, first))
        records = {place: page for place, page in fates.items() if isinstance(page, Record)}
        for place in records.keys() & part.without.keys():
            fates[place] = failed(records.pop(place), *part.without[place])
        if part.alone.keys() & records.keys():
            for place, record in records.items():
                fates |= self._outcomes({place: record})
        elif records:
            fates |= self._outcomes(records)
        yield from fates.values()

    def _outcomes(self, records: dict[int, Record]) -> dict[int, Outcome]:
        """The outcomes of records by their places; says that it is at these."""
        first, last = next(iter(records)), next(reversed(records))
        processes.at(first, last - first + 1)
        try:
            outcomes = self._process([*records.values()])
        except VictorError as error:
            if isinstance(error.__cause__ or error.__context__, MemoryError):
                raise MemoryError from None  # a page has left none for what is loaded late
            raise
        except MemoryError:
            raise
        except Exception as error:  # whatever it is, it may cost one page only
            if len(records) == 1:
                failure = f"{type(error).__name__}: {error}"
                return {first: failed(records[first], "crashed", failure)}
            singles = [self._outcomes({place: each}) for place, each in records.items()]
            return {place: each for single in singles for place, each in single.items()}
        if len(records) > 1 and any(outcome.reason == "memory" for outcome in outcomes):
            raise MemoryError  # what that page left behind could cost the others theirs
        return dict(zip(records, outcomes, strict=True))


_Batch = tuple[int, list[Page]]
"""The place of its first page, and its pages."""


def batches(pages: Iterator[Page]) -> Iterator[_Batch]:
    """Batches of about `BATCH_BYTES` of markup."""
    batch: list[Page] = []
    first = size = 0
    for page in pages:
        page_size = size_of(page)
        if batch and (size + page_size > BATCH_BYTES or len(batch) == _MOST_ITEMS):
            yield first, batch
            first, batch, size = first + len(batch), [], 0
        batch.append(page)
        size += page_size
    if batch:
        yield first, batch


def size_of(page: Page) -> int:
    """Bytes of markup; characters if it is text; 0 for what is no page."""
    return len(page.body) if isinstance(page, Record) else 0


def _add(page: Page | Outcome, state: State, out: Writer, dropped: IO[bytes] | None) -> None:
    """Count and write what became of a page."""
    if isinstance(page, Skipped):
        state.skipped[page.reason] += 1
    elif isinstance(page, Damage) or (isinstance(page, Outcome) and page.status == "failed"):
        state.failed[page.reason] += 1
        state.failures.append({**_address(page), "message": valid(page.message)})
    elif isinstance(page, Outcome) and page.status == "dropped":
        state.dropped[page.reason] += 1
        if dropped is not None:
            kept = {} if page.row is None else msgspec.to_builtins(page.row)
            dropped.write(msgspec.json.encode({**_address(page), **kept}) + b"\n")
    else:
        assert isinstance(page, Outcome), "a record has been cleaned"
        state.written += 1
        state.foreign_paragraphs += page.foreign_paragraphs
        out.write(page)


def _address(page: Damage | Outcome) -> Mapping[str, Any]:
    """What tells which record it was, as text that can be written: names may be of any bytes."""
    names = ("source", "number", "url", "reason")
    return {name: plain(getattr(page, name)) for name in names}
