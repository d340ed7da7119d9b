"""Turn records into outcomes: filter, clean all in one batch, filter again, make documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import numpy as np
from msgspec.structs import replace

from victor.api import Cleaner, CleanerSpec, Result
from victor.base.errors import VictorError
from victor.base.labels import Label
from victor.config.layers import load_data
from victor.config.schema import AnySection, Config, Filter, from_data
from victor.documents.page_filter import LanguageGuess, PageFilter
from victor.documents.paragraphs import (
    kept_paragraphs,
    languages,
    without_foreign,
)
from victor.documents.row import Outcome, Paragraph, row
from victor.labelers.crf import configuration, scope_of
from victor.labelers.labeler import Labeler
from victor.page.plain_data import plain
from victor.page.source import Source
from victor.page.verdict.verdict import Verdict
from victor.render.forms import Shown
from victor.sources.record import Record

_RENAMED: Final = {"language": "declared_language"}
"""Metadata of a page that have other names in a document."""


@dataclass(frozen=True, slots=True)
class Processor:
    """Makes outcomes of records.

    Attributes:
        cleaner: cleans all pages together.
        filter: says which pages are dropped.
        markdown: what Markdown of documents shows; None for no Markdown.
        keep_dropped: as of a `CrawlSpec`.
    """

    cleaner: Cleaner
    filter: PageFilter
    markdown: Shown | None = None
    keep_dropped: bool = False

    def __call__(self, records: Sequence[Record]) -> list[Outcome]:
        """The outcomes, one for each, in their order; a page never raises.

        Raises:
            VictorError: something is wrong that no page is to blame for, e.g. a model.
        """
        early = [self._before(record) for record in records]
        todo = [record for record, outcome in zip(records, early, strict=True) if outcome is None]
        sources = [Source(each.body, each.url, each.charset) for each in todo]
        # Pages that are to have documents are labelled even so.
        refuse = None if self.keep_dropped else self.filter.refuse
        results = self.cleaner.clean_many(sources, refuse)
        late = (self._after(record, result) for record, result in zip(todo, results, strict=True))
        return [next(late) if outcome is None else outcome for outcome in early]

    def _before(self, record: Record) -> Outcome | None:
        """The outcome of a record that is not cleaned; None if it is to be."""
        try:
            reason = self.filter.check_record(record)
        except Exception as error:
            return _error(record, error)
        if reason is not None:
            return _outcome(record, "dropped", reason)
        return self._as_text(record) if record.is_text else None

    def _as_text(self, record: Record) -> Outcome:
        """The outcome of a record that is clean text already; it is kept as it is."""
        body = record.body
        text = body if isinstance(body, str) else body.decode("utf-8", "replace")
        lines, end = list[Paragraph](), 0
        for line in text.splitlines(keepends=True):
            if line.strip():
                lines.append(Paragraph(line.rstrip("\r\n"), heading=False, start=end))
            end += len(line)
        n_words, guess = len(text.split()), self.filter.identify(text)
        reason = self.filter.check_content(n_words) or self.filter.check_language(guess)
        if not lines or reason is not None:
            return _outcome(record, "dropped", reason or "no-text")
        guess = self.filter.completed(guess, None, text)
        shares, model = Shares(n_words, 1.0, 1.0), model_name(self.cleaner.labeler)
        page = Cleaned(record, {}, guess, shares, model, text, tuple(lines))
        return _outcome(record, "written", "ok", row=row(page), paragraphs=page.paragraphs)

    def _after(self, record: Record, result: Result) -> Outcome:
        """The outcome of a record that was cleaned."""
        try:
            if result.error is not None:
                return _error(record, result.error)
            if result.in_batch is None:
                return _outcome(record, "dropped", result.reason)
            return self._checked(record, result)
        except Exception as error:
            return _error(record, error)

    def _checked(self, record: Record, result: Result) -> Outcome:
        page = checked(self.filter, result, record.body, result.encoding)
        reason, guess, result = page.reason, page.language, page.result
        if self.keep_dropped:  # else it was refused before
            verdict, number = _in_batch(result)
            reason = self.filter.check_visible(verdict.table, number) or reason
        status = "written" if reason == "ok" else "dropped"
        if status == "dropped" and not self.keep_dropped:
            return _outcome(record, status, reason)
        if guess.language is None:  # perhaps dropped before its language was asked for
            guess = self.filter.identify(result.text)
        cleaned = self._cleaned(record, result, page.shares, guess)
        return _outcome(
            record,
            status,
            reason,
            row=row(cleaned),
            paragraphs=cleaned.paragraphs,
            foreign_paragraphs=page.foreign if status == "written" else 0,
        )

    def _cleaned(
        self, record: Record, result: Result, shares: Shares, guess: LanguageGuess
    ) -> Cleaned:
        verdict, number = _in_batch(result)
        declared, paragraphs = result.metadata, kept_paragraphs(verdict, number)
        if self.filter.settings.paragraphs != "keep":
            told = zip(paragraphs, languages(self.filter, verdict, number), strict=True)
            paragraphs = tuple(each._replace(language=language) for each, language in told)
        shown = self.markdown
        markdown = None if shown is None else result.render("markdown", shown=shown)
        return Cleaned(
            record,
            declared,
            self.filter.completed(guess, declared.get("language"), result.text),
            shares,
            model_name(self.cleaner.labeler),
            result.text,
            paragraphs,
            markdown,
            result.page_type,
            result.p_no_content,
        )


class Checked(NamedTuple):
    """What the filter says of a cleaned page."""

    reason: str  # ``ok`` or one of `victor.documents.page_filter.REASONS`
    language: LanguageGuess  # if no check before that of the language dropped the page
    shares: Shares
    result: Result  # without paragraphs in other languages if these are to go
    foreign: int = 0  # how many there were


def checked(page_filter: PageFilter, result: Result, body: bytes | str, encoding: str) -> Checked:
    """Hold a page that was cleaned against the filter; see `PageFilter.check_characters`."""
    verdict, page = _in_batch(result)
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
    shares = Shares.of(*_in_batch(result)) if n_foreign else shares
    reason = page_filter.check_content(shares.kept_words) or result.reason
    return Checked(reason, guess, shares, result, n_foreign)


def _in_batch(result: Result) -> tuple[Verdict, int]:
    assert result.in_batch is not None, "a page without an error has a verdict"
    return result.in_batch


def model_name(labeler: Labeler) -> str:
    """Fingerprint of a labeler's model, else the labeler's name."""
    card = getattr(getattr(labeler, "model", None), "card", {})
    return str(card.get("fingerprint") or labeler.name)


class Cleaned(NamedTuple):
    """What the fields of a row are read from; `declared` is what the page says of itself."""

    record: Record
    declared: Mapping[str, Any]
    guess: LanguageGuess
    shares: Shares
    model: str
    text: str
    paragraphs: tuple[Paragraph, ...]
    markdown: str | None = None
    page_type: str | None = None
    p_no_content: float | None = None

    @property
    def known(self) -> dict[str, Any]:
        """Plain metadata of the page, and those of its record in place of the same keys."""
        own = {_RENAMED.get(key, key): value for key, value in self.declared.items()}
        own.pop("title", None)
        return dict(plain({**own, **self.record.metadata}))


class Shares(NamedTuple):
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


def _error(record: Record, error: Exception) -> Outcome:
    """The outcome of a page that failed; an error that concerns all pages is raised again."""
    reason = getattr(error, "reason", "")
    if isinstance(error, VictorError) and not reason:
        raise error
    if isinstance(error, MemoryError) or isinstance(error.__cause__, MemoryError):
        reason = "memory"
    return failed(record, reason or "failed", str(error))


def failed(record: Record, reason: str, message: str) -> Outcome:
    """The outcome of a record that failed."""
    return _outcome(record, "failed", reason, message=message)


def _outcome(record: Record, status: str, reason: str, **more: Any) -> Outcome:  # noqa: ANN401
    return Outcome(record.source, record.number, status, reason, url=record.url, **more)


class CrawlSpec(CleanerSpec, frozen=True):
    """A `CleanerSpec` with what a crawl needs besides; workers are sent it and load it themselves.

    Attributes:
        filter: which pages are kept.
        markdown: documents have Markdown, too, beside the text.
        shown: what it shows beside words.
        keep_dropped: dropped pages have documents, too.
    """

    filter: Filter = Filter()
    markdown: bool = False
    shown: Shown = Shown()
    keep_dropped: bool = False

    def configured(self, source: str | Path | None, overrides: Sequence[str] = ()) -> Self:
        """The same with filter, limits, decision and scope of a configuration.

        Only keys that the configuration or the overrides name count. The others are those of the
        model's configuration, and without a model those of the labeler or the defaults.

        Args:
            source: name of a shipped configuration or path of a YAML file; None for none.
            overrides: ``key=value``, e.g. ``filter.least_words=50``.

        Raises:
            ConfigError: the configuration or an override is wrong.
            VictorError: the labeler cannot be loaded.
        """
        named = load_data(Config, source, overrides)
        labeler = self.build()
        base = configuration(labeler)
        return replace(
            self,
            filter=_merged(base.filter, named, "filter"),
            limits=_merged(labeler.limits, named, "limits"),
            decision=_merged(base.decide, named, "decide") if "decide" in named else None,
            scope=_merged(scope_of(labeler), named, "scope"),
        )

    def load(self) -> Processor:
        """What makes outcomes of records, with model and language profiles.

        Raises:
            VictorError: the labeler or what identifies languages cannot be loaded.
        """
        shown = self.shown if self.markdown else None
        return Processor(self.cleaner(), PageFilter(self.filter), shown, self.keep_dropped)

    def identity(self, cleaner: Cleaner) -> dict[str, Any]:
        """What a run must have in common with the one that it continues, as plain data."""
        decision = cleaner.decision or cleaner.labeler.decision
        config = self.config and (_digest(Path(self.config)) or str(self.config))
        return {
            "model": model_name(cleaner.labeler),
            "model file": None if self.model is None else _digest(Path(self.model)),
            "labeler config": config,
            "type": self.page_type,
            "filter": self.filter.to_data(),
            "limits": cleaner.limits.to_data(),
            "decision": decision.to_data(),
            "scope": cleaner.scope.to_data(),
            "markdown": self.markdown,
            "shown": self.shown._asdict() if self.markdown else None,
            "keep dropped": self.keep_dropped,
        }


def _merged(base: AnySection, named: Mapping[str, Any], section: str) -> AnySection:
    """A section with the values that are named for it in place of its own."""
    return from_data(type(base), {**base.to_data(), **named.get(section, {})}, section)


def _digest(path: Path) -> str | None:
    """SHA-256 of a file; None if the name is that of a shipped model or configuration."""
    if not path.is_file():
        return None
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
