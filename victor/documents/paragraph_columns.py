"""Paragraphs as columns of a row, and the text that another threshold makes of such a row."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, Final

from victor.base.errors import ConfigError
from victor.documents.outcome import Document, Dropped
from victor.labelers import LABELERS
from victor.page.plain_data import valid

_NO_STARTS: Final = (
    "paragraphs cannot be found in this text: threshold rows whose text is plain text "
    "(the form text) of this version of Victor"
)


def paragraph_columns(document: Document) -> dict[str, list[Any] | None]:
    """The paragraphs of the text as columns of equal length.

    ``start`` is the first character of each in the text, None where the text has it in another
    form; ``p_other``, ``heading`` and ``language`` are those of `Paragraph`. A column that holds
    nothing but None is None itself.
    """
    paragraphs = document.paragraphs
    return {
        "start": _known(_straight_starts(document) or [*_evened_starts(document)]),
        "p_other": _known([paragraph.p_other for paragraph in paragraphs]),
        "heading": [paragraph.heading for paragraph in paragraphs],
        "language": _known([paragraph.language for paragraph in paragraphs]),
    }


def dropped_columns(dropped: Sequence[Dropped] | None) -> dict[str, list[Any]] | None:
    """The other paragraphs likewise, with the number of the paragraph before which each stood."""
    if dropped is None:
        return None
    return {
        "before": [entry.before for entry in dropped],
        "text": [valid(entry.paragraph.text) for entry in dropped],
        "p_other": [entry.paragraph.p_other for entry in dropped],
        "heading": [entry.paragraph.heading for entry in dropped],
    }


def _known(values: list[Any]) -> list[Any] | None:
    return None if all(value is None for value in values) and values else values


def text_at(row: Mapping[str, Any], threshold: float) -> str:
    """The text of a row of a crawl as another threshold makes it.

    Paragraphs stay, or come back, whose p(other) is below the threshold; those without p(other)
    stay as they are, because the scope decided, as it does on the headline. Paragraphs that were
    dropped come back only where `victor crawl --keep-all` wrote them. What separates paragraphs is
    as it was: a list or table that loses a paragraph in its middle may have a blank line more than
    `victor clean -t` writes.

    Args:
        row: of JSON lines or Parquet.
        threshold: 0 to 1.

    Raises:
        ConfigError: the row does not say where its paragraphs are.
    """
    kept = row.get("paragraphs") or {}
    starts = kept.get("start") or []
    if None in starts or (row["text"] and not starts):
        raise ConfigError(_NO_STARTS)
    chosen = [*_chosen(row, kept, starts, threshold)]
    if row.get("model") not in LABELERS and [heading for _, heading in chosen[-2:]] == [0, 1]:
        chosen.pop()  # what a model keeps does not end with a heading of nothing
    text = "".join(text for text, _ in chosen).rstrip()
    return f"{text}\n" if text else ""


def _chosen(
    row: Mapping[str, Any], kept: Mapping[str, Any], starts: Sequence[int], threshold: float
) -> Iterator[tuple[str, bool]]:
    """Text of each paragraph below the threshold, with what separates it; is it a heading."""
    dropped = row.get("dropped_paragraphs") or {}
    columns = [dropped.get(name) or [] for name in ("before", "p_other", "text", "heading")]
    back = deque(zip(*columns, strict=True))
    scores = kept.get("p_other") or [None] * len(starts)
    ends = (*starts, None)[1:]
    rows = zip(starts, ends, scores, kept.get("heading") or (), strict=True)
    for number, (start, end, score, heading) in enumerate(rows):
        while back and back[0][0] <= number:
            yield from _below(threshold, *back.popleft())
        if score is None or score < threshold:
            yield row["text"][start:end], heading
    for entry in back:
        yield from _below(threshold, *entry)


def _below(
    threshold: float, _before: int, score: float | None, text: str, heading: bool
) -> Iterator[tuple[str, bool]]:
    """A dropped paragraph, if the threshold brings it back."""
    if score is not None and score < threshold:
        yield f"{text}\n\n", heading


def _straight_starts(document: Document) -> list[int]:
    """Starts of the paragraphs if the text has each as it is, else none."""
    text, end, straight = document.text, 0, list[int]()
    for paragraph, *_ in document.paragraphs:
        start = end
        while text[start : start + 1].isspace():
            start += 1
        end = start + len(paragraph)
        if not paragraph or paragraph[-1].isspace() or not text.startswith(paragraph, start):
            return []
        straight.append(start)
    return straight


def _evened_starts(document: Document) -> Iterator[int | None]:
    """Starts found in the text with one space wherever it has white space.

    It may differ: the text has the lines of a cell in one.
    """
    words = [match.start() for match in re.finditer(r"\S+", document.text)]
    lengths = map(len, document.text.split())
    places = [0, *accumulate(length + 1 for length in lengths)]
    spaced = " ".join(document.text.split())
    end = 0
    for paragraph in document.paragraphs:
        evenly = " ".join(paragraph.text.split())
        start = spaced.find(evenly, end)
        if start < 0 or not evenly:
            yield None
        else:
            end = start + len(evenly)
            word = bisect_right(places, start) - 1
            yield words[word] + start - places[word]
