"""Pages as every system gets them, with the data that scoring needs."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from victor.base.labels import UNLABELLED
from victor.corpus.pages import (
    AnnotatedPage,
    block_labels,
    canonical_table,
    carry,
    current_labels,
    read,
    segment_places,
)
from victor.page.decoding.decode import decode
from victor.page.table.segment import parse_pages
from victor.page.table.texts import block_texts, segment_texts

_WRAPPER: Final = re.compile(rb"\s*<text id=[^\n]*>\s*\n")
_DOCUMENT: Final = re.compile(rb"<(?:html|body)\b", re.IGNORECASE)
_DECLARATION: Final = re.compile(r"\s*<\?xml[^>]*>")


@dataclass(frozen=True, eq=False)
class Page:
    """One page of a corpus.

    Attributes:
        dont_care: texts of the blocks that nobody could label (ambiguous, comments).
    """

    id: str
    html: bytes
    gold: str
    kind: str
    language: str | None
    url: str | None
    dont_care: tuple[str, ...]

    @property
    def text(self) -> str:
        """The decoded page without XML declaration: lxml refuses text that declares bytes."""
        return _DECLARATION.sub("", decode(self.html).text, count=1)

    def request(self, takes: str) -> str:
        """The page as JSON can hold it, for a system that takes ``"bytes"`` or ``"text"``."""
        return base64.b64encode(self.html).decode() if takes == "bytes" else self.text


def read_pages(directory: Path, limit: int | None) -> list[Page]:
    """The first pages of a corpus that have a gold text, all without a limit."""
    pages = [page for page in read([directory]) if page.gold is not None]
    return [_page(page) for page in pages[:limit]]


def _page(page: AnnotatedPage) -> Page:
    return Page(
        id=page.id,
        html=whole(page.html),
        gold=page.gold or "",
        kind=page.kind or "page",
        language=page.language,
        url=page.url,
        dont_care=tuple(dont_care_blocks(page)),
    )


def whole(html: bytes) -> bytes:
    """A page of CleanEval as a document; any other page as it is.

    CleanEval's pages stand inside a ``text`` element of its own, and where the crawler cut off
    ``html`` and ``body`` some systems find nothing: they ask for a body.
    """
    wrapper = _WRAPPER.match(html)
    if wrapper is None:
        return html
    inner = html[wrapper.end() :].rstrip().removesuffix(b"</text>")
    return inner if _DOCUMENT.search(inner) else b"<html><body>" + inner + b"</body></html>"


def dont_care_blocks(page: AnnotatedPage) -> list[str]:
    """Texts of the blocks of a page whose label is "nobody can tell"."""
    if not (page.labels == UNLABELLED).any():
        return []
    canonical = canonical_table(page.html)
    labels, _ = current_labels(page, segment_texts(canonical))
    table = parse_pages([page.html], "block")
    carried = carry(labels, segment_places(canonical), segment_places(table))
    unknown = np.flatnonzero(block_labels(carried, table) == UNLABELLED)
    return [text for text in block_texts(table, unknown) if text.strip()]


def fingerprint(pages: Iterable[Page]) -> str:
    """SHA-256 of identifiers, bytes and gold texts, pages sorted by identifier."""
    digest = hashlib.sha256()
    for page in sorted(pages, key=lambda page: page.id):
        for part in (page.id.encode(), page.html, page.gold.encode("utf-8", "surrogatepass")):
            digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


def request(pages: Sequence[Page], takes: str) -> dict[str, Any]:
    """What a child is asked (see `peers.worker`)."""
    return {
        "pages": [page.request(takes) for page in pages],
        "languages": [page.language for page in pages],
        "urls": [page.url for page in pages],
    }
