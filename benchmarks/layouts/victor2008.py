"""Pages marked by the original Victor (2008): a `<span id="victor_an…" class="victor_…">` a text.

Its tidy step wrote UTF-8. The spans are taken out, and all else keeps every byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Final

from layouts import GoldPage, UnusableError

LABELS: Final = {
    "header": "header",
    "paragraph": "text",
    "list": "text",
    "text": "text",
    "other": "other",
}
CONTINUATION: Final = "continuation"
SPAN: Final = re.compile(rb"""<(/?)span\b((?:[^>"']|"[^"]*"|'[^']*')*)>""", re.IGNORECASE)
IS_MARK: Final = re.compile(rb"""\bid\s*=\s*["']?victor_an""")
CLASS: Final = re.compile(rb"""\bclass\s*=\s*["']?[^"'>]*?\bvictor_([a-z]+)""")
TAG: Final = re.compile(rb"<[^>]*>")
ADDRESS: Final = re.compile(rb"""\s*<text\s[^>]*?\bid\s*=\s*["']?([^"'>\s]+)""", re.IGNORECASE)


def pages(folder: Path) -> Iterator[GoldPage | UnusableError]:
    """The pages of the files `*.anno` and `*.html`."""
    for path in sorted(p for p in folder.iterdir() if p.suffix.lower() in (".anno", ".html")):
        try:
            html, blocks = unmarked(path.read_bytes())
        except UnusableError as error:
            yield UnusableError(f"{path}: {error}")
            continue
        address = ADDRESS.match(html)
        url = unescape(address[1].decode("utf-8", "replace")) if address else None
        yield GoldPage({"id": path.stem, "url": url}, html, blocks)


def unmarked(markup: bytes) -> tuple[bytes, list[tuple[str, str]]]:
    """A page without its marks, and the label and text of each; a continuation has that before it.

    Raises:
        UnusableError: a marked span has no known class or is never closed.
    """
    marks: list[tuple[re.Match[bytes], re.Match[bytes]]] = []
    unclosed: list[re.Match[bytes]] = []
    for tag in SPAN.finditer(markup):
        if not tag[1]:
            unclosed.append(tag)
        elif unclosed and IS_MARK.search((start := unclosed.pop())[2]):
            marks.append((start, tag))
    if any(IS_MARK.search(tag[2]) for tag in unclosed):
        raise UnusableError("a marked span is never closed")
    blocks, kept = [], "text"
    for start, end in sorted(marks, key=lambda mark: mark[0].start()):
        label = label_of(start, kept)
        kept = kept if label == "other" else label
        text = TAG.sub(b"", markup[start.end() : end.start()])
        blocks.append((label, unescape(text.decode("utf-8", "replace"))))
    for tag in sorted((tag for mark in marks for tag in mark), key=re.Match.start, reverse=True):
        markup = markup[: tag.start()] + markup[tag.end() :]
    return markup, blocks


def label_of(span: re.Match[bytes], kept: str) -> str:
    """Label of a marked span, given that of the last one that is content."""
    found = CLASS.search(span[2])
    name = found[1].decode() if found else ""
    if name == CONTINUATION:
        return kept
    if name not in LABELS:
        raise UnusableError(f"no class of Victor in {span[0][:80]!r}")
    return LABELS[name]
