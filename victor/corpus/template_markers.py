"""Labels from comments in a page's template that mark where content begins and ends.

Content management systems write such comments around the parts of a template. A search engine
reads ``<!-- googleoff: index -->`` and ``<!-- googleon: index -->`` around what it is to skip.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from victor.arrays import Bools, Ints, Labels
from victor.corpus.pages import AnnotatedPage, annotate, canonical_table
from victor.errors import CorpusError
from victor.labels import UNLABELLED, Label
from victor.page.blocks import BlockTable
from victor.page.decode import utf8
from victor.page.full_record import Item, Kind, record_full
from victor.page.texts import segment_texts


def _plain(text: str) -> str:
    """The text in lower case, with one space where white space is."""
    return " ".join(text.split()).casefold()


@dataclass(frozen=True, slots=True)
class Markers:
    """A pair of comments.

    Attributes:
        begin, end: how their text begins, ignoring case and the amount of white space; no letter
            or digit may follow.
        kept: True keeps what they enclose and discards the rest of the page, False the reverse.

    Raises:
        CorpusError: one of them is empty, or both are the same.
    """

    begin: str
    end: str
    kept: bool = True

    def __post_init__(self) -> None:
        if not _plain(self.begin) or not _plain(self.end) or _plain(self.begin) == _plain(self.end):
            raise CorpusError(
                f"markers {self.begin!r} and {self.end!r} do not tell where content begins and "
                "ends; give the different texts of two comments"
            )

    def step(self, comment: str) -> int:
        """+1 if a comment begins a part, -1 if it ends one, else 0."""
        begin, end = (_match_length(marker, _plain(comment)) for marker in (self.begin, self.end))
        # If one marker begins with the other, the longer one counts.
        return (begin > end) - (begin < end)


GOOGLE: Final = Markers("googleoff", "googleon", kept=False)
"""What one search engine leaves out of its index, of snippets or of the text of links."""


def read_template(
    page_id: str, html: bytes, markers: Sequence[Markers] = (GOOGLE,), **fields: object
) -> AnnotatedPage | None:
    """A page labelled by the comments of its template.

    The first pair that occurs on the page counts. A part without an end reaches to the end of the
    page; an end without a begin is ignored. A segment with text on both sides is unlabelled; kept
    segments inside h1 to h6 are headers.

    Args:
        page_id: id of the page.
        html: its bytes.
        markers: pairs of comments, the best first.
        fields: further attributes of the page.

    Returns:
        The page; None if it has no comment that begins a part.
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
    """Is each item of a page kept; None if no comment begins a part."""
    inside, has_begin, sides = False, False, []
    for item in items:
        step = pair.step(item.text) if item.kind is Kind.COMMENT else 0
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
