"""The Python face: clean pages one by one or in batches, load models."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from victor.decode import Decoded, decode
from victor.errors import ModelError, PageError
from victor.labels import Label

if TYPE_CHECKING:
    from victor.blocks import BlockTable
    from victor.config import Limits
    from victor.crf.model import Model
    from victor.decide import Decision
    from victor.labelers import Labeler
    from victor.verdict import Verdict

Page = bytes | str
"""Markup as bytes of any encoding, or as text."""


class Source(NamedTuple):
    """A page with what is known about it."""

    page: Page | PageError
    """The page, or why there is none; the error becomes that of its result."""
    url: str | None = None
    charset: str | None = None
    """Encoding that the HTTP header declares."""


@dataclass(frozen=True, slots=True)
class Block:
    """One text block of a result."""

    text: str
    label: str
    marginals: dict[str, float]
    reason: str


@dataclass(frozen=True, eq=False)
class Result:
    """What became of one page.

    Attributes:
        url: as given.
        reason: ``ok``, or why there is no text: ``no-text`` (the page has no visible text),
            ``frames`` (it only names other pages), ``no-content`` (nothing was kept), or the
            reason of the error.
        error: the error that stopped this page, else None.
        metadata: title, language, encoding and how it was found, description and the like.
    """

    url: str | None
    reason: str
    error: PageError | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    _verdict: Verdict | None = None
    _number: int = 0
    _markup: bytes = b""

    @cached_property
    def text(self) -> str:
        """Headings and paragraphs on their own lines, a blank line between."""
        return self.render("text")

    @cached_property
    def markdown(self) -> str:
        """The kept text as Markdown."""
        return self.render("markdown")

    @cached_property
    def html(self) -> str:
        """The page without the blocks labelled *other*, nothing else changed."""
        return self.render("html")

    def render(self, form: str) -> str:
        """The page in one of the forms of `victor.render`.

        Raises:
            ConfigError: there is no such form.
        """
        from victor.render import renderer  # noqa: PLC0415  (loaded when asked for)

        render = renderer(form)
        if self._verdict is None:
            return ""
        return render(self._verdict, self._number, url=self.url, markup=self._markup)

    @property
    def labels(self) -> NDArray[np.uint8]:
        """(n,) label of every block."""
        if self._verdict is None:
            return np.zeros(0, dtype=np.uint8)
        return self._verdict.labels[self._verdict.page(self._number)]

    @property
    def marginals(self) -> NDArray[np.float64]:
        """(n, 3) probability of every label of every block, columns in the order of `Label`."""
        if self._verdict is None:
            return np.zeros((0, len(Label)))
        return self._verdict.marginals[self._verdict.page(self._number)]

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """Every block of the page with its label, probabilities and reason."""
        if self._verdict is None:
            return ()
        return tuple(_blocks(self._verdict, self._verdict.page(self._number)))


def _blocks(verdict: Verdict, where: slice) -> Iterator[Block]:
    names = [label.lower_name for label in Label]
    texts, reasons = verdict.table.texts()[where], verdict.reasons()[where]
    rows = zip(
        texts, verdict.labels[where].tolist(), verdict.marginals[where].tolist(), reasons,
        strict=True,
    )  # fmt: skip
    for text, label, marginals, reason in rows:
        yield Block(text, names[label], dict(zip(names, marginals, strict=True)), reason)


class Cleaner:
    """Cleans pages with one labeler, in batches; a page that fails never stops the others.

    Args:
        labeler: the system that labels blocks.
        limits: bounds of one page; None takes those of the default configuration.
        decision: how labels are chosen; None leaves it to the labeler.
    """

    def __init__(
        self, labeler: Labeler, *, limits: Limits | None = None, decision: Decision | None = None
    ) -> None:
        self.labeler = labeler
        self.decision = decision
        self.limits = limits if limits is not None else _default_limits()

    def clean(self, page: Page, url: str | None = None) -> Result:
        """Clean one page.

        Raises:
            PageError: the page is beyond the limits.
        """
        (result,) = self.clean_many([Source(page, url)])
        if result.error is not None:
            raise result.error
        return result

    def clean_many(self, pages: Iterable[Page | Source]) -> Iterator[Result]:
        """Clean pages; results come in the order of the pages, one for each.

        A page that cannot be processed gives a result with an error.
        """
        from victor.analysis import BATCH_BYTES  # noqa: PLC0415

        batch: list[_Ready] = []
        size = 0
        for page in pages:
            ready = self._ready(page if isinstance(page, Source) else Source(page))
            if batch and size + len(ready.markup) > BATCH_BYTES:
                yield from self._clean_batch(batch)
                batch, size = [], 0
            batch.append(ready)
            size += len(ready.markup)
        yield from self._clean_batch(batch)

    def _ready(self, source: Source) -> _Ready:
        """Decode one page, or say why it cannot be."""
        if isinstance(source.page, PageError):
            return _Ready(source, Decoded("", "", ""), b"", source.page)
        n_bytes = len(source.page)
        if n_bytes > self.limits.bytes:
            error = PageError(
                "too-many-bytes",
                f"the page has {n_bytes} bytes, the limit is {self.limits.bytes}; "
                "raise limits.bytes to process it",
            )
            return _Ready(source, Decoded("", "", ""), b"", error)
        decoded = decode(source.page, declared=source.charset)
        return _Ready(source, decoded, decoded.text.encode(), None)

    def _clean_batch(self, batch: Sequence[_Ready]) -> Iterator[Result]:
        """Label the pages of a batch together; if that fails, each alone."""
        good = [ready for ready in batch if ready.error is None]
        try:
            results = iter(self._label(good))
        except Exception as error:  # noqa: BLE001  (whatever it is, it may cost one page only)
            if len(good) == 1:
                results = iter([_failed(good[0], _page_error(error))])
            else:
                results = (result for ready in good for result in self._clean_batch([ready]))
        for ready in batch:
            yield _failed(ready, ready.error) if ready.error is not None else next(results)

    def _label(self, batch: Sequence[_Ready]) -> list[Result]:
        if not batch:
            return []
        started = time.monotonic()
        table = self.labeler.table([ready.markup for ready in batch])
        self._check(table, started)
        verdict = self.labeler.label(table, self.decision)
        self._check(table, started)
        return [_result(ready, verdict, number) for number, ready in enumerate(batch)]

    def _check(self, table: BlockTable, started: float) -> None:
        """Hold a batch against the limits; a batch over them is tried again page by page."""
        largest = int(np.diff(table.page_starts).max(initial=0))
        if largest > self.limits.blocks:
            raise PageError(
                "too-many-blocks",
                f"the page has {largest} blocks, the limit is {self.limits.blocks}; "
                "raise limits.blocks to process it",
            )
        seconds = time.monotonic() - started
        if seconds > self.limits.seconds:
            raise PageError(
                "too-slow",
                f"the page took {seconds:.0f} s, the limit is {self.limits.seconds} s; "
                "raise limits.seconds to process it",
            )


class _Ready(NamedTuple):
    """A decoded page, or the error that stopped it."""

    source: Source
    decoded: Decoded
    markup: bytes
    error: PageError | None


def _page_error(error: Exception) -> PageError:
    """Any failure as the error of one page."""
    if isinstance(error, PageError):
        return error
    return PageError("failed", f"the page could not be processed: {type(error).__name__}: {error}")


def _failed(ready: _Ready, error: PageError) -> Result:
    return Result(url=ready.source.url, reason=error.reason, error=error)


def _result(ready: _Ready, verdict: Verdict, number: int) -> Result:
    """The result of one page of a labelled batch."""
    table = verdict.table
    where = verdict.page(number)
    if where.start == where.stop:
        reason = "frames" if _has_frames(table, number) else "no-text"
    else:
        reason = "ok" if verdict.kept[where].any() else "no-content"
    return Result(
        url=ready.source.url,
        reason=reason,
        metadata=_metadata(ready.decoded, table, number),
        _verdict=verdict,
        _number=number,
        _markup=ready.markup,
    )


def _has_frames(table: BlockTable, number: int) -> bool:
    from victor.tags import IDS  # noqa: PLC0415

    of_page = table.page_of_element == number
    return bool((table.elements.tag[of_page] == IDS["frameset"]).any())


def _metadata(decoded: Decoded, table: BlockTable, number: int) -> dict[str, Any]:
    """What the page says of itself, and how its bytes were read."""
    head = table.heads[number]
    meta = head.meta
    found = {
        "title": meta.get("og:title") or head.title,
        "description": meta.get("description") or meta.get("og:description"),
        "author": meta.get("author") or meta.get("article:author"),
        "date": meta.get("article:published_time") or meta.get("date"),
        "site_name": meta.get("og:site_name"),
        "language": head.language,
        "canonical": head.canonical or meta.get("og:url"),
        "encoding": decoded.encoding,
        "encoding_reason": decoded.reason,
    }
    return {key: value for key, value in found.items() if value}


def _default_limits() -> Limits:
    from victor.config import Limits  # noqa: PLC0415

    return Limits()


def load_model(name: str | Path = "default") -> Model:
    """Load a shipped model by name, or any model by path.

    Raises:
        ModelError: it is missing, damaged or of another format.
    """
    from victor.crf.model import Model  # noqa: PLC0415

    if isinstance(name, str) and name in model_names():
        with resources.as_file(resources.files("victor.models") / f"{name}.victor") as path:
            return Model.load(path)
    if isinstance(name, str) and not Path(name).exists():
        shipped = ", ".join(model_names()) or "none"
        raise ModelError(f"no model {name!r}: give a path, or one of the shipped: {shipped}")
    return Model.load(Path(name))


def model_names() -> list[str]:
    """Names of the models that are shipped with the package."""
    files = resources.files("victor.models").iterdir()
    return sorted(Path(f.name).stem for f in files if f.name.endswith(".victor"))


@cache
def _labeler(name: str | Path) -> Labeler:
    """A labeler per model: loading takes longer than cleaning a page."""
    from victor.labelers.crf import CrfLabeler  # noqa: PLC0415

    return CrfLabeler(load_model(name))


def clean(
    page: Page,
    url: str | None = None,
    *,
    model: str | Path | Model = "default",
    threshold: float | None = None,
) -> Result:
    """Clean one page.

    Args:
        page: markup as bytes (any encoding) or text.
        url: where it comes from; kept with the result.
        model: a shipped model's name, the path of a model file, or a loaded model.
        threshold: keep a block while p(other) is below it, 0 to 1; None decides as the model is
            configured.

    Raises:
        PageError: the page is beyond the limits.
        ModelError: the model is missing or damaged.
        ConfigError: the threshold is out of range.
    """
    return _cleaner(model, threshold).clean(page, url)


def clean_many(
    pages: Iterable[Page | Source],
    *,
    model: str | Path | Model = "default",
    threshold: float | None = None,
) -> Iterator[Result]:
    """Clean pages in batches; one result for each, in order, errors included.

    The arguments are those of `clean`.
    """
    return _cleaner(model, threshold).clean_many(pages)


def _cleaner(model: str | Path | Model, threshold: float | None) -> Cleaner:
    from victor.decide import Decision  # noqa: PLC0415
    from victor.labelers.crf import CrfLabeler  # noqa: PLC0415

    labeler = _labeler(model) if isinstance(model, str | Path) else CrfLabeler(model)
    decision = None if threshold is None else Decision("threshold", threshold)
    return Cleaner(labeler, decision=decision)
