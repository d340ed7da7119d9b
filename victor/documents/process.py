"""Turn records into outcomes: filter, clean all in one batch, filter again, make documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from victor.api import Cleaner, Result
from victor.base.errors import VictorError
from victor.base.labels import Label
from victor.config.schema import Scope
from victor.documents.outcome import Dropped, Outcome, Paragraph
from victor.documents.page_filter import LanguageGuess, PageFilter
from victor.documents.paragraphs import (
    dropped_paragraphs,
    kept_paragraphs,
    languages,
    without_foreign,
)
from victor.documents.row import row
from victor.labelers.labeler import Labeler
from victor.page.plain_data import plain
from victor.page.source import Source
from victor.page.verdict.verdict import Verdict
from victor.render.forms import Shown
from victor.sources.record import Record

_RENAMED: Final = {"language": "declared_language"}
"""Metadata of a page that have other names in a document."""


def process(  # noqa: PLR0913  (one for every option)
    cleaner: Cleaner,
    filter: PageFilter,
    records: Sequence[Record],
    *,
    form: str = "text",
    markdown: Shown | None = None,
    keep_dropped: bool = False,
    keep_all: bool = False,
) -> list[Outcome]:
    """Outcomes of records, one for each, in their order.

    A page that cannot be processed has an outcome with the status ``failed`` and never raises.

    Args:
        cleaner: cleans all pages together.
        filter: says which pages are dropped.
        records: the pages.
        form: output format of the texts, e.g. ``text`` or ``markdown``.
        markdown: what the Markdown of documents shows beside words; None for no Markdown.
        keep_dropped: pages that are dropped after cleaning have documents, too.
        keep_all: documents have the dropped paragraphs, too, apart from the text.

    Raises:
        VictorError: something is wrong that no page is to blame for: a model, the form.
    """
    model, scope = model_name(cleaner.labeler), cleaner.scope
    step = _Step(filter, form, markdown, model, keep_dropped, keep_all, scope)
    # Pages that are to have documents are labelled even so.
    refuse = None if keep_dropped else filter.refuse
    early = [step.before(record) for record in records]
    todo = [record for record, outcome in zip(records, early, strict=True) if outcome is None]
    sources = [Source(each.body, each.url, each.charset) for each in todo]
    results = cleaner.clean_many(sources, refuse)
    late = (step.after(record, result) for record, result in zip(todo, results, strict=True))
    return [next(late) if outcome is None else outcome for outcome in early]


class Checked(NamedTuple):
    """What the filter says of a cleaned page.

    Attributes:
        reason: ``ok`` or one of `victor.documents.page_filter.REASONS`.
        language: of the kept text, if no check before that of the language dropped the page.
        shares: how much of it was kept.
        result: of the page, without paragraphs in other languages if these are to go.
        foreign: how many there were.
    """

    reason: str
    language: LanguageGuess
    shares: Shares
    result: Result
    foreign: int = 0


def checked(page_filter: PageFilter, result: Result, body: bytes | str, encoding: str) -> Checked:
    """Hold a cleaned page against the filter.

    Args:
        page_filter: says which pages are dropped.
        result: of the page, without an error.
        body: the page before it was parsed.
        encoding: how it was decoded, as `victor.page.decoding.decode` names it.
    """
    assert result.in_batch is not None, "a page without an error has a verdict"
    verdict, page = result.in_batch
    shares = Shares.of(verdict, page)
    own = None if result.reason == "ok" else result.reason
    reason = (
        (own if own in ("no-text", "frames") else None)
        or page_filter.check_characters(body, encoding, verdict, page)
        or own
        or page_filter.check_content(shares.kept_words)
    )
    guess = LanguageGuess() if reason else page_filter.identify(result.text)
    reason = reason or page_filter.check_language(guess)
    if reason is not None:
        return Checked(reason, guess, shares, result)
    result, n_foreign = without_foreign(page_filter, result, guess)
    if n_foreign:
        assert result.in_batch is not None, "it has the blocks of the page"
        shares = Shares.of(*result.in_batch)
    reason = page_filter.check_content(shares.kept_words) or result.reason
    return Checked(reason, guess, shares, result, n_foreign)


def model_name(labeler: Labeler) -> str:
    """Fingerprint of a labeler's model, else the labeler's name."""
    card = getattr(getattr(labeler, "model", None), "card", {})
    return str(card.get("fingerprint") or labeler.name)


@dataclass(frozen=True, slots=True)
class _Step:
    """What `process` does with one record, before and after it is cleaned."""

    filter: PageFilter
    form: str
    markdown: Shown | None
    model: str
    keep_dropped: bool
    keep_all: bool
    scope: Scope

    def before(self, record: Record) -> Outcome | None:
        """The outcome of a record that is not cleaned; None if it is to be."""
        try:
            reason = self.filter.check_record(record)
        except Exception as error:
            return _failed(record, error)
        if reason is not None:
            return _outcome(record, "dropped", reason)
        return self._as_text(record) if record.is_text else None

    def _as_text(self, record: Record) -> Outcome:
        """The outcome of a record that is clean text already; it is kept as it is."""
        body = record.body
        text = body if isinstance(body, str) else body.decode("utf-8", "replace")
        lines = tuple(Paragraph(line, heading=False) for line in text.splitlines() if line.strip())
        n_words, guess = len(text.split()), self.filter.identify(text)
        reason = self.filter.check_content(n_words) or self.filter.check_language(guess)
        if not lines or reason is not None:
            return _outcome(record, "dropped", reason or "no-text")
        guess = self.filter.completed(guess, None, text)
        shares = Shares(n_words, 1.0, 1.0)
        page = Cleaned(record, Unlabelled(), {}, guess, shares, self.model, text, lines)
        return _outcome(record, "written", "ok", row=row(page), paragraphs=lines)

    def after(self, record: Record, result: Result) -> Outcome:
        """The outcome of a record that was cleaned."""
        try:
            return self._after(record, result)
        except Exception as error:
            return _failed(record, error)

    def _after(self, record: Record, result: Result) -> Outcome:
        if result.error is not None:
            return _failed(record, result.error)
        if result.in_batch is None:
            return _outcome(record, "dropped", result.reason)
        reason, guess, shares, result, n_foreign = checked(
            self.filter, result, record.body, result.encoding
        )
        assert result.in_batch is not None, "it has the blocks of the page"
        if self.keep_dropped:  # else it was refused before
            verdict, page = result.in_batch
            reason = self.filter.check_visible(verdict.table, page) or reason
        status = "written" if reason == "ok" else "dropped"
        if status == "dropped" and not self.keep_dropped:
            return _outcome(record, status, reason)
        if guess.language is None:  # perhaps dropped before its language was asked for
            guess = self.filter.identify(result.text)
        cleaned = self._cleaned(record, result, shares, guess)
        return _outcome(
            record,
            status,
            reason,
            row=row(cleaned),
            paragraphs=cleaned.paragraphs,
            dropped=cleaned.dropped,
            foreign_paragraphs=n_foreign if status == "written" else 0,
        )

    def _cleaned(
        self, record: Record, result: Result, shares: Shares, guess: LanguageGuess
    ) -> Cleaned:
        assert result.in_batch is not None, "a page without an error has a verdict"
        declared = result.metadata
        guess = self.filter.completed(guess, declared.get("language"), result.text)
        # The plain text was made before, to tell its language.
        text = result.text if self.form == "text" else result.render(self.form)
        dropped = markdown = None
        if self.keep_all:
            dropped = dropped_paragraphs(*result.in_batch, result.markup, self.scope)
        if self.markdown is not None:
            markdown = result.render("markdown", shown=self.markdown)
        paragraphs = self._paragraphs(*result.in_batch)
        return Cleaned(
            record, result, declared, guess, shares, self.model, text, paragraphs, dropped, markdown
        )

    def _paragraphs(self, verdict: Verdict, page: int) -> tuple[Paragraph, ...]:
        """The paragraphs of the text with their languages, if these are asked for."""
        paragraphs = kept_paragraphs(verdict, page)
        if not self.filter.tells_paragraphs:
            return paragraphs
        told = zip(paragraphs, languages(self.filter, verdict, page), strict=True)
        return tuple(paragraph._replace(language=language) for paragraph, language in told)


class Unlabelled(NamedTuple):
    """What the result of a record says that needed no cleaning."""

    page_type: str | None = None
    p_no_content: float | None = None


class Cleaned(NamedTuple):
    """What the fields of a row are read from; `declared` is what the page says of itself."""

    record: Record
    result: Result | Unlabelled
    declared: Mapping[str, Any]
    guess: LanguageGuess
    shares: Shares
    model: str
    text: str
    paragraphs: tuple[Paragraph, ...]
    dropped: tuple[Dropped, ...] | None = None
    markdown: str | None = None

    @property
    def known(self) -> dict[str, Any]:
        """Plain metadata of the page, and those of its record in place of the same keys."""
        own = {_RENAMED.get(key, key): value for key, value in self.declared.items()}
        own.pop("title", None)
        return dict(plain({**own, **self.record.metadata}))


@dataclass(frozen=True, slots=True)
class Shares:
    """Words kept, words kept over words on the page, mean probability of what was kept."""

    kept_words: int
    kept_share: float
    confidence: float

    @classmethod
    def of(cls, verdict: Verdict, page: int) -> Shares:
        """Those of a page of a batch."""
        blocks = verdict.page(page)
        words, kept = verdict.table.words[blocks], verdict.kept[blocks]
        p_keep = 1 - verdict.marginals[blocks, Label.OTHER]
        shown = np.where(kept, verdict.shown_words(page), 0)
        judged = shown if verdict.by_scope is None else shown * ~verdict.by_scope[blocks]
        n_kept, n_judged = int(shown.sum()), int(judged.sum())
        confidence = float(np.dot(judged, p_keep)) / n_judged if n_judged else 0.0
        return cls(n_kept, n_kept / max(int(words.sum()), 1), confidence)


def _failed(record: Record, error: Exception) -> Outcome:
    """The outcome of a page that failed; an error that concerns all pages is raised again."""
    reason = getattr(error, "reason", "")
    if isinstance(error, VictorError) and not reason:
        raise error
    if isinstance(error, MemoryError) or isinstance(error.__cause__, MemoryError):
        reason = "memory"
    return _outcome(record, "failed", reason or "failed", message=str(error))


def _outcome(record: Record, status: str, reason: str, **more: Any) -> Outcome:  # noqa: ANN401
    return Outcome(record.source, record.number, status, reason, url=record.url, **more)
