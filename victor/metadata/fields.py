"""What a page declares of itself but title, authors and dates: each field is a list of sources."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Final

from victor.metadata.page_view import PageView
from victor.metadata.schema_org import ORGANIZATIONS, members, types
from victor.metadata.texts import clean, is_address, letters, unique

Sourced = tuple[str, str]
"""A value and a short code of its source."""
_Read = Callable[[PageView], Iterable[str]]

_LANGUAGE: Final = re.compile(r"([A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8}){0,4})\s*(?:,.*)?", re.DOTALL)
_TYPE: Final = re.compile(r"[a-z][a-z0-9._:-]{1,40}")
_MICRODATA_TYPES: Final = frozenset(
    "article newsarticle blogposting recipe product qapage discussionforumposting event book "
    "scholarlyarticle techarticle howto jobposting videoobject softwareapplication".split()
)
_WRITTEN: Final = (
    "article posting report review recipe howto qapage question forum video".split()
)  # fmt: skip
_CREATIVE_COMMONS: Final = "creativecommons.org/"
_LONGEST_NAME: Final = 120
_MOST_TAGS: Final = 100
_LONGEST_TAG: Final = 100
_TAG_ENDS: Final = re.compile(r"[,;|、，]")
_FEEDS: Final = frozenset(
    {"application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml"}
)
_MOST_LINKS: Final = 200
_LONGEST_CODE: Final = 35
_SECOND_LEVEL: Final = frozenset("co com org net gov edu ac gob gouv or ne go".split())


# --- Where values stand ---------------------------------------------------------------------------


def _meta(*names: str) -> _Read:
    """The first content of meta elements of some names."""
    return lambda view: (view.meta(*names),)


def _thing(key: str, inner: str = "name", most: int = 2) -> _Read:
    """A property of the main thing of the JSON-LD, and of the page there."""
    return lambda view: (
        view.graph.text(node.get(key), inner) for node in islice(view.things, most)
    )


def _link(*relations: str) -> _Read:
    """Addresses of links of the head."""
    return lambda view: (address for relation in relations for address in view.linked(relation))


def _licences(view: PageView) -> Iterator[str]:
    for node in view.things:
        for key in ("license", "licence"):
            yield view.graph.text(node.get(key), "url") or view.graph.text(node.get(key))


def _creative_commons(view: PageView) -> Iterator[str]:
    texts = (clean(view.meta(name)) for name in ("copyright", "rights"))
    return (text for text in texts if _CREATIVE_COMMONS in text)


def _images(view: PageView) -> Iterator[str]:
    for node in view.things:
        for each in view.graph.values(node.get("image")):
            for key in ("url", "contentUrl"):
                yield from view.graph.texts(each, key)


def _item_types(view: PageView) -> Iterator[str]:
    for value in view.item_types:
        kind = value.lower()
        name = kind.rpartition("/")[2].strip()
        if "schema.org/" in kind and name in _MICRODATA_TYPES:
            yield name


_SOURCES: Final[Mapping[str, tuple[tuple[str, _Read], ...]]] = {
    "site": (
        ("open-graph", _meta("og:site_name")),
        ("json-ld", lambda view: (view.graph.text(view.graph.site.get("name")),)),
        ("meta", _meta("application-name", "apple-mobile-web-app-title", "al:ios:app_name")),
        ("json-ld", lambda view: (view.publisher,)),
    ),
    "publisher": (
        ("json-ld", lambda view: (view.publisher,)),
        ("dublin-core", _meta("dc.publisher", "dcterms.publisher")),
        ("meta", _meta("citation_publisher", "publisher")),
        ("open-graph", _meta("article:publisher")),
    ),
    "language": (
        ("html", lambda view: (view.head.language or "",)),
        ("meta", _meta("content-language")),
        ("open-graph", _meta("og:locale")),
        ("json-ld", _thing("inLanguage", "alternateName", most=1)),
        ("dublin-core", _meta("dc.language", "dcterms.language")),
        ("meta", _meta("language")),
    ),
    "description": (
        ("meta", _meta("description")),
        ("open-graph", _meta("og:description")),
        ("dublin-core", _meta("dc.description", "dcterms.description", "dcterms.abstract")),
        ("meta", _meta("twitter:description", "sailthru.description", "citation_abstract")),
        ("json-ld", _thing("description")),
    ),
    "canonical": (
        ("link", lambda view: (view.head.canonical or "",)),
        ("open-graph", _meta("og:url")),
        ("json-ld", lambda view: (view.graph.text(view.main.get("url"), "@id"),)),
    ),
    "image": (
        ("open-graph", _meta("og:image", "og:image:url", "og:image:secure_url")),
        ("json-ld", _images),
        ("meta", _meta("twitter:image", "twitter:image:src", "sailthru.image.full")),
        ("meta", _meta("thumbnail", "parsely-image-url", "image")),
        ("link", lambda view: (link.href for link in view.head.links if link.rel == "image_src")),
    ),
    "next_page": (("link", _link("next")),),
    "previous_page": (("link", _link("prev", "previous")),),
    "section": (
        ("json-ld", _thing("articleSection")),
        ("open-graph", _meta("article:section", "og:article:section")),
        ("meta", _meta("parsely-section", "section", "cxenseparse:section", "category")),
        ("dublin-core", _meta("dc.subject.category")),
        ("microdata", _meta("articlesection")),
    ),
    "type": (
        ("json-ld", lambda view: (kind for node in view.things for kind in types(node))),
        ("open-graph", lambda view: (view.meta("og:type").lower(),)),
        ("microdata", _item_types),
    ),
    "licence": (
        ("link", _link("license")),
        ("link", lambda view: (view.licence_in_foot or "",)),
        ("json-ld", _licences),
        ("open-graph", _meta("cc:license", "og:license")),
        ("dublin-core", _meta("dcterms.license", "dc.rights.license", "dcterms.rights",
                              "dc.rights")),
        ("meta", _meta("license", "licence")),
        ("meta", _creative_commons),
    ),
}  # fmt: skip
"""Fields of one text, each with its sources, the surest first."""


def _plain(_: PageView, text: str) -> str:
    return text


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
    return text if _TYPE.fullmatch(text) else ""


_READERS: Final[Mapping[str, Callable[[PageView, str], str]]] = {
    "site": _named, "publisher": _published_by, "language": _code, "canonical": _address,
    "image": _address, "type": _kind,
}  # fmt: skip
"""How the text of a field is read, "" for what is none; other fields take it as it stands."""


def values(view: PageView, field: str) -> Iterator[Sourced]:
    """The values of a field of one text, the surest first."""
    read = _READERS.get(field, _plain)
    for source, texts in _SOURCES[field]:
        for text in texts(view):
            if value := read(view, text):
                yield value, source


def value(view: PageView, field: str) -> Sourced | None:
    """The value of a field of one text; None where the page does not declare it."""
    return next(values(view, field), None)


def declared(view: PageView) -> dict[str, Sourced | None]:
    """All fields of one text."""
    return {field: value(view, field) for field in _SOURCES}


def is_written(kind: str) -> bool:
    """Is a type of page or thing that of a written work."""
    return any(part in kind for part in _WRITTEN)


# --- Fields of several values ---------------------------------------------------------------------


def tags(view: PageView) -> tuple[tuple[str, ...], str]:
    """Keywords and their source; of the first source that has any."""
    graph = view.graph
    for texts, source in (
        *((graph.texts(node.get("keywords")), "json-ld") for node in view.things),
        (view.every_meta("article:tag", "og:article:tag", "video:tag"), "open-graph"),
        (view.every_meta("news_keywords", "parsely-tags", "keywords"), "meta"),
        (view.every_meta("sailthru.tags", "citation_keywords"), "meta"),
        (view.every_meta("dc.subject", "dcterms.subject"), "dublin-core"),
    ):
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


def site_names(view: PageView) -> frozenset[str]:
    """Names of the site and of the organisations behind it, as letters without case.

    These are the names that it gives itself, those of its host, and of organisations in its
    JSON-LD, also where they stand for the author.
    """
    names = {name for name, _ in values(view, "site")} | {view.meta("twitter:site").lstrip("@")}
    names |= {name for name, _ in islice(values(view, "publisher"), 1)}
    graph = view.graph
    signing = [
        each
        for node in view.things
        for key in ("author", "creator", "publisher")
        for each in members(node.get(key))
    ]
    for node in [*graph.top, *map(graph.resolved, signing)]:
        if isinstance(node, Mapping) and ORGANIZATIONS & {*types(node)}:
            names.add(graph.text(node.get("name")))
    return frozenset(({letters(name) for name in names} | _of_host(view.host)) - {""})


def _of_host(host: str) -> set[str]:
    """``news.example.co.uk`` as ``newsexamplecouk`` and ``example``."""
    labels = [label for label in host.split(".") if label]
    if len(labels) < 2:
        return set()
    labels_before = labels[:-1]
    if len(labels_before) > 1 and labels_before[-1] in _SECOND_LEVEL:
        labels_before.pop()
    return {letters(host), letters(".".join(labels[-2:])), letters(labels_before[-1])}
