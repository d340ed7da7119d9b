"""The result of a record: a document to write, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Paragraph(NamedTuple):
    """One paragraph of a page.

    Attributes:
        text: of the paragraph.
        heading: does Markdown show it as a heading.
        p_other: p(other) as a threshold sees it, rounded down to 4 digits: cleaning with a
            threshold keeps the paragraph if this is below it. None where the scope decides.
        language: ISO 639 code; None if nobody asked for it.
        kind: ``heading``, ``code``, ``cell``, ``quote`` or ``item``; empty for all else.
    """

    text: str
    heading: bool
    p_other: float | None = None
    language: str | None = None
    kind: str = ""


class Dropped(NamedTuple):
    """A paragraph that is no part of the text, and the number of the kept one that follows it."""

    before: int
    paragraph: Paragraph


@dataclass(frozen=True, slots=True)
class Document:
    """A clean page as writers write it; it can be pickled and refers to nothing else.

    Attributes:
        id: identifier of the record, else its source and number; unique in a run.
        text: the clean text, in the chosen form.
        markdown: the same in Markdown, if that is asked for.
        paragraphs: the same text as paragraphs.
        dropped: the other paragraphs of the page in their order; None if they are not kept.
        url, date, title: as known.
        language: ISO 639 code; ``und`` if nothing tells it.
        language_score: of the identifier, 0 to 1; None for a language that the page declares.
        words: of the text.
        kept_share: words kept over words on the page, 0 to 1.
        confidence: mean over kept words of the probability that their block is to be kept.
        model: fingerprint of the model, or the name of the labeler.
        metadata: what else is known from the record or the page, as plain data.
        page_type, p_no_content: as of `victor.api.Result`.
    """

    id: str
    text: str
    paragraphs: tuple[Paragraph, ...]
    dropped: tuple[Dropped, ...] | None = None
    url: str | None = None
    date: str | None = None
    title: str | None = None
    language: str | None = None
    language_score: float | None = None
    words: int = 0
    kept_share: float = 0.0
    confidence: float = 0.0
    model: str = ""
    markdown: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    page_type: str | None = None
    p_no_content: float | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one record; there is exactly one for every record and damage read.

    Attributes:
        source: input of the record.
        number: its number there, from 0.
        status: ``written``, ``dropped`` or ``failed``.
        reason: ``ok``, or why it was dropped or failed, as a short machine-readable name.
        message: more about a failure.
        url: of the page.
        document: of a record that is written, and of a dropped one if these are to be kept.
        row: of a record that is written, in place of the document: what its form adds to a file,
            bytes or the fields of Parquet.
        foreign_paragraphs: how many paragraphs of a page that is written were dropped because of
            their language.
    """

    source: str
    number: int
    status: str
    reason: str
    message: str = ""
    url: str | None = None
    document: Document | None = None
    row: Any = None
    foreign_paragraphs: int = 0


def unnamed_id(source: str, number: int) -> str:
    """Identifier of the document of a record that has none: its address."""
    return f"{source}#{number}"
