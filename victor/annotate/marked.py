"""Labels as marks in the original page, as `victor.corpus.pages` reads them.

The page keeps every byte. An element gets the attribute ``data-victor`` where its text has another
label than the text around it. Where one element holds texts of several labels, these are put
between ``<victor-mark>`` tags. Removing both gives the original bytes.

The offsets of the parser's tags in the bytes are not guessed: every offset that may be one is
given a number, the page is parsed with the numbers in it, and those that come out are tags.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import AnyStr, Final, NamedTuple

import numpy as np

from victor.base.arrays import Bools, Ints
from victor.base.errors import CorpusError
from victor.base.files import add, created
from victor.base.labels import LABEL_NAMES, UNLABELLED, Label
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
_OTHER: Final = int(Label.OTHER)
_NONE: Final = -1

_EDGES: Final = re.compile("[<>]")
_START: Final = re.compile(r"<[a-zA-Z][a-zA-Z0-9:-]*(?=[ \t\r\n\f/>])")
_TEXT: Final = re.compile(r"(?:\A|(?<=>))(?=[^<>]*[^<>\s]|<[^a-zA-Z/!?])")
_MARKUP: Final = re.compile(r"<[a-zA-Z/!?]")
_BOM: Final = b"\xef\xbb\xbf"


def write_marked(
    folder: Path, pages: Iterable[AnnotatedPage], complain: Callable[[str], None]
) -> int:
    """Fill a folder with an index and marked pages; returns how many were written.

    Args:
        folder: of `victor.base.files.new_folder`.
        pages: what is written, in this order.
        complain: called with a message for every page that cannot be marked.
    """
    count = 0
    (folder / "pages").mkdir()
    with created(folder / INDEX) as index:
        for page in pages:
            try:
                marked = mark(page)
            except CorpusError as error:
                complain(str(error))
                continue
            add(page_file(folder / "pages", page.id, str(folder)), marked)
            row = {
                "id": page.id,
                "url": page.url,
                "site": page.site or None,
                "language": page.language,
                "type": page.kind,
                "licence": page.licence,
                "content": bool(np.isin(page.labels, (Label.HEADER, Label.TEXT)).any()),
            }
            known = {key: value for key, value in row.items() if value is not None}
            index.write(f"{json.dumps(known, ensure_ascii=False)}\n".encode())
            count += 1
    return count


def mark(page: AnnotatedPage) -> bytes:
    """The bytes of a page with its labels in them.

    Raises:
        CorpusError: the page has such marks already, its labels do not fit it, or reading it would
            not give the same page and labels.
    """
    if ATTRIBUTE.encode() in page.html.lower() or WRAPPER.encode() in page.html.lower():
        raise CorpusError(f"page {page.id} holds marks of its own; export it in another format")
    table = canonical_table(page.html)
    if len(table.segments) != len(page.labels):
        raise CorpusError(f"page {page.id}: its labels do not fit it; label it again")
    marked = _marked(page, table)
    if not _reads_back(page, marked):
        raise CorpusError(
            f"page {page.id}: its markup or encoding leaves no place for marks; export it in "
            "another format"
        )
    return marked


def _reads_back(page: AnnotatedPage, marked: bytes) -> bool:
    try:
        read = read_marked(page.id, marked)
    except CorpusError:
        return False
    return read.html == page.html and np.array_equal(read.labels, page.labels)


def _marked(page: AnnotatedPage, table: BlockTable) -> bytes:
    """The page with marks, which may not read back."""
    source = _Source.of(page.html)
    columns = np.where(page.labels == UNLABELLED, len(Label), page.labels).astype(np.int64)
    start_tags = source.start_tags(table)
    chosen, label_of_element = _choose(table, columns, start_tags != _NONE)
    inserts = [
        (source.after_name[start_tags[element]], f' {ATTRIBUTE}="{_VALUES[value]}"')
        for element, value in enumerate(chosen.tolist())
        if value != _NONE
    ]
    wrapped = np.flatnonzero(label_of_element[table.segment_element] != columns).tolist()
    extents = source.text_extents(table) if wrapped else {}
    for segment in wrapped:
        if segment in extents:
            start_offset, end_offset = extents[segment]
            value = _VALUES[columns[segment]]
            inserts.append((start_offset, f'<{WRAPPER} {ATTRIBUTE}="{value}">'))
            inserts.append((end_offset, f"</{WRAPPER}>"))
    # Where one wrapper ends and the next begins, they are in this order already.
    inserts.sort(key=lambda insert: insert[0])
    return _inserted(page.html, [(offset, text.encode()) for offset, text in inserts])


def _choose(table: BlockTable, columns: Ints, markable: Bools) -> tuple[Ints, Ints]:
    """(E,) mark of every element or -1, and (E,) its label.

    An element takes the label of its first own text; without one, or where it cannot be given an
    attribute, that of the element around it.

    Args:
        table: the page cut at every tag.
        columns: (S,) wanted label of each segment, as an index of `_VALUES`.
        markable: (E,) can the element be given an attribute.
    """
    chosen = np.full(len(table.elements), _NONE, dtype=np.int64)
    chosen[table.segment_element[::-1]] = columns[::-1]  # the first one is written last
    chosen[~markable] = _NONE
    label = np.full(len(table.elements), _OTHER, dtype=np.int64)
    for element, parent in enumerate(table.elements.parent.tolist()):
        if chosen[element] in (_NONE, label[parent]):
            label[element], chosen[element] = label[parent], _NONE
        else:
            label[element] = chosen[element]
    return chosen, label


class _Source(NamedTuple):
    """A page as text, with what looks like tags and texts, and their offsets in the bytes.

    Attributes:
        text: the decoded page.
        starts: what looks like a start tag, in the text.
        after_name: offset in the bytes just behind the name of each.
        texts: offsets in the text where something begins that looks like text behind a tag.
        extents: from there to the next tag, in the bytes.
    """

    text: str
    starts: list[re.Match[str]]
    after_name: list[int]
    texts: list[int]
    extents: list[tuple[int, int]]

    @classmethod
    def of(cls, html: bytes) -> _Source:
        """The offsets in a page; none if the encoding hides where tags begin and end."""
        text = decode(html).text
        edges = [match.start() for match in _EDGES.finditer(text)]
        in_bytes = [match.start() for match in re.finditer(rb"[<>]", html)]
        if len(edges) != len(in_bytes):
            return cls(text, [], [], [], [])
        begin = len(_BOM) if html.startswith(_BOM) else 0
        byte_offset = dict(zip(edges, in_bytes, strict=True))
        byte_offset |= {-1: begin - 1, len(text): len(html)}
        starts = [*_START.finditer(text)]
        after_name = [byte_offset[tag.start()] + tag.end() - tag.start() for tag in starts]
        texts = [match.start() for match in _TEXT.finditer(text)]
        tags = np.array([*(match.start() for match in _MARKUP.finditer(text)), len(text)])
        ends = tags[np.searchsorted(tags, texts)].tolist()
        extents = [
            (byte_offset[start - 1] + 1, byte_offset[end])
            for start, end in zip(texts, ends, strict=True)
        ]
        return cls(text, starts, after_name, texts, extents)

    def start_tags(self, table: BlockTable) -> Ints:
        """(E,) number of the start tag of every element, -1 where it is unknown."""
        numbers = [(tag.end(), f' {ATTRIBUTE}="{n}"') for n, tag in enumerate(self.starts)]
        numbered = _inserted(self.text, numbers)
        probe = parse_pages([numbered], "tag", attributes=(ATTRIBUTE,))
        if not np.array_equal(probe.tags.id, table.tags.id):
            return np.full(len(table.elements), _NONE, dtype=np.int64)
        tag_of_bundle = np.array([*(int(value or _NONE) for (value,) in probe.bundles), _NONE])
        return np.asarray(tag_of_bundle[probe.elements.bundle], dtype=np.int64)

    def text_extents(self, table: BlockTable) -> dict[int, tuple[int, int]]:
        """Extents of segments of the page in the bytes, by number; unknown ones are left out."""
        sign = _unused(self.text)
        numbers = [(offset, f"{sign}{n}{sign}") for n, offset in enumerate(self.texts)]
        numbered = _inserted(self.text, numbers)
        probe = parse_pages([numbered], "tag")
        if not np.array_equal(probe.tags.id, table.tags.id):
            return {}
        # White space may have become text by its number, so segments are matched by their tags.
        segment_of_tag = {tag: row for row, tag in enumerate(table.segments.tag.tolist())}
        extents = {}
        for tag, text in zip(probe.segments.tag.tolist(), segment_texts(probe), strict=True):
            read = re.findall(f"{sign}([0-9]+){sign}", text)
            if read and tag in segment_of_tag:
                opening, closing = self.extents[int(read[0])], self.extents[int(read[-1])]
                extents[segment_of_tag[tag]] = opening[0], closing[1]
        return extents


def _unused(text: str) -> str:
    """A word that does not occur in the text."""
    sign = "q"
    while sign in text:
        sign += "xq"
    return sign


def _inserted(content: AnyStr, inserts: Sequence[tuple[int, AnyStr]]) -> AnyStr:
    """A text, or bytes, with more of it inserted at some offsets, given in order."""
    parts: list[AnyStr] = []
    begin = 0
    for offset, insert in inserts:
        parts += [content[begin:offset], insert]
        begin = offset
    parts.append(content[begin:])
    return content[:0].join(parts)
