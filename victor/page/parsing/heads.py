"""What a page declares in its head and scripts, put together as its elements come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, overload

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


_ABSENT: Final = ("",) * len(Link._fields)


class Head(Struct, frozen=True):
    """The title, meta data and language that a page declares, and what its scripts say of it."""

    title: str = ""
    """Text of the first ``<title>`` that holds any, white space collapsed; titles of drawings do
    not count, as nothing inside a dropped element does."""
    meta: Mapping[str, str] = field(default_factory=dict)
    """``<meta name|property|itemprop|http-equiv=... content=...>``, lower-case names, the first
    of each name."""
    language: str | None = None  # ``lang`` of the ``<html>`` element
    canonical: str | None = None  # target of ``<link rel="canonical">``
    metas: tuple[tuple[str, str], ...] = ()
    """Every ``<meta>`` of `meta` in order, those with the same name, too."""
    links: tuple[Link, ...] = ()
    """Every ``<link>`` with ``rel`` and ``href``, style sheets and hints to load left out."""
    base: str | None = None  # target of the first ``<base>`` that has one
    json_ld: tuple[str, ...] = ()  # texts of the scripts of type ``application/ld+json``
    times: tuple[tuple[int, str], ...] = ()
    """Tag ordinal on the page and ``datetime`` of every ``<time>`` that has one."""
    tables: tuple[tuple[int, Mapping[str, str]], ...] = ()
    """Number among the tables and cells of the page, and `OF_TABLES`, of every one of them that
    has any."""


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
            _description(head),
            head.canonical or head.meta.get("og:url", ""),
            head.meta.get("generator", ""),
            "\n".join(head.json_ld),
        )
    ]
    ends = np.cumsum([0, *map(len, texts)], dtype=np.int64)
    return np.frombuffer(b"".join(texts), dtype=np.uint8), ends


def _description(head: Head) -> str:
    """What a head says of the page; a blank if it says so, but nothing."""
    texts = [head.meta[key] for key in ("description", "og:description") if key in head.meta]
    return next(filter(None, texts), " " if texts else "")


def noted_head(notes: Iterable[tuple[str, Mapping[str, str], int]]) -> Head:
    """The head of a page from what the core noted of its elements, in their order.

    Args:
        notes: name, attributes, and the ordinal of the tag, or of a table or a cell its number
            among these; where there is an attribute ``text``, it is that of a title or a script.
    """
    declared, kept = list[tuple[str, str]](), list[Link]()
    found: dict[str, Any] = {}
    json_ld, times, tables = list[str](), list[tuple[int, str]](), list[Any]()
    for name, attributes, number in notes:
        if "text" in attributes:
            if name != "title":
                json_ld += _json_ld_of(attributes["type"], attributes["text"])
            elif not found.get("title"):
                found["title"] = " ".join(attributes["text"].split())
        elif name == "meta":
            keys = map(attributes.get, _META_KEYS)
            if "content" in attributes and (key := next(filter(None, keys), None)):
                declared.append((key.lower(), attributes["content"]))
        elif name == "link":
            kept += _links_of(*map(attributes.get, Link._fields, _ABSENT))
        elif name == "time" and "datetime" in attributes:
            times.append((number, attributes["datetime"].strip()))
        elif name in OF_TABLES:
            said = {key: attributes[key] for key in OF_TABLES[name] if key in attributes}
            tables += [(number, said)] if said else []
        elif name == "base":
            found["base"] = found.get("base") or attributes.get("href", "").strip() or None
        elif name == "html" and found.get("language") is None:
            found["language"] = attributes.get("lang") or attributes.get("xml:lang")
    first = dict(declared)
    if len(first) < len(declared):
        first.update(reversed(declared))
    canonical = (link.href for link in kept if "canonical" in link.rel.split())
    return Head(
        meta=first,
        canonical=next(canonical, None),
        metas=tuple(declared),
        links=tuple(kept),
        json_ld=tuple(json_ld),
        times=tuple(times),
        tables=tuple(tables),
        **found,
    )


def _links_of(rel: str, href: str, *about: str) -> Iterator[Link]:
    """The link that some attributes make, if it has a target and is more than a hint to load."""
    rel, target = rel.strip().lower(), href.strip()
    relations = rel.split()
    if relations and target and _LOADED.isdisjoint(relations):
        yield Link(rel, target, *map(str.strip, about))


def _json_ld_of(kind: str, text: str) -> list[str]:
    """The JSON-LD in the text of a script of a type."""
    if _is_json_ld(kind):
        return [text]
    return _pushed_json_ld(text.removeprefix(_PUSHED)) if text.startswith(_PUSHED) else []


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
LONGEST: Final = 4_000  # characters of an address; longer ones hold data and lead nowhere
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
