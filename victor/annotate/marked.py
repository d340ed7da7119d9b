"""Labels as marks in the original page, as `victor.corpus.pages` reads them.

The page keeps every byte. Text that is not *other* stands between ``<victor-mark>`` tags, and
removing these gives the original bytes. Where text stands in the bytes is not guessed: every offset
that may be one is given a number, the page is parsed with the numbers in it, and those that come
out in a segment are its own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import AnyStr, Final

import numpy as np

from victor.base.errors import CorpusError
from victor.base.files import add, created
from victor.base.labels import LABEL_NAMES, Label
from victor.corpus.pages import (
    ATTRIBUTE,
    INDEX,
    WRAPPER,
    AnnotatedPage,
    canonical_table,
    read_marked,
)
from victor.corpus.rows import page_file
from victor.page.decoding.decode import decode
from victor.page.table.blocks import BlockTable
from victor.page.table.segment import parse_pages
from victor.page.table.texts import segment_texts

_VALUES: Final = (*LABEL_NAMES, "unlabelled")
_EDGES: Final = re.compile("[<>]")
_TEXT: Final = re.compile(r"(?:\A|(?<=>))(?=[^<>]*[^<>\s]|<[^a-zA-Z/!?])")
_MARKUP: Final = re.compile(r"<[a-zA-Z/!?]")
_BOM: Final = b"\xef\xbb\xbf"


def write_marked(folder: Path, pages: Iterable[AnnotatedPage], tell: Callable[[str], None]) -> int:
    """Fill an empty folder with an index and marked pages; returns how many were written.

    `tell` takes a message about every page that cannot be marked.
    """
    count = 0
    (folder / "pages").mkdir()
    with created(folder / INDEX) as index:
        for page in pages:
            try:
                marked = mark(page)
            except CorpusError as error:
                tell(str(error))
                continue
            add(page_file(folder / "pages", page.id, str(folder)), marked)
            known = {"url": page.url, "site": page.site or None, "language": page.language,
                     "type": page.kind, "licence": page.licence}  # fmt: skip
            row = {"id": page.id} | {key: value for key, value in known.items() if value}
            index.write(f"{json.dumps(row, ensure_ascii=False)}\n".encode())
            count += 1
    return count


def mark(page: AnnotatedPage) -> bytes:
    """The bytes of a page with its labels in them.

    Raises:
        CorpusError: the page has such marks already, its labels do not fit it, or reading it would
            not give the same page and labels.
    """
    if any(word.encode() in page.html.lower() for word in (ATTRIBUTE, WRAPPER)):
        raise CorpusError(f"page {page.id} holds marks of its own; export it as a corpus")
    table = canonical_table(page.html)
    if len(table.segments) != len(page.labels):
        raise CorpusError(f"page {page.id}: its labels do not fit it; label it again")
    extents, inserts = _extents(page.html, table), []
    for segment in np.flatnonzero(page.labels != Label.OTHER).tolist():
        start, end = extents.get(segment, (0, 0))
        value = _VALUES[min(int(page.labels[segment]), len(Label))]
        inserts.append((start, f'<{WRAPPER} {ATTRIBUTE}="{value}">'.encode()))
        inserts.append((end, f"</{WRAPPER}>".encode()))
    marked = _inserted(page.html, inserts)
    if not _reads_back(page, marked):
        raise CorpusError(
            f"page {page.id}: its markup or encoding leaves no place for marks; export it as a "
            "corpus"
        )
    return marked


def _reads_back(page: AnnotatedPage, marked: bytes) -> bool:
    try:
        read = read_marked(page.id, marked)
    except CorpusError:
        return False
    return read.html == page.html and np.array_equal(read.labels, page.labels)


def _extents(html: bytes, table: BlockTable) -> dict[int, tuple[int, int]]:
    """Where segments of the page begin and end in its bytes, by number, if that can be known."""
    text = decode(html).text
    edges = [match.start() for match in _EDGES.finditer(text)]
    in_bytes = [match.start() for match in re.finditer(rb"[<>]", html)]
    if len(edges) != len(in_bytes):  # the encoding hides where tags begin and end
        return {}
    byte_offset = dict(zip(edges, in_bytes, strict=True))
    byte_offset |= {-1: (len(_BOM) if html.startswith(_BOM) else 0) - 1, len(text): len(html)}
    texts = [match.start() for match in _TEXT.finditer(text)]
    tags = np.array([*(match.start() for match in _MARKUP.finditer(text)), len(text)])
    ends = tags[np.searchsorted(tags, texts)].tolist()
    sign = "q"
    while sign in text:
        sign += "xq"
    numbered = _inserted(text, [(start, f"{sign}{n}{sign}") for n, start in enumerate(texts)])
    probe = parse_pages([numbered], "tag")
    if not np.array_equal(probe.tags.id, table.tags.id):
        return {}
    # White space may have become text by its number, so segments are matched by their tags.
    segment_of_tag = {tag: row for row, tag in enumerate(table.segments.tag.tolist())}
    extents = {}
    for tag, shown in zip(probe.segments.tag.tolist(), segment_texts(probe), strict=True):
        read = [int(n) for n in re.findall(f"{sign}([0-9]+){sign}", shown)]
        if read and tag in segment_of_tag:
            start, end = byte_offset[texts[read[0]] - 1] + 1, byte_offset[ends[read[-1]]]
            extents[segment_of_tag[tag]] = start, end
    return extents


def _inserted(content: AnyStr, inserts: Sequence[tuple[int, AnyStr]]) -> AnyStr:
    """A text, or bytes, with more of it inserted at some offsets, given in order."""
    parts: list[AnyStr] = []
    begin = 0
    for offset, insert in inserts:
        parts += [content[begin:offset], insert]
        begin = offset
    parts.append(content[begin:])
    return content[:0].join(parts)
