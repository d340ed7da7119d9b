"""The outcome of a record: a row to write with its paragraphs, or the reason why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from victor.documents.row import Row


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


class Outcome(NamedTuple):
    """The result of one record; there is exactly one for every record and damage read.

    Attributes:
        source: input of the record.
        number: its number there, from 0.
        status: ``written``, ``dropped`` or ``failed``.
        reason: ``ok``, or why it was dropped or failed, as a short machine-readable name.
        message: more about a failure.
        url: of the page.
        row: of a record that is written, and of a dropped one if these are to be kept.
        paragraphs: of its text.
        dropped: the other paragraphs of the page in their order; None if they are not kept.
        foreign_paragraphs: how many paragraphs of a page that is written were dropped because of
            their language.
    """

    source: str
    number: int
    status: str
    reason: str
    message: str = ""
    url: str | None = None
    row: Row | None = None
    paragraphs: tuple[Paragraph, ...] = ()
    dropped: tuple[Dropped, ...] | None = None
    foreign_paragraphs: int = 0
