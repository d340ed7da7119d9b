"""Items of structure of a document: the same for a page and for rendered Markdown."""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import unquote, urljoin, urlsplit

import numpy as np
from numpy.typing import NDArray

from structure.code import HEADINGS, LISTS, code_language, code_text
from structure.tables import Grid, data_tables
from structure.walk import Document, words

KINDS: Final = (
    "heading",
    "list item",
    "nested item",
    "ordered item",
    "table row",
    "table cell",
    "code",
    "code language",
    "quote",
    "link",
    "image",
    "image alt",
    "bold",
    "italic",
    "inline code",
)
CONTAINER: Final = 300
"""Words from which a list item is a place for a post or a section rather than an item."""
_ICON: Final = 32
"""Side in pixels up to which an image is an icon or a tracking pixel."""
_ICON_CLASSES: Final = frozenset(["emoji", "icon", "wp-smiley", "smiley"])
_CANDIDATES: Final = re.compile(r",\s+|(?<=[wx]),(?=\S)")
_TRACKING: Final = re.compile(r"(?:utm_\w+|fbclid|gclid)=[^&]*")
_SOURCES: Final = tuple(
    "src data-src data-lazy-src data-original data-lazy data-srcset data-lazy-srcset srcset".split()
)


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """One thing that a converter should keep.

    Attributes:
        kind: one of `KINDS`.
        keys: what is compared; any of them is right, the first is that of an item of an output.
        words: (n,) numbers of its words in the document; of an image, of the first one after it.
        around: (n,) words of the paragraph that it stands in, for what is shorter than one.
        text: as it is shown.
        times: how often an output may have it.
        table: number of the data table of a row or cell, else -1.
        node: the element, where it is one.
    """

    kind: str
    keys: tuple[Hashable, ...]
    words: NDArray[np.int64]
    around: NDArray[np.int64]
    text: str
    times: int = 1
    table: int = -1
    node: Any = None


_TRACKED: Final = re.compile(r"utm_\w+=|(?:fb|g|dc|ms)clid=|igshid=|mc_[ce]id=|mkt_tok=|_hs\w+=")
_NONE: Final = np.zeros(0, dtype=np.int64)


class Base:
    """Resolves addresses against that of a page; without one they are taken as they are."""

    def __init__(self, url: str | None = None, declared: str | None = None) -> None:
        self.page = url
        try:
            self.url = urljoin(url or "", declared.strip()) if declared else url
        except ValueError:
            self.url = url

    def is_own_place(self, address: str) -> bool:
        """Does an address lead to a place of the page itself."""
        if address.startswith("#"):
            return True
        try:
            joined, sign, _ = urljoin(self.url or "", address).partition("#")
        except ValueError:
            return False
        return bool(sign) and joined == (self.page or "").partition("#")[0]

    def addresses(self, address: str) -> tuple[str, ...]:
        """Forms of an address that are right: absolute, and ``#place`` within the page."""
        address = "".join(address.split())
        joined = address
        try:
            if self.url is not None:
                joined = urljoin(self.url, address)
            absolute = _canonical(joined)
        except ValueError:
            return (address,)
        if self.page is not None and address.startswith("#"):
            return absolute, unquote(address), _canonical(urljoin(self.page, address))
        return (absolute,)


def _canonical(address: str) -> str:
    """An address in one form; parameters that only count visitors may go or stay."""
    parts = urlsplit(unquote(address))
    query = [part for part in parts.query.split("&") if not _TRACKED.match(part)]
    parts = parts._replace(query="&".join(query))
    path = parts.path or ("/" if parts.netloc else "")
    query = "&".join(part for part in parts.query.split("&") if not _TRACKING.fullmatch(part))
    return parts._replace(
        scheme=parts.scheme.lower(), netloc=parts.netloc.lower(), path=path, query=query
    ).geturl()


def items(document: Document, base: Base) -> list[Item]:
    """All items of a document: tables of pages may be layout, all of Markdown are data.

    Args:
        document: a page or rendered Markdown.
        base: what addresses are relative to.
    """
    tables = data_tables(document, every=not document.is_page)
    cells = {cell for grid in tables for row in grid.rows for cell in row}
    heads = {cell for grid in tables for cell in grid.rows[0]}
    inside = _Inside(cells)
    make: list[Callable[[], Iterator[Item]]] = [
        lambda: _headings(document, inside),
        lambda: _list_items(document, inside),
        lambda: _table_items(document, tables),
        lambda: _codes(document, inside),
        lambda: _quotes(document, inside),
        lambda: _links(document, base),
        lambda: _images(document, base),
        lambda: _styled(document, heads),
    ]
    return [item for each in make for item in each()]


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
            yield Item("heading", ((int(node.tag[1]), words(text)),), span, _NONE, text, node=node)


def _list_items(document: Document, inside: _Inside) -> Iterator[Item]:
    own: dict[Any, tuple[str, NDArray[np.int64]]] = {}
    for node, _ in _elements(document, {"li"}):
        lists = [each for each in node.iter(*LISTS) if each in document.extents]
        own[node] = document.without(node, _outermost(lists))
    for node, (text, span) in own.items():
        key = words(text)
        if not key or len(key) > CONTAINER or inside(node):
            continue
        yield Item("list item", (key,), span, _NONE, text, node=node)
        above = [each for each in node.iterancestors("li") if each in own]
        reduced = 1 + sum(0 < len(words(own[each][0])) <= CONTAINER for each in above)
        levels = {1 + len(above), reduced, _list_depth(node)}
        if reduced > 1:
            keys = ((reduced, key), *((level, key) for level in levels - {reduced}))
            yield Item("nested item", keys, span, _NONE, text, node=node)
        number = _number(node)
        if number is not None:
            yield Item("ordered item", ((number, key),), span, _NONE, text, node=node)


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


