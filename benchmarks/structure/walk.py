"""One pass over a tree: its text, the words of it, and where elements and styles begin and end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from lxml import etree, html
from numpy.typing import NDArray

from structure.code import BLOCKS, HEADINGS, LISTS, gutters, in_gutter

_SILENT: Final = frozenset(
    "head script style noscript template iframe object svg select textarea datalist audio video "
    "canvas annotation annotation-xml".split()
)
_KEPT: Final = HEADINGS | LISTS | frozenset(["li", "table", "tr", "td", "th", "pre", "blockquote"])
_STYLES: Final = {
    **dict.fromkeys(["strong", "b"], "bold"),
    **dict.fromkeys(["em", "i"], "italic"),
    **dict.fromkeys(["code", "kbd", "samp", "tt"], "inline code"),
}
_INVISIBLE: Final = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))
_WORD: Final = re.compile(r"\w+")


def words(text: str) -> tuple[str, ...]:
    """Words of a text as they are compared: case folded, characters without width removed."""
    return tuple(word.casefold() for word in _WORD.findall(text.translate(_INVISIBLE)))


def parsed(markup: str) -> html.HtmlElement:
    """The tree of a page or of a piece of one; never None."""
    parser = html.HTMLParser(huge_tree=True, encoding="utf-8")
    data = markup.encode("utf-8", "replace")
    try:
        tree = etree.fromstring(data, parser)
    except etree.ParserError:
        tree = None
    return tree if tree is not None else html.Element("html")


@dataclass(frozen=True, slots=True)
class Piece:
    """Text between two tags: characters, paragraph, style names, nearest link, heading, cell."""

    start: int
    end: int
    paragraph: int
    styles: frozenset[str]
    link: Any
    heading: bool
    header_cell: bool
    pre: bool


@dataclass(slots=True)
class _Open:
    """What is open at a point of the walk."""

    styles: list[str] = field(default_factory=list)
    links: list[Any] = field(default_factory=list)
    gutters: set[Any] = field(default_factory=set)
    headings: int = 0
    header_cells: int = 0
    pres: int = 0


class Document:
    """The visible text of a tree with the places of its elements.

    Args:
        root: the tree.
        is_page: numbers of lines beside code are no text; rendered Markdown has none that are not.

    Attributes:
        root: the tree.
        text: all of it, a line break at every edge of a block.
        words: of the text, as compared.
        extents: characters of every heading, list, item, table, row, cell, pre and quote.
        images: the images and the place in the text where each stands.
        pieces: the text between any two tags.
        paragraphs: characters of every run of text without a block edge inside.
    """

    def __init__(self, root: html.HtmlElement, *, is_page: bool = True) -> None:
        self.root = root
        self.is_page = is_page
        self.extents: dict[Any, tuple[int, int]] = {}
        self.images: list[tuple[Any, int]] = []
        self.pieces: list[Piece] = []
        self._parts: list[str] = []
        self._length = 0
        self._paragraph = 0
        self._walk()
        self.text = "".join(self._parts)
        matches = list(_WORD.finditer(self.text))
        self.words = [match[0].casefold() for match in matches]
        self._starts = np.array([match.start() for match in matches], dtype=np.int64)
        self._ends = np.array([match.end() for match in matches], dtype=np.int64)
        self.paragraphs = self._paragraph_extents()

    def span(self, start: int, end: int) -> NDArray[np.int64]:
        """Numbers of the words that overlap some characters."""
        first = int(np.searchsorted(self._ends, start, side="right"))
        last = int(np.searchsorted(self._starts, end, side="left"))
        return np.arange(first, max(first, last))

    def without(self, element: Any, inner: list[Any]) -> tuple[str, NDArray[np.int64]]:
        """Text and words of an element without those of some elements inside it."""
        start, end = self.extents[element]
        texts, spans = [], []
        for each in inner:
            inner_start, inner_end = self.extents[each]
            texts.append(self.text[start:inner_start])
            spans.append(self.span(start, inner_start))
            start = inner_end
        texts.append(self.text[start:end])
        spans.append(self.span(start, end))
        return "\n".join(texts), np.concatenate(spans)

    def _walk(self) -> None:
        state, skipped = _Open(), None
        for event, node in etree.iterwalk(self.root, events=("start", "end", "comment", "pi")):
            if event in ("comment", "pi"):
                if skipped is None:
                    self._add(node.tail, state)
            elif event == "start":
                if skipped is None and self._is_silent(node, state):
                    skipped = node
                elif skipped is None:
                    self._start(node, state)
            elif node is skipped:
                skipped = None
                self._add(node.tail, state)
            elif skipped is None:
                self._end(node, state)

    def _is_silent(self, node: Any, state: _Open) -> bool:
        if node.tag in _SILENT or (self.is_page and node.tag == "pre" and in_gutter(node)):
            return True
        return state.pres > 0 and (node.tag == "button" or node in state.gutters)

    def _start(self, node: Any, state: _Open) -> None:
        tag = node.tag
        if tag in BLOCKS:
            self._break()
        elif tag == "br":
            self._write("\n")
        elif tag == "img":
            self.images.append((node, self._length))
        if tag in _KEPT:
            self.extents[node] = (self._length, self._length)
        if tag == "pre" and self.is_page:
            state.gutters = gutters(node)
        _count(state, node, 1)
        self._add(node.text, state)

    def _end(self, node: Any, state: _Open) -> None:
        _count(state, node, -1)
        if node in self.extents:
            self.extents[node] = (self.extents[node][0], self._length)
        if node.tag in BLOCKS:
            self._break()
        if node is not self.root:
            self._add(node.tail, state)

    def _break(self) -> None:
        self._write("\n")
        self._paragraph += 1

    def _write(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)

    def _add(self, text: str | None, state: _Open) -> None:
        if not text:
            return
        start = self._length
        self._write(text.translate(_INVISIBLE))
        self.pieces.append(
            Piece(
                start, self._length, self._paragraph, frozenset(state.styles),
                state.links[-1] if state.links else None, state.headings > 0,
                state.header_cells > 0, state.pres > 0,
            )
        )  # fmt: skip

    def _paragraph_extents(self) -> dict[int, tuple[int, int]]:
        extents: dict[int, tuple[int, int]] = {}
        for piece in self.pieces:
            start, _ = extents.get(piece.paragraph, (piece.start, 0))
            extents[piece.paragraph] = (start, piece.end)
        return extents

    def runs(self, style: str) -> Iterator[tuple[list[Piece], Any]]:
        """Pieces of one style, or of one link, that only white space parts; and the link."""
        run: list[Piece] = []
        mark: Any = None
        for piece in self.pieces:
            if not self.text[piece.start : piece.end].strip():
                continue
            now = piece.link if style == "link" else (style in piece.styles or None)
            if run and (now is not mark or piece.paragraph != run[-1].paragraph):
                yield run, mark
                run = []
            if now is not None:
                run.append(piece)
            mark = now
        if run:
            yield run, mark


def _count(state: _Open, node: Any, step: int) -> None:
    """Enter (1) or leave (-1) an element."""
    tag = node.tag
    if tag in _STYLES:
        _push(state.styles, _STYLES[tag], step)
    elif tag == "a" and node.get("href") is not None:
        _push(state.links, node, step)
    elif tag in HEADINGS:
        state.headings += step
    elif tag == "th":
        state.header_cells += step
    elif tag == "pre":
        state.pres += step


def _push(stack: list[Any], value: Any, step: int) -> None:
    if step > 0:
        stack.append(value)
    else:
        stack.pop()
