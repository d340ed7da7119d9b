"""What a page declares: each field is a list of places where it may stand, the surest first."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Final

from victor.metadata.page_view import PageView
from victor.metadata.schema_org import types
from victor.metadata.texts import (
    ELSEWHERE,
    Place,
    is_address,
    letters,
    places,
    unique,
    word_list,
)

Sourced = tuple[str, str]  # a value and a short code of its source

_FIELDS_OF_ONE: Final = (
    "site", "publisher", "language", "description", "canonical", "image", "next_page",
    "previous_page", "section", "type", "licence",
)  # fmt: skip


def said(view: PageView, field: str) -> Iterator[tuple[str, Iterable[str]]]:
    """Sources of a field and the texts there, each name by itself."""
    several = _elsewhere(bool(view.graph.top))[field]
    if field in view.places:
        several = sorted([*several, *view.places[field]])
    for _, place, name in several:
        source, read = _READ.get(place, (place, _of_meta))
        yield source, read(view, name)


@cache
def _elsewhere(has_graph: bool) -> dict[str, list[Place]]:
    """The places of each field that are no meta elements."""
    read = ELSEWHERE if has_graph else ELSEWHERE - {"json-ld"}
    return {
        field: [each for each in all_of_it if each[1] in read]
        for field, all_of_it in places().items()
    }


def _of_meta(view: PageView, name: str) -> Iterable[str]:
    return view.metas[name]


def _of_json_ld(view: PageView, name: str) -> Iterator[str]:
    key, _, inner = name.removeprefix("WebSite:").partition(".")
    for node in view.things if key == name.partition(".")[0] else (view.graph.site,):
        if key == "@type":
            yield from types(node)
        elif key in node:
            for value in view.graph.values(node[key]):
                yield from view.graph.each_text(value, inner or "name")


def _of_links(view: PageView, relation: str) -> Iterator[str]:
    for target in view.targets.get(relation, ()):
        yield view.absolute(target) or ""


def _of_html(view: PageView, _: str) -> Iterator[str]:
    yield view.head.language or ""


def _of_foot(view: PageView, _: str) -> Iterator[str]:
    yield view.absolute(view.licence_in_foot) or ""


def _of_item_types(view: PageView, _: str) -> Iterator[str]:
    for value in view.item_types:
        kind = value.lower()
        name = kind.rpartition("/")[2].strip()
        if "schema.org/" in kind and name in _MICRODATA_TYPES:
            yield name


def _of_citations(view: PageView, name: str) -> Iterator[str]:
    """``Keeper, A.`` as ``A. Keeper``."""
    for text in view.metas[name]:
        family, comma, given = text.partition(",")
        yield f"{given.strip()} {family.strip()}" if comma and "," not in given else text


_READ: Final[Mapping[str, tuple[str, Callable[[PageView, str], Iterable[str]]]]] = {
    "json-ld": ("json-ld", _of_json_ld),
    "link": ("link", _of_links),
    "html": ("html", _of_html),
    "foot": ("link", _of_foot),
    "itemtype": ("microdata", _of_item_types),
    "citation": ("meta", _of_citations),
}
"""Source and reader of each sort of place whose texts are not those of a meta element."""

# --- Fields of one text ---------------------------------------------------------------------------

_LANGUAGE: Final = re.compile(r"([A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8}){0,4})\s*(?:,.*)?", re.DOTALL)
_TYPE: Final = re.compile(r"[a-z][a-z0-9._:-]{1,40}")
_MICRODATA_TYPES: Final = word_list("microdata_types")
_WRITTEN: Final = (
    "article posting report review recipe howto qapage question forum video".split()
)  # fmt: skip
_LONGEST_NAME: Final = 120


def _named(_: PageView, text: str) -> str:
    return text if len(text) <= _LONGEST_NAME else ""


def _published_by(_: PageView, text: str) -> str:
    return text if len(text) <= _LONGEST_NAME and not is_address(text) else ""


def _code(_: PageView, text: str) -> str:
    """A BCP 47 code, of several the first."""
    match = _LANGUAGE.fullmatch(text.strip())
    return match[1].replace("_", "-") if match else ""


def _address(view: PageView, text: str) -> str:
    return view.absolute(text) or ""


def _kind(_: PageView, text: str) -> str:
    return text.lower() if _TYPE.fullmatch(text.lower()) else ""


_READERS: Final[Mapping[str, Callable[[PageView, str], str]]] = {
    "site": _named, "publisher": _published_by, "language": _code, "canonical": _address,
    "image": _address, "type": _kind,
}  # fmt: skip
"""How the text of a field is read, "" for what is none; other fields take it as it stands."""


def values(view: PageView, field: str) -> Iterator[Sourced]:
    """The values of a field of one text, the surest first."""
    read = _READERS.get(field)
    for source, texts in said(view, field):
        for text in texts:
            if value := read(view, text) if read else text:
                yield value, source


def declared(view: PageView) -> dict[str, Sourced | None]:
    """All fields of one text; None where the page does not declare it."""
    return {field: next(values(view, field), None) for field in _FIELDS_OF_ONE}


def is_written(kind: str) -> bool:
    """Is a type of page or thing that of a written work."""
    return any(part in kind for part in _WRITTEN)


# --- Fields of several values ---------------------------------------------------------------------

_MOST_TAGS: Final = 100
_LONGEST_TAG: Final = 100
_TAG_ENDS: Final = re.compile(r"[,;|、，]")
_FEEDS: Final = frozenset(
    {"application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml"}
)
_MOST_LINKS: Final = 200
_LONGEST_CODE: Final = 35
_SECOND_LEVEL: Final = frozenset("co com org net gov edu ac gob gouv or ne go".split())


def tags(view: PageView) -> tuple[tuple[str, ...], str]:
    """Keywords and their source; of the first source that has any."""
    for source, texts in said(view, "tags"):
        several = [part.strip() for text in texts for part in _TAG_ENDS.split(text)]
        chosen = unique([tag for tag in several if len(tag) <= _LONGEST_TAG])[:_MOST_TAGS]
        if chosen:
            return chosen, source
    return (), ""


def feeds(view: PageView) -> tuple[str, ...]:
    """Addresses of the feeds that the page names."""
    several = (
        view.absolute(link.href)
        for link in view.head.links[:_MOST_LINKS]
        if link.type.lower() in _FEEDS and {"alternate", "feed"} & {*link.rel.split()}
    )
    return tuple(dict.fromkeys(address for address in several if address))


def translations(view: PageView) -> dict[str, str]:
    """Language to the address of the page in that language."""
    several: dict[str, str] = {}
    for link in view.head.links[:_MOST_LINKS]:
        code = link.hreflang.strip()
        is_one = code and "alternate" in link.rel.split() and len(code) <= _LONGEST_CODE
        if is_one and (address := view.absolute(link.href)):
            several.setdefault(code, address)
    return several


def site_names(view: PageView, publisher: Sourced | None) -> frozenset[str]:
    """Names of the site and of its publisher, and those of its host, as letters without case."""
    names = {name for name, _ in values(view, "site")} | {view.meta("twitter:site").lstrip("@")}
    names |= {*(publisher or ())[:1]}
    return frozenset(({letters(name) for name in names} | _of_host(view.host)) - {""})


def _of_host(host: str) -> set[str]:
    labels = [label for label in host.split(".") if label]
    if len(labels) < 2:
        return set()
    is_registry = len(labels) > 2 and labels[-2] in _SECOND_LEVEL
    return {letters(host), letters(".".join(labels[-2:])), letters(labels[-2 - is_registry])}