def _number(node: Any) -> int | None:
    """Number of an item of an ordered list."""
    parent = node.getparent()
    if parent is None or parent.tag != "ol":
        return None
    siblings = parent.findall("li")
    step = -1 if parent.get("reversed") is not None else 1
    number = _integer(parent.get("start"), len(siblings) if step < 0 else 1)
    for sibling in siblings:
        number = _integer(sibling.get("value"), number)
        if sibling is node:
            return number
        number += step
    return None


def _integer(value: str | None, default: int) -> int:
    try:
        return int(value) if value is not None and len(value) < 12 else default
    except ValueError:
        return default


def _table_items(document: Document, tables: list[Grid]) -> Iterator[Item]:
    for number, grid in enumerate(tables):
        keys = {cell: _cell_key(document, cell) for row in grid.rows for cell in row}
        for row in grid.rows:
            spans = [document.span(*document.extents[cell]) for cell in row]
            shown = " | ".join(_collapsed(document, cell) for cell in row)
            around = np.concatenate([_NONE, *spans])
            row_keys = tuple(dict.fromkeys(grid.row_keys(row, keys)))
            if not row_keys or not row_keys[0]:
                continue
            yield Item("table row", row_keys, around, _NONE, shown, table=number)
            for cell, span in zip(row, spans, strict=True):
                if keys[cell]:
                    yield Item(
                        "table cell", (keys[cell],), span, around, _collapsed(document, cell),
                        times=grid.area(cell), table=number,
                    )  # fmt: skip


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
        yield Item("code", (code,), span, _NONE, code, node=node)
        language = code_language(node)
        if language:
            yield Item(
                "code language", ((language, words(code)),), span, _NONE, f"{language}: {code}",
                node=node,
            )  # fmt: skip


def _quotes(document: Document, inside: _Inside) -> Iterator[Item]:
    for node, text in _elements(document, {"blockquote"}):
        if words(text) and not inside(node):
            span = document.span(*document.extents[node])
            yield Item("quote", (words(text),), span, _NONE, text, node=node)


def _links(document: Document, base: Base) -> Iterator[Item]:
    for run, link in document.runs("link"):
        text = document.text[run[0].start : run[-1].end]
        address = link.get("href").strip()
        key = words(text)
        if not key or not _is_address(address) or _is_note(address, key):
            continue
        if run[0].heading and base.is_own_place(address):
            continue  # the sign by which a heading leads to itself
        keys = tuple((key, each) for each in dict.fromkeys(base.addresses(address)))
        shown = f"{' '.join(text.split())} -> {keys[0][1]}"
        yield Item("link", keys, document.span(run[0].start, run[-1].end), _around(document, run),
                   shown, node=link)  # fmt: skip


def _is_address(address: str) -> bool:
    """Something to go to, not a script or nothing."""
    if address in ("", "#"):
        return False
    scheme, colon, _ = address.partition(":")
    return not colon or scheme.lower() not in ("javascript", "data", "about", "blob")


def _is_note(address: str, key: tuple[str, ...]) -> bool:
    """The mark of a footnote; Markdown has its own."""
    return "#" in address and len(key) == 1 and (key[0].isdigit() or len(key[0]) == 1)


def _around(document: Document, run: list[Any]) -> NDArray[np.int64]:
    return document.span(*document.paragraphs[run[0].paragraph])


def _images(document: Document, base: Base) -> Iterator[Item]:
    for node, place in document.images:
        addresses = tuple(dict.fromkeys(_sources(node, base)))
        if not addresses or _is_icon(node):
            continue
        span = np.array([document.next_word(place)], dtype=np.int64)
        alt = node.get("alt") or ""
        shown = f"{' '.join(alt.split())} -> {addresses[0]}"
        yield Item("image", addresses, span, _NONE, shown, node=node)
        if words(alt):
            keys = tuple((words(alt), each) for each in addresses)
            yield Item("image alt", keys, span, _NONE, shown, node=node)


def _sources(node: Any, base: Base) -> Iterator[str]:
    """Addresses of an image, that of ``src`` first, a lazy one, those of all sizes."""
    values = [(name, node.get(name)) for name in _SOURCES]
    parent = node.getparent()
    if parent is not None and parent.tag == "picture":
        for source in parent.iter("source"):
            values += [("srcset", source.get("srcset")), ("srcset", source.get("data-srcset"))]
    for name, value in values:
        for address in _listed(value or "") if name.endswith("srcset") else [value or ""]:
            if address.strip() and not address.strip().startswith(("data:", "blob:", "javascript")):
                yield from base.addresses(address)


def _listed(srcset: str) -> list[str]:
    """The addresses of a ``srcset``; a comma ends one only before white space or a scheme."""
    return [part.split()[0] for part in _CANDIDATES.split(srcset) if part.split()]


def _is_icon(node: Any) -> bool:
    if _ICON_CLASSES & set((node.get("class") or "").lower().split()):
        return True
    for name in ("width", "height"):
        value = (node.get(name) or "").strip().removesuffix("px")
        if value.isdigit() and len(value) < 6 and int(value) <= _ICON:
            return True
    return False


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
                span = document.span(first.start, run[-1].end)
                yield Item(kind, (key,), span, _around(document, run), text)


def _within(place: int, extents: list[tuple[int, int]]) -> bool:
    """Whether a character lies in one of some extents, which are sorted and apart."""
    number = bisect_right(extents, (place, sys.maxsize)) - 1
    return number >= 0 and place < extents[number][1]
