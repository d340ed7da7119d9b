"""Records to outcomes: filter, clean in one batch, filter again, make documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from victor.api import Cleaner, Result
from victor.crawl.documents.document import Document, Outcome, Paragraph
from victor.crawl.documents.filters import PageFilter, Told
from victor.errors import VictorError
from victor.labelers import Labeler
from victor.labels import Label
from victor.page.source import Source
from victor.page.verdict import Verdict
from victor.sources.record import Record

_DIGITS: Final = 4
_RENAMED: Final = {"language": "declared_language", "date": "published"}
"""Keys of what a page says of itself that are something else in a document."""


def process(
    cleaner: Cleaner,
    filter: PageFilter,
    records: Sequence[Record],
    *,
    form: str = "text",
    aside: bool = False,
) -> list[Outcome]:
    """What becomes of some records; one outcome for each, in their order.

    A page that cannot be processed is an outcome that says ``failed`` and never an exception.

    Args:
        cleaner: cleans all pages together.
        filter: says which are dropped.
        records: the pages.
        form: output format of the texts, e.g. ``text`` or ``markdown``.
        aside: pages that are dropped for what was kept of them have their document all the same.

    Raises:
        VictorError: something is wrong that is no fault of a page: a model, the form.
    """
    step = _Step(filter, form, model_name(cleaner.labeler), aside)
    refused = [step.before(record) for record in records]
    todo = [record for record, outcome in zip(records, refused, strict=True) if outcome is None]
    results = cleaner.clean_many(Source(each.body, each.url, each.charset) for each in todo)
    later = (step.after(record, result) for record, result in zip(todo, results, strict=True))
    return [next(later) if outcome is None else outcome for outcome in refused]


def model_name(labeler: Labeler) -> str:
    """Fingerprint of a labeler's model, else the labeler's name."""
    card = getattr(getattr(labeler, "model", None), "card", {})
    return str(card.get("fingerprint") or labeler.name)


@dataclass(frozen=True, slots=True)
class _Step:
    """What `process` does with one record, before and after it is cleaned."""

    filter: PageFilter
    form: str
    model: str
    aside: bool

    def before(self, record: Record) -> Outcome | None:
        """The outcome of a record that is not even cleaned."""
        try:
            reason = self.filter.before(record)
        except Exception as error:
            return _failed(record, error)
        return None if reason is None else _outcome(record, "dropped", reason)

    def after(self, record: Record, result: Result) -> Outcome:
        """The outcome of a record that was cleaned."""
        try:
            return self._after(record, result)
        except Exception as error:
            return _failed(record, error)

    def _after(self, record: Record, result: Result) -> Outcome:
        if result.error is not None:
            return _failed(record, result.error)
        assert result.in_batch is not None, "a page without an error has a verdict"
        verdict, page = result.in_batch
        reason = result.reason if result.reason in ("no-text", "frames") else None
        reason = reason or self.filter.characters(
            record, result.metadata.get("encoding", ""), verdict, page
        )
        reason = reason or (result.reason if result.reason != "ok" else None)
        if reason is not None and not self.aside:
            return _outcome(record, "dropped", reason)
        return self._judged(record, result, reason)

    def _judged(self, record: Record, result: Result, reason: str | None) -> Outcome:
        """Filter by what was kept, and make the document."""
        assert result.in_batch is not None, "a page without an error has a verdict"
        shares = _Shares.of(*result.in_batch)
        reason = reason or self.filter.content(shares.kept_words, shares.confidence)
        told = Told()
        if reason is None or self.aside:
            told = self.filter.tell(result.text)
            reason = reason or self.filter.language(told)
        if reason is not None and not self.aside:
            return _outcome(record, "dropped", reason)
        document = self._document(record, result, shares, told)
        if reason is not None:
            return _outcome(record, "dropped", reason, document=document)
        return _outcome(record, "written", "ok", document=document)

    def _document(self, record: Record, result: Result, shares: _Shares, told: Told) -> Document:
        assert result.in_batch is not None, "a page without an error has a verdict"
        said = dict(result.metadata)
        return Document(
            id=record.id or f"{record.source}#{record.number}",
            text=result.render(self.form),
            paragraphs=paragraphs(*result.in_batch),
            url=record.url,
            date=record.date or said.get("date"),
            title=said.pop("title", None),
            language=told.language,
            language_score=None if told.score is None else round(told.score, _DIGITS),
            kept_share=round(shares.kept_share, _DIGITS),
            confidence=round(shares.confidence, _DIGITS),
            model=self.model,
            metadata=_metadata(record, said),
        )


def paragraphs(verdict: Verdict, page: int) -> tuple[Paragraph, ...]:
    """The kept paragraphs of a page; headings are those that Markdown shows as such."""
    found = verdict.paragraphs
    first = found.first_block[found.page(page)]
    heading = (verdict.labels[first] == Label.HEADER) | (verdict.table.heading_level[first] > 0)
    return tuple(map(Paragraph, found.texts(page), heading.tolist()))


@dataclass(frozen=True, slots=True)
class _Shares:
    """How much of a page was kept and how surely; see `Document`."""

    kept_words: int
    kept_share: float
    confidence: float

    @classmethod
    def of(cls, verdict: Verdict, page: int) -> _Shares:
        own = verdict.page(page)
        words, kept = verdict.table.words[own], verdict.kept[own]
        keep = 1 - verdict.marginals[own, Label.OTHER]
        n_kept = int(words[kept].sum())
        confidence = float(np.dot(words[kept], keep[kept])) / n_kept if n_kept else 0.0
        return cls(n_kept, n_kept / max(int(words.sum()), 1), confidence)


def _metadata(record: Record, said: Mapping[str, Any]) -> dict[str, Any]:
    """What the record says, then what the page says; the record wins."""
    page = {_RENAMED.get(key, key): value for key, value in said.items()}
    return {**page, **record.metadata, "file_path": record.source}


def _failed(record: Record, error: Exception) -> Outcome:
    """A failure of one page; what is wrong for all pages is raised again."""
    reason = getattr(error, "reason", "")
    if isinstance(error, VictorError) and not reason:
        raise error
    if isinstance(error, MemoryError) or isinstance(error.__cause__, MemoryError):
        reason = "memory"
    return _outcome(record, "failed", reason or "failed", message=str(error))


def _outcome(record: Record, status: str, reason: str, **more: Any) -> Outcome:  # noqa: ANN401
    return Outcome(record.source, record.number, status, reason, url=record.url, **more)
