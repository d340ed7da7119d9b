"""Items of structure of a document: the same for a page and for rendered Markdown."""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import unquote, urlsplit

import numpy as np
from numpy.typing import NDArray

from structure.code import HEADINGS, LISTS, code_language, code_text, in_gutter
from structure.walk import Document, words

KINDS: Final = (
    "heading", "list item", "nested item", "table row", "table cell", "code", "code language",
    "quote", "link", "image", "bold", "italic", "inline code",
)  # fmt: skip
CONTAINER: Final = 300
"""Words from which a list item is a place for a post or a section rather than an item."""
_CELL_WORDS: Final = 40
"""Words of a cell on average above which a table without header cells is layout."""
_NONE: Final = np.zeros(0, dtype=np.int64)
Rows = list[list[Any]]
"""Cells of a table, row by row."""


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """One thing that a converter should keep.

    Attributes:
        kind: one of `KINDS`.
        keys: what is compared; any of them is right, the first is that of an item of an output.
        words: (n,) numbers of its words in the document.
        around: (n,) words of the row that it stands in, for what is shorter than one.
        table: number of the data table of a row or cell, else -1.
        node: the element, where it is one.
    """

    kind: str
    keys: tuple[Hashable, ...]
    words: NDArray[np.int64]
    around: NDArray[np.int64]
    table: int = -1
    node: Any = None


def items(document: Document) -> list[Item]:
    """All items of a document: tables of pages may be layout, all of Markdown are data."""
    tables = data_tables(document)
    cells = {cell for rows in tables for row in rows for cell in row}
    heads = {cell for rows in tables for cell in rows[0]}
    inside = _Inside(cells)
    made = [
        *(find(document, inside) for find in (_headings, _list_items, _codes, _quotes)),
        _table_items(document, tables),
    ]
    if not document.is_page:  # these are compared in Markdown only
        made += [_links(document), _images(document), _styled(document, heads)]
    return [item for each in made for item in each]


class _Inside:
    """Whether an element stands in a cell of a data table, where Markdown has no blocks."""

    def __init__(self, cells: set[Any]) -> None:
        self.cells = cells

    def __call__(self, node: Any) -> bool:
        return bool(self.cells) and any(each in self.cells for each in node.iterancestors())


def _elements(document: Document, tags: frozenset[str] | set[str]) -> Iterator[tuple[Any, str]]:
    for node, (start, end) in document.extents.items():
        if node.tag in tags:
            yield node, document.text[start:end]


def _headings(document: Document, inside: _Inside) -> Iterator[Item]:
    for node, text in _elements(document, HEADINGS):
        if words(text) and not inside(node):
            span = document.span(*document.extents[node])
            yield Item("heading", ((int(node.tag[1]), words(text)),), span, _NONE, node=node)


def _list_items(document: Document, inside: _Inside) -> Iterator[Item]:
    own: dict[Any, tuple[str, NDArray[np.int64]]] = {}
    for node, _ in _elements(document, {"li"}):
        lists = [each for each in node.iter(*LISTS) if each in document.extents]
        own[node] = document.without(node, _outermost(lists))
    for node, (text, span) in own.items():
        key = words(text)
        if not key or len(key) > CONTAINER or inside(node):
            continue
        yield Item("list item", (key,), span, _NONE, node=node)
        above = [each for each in node.iterancestors("li") if each in own]
        reduced = 1 + sum(0 < len(words(own[each][0])) <= CONTAINER for each in above)
        levels = {1 + len(above), reduced, _list_depth(node)}
        if reduced > 1:
            keys = ((reduced, key), *((level, key) for level in levels - {reduced}))
            yield Item("nested item", keys, span, _NONE, node=node)


def _outermost(nodes: list[Any]) -> list[Any]:
    chosen: list[Any] = []
    inner: set[Any] = set()
    for node in nodes:  # in document order
        if any(each in inner for each in node.iterancestors(*LISTS)):
            continue
        inner.add(node)
        chosen.append(node)
    return chosen


def _list_depth(node: Any) -> int:
    """Lists around an item; those that only indent others count, too."""
    return max(1, sum(1 for _ in node.iterancestors(*LISTS)))


def _table_items(document: Document, tables: list[Rows]) -> Iterator[Item]:
    for number, rows in enumerate(tables):
        for row in rows:
            keys = [_cell_key(document, cell) for cell in row]
            spans = [document.span(*document.extents[cell]) for cell in row]
            around = np.concatenate([_NONE, *spans])
            if not any(keys):
                continue
            yield Item("table row", (tuple(filter(None, keys)),), around, _NONE, table=number)
            for key, span in zip(keys, spans, strict=True):
                if key:
                    yield Item("table cell", (key,), span, around, table=number)


