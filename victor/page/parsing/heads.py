"""What a page declares in its head and scripts, put together as its elements come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, overload

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from victor.base.arrays import Ints

_META_KEYS: Final = ("property", "name", "itemprop", "http-equiv")
_LOADED: Final = frozenset(
    "dns-prefetch manifest modulepreload preconnect prefetch preload prerender stylesheet".split()
)
"""Relations of links that only say what a browser is to load."""
_SPANS: Final = ("colspan", "rowspan")
OF_TABLES: Final = {"table": ("border", "width", "role"), "td": _SPANS, "th": _SPANS}
"""Attributes that say how a table looks, and how many columns and rows a cell spans."""
_JSON_LD: Final = "application/ld+json"
_PUSHED: Final = "(self.__next_s=self.__next_s||[]).push("
"""How a script of Next.js begins that puts another script into the page."""


class Link(NamedTuple):
    """What a ``<link>`` with a target declares; white space at the ends of values is gone.

    Attributes:
        rel: lower case.
        href: as written.
        type, hreflang, title: "" where absent.
    """

    rel: str
    href: str
    type: str
    hreflang: str
    title: str


class Head(Struct, frozen=True):
    """The title, meta data and language that a page declares, and what its scripts say of it.

    Attributes:
        title: text of the first ``<title>`` that holds any, white space collapsed; titles of
            drawings do not count, as nothing inside a dropped element does.
        meta: ``<meta name|property|itemprop|http-equiv=... content=...>``, lower-case names, the
            first of each name.
        language: ``lang`` of the ``<html>`` element.
        canonical: target of ``<link rel="canonical">``.
        repaired: elements that were never closed, see `victor.page.parsing.unclosed.closed`.
        metas: every ``<meta>`` of `meta` in order, those with the same name, too.
        links: every ``<link>`` with ``rel`` and ``href``, style sheets and hints to load left out.
        base: target of the first ``<base>`` that has one.
        json_ld: texts of the scripts of type ``application/ld+json``.
        times: tag ordinal on the page and ``datetime`` of every ``<time>`` that has one.
        tables: number among the tables and cells of the page, and `OF_TABLES`, of every one of
            them that has any.
    """

    title: str = ""
    meta: Mapping[str, str] = field(default_factory=dict)
    language: str | None = None
    canonical: str | None = None
    repaired: tuple[str, ...] = ()
    metas: tuple[tuple[str, str], ...] = ()
    links: tuple[Link, ...] = ()
    base: str | None = None
    json_ld: tuple[str, ...] = ()
    times: tuple[tuple[int, str], ...] = ()
    tables: tuple[tuple[int, Mapping[str, str]], ...] = ()


def texts_of_heads(heads: Iterable[Head]) -> tuple[NDArray[np.uint8], Ints]:
    """What the core reads of heads, as ``core/columns/heads.h`` has it.

    Returns:
        UTF-8 of all texts, eight of each head, and (8 P + 1,) int64 where each begins, and the end.
    """
    texts = [
        text.encode("utf-8", "replace")
        for head in heads
        for text in (
            head.title,
            *(head.meta.get(name, "") for name in ("og:title", "og:site_name", "og:type")),
            head.meta.get("description", "") or head.meta.get("og:description", ""),
            head.canonical or head.meta.get("og:url", ""),
            head.meta.get("generator", ""),
            "\n".join(head.json_ld),
        )
    ]
    ends = np.cumsum([0, *map(len, texts)], dtype=np.int64)
    return np.frombuffer(b"".join(texts), dtype=np.uint8), ends


class HeadNotes:
    """Notes of one page, in the order of its elements; `head` makes one thing of them.

    Args:
        metas: lower-case name and content of ``<meta>`` elements that were noted before.
    """

    __slots__ = (
        "_base", "_canonical", "_json_ld", "_language", "_links", "_metas", "_tables", "_times",
        "_title",
    )  # fmt: skip

    def __init__(self, metas: Iterable[tuple[str, str]] = ()) -> None:
        self._title = ""
        self._language: str | None = None
        self._canonical: str | None = None
        self._base: str | None = None
        self._metas = [*metas]
        self._links: list[Link] = []
        self._json_ld: list[str] = []
        self._times: list[tuple[int, str]] = []
        self._tables: list[tuple[int, Mapping[str, str]]] = []

    def note(self, name: str, attributes: Mapping[str, str], ordinal: int) -> None:
        """Keep what an element declares.

        Args:
            name: of html, meta, base and time elements, tables and cells; others declare nothing.
            attributes: those of the element.
            ordinal: of its tag on the page; of a table or a cell its number among these.
        """
        if name == "meta":
            key = next(filter(None, map(attributes.get, _META_KEYS)), None)
            if key and "content" in attributes:
                self._metas.append((key.lower(), attributes["content"]))
        elif name == "time":
            if "datetime" in attributes:
                self._times.append((ordinal, attributes["datetime"].strip()))
        elif name in OF_TABLES:
            said = {key: attributes[key] for key in OF_TABLES[name] if key in attributes}
            if said:
                self._tables.append((ordinal, said))
        elif name == "base":
            self._base = self._base or attributes.get("href", "").strip() or None
        elif name == "html" and self._language is None:
            self._language = attributes.get("lang") or attributes.get("xml:lang")

    def note_title(self, text: str) -> None:
        """Keep the text of a title, if it is the first that holds any."""
        if not self._title:
            self._title = " ".join(text.split())

    def note_script(self, kind: str, text: str) -> None:
        """Keep the text of a script of a type if that is JSON-LD, or such a script in it."""
        if _is_json_ld(kind):
            self._json_ld.append(text)
        elif text.startswith(_PUSHED):
            self._json_ld += _pushed_json_ld(text.removeprefix(_PUSHED))

    def note_link(self, rel: str, href: str, *about: str) -> None:
        """Keep the target of a link and what it is to the page.

        Args:
            rel: the attribute, "" where absent, as the others.
            href: the target.
            *about: the other attributes in the order of `Link`.
        """
        rel, target = rel.strip().lower(), href.strip()
        relations = rel.split()
        if not relations or not target or not _LOADED.isdisjoint(relations):
            return
        self._links.append(Link(rel, target, *map(str.strip, about)))
        if "canonical" in relations:
            self._canonical = self._canonical or target

    def head(self, repaired: tuple[str, ...] = ()) -> Head:
        """What the page declares; `repaired` is that of `Head`."""
        first = dict(self._metas)
        if len(first) < len(self._metas):
            first.update(reversed(self._metas))
        return Head(
            title=self._title,
            meta=first,
            language=self._language,
            canonical=self._canonical,
            repaired=repaired,
            metas=tuple(self._metas),
            links=tuple(self._links),
            base=self._base,
            json_ld=tuple(self._json_ld),
            times=tuple(self._times),
            tables=tuple(self._tables),
        )


def _is_json_ld(kind: str) -> bool:
    """Is a ``type`` of scripts that of JSON-LD."""
    return kind.lower().partition(";")[0].strip() == _JSON_LD


def _pushed_json_ld(arguments: str) -> list[str]:
    """The JSON-LD that a script of Next.js pushes: ``[0, {"type": …, "children": …}])``."""
    import json  # few pages have such a script

    try:
        _, pushed = json.loads(arguments.rstrip().rstrip(";").removesuffix(")"))
        inner = pushed.get("dangerouslySetInnerHTML") or {"__html": pushed.get("children")}
        is_data = _is_json_ld(pushed["type"]) and isinstance(inner["__html"], str)
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return []
    return [inner["__html"]] if is_data else []


def noted_head(
    metas: Iterable[tuple[str, str]],
    links: Iterable[tuple[str, ...]],
    notes: Iterable[tuple[str, Mapping[str, str], int]],
    repaired: tuple[str, ...],
) -> Head:
    """The head of a page from all notes at once.

    Args:
        metas: as `HeadNotes` has them.
        links: arguments of `HeadNotes.note_link`.
        notes: of other elements arguments of `HeadNotes.note`; where there is an attribute
            ``text``, it is that of a title or a script.
        repaired: as `Head.repaired`.
    """
    page = HeadNotes(metas)
    for link in links:
        if link[0] not in _LOADED:  # as those of most are
            page.note_link(*link)
    for name, attributes, tag in notes:
        if "text" not in attributes:
            page.note(name, attributes, tag)
        elif name == "title":
            page.note_title(attributes["text"])
        else:
            page.note_script(attributes["type"], attributes["text"])
    return page.head(repaired)


class Heads(Sequence[Head]):
    """Heads of pages, each made when it is asked for; equal to the sequence of these.

    Args:
        make: gives the head of a page of the batch by its number.
        pages: numbers of the pages.
    """

    def __init__(self, make: Callable[[int], Head], pages: Sequence[int]) -> None:
        self._make = make
        self._pages = pages

    def __len__(self) -> int:
        return len(self._pages)

    @overload
    def __getitem__(self, page: int) -> Head: ...
    @overload
    def __getitem__(self, page: slice) -> Heads: ...
    def __getitem__(self, page: int | slice) -> Head | Heads:
        if isinstance(page, slice):
            return Heads(self._make, self._pages[page])
        return self._make(self._pages[page])

    def __iter__(self) -> Iterator[Head]:
        return map(self._make, self._pages)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and [*self] == [*other]

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Heads{tuple(self)!r}"


# --- What addresses of the page are relative to ---------------------------------------------------

_SCHEMES = ("http://", "https://")
LONGEST: Final = 4_000
"""Characters of an address; longer ones hold data and lead nowhere."""
_LONGEST_BASE: Final = 2_000


def web_address(address: str | None) -> str:
    """An address that is on the web, "" for all others: too long, or the path of a file, say.

    >>> web_address("pages/a.html"), web_address("https://example.org/a")
    ('', 'https://example.org/a')
    """
    if not address or len(address) > LONGEST:
        return ""
    return address if address.lower().startswith(_SCHEMES) else ""


def page_address(head: Head, url: str | None) -> str:
    """Where a page is on the web: as given, else as it declares; "" if that is not known."""
    return web_address(url) or web_address(head.canonical) or web_address(head.meta.get("og:url"))


def base_address(head: Head) -> str:
    """What a page names as the base of its addresses, as written; "" for none.

    One that is too long is none: every address of the page would be as long.
    """
    return head.base if head.base and len(head.base) <= _LONGEST_BASE else ""
