"""Pieces of a page's Markdown for retrieval, each with its headings and where it stands."""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from operator import itemgetter
from typing import Final
from urllib.parse import quote, urldefrag

import numpy as np

from victor.base.errors import ConfigError
from victor.page.plain_data import plain
from victor.page.table.tokens import tokenize
from victor.page.verdict.verdict import Verdict
from victor.render.markdown import pieces_of
from victor.render.options import Shown
from victor.render.tree.build import tree_of
from victor.render.tree.posts import Outline
from victor.render.tree.ranges import marked, unmarked
from victor.render.tree.source import Source

_WORDS: Final = 200
_BREAKS: Final = (r"\n\n+", r"\n", r"(?<=[.!?…])\s+|(?<=[。！？])", r"\s+")
"""Where a piece that is too long is cut: as early in this list as makes it short enough."""
_BREAK: Final = tuple(map(re.compile, _BREAKS))
_HEADING: Final = re.compile(r"(#{1,6}) ")
_FENCE: Final = re.compile(r"(`{3,}+|~{3,}+)[^\n]*\n")
_TABLE: Final = re.compile(r"\|[^\n]*\n\|[ |-]*\n")
_NEAREST: Final = 8
"""Elements that begin with a heading or just before it, whose ``id`` may be its place."""

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a page.

    Attributes:
        text: Markdown by itself: code that was cut is fenced again, rows have their header again.
        headings: texts of the headings that it stands under, the highest first.
        start, end: its characters in the Markdown of the page, written with the same options.
        words: how many it has, as blocks count them.
        url: address of the page, with the place of the last heading if that has an ``id``.
    """

    text: str
    headings: tuple[str, ...]
    start: int
    end: int
    words: int
    url: str | None


def render(  # noqa: PLR0913  (one for every option)
    verdict: Verdict,
    page: int,
    *,
    markup: bytes | None = None,
    url: str | None = None,
    shown: Shown | None = None,
    headline: str = "",
    words: int | None = None,
    characters: int | None = None,
    outline: Outline | None = None,
    **metadata: object,
) -> str:
    """JSON lines: one `Chunk` each.

    Chunks have at most so many `words`, 200 if `characters` is not given either, or so many
    `characters`. The other arguments are those of every `victor.render.tree.build.form`.
    """
    found = chunks(
        Source.of(verdict, page, markup, url, outline),
        shown or Shown(),
        headline,
        url,
        Limit(_WORDS if words is None and characters is None else words, characters),
    )
    return "".join(json.dumps(plain(asdict(chunk)), ensure_ascii=False) + "\n" for chunk in found)


def read(lines: str) -> tuple[Chunk, ...]:
    """The chunks that `render` wrote."""
    rows = map(json.loads, filter(None, lines.split("\n")))
    return tuple(Chunk(**{**row, "headings": tuple(row["headings"])}) for row in rows)


@dataclass(frozen=True, slots=True)
class Limit:
    """How long a chunk may be; None is no limit.

    Raises:
        ConfigError: a limit is below 1.
    """

    words: int | None = _WORDS
    characters: int | None = None

    def __post_init__(self) -> None:
        for name in ("words", "characters"):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, int) or value < 1):
                raise ConfigError(f"{name} of a chunk: should be a number from 1, got {value!r}")


def chunks(
    source: Source, shown: Shown, headline: str, url: str | None, limit: Limit
) -> Iterator[Chunk]:
    """The kept text of a page in pieces, none of which goes beyond a heading.

    Args:
        source: the page.
        shown: what is shown beside words.
        headline: to be shown as the first heading, "" for none.
        url: address of the page.
        limit: how long a chunk may be; one word may be longer.
    """
    text, sections = _sections(source, shown, headline)
    sizes = _Sizes(text, limit)
    address = None if url is None else urldefrag(url).url
    for section in sections:
        for start, end in _packed((section.spans[0][0], section.spans[-1][1]), sizes):
            place = f"#{quote(section.place)}" if section.place else ""
            if shown_text := _whole(text, section.spans, (start, end)):
                yield Chunk(
                    shown_text, section.headings, start, end, sizes.words(start, end),
                    None if address is None else address + place,
                )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Section:
    """What stands under a heading, with the heading: its headings, place, and blocks."""

    headings: tuple[str, ...]
    place: str
    spans: list[Span]


def _sections(source: Source, shown: Shown, headline: str) -> tuple[str, list[_Section]]:
    """The Markdown of a page, and its sections."""
    tree = tree_of(source, shown, headline)
    texts = source.paragraphs.texts(0)
    path: dict[int, str] = {}
    sections = [_Section((), "", [])]
    has_text = False
    parts: list[str] = []
    length = 0
    for piece in filter(None, pieces_of(tree, marked)):
        plain, paragraphs = unmarked(piece)
        if heading := _HEADING.match(plain):
            number = next(iter(paragraphs), -1)
            shown_text = " ".join(texts[number].split()) if number >= 0 else tree.title
            level = len(heading[1])
            path = {above: path[above] for above in path if above < level}
            path[level] = shown_text
            spans = [] if has_text else sections.pop().spans
            sections.append(_Section((*path.values(),), _place(source, number), spans))
        has_text = heading is None
        sections[-1].spans.append((length, length + len(plain)))
        parts += plain, "\n\n"
        length += len(plain) + 2
    return "".join(parts), [section for section in sections if section.spans]


def _place(source: Source, paragraph: int) -> str:
    """The ``id`` by which a link can lead to a heading, "" if it has none."""
    if paragraph < 0:
        return ""
    block = int(source.paragraphs.first_block[paragraph])
    rows = source.rows
    before = rows.last_tag[block - 1] if block else -1
    element = bisect_right(rows.open, rows.segment_tag[rows.segment_starts[block]]) - 1
    for nearest in range(element, max(element - _NEAREST, -1), -1):
        if rows.open[nearest] <= before:
            break  # it holds more than begins with the heading
        if place := source.place(nearest):
            return place
    return ""


class _Sizes:
    """How long pieces of a text are."""

    def __init__(self, text: str, limit: Limit) -> None:
        self.text, self._limit = text, limit
        self.characters = limit.characters or 1
        chars = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        origin = np.zeros(1, dtype=np.int64)
        tokens = tokenize(chars, origin, origin)
        self.starts = tokens.start[tokens.word]

    def words(self, start: int, end: int) -> int:
        """Words that begin in a piece."""
        return int(np.diff(np.searchsorted(self.starts, (start, end)))[0])

    def fits(self, start: int, end: int) -> bool:
        """Is a piece within the limit."""
        words, characters = self._limit.words, self._limit.characters
        return (words is None or self.words(start, end) <= words) and (
            characters is None or end - start <= characters
        )


def _packed(span: Span, sizes: _Sizes) -> Iterator[Span]:
    """A span in parts, each as long as the limit allows."""
    start = end = -1
    for part in _cut(span, sizes):
        if start >= 0 and not sizes.fits(start, part[1]):
            yield start, end
            start = -1
        start, end = part[0] if start < 0 else start, part[1]
    yield start, end


def _cut(span: Span, sizes: _Sizes, level: int = 0) -> Iterator[Span]:
    """A span in parts that fit, cut at the widest breaks that make them short enough."""
    if sizes.fits(*span):
        yield span
        return
    if level == len(_BREAK):
        yield from _cut_anywhere(span, sizes)
        return
    breaks = [match.span() for match in _BREAK[level].finditer(sizes.text, *span)]
    edges = [span[0], *(edge for one in breaks for edge in one), span[1]]
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        if start < end:
            yield from _cut((start, end), sizes, level + 1)


def _cut_anywhere(span: Span, sizes: _Sizes) -> Iterator[Span]:
    """A run without breaks cut before its words, and those that are too long into equal parts."""
    inside = sizes.starts[slice(*np.searchsorted(sizes.starts, span))].tolist()
    for start, end in pairwise(dict.fromkeys([span[0], *inside, span[1]])):
        step = end - start if sizes.fits(start, end) else sizes.characters
        yield from ((at, min(at + step, end)) for at in range(start, end, step))


def _whole(text: str, spans: Sequence[Span], chunk: Span) -> str:
    """The text of a chunk with what a part of code or of a table needs around it."""
    start, end = chunk
    before = after = ""
    first, last = (spans[bisect_left(spans, place, key=itemgetter(0)) - 1] for place in chunk)
    if first[0] < start < first[1]:
        fence = _FENCE.match(text, *first)
        opening = fence or _TABLE.match(text, *first)
        before = opening[0] if opening else ""
        if fence and text[start : first[1]].strip() == fence[1]:  # only the end of code is left
            before, start = "", first[1]
    if last[0] < end < last[1] and (fence := _FENCE.match(text, *last)):
        after = f"\n{fence[1]}"
        if end <= fence.end():  # only the beginning of code is there
            after, end = "", max(last[0], start)
    shown = text[start:end].strip("\n")
    return before + shown + after if shown else ""
