"""Labels from comments or tags of a page's template that mark where content begins and ends.

Content management systems write such comments around the parts of a template, or put each part
into an element with a class of its own. A search engine reads ``<!-- googleoff: index -->`` and
``<!-- googleon: index -->`` around what it is to skip.

Source: S. Pal (2009), Extracting Useful Text from HTML.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

import numpy as np

from victor.base.arrays import Bools, Ints, Labels
from victor.base.cached import cached_property
from victor.base.errors import CorpusError
from victor.base.labels import UNLABELLED, Label
from victor.corpus.pages import AnnotatedPage, annotate, canonical_table
from victor.page.decoding.decode import utf8
from victor.page.markup.full_record import Item, Kind, record_full
from victor.page.table.blocks import BlockTable
from victor.page.table.texts import segment_texts

_SUFFIXES: Final = frozenset({".html", ".htm"})


def _plain(text: str) -> str:
    """The text in lower case, with one space where white space is."""
    return " ".join(text.split()).casefold()


class _Piece(HTMLParser):
    """The first comment or tag of a piece of markup, as `kind`, `name` and `attributes`."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.kind: Kind | None = None
        self.name = ""
        self.attributes: Mapping[str, str] = {}
        self.feed(markup)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A start tag."""
        self._note(Kind.START, tag, {name: value or "" for name, value in attrs})

    def handle_endtag(self, tag: str) -> None:
        """An end tag."""
        self._note(Kind.END, tag, {})

    def handle_comment(self, data: str) -> None:
        """A comment."""
        self._note(Kind.COMMENT, data, {})

    def _note(self, kind: Kind, name: str, attributes: Mapping[str, str]) -> None:
        if self.kind is None:
            self.kind, self.name, self.attributes = kind, name, attributes


@dataclass(frozen=True)
class Marker:
    """A comment or tag that marks a place of a template.

    Attributes:
        kind: comment, start tag or end tag.
        text: how the comment begins, or the name of the element.
        words: what the tag has to have: its classes, and other attributes as ``name=value``.
    """

    kind: Kind
    text: str
    words: frozenset[str] = frozenset()

    @classmethod
    def parse(cls, text: str) -> Marker:
        """A marker from the text of a comment, with or without its brackets, or from a tag.

        Raises:
            CorpusError: it begins like markup and is none.
        """
        if not text.lstrip().startswith("<"):
            return cls(Kind.COMMENT, _plain(text))
        piece = _Piece(text.strip())
        if piece.kind is None:
            raise CorpusError(
                f"the marker {text!r} is no tag or comment; write it as in the page, to its >"
            )
        if piece.kind is Kind.COMMENT:
            return cls(piece.kind, _plain(piece.name))
        return cls(piece.kind, piece.name, _words(piece.attributes))

    def match(self, item: Item) -> int:
        """How much an item of a page has in common with the marker; 0 if it is another one."""
        if item.kind is not self.kind or (item.dropped and item.kind is not Kind.COMMENT):
            return 0
        if self.kind is Kind.COMMENT:
            return _match_length(self.text, _plain(item.text))
        is_it = item.text == self.text and self.words <= _words(item.attributes)
        return 1 + len(self.words) if is_it else 0


def _words(attributes: Mapping[str, str]) -> frozenset[str]:
    """The classes of a tag as they are, and its other attributes as ``name=value``."""
    others = (f"{name}={_plain(value)}" for name, value in attributes.items() if name != "class")
    return frozenset([*attributes.get("class", "").split(), *others])


@dataclass(frozen=True)
class Markers:
    """A pair of markers.

    Attributes:
        begin, end: comments, by how their text begins, ignoring case and the amount of white
            space (no letter or digit may follow); or tags such as ``<div class='post-body'>``,
            which may have more classes and attributes on the page.
        kept: True keeps what they enclose and discards the rest of the page, False the reverse.

    Raises:
        CorpusError: one of them is empty, both are the same, or one is no comment or tag.
    """

    begin: str
    end: str
    kept: bool = True

    def __post_init__(self) -> None:
        begin, end = self._parsed
        if not begin.text or not end.text or begin == end:
            raise CorpusError(
                f"markers {self.begin!r} and {self.end!r} do not tell where content begins and "
                "ends; give the different texts of two comments, or two tags"
            )

    @cached_property
    def _parsed(self) -> tuple[Marker, Marker]:
        return Marker.parse(self.begin), Marker.parse(self.end)

    def step(self, item: Item) -> int:
        """+1 if an item of a page begins a part, -1 if it ends one, else 0."""
        begin, end = (marker.match(item) for marker in self._parsed)
        # If one marker begins with the other, or has its classes, the longer one counts.
        return (begin > end) - (begin < end)


GOOGLE: Final = Markers("googleoff", "googleon", kept=False)
"""What one search engine leaves out of its index, of snippets or of the text of links."""


def read_template(
    page_id: str, html: bytes, markers: Sequence[Markers] = (GOOGLE,), **fields: object
) -> AnnotatedPage | None:
    """A page labelled by the markers of its template.

    The first pair that occurs on the page counts. A part without an end reaches to the end of the
    page; an end without a begin is ignored. A segment with text on both sides is unlabelled; kept
    segments inside h1 to h6 are headers.

    Args:
        page_id: id of the page.
        html: its bytes.
        markers: pairs of markers, the best first.
        fields: further attributes of the page.

    Returns:
        The page; None if nothing on it begins a part.
    """
    record = record_full(utf8(html))
    sides = next(filter(None, (_sides(record.items, pair) for pair in markers)), None)
    if sides is None:
        return None
    table = canonical_table(html)
    segment = record.blocks(table, 0)
    # Which texts of a segment are more than white space does not matter: it has some that are.
    has_text = (segment >= 0) & np.array(
        [bool(item.text.strip()) for item in record.items], dtype=bool
    )
    labels = _segment_labels(segment[has_text], np.array(sides)[has_text], table)
    return annotate(page_id, html, labels, texts=segment_texts(table), **fields)


def template_files(folder: Path) -> list[Path]:
    """The pages of a folder, or of ``html/`` in it: its files ``*.html`` and ``*.htm``, by name.

    Raises:
        CorpusError: there are none.
    """
    inner = folder / "html"
    paths = sorted((inner if inner.is_dir() else folder).iterdir())
    pages = [path for path in paths if path.suffix.lower() in _SUFFIXES and path.is_file()]
    if not pages:
        raise CorpusError(f"{folder} holds no pages *.html; check the path")
    return pages


def read_template_file(path: Path, markers: Sequence[Markers]) -> AnnotatedPage | None:
    """The page of a file, labelled as by `read_template`; its id is the name of the file.

    Raises:
        CorpusError: it cannot be read.
    """
    try:
        html = path.read_bytes()
    except OSError as error:
        raise CorpusError(f"{path} cannot be read: {error.strerror}") from None
    return read_template(path.stem, html, markers)


def _segment_labels(segment: Ints, kept: Bools, table: BlockTable) -> Labels:
    """(S,) label of every segment, given the segment of each piece of text and whether it is kept.

    The table has one block per segment.
    """
    n_kept = np.bincount(segment[kept], minlength=len(table))
    n_discarded = np.bincount(segment[~kept], minlength=len(table))
    content = np.where(table.heading_level > 0, Label.HEADER, Label.TEXT)
    labels = np.where(n_discarded > 0, Label.OTHER, content)
    labels[(n_kept > 0) == (n_discarded > 0)] = UNLABELLED
    return labels.astype(np.uint8)


def _sides(items: Sequence[Item], pair: Markers) -> list[bool] | None:
    """Is each item of a page kept; None if nothing begins a part."""
    inside, has_begin, sides = False, False, []
    for item in items:
        step = pair.step(item)
        inside = step > 0 or (inside and step == 0)
        has_begin |= step > 0
        sides.append(inside == pair.kept)
    return sides if has_begin else None


def _match_length(marker: str, comment: str) -> int:
    """Characters of the marker if a comment begins with it, else 0."""
    plain = _plain(marker)
    if not comment.startswith(plain):
        return 0
    # After a letter or digit the marker has to end: `googleoff` is not in `googleoffer`.
    goes_on = plain[-1].isalnum() and re.match(r"\w", comment[len(plain) :])
    return 0 if goes_on else len(plain)