def data_tables(document: Document) -> list[Rows]:
    """The tables of data of a document: of Markdown all that hold no other table."""
    tables = [node for node in document.extents if node.tag == "table"]
    leaves = [node for node in tables if next(node.iterdescendants("table"), None) is None]
    pairs = [(node, _rows(node, document)) for node in leaves]
    return [rows for table, rows in pairs
            if rows and (not document.is_page or _is_data(table, rows, document))]  # fmt: skip


def _rows(table: Any, document: Document) -> Rows:
    rows = [
        [cell for cell in row if cell.tag in ("td", "th") and cell in document.extents]
        for row in table.iter("tr")
        if row in document.extents
    ]
    return [row for row in rows if row]


def _is_data(table: Any, rows: Rows, document: Document) -> bool:
    """Two rows and columns at least, short cells or header cells, nothing that only pages have."""
    if table.get("role") in ("presentation", "none"):
        return False
    if next(table.iterdescendants("form", "input", "button", *HEADINGS), None) is not None:
        return False
    # Code of several lines, or their numbers: the table only places it on the page.
    if any("\n" in code_text(pre) or in_gutter(pre) for pre in table.iterdescendants("pre")):
        return False
    if sum(sum(bool(_collapsed(document, cell)) for cell in row) > 1 for row in rows) < 2:
        return False
    if any(cell.tag == "th" for row in rows for cell in row):
        return True
    start, end = document.extents[table]
    return len(words(document.text[start:end])) <= _CELL_WORDS * sum(map(len, rows))


def _collapsed(document: Document, node: Any) -> str:
    start, end = document.extents[node]
    return " ".join(document.text[start:end].split())


def _cell_key(document: Document, cell: Any) -> tuple[str, ...]:
    """Words of a cell, or what it has in place of words."""
    text = _collapsed(document, cell)
    return words(text) or ((text,) if text else ())


def _codes(document: Document, inside: _Inside) -> Iterator[Item]:
    for node, text in _elements(document, {"pre"}):
        code = code_text(node)
        if not words(text) or inside(node) or not words(code):
            continue
        span = document.span(*document.extents[node])
        yield Item("code", (code,), span, _NONE, node=node)
        language = code_language(node)
        if language:
            yield Item("code language", ((language, words(code)),), span, _NONE, node=node)


def _quotes(document: Document, inside: _Inside) -> Iterator[Item]:
    for node, text in _elements(document, {"blockquote"}):
        if words(text) and not inside(node):
            span = document.span(*document.extents[node])
            yield Item("quote", (words(text),), span, _NONE, node=node)


def _links(document: Document) -> Iterator[Item]:
    for run, link in document.runs("link"):
        first, address = run[0], link.get("href").strip()
        key = words(document.text[first.start : run[-1].end])
        if not key or not _is_address(address) or _is_note(address, key):
            continue
        if first.heading and address.startswith("#"):
            continue  # the sign by which a heading leads to itself
        yield Item("link", ((key, _canonical(address)),), _NONE, _NONE, node=link)


def _canonical(address: str) -> str:
    """An address in one form."""
    address = "".join(address.split())
    try:
        parts = urlsplit(unquote(address))
    except ValueError:
        return address
    path = parts.path or ("/" if parts.netloc else "")
    scheme, netloc = parts.scheme.lower(), parts.netloc.lower()
    return parts._replace(scheme=scheme, netloc=netloc, path=path).geturl()


def _is_address(address: str) -> bool:
    """Something to go to, not a script or nothing."""
    if address in ("", "#"):
        return False
    scheme, colon, _ = address.partition(":")
    return not colon or scheme.lower() not in ("javascript", "data", "about", "blob")


def _is_note(address: str, key: tuple[str, ...]) -> bool:
    """The mark of a footnote; Markdown has its own."""
    return "#" in address and len(key) == 1 and (key[0].isdigit() or len(key[0]) == 1)


def _images(document: Document) -> Iterator[Item]:
    for node, _ in document.images:
        address = (node.get("src") or "").strip()
        if address and not address.startswith(("data:", "blob:", "javascript")):
            yield Item("image", (_canonical(address),), _NONE, _NONE, node=node)


def _styled(document: Document, heads: set[Any]) -> Iterator[Item]:
    """Runs of bold, italic and code; headings and the heads of tables are bold by themselves."""
    head_extents = sorted(document.extents[cell] for cell in heads)
    for kind in ("bold", "italic", "inline code"):
        for run, _ in document.runs(kind):
            first = run[0]
            is_head = first.heading or first.header_cell or _within(first.start, head_extents)
            if first.pre or (kind != "inline code" and is_head):
                continue
            text = " ".join(document.text[first.start : run[-1].end].split())
            key: Hashable = text if kind == "inline code" else words(text)
            if key:
                yield Item(kind, (key,), _NONE, _NONE)


def _within(place: int, extents: list[tuple[int, int]]) -> bool:
    """Whether a character lies in one of some extents, which are sorted and apart."""
    number = bisect_right(extents, (place, sys.maxsize)) - 1
    return number >= 0 and place < extents[number][1]
