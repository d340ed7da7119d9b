"""Pages whose templates say in comments where content begins and ends, as labelled pages.

Content management systems write such comments around the parts of a template; and a search engine
reads ``<!-- googleoff: index -->`` and ``<!-- googleon: index -->`` around what is not to be found.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from victor.arrays import Labels
from victor.corpus.pages import AnnotatedPage, annotate, canonical_table
from victor.errors import CorpusError
from victor.labels import UNLABELLED, Label
from victor.page.decode import utf8
from victor.page.full_record import Item, Kind, record_full


def _plain(text: str) -> str:
    """The text in lower case, with one space where white space is."""
    return " ".join(text.split()).casefold()


@dataclass(frozen=True, slots=True)
class Markers:
    """A pair of comments.

    Attributes:
        begin, end: how their text begins, whatever the case and the amount of white space; what
            stands behind it begins with no letter or digit.
        kept: is what they enclose kept, and all else on the page discarded; or the other way round.

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
        found = _plain(comment)
        lengths = [len(_of(marker, found)) for marker in (self.begin, self.end)]
        # Of two markers of which one begins with the other, the longer one is meant.
        return (lengths[0] > lengths[1]) - (lengths[0] < lengths[1])


GOOGLE: Final = Markers("googleoff", "googleon", kept=False)
"""What one search engine leaves out of its index, of snippets or of the text of links."""


def read_template(
    page_id: str, html: bytes, markers: Sequence[Markers] = (GOOGLE,), **fields: object
) -> AnnotatedPage | None:
    """A page with labels as the comments of its template say.

    The first pair that the page has counts. A part that is not ended reaches to the end of the
    page; an end without a begin is left alone. A segment that stands on both sides is unlabelled;
    kept ones inside h1 to h6 are headers.

    Args:
        page_id: id of the page.
        html: its bytes.
        markers: pairs of comments, the best first.
        fields: further attributes of the page.

    Returns:
        The page; None if it has no comment that begins a part.
    """
    labels = template_labels(html, markers)
    return None if labels is None else annotate(page_id, html, labels, **fields)


def template_labels(html: bytes, markers: Sequence[Markers] = (GOOGLE,)) -> Labels | None:
    """(S,) label of every segment of a page split at every tag; None if it has no markers."""
    record = record_full(utf8(html))
    found = next(filter(None, (_sides(record.items, pair) for pair in markers)), None)
    if found is None:
        return None
    table = canonical_table(html)
    segment, kept = record.blocks(table, 0), np.array(found)
    has_text = segment >= 0
    # Which texts of a segment are more than white space does not matter: it has some that are.
    has_text &= np.array([bool(item.text.strip()) for item in record.items], dtype=bool)
    n_kept = np.bincount(segment[has_text & kept], minlength=len(table))
    n_discarded = np.bincount(segment[has_text & ~kept], minlength=len(table))
    chosen = np.where(table.heading_level > 0, Label.HEADER, Label.TEXT)
    labels = np.where(n_discarded > 0, Label.OTHER, chosen)
    labels[(n_kept > 0) == (n_discarded > 0)] = UNLABELLED
    return labels.astype(np.uint8)


def _sides(items: Sequence[Item], pair: Markers) -> list[bool] | None:
    """Is each item of a page kept; None if no comment begins a part."""
    inside, found, sides = False, False, []
    for item in items:
        step = pair.step(item.text) if item.kind is Kind.COMMENT else 0
        inside = step > 0 or (inside and step == 0)
        found |= step > 0
        sides.append(inside == pair.kept)
    return sides if found else None


def _of(marker: str, comment: str) -> str:
    """The marker if a comment begins with it, else nothing."""
    plain = _plain(marker)
    pattern = rf"{re.escape(plain)}(?!\w)" if plain[-1].isalnum() else re.escape(plain)
    return plain if re.match(pattern, comment) else ""
