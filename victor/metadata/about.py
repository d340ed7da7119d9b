"""What a page declares of itself but title, authors and dates: language, tags, links and so on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from victor.metadata.page_view import PageView
from victor.metadata.schema_org import types
from victor.metadata.texts import clean, unique

Sourced = tuple[str, str]

_LANGUAGE: Final = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8}){0,4}")
_MOST_TAGS: Final = 100
_LONGEST_TAG: Final = 100
_TAG_ENDS: Final = re.compile(r"[,;|、，]")
_TYPE: Final = re.compile(r"[a-z][a-z0-9._:-]{1,40}")
_CREATIVE_COMMONS: Final = "creativecommons.org/"
_MICRODATA_TYPES: Final = frozenset(
    "article newsarticle blogposting recipe product qapage discussionforumposting event book "
    "scholarlyarticle techarticle howto jobposting videoobject softwareapplication".split()
)
_WRITTEN: Final = (
    "article posting report review recipe howto qapage question forum video".split()
)  # fmt: skip
_FEEDS: Final = frozenset(
    {"application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml"}
)
_MOST_LINKS: Final = 200
_LONGEST_CODE: Final = 35


def language(view: PageView) -> Sourced | None:
    """BCP 47 code: of ``<html>``, else as meta elements and JSON-LD declare it."""
    main = next(iter(view.things), {})
    several = (
        (view.head.language or "", "html"),
        (view.meta("content-language"), "meta"),
        (view.meta("og:locale"), "open-graph"),
        (view.graph.text(main.get("inLanguage"), "alternateName"), "json-ld"),
        (view.meta("dc.language", "dcterms.language"), "dublin-core"),
        (view.meta("language"), "meta"),
    )
    for value, source in several:
        match = _LANGUAGE.match(value.strip())
        if match and match.end() == len(value.strip().partition(",")[0].strip()):
            return match[0].replace("_", "-"), source
    return None


def description(view: PageView) -> Sourced | None:
    """What the page says that it is about."""
    several = (
        (view.meta("description"), "meta"),
        (view.meta("og:description"), "open-graph"),
        (view.meta("dc.description", "dcterms.description", "dcterms.abstract"), "dublin-core"),
        (view.meta("twitter:description", "sailthru.description", "citation_abstract"), "meta"),
        *((view.graph.text(node.get("description")), "json-ld") for node in view.things),
    )
    return next(((text, source) for text, source in several if text), None)


def section(view: PageView) -> Sourced | None:
    """Rubric of the site."""
    several = (
        *((view.graph.text(node.get("articleSection")), "json-ld") for node in view.things),
        (view.meta("article:section", "og:article:section"), "open-graph"),
        (view.meta("parsely-section", "section", "cxenseparse:section", "category"), "meta"),
        (view.meta("dc.subject.category"), "dublin-core"),
        (view.meta("articlesection"), "microdata"),
    )
    return next(((text, source) for text, source in several if text), None)


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


def page_type(view: PageView) -> Sourced | None:
    """What the main thing of the page is: its type in JSON-LD, else that of Open Graph."""
    for node in view.things:
        for kind in types(node):
            if _TYPE.fullmatch(kind):
                return kind, "json-ld"
    declared = view.meta("og:type").lower()
    if _TYPE.fullmatch(declared):
        return declared, "open-graph"
    return _type_of_microdata(view)


def is_written(kind: str) -> bool:
    """Is a type of page or thing that of a written work."""
    return any(part in kind for part in _WRITTEN)


def _type_of_microdata(view: PageView) -> Sourced | None:
    for value in view.item_types:
        kind = value.lower()
        name = kind.rpartition("/")[2].strip()
        if "schema.org/" in kind and name in _MICRODATA_TYPES:
            return name, "microdata"
    return None


def licence(view: PageView) -> Sourced | None:
    """Address or name of the licence of the page."""
    return next(_licences(view), None)


def _licences(view: PageView) -> Iterator[Sourced]:
    for address in view.linked("license"):
        yield address, "link"
    if address_in_foot := view.licence_in_foot:
        yield address_in_foot, "link"
    for node in view.things:
        for key in ("license", "licence"):
            if text := view.graph.text(node.get(key), "url") or view.graph.text(node.get(key)):
                yield text, "json-ld"
    if text := view.meta("cc:license", "og:license"):
        yield text, "open-graph"
    dublin_core = view.meta("dcterms.license", "dc.rights.license", "dcterms.rights", "dc.rights")
    if dublin_core:
        yield dublin_core, "dublin-core"
    for name in ("license", "licence", "copyright", "rights"):
        text = clean(view.meta(name))
        if text and (name.startswith("licen") or _CREATIVE_COMMONS in text):
            yield text, "meta"


def canonical(view: PageView) -> Sourced | None:
    """The address that the page calls its own, and the source."""
    several = (
        (view.head.canonical or "", "link"),
        (view.meta("og:url"), "open-graph"),
        (view.graph.text(view.main.get("url"), "@id"), "json-ld"),
    )
    return next(
        ((address, source) for text, source in several if (address := view.absolute(text))), None
    )


def neighbour(view: PageView, *relations: str) -> Sourced | None:
    """The address of the next page of a series, or of the one before, and the source."""
    addresses = (address for relation in relations for address in view.linked(relation))
    return next(((address, "link") for address in addresses), None)


def image(view: PageView) -> Sourced | None:
    """Address of the picture that stands for the page, and the source."""
    several = [
        (view.meta("og:image", "og:image:url", "og:image:secure_url"), "open-graph"),
        *((text, "json-ld") for node in view.things for text in _images(view, node.get("image"))),
        (view.meta("twitter:image", "twitter:image:src", "sailthru.image.full"), "meta"),
        (view.meta("thumbnail", "parsely-image-url", "image"), "meta"),
        *((link.href, "link") for link in view.head.links if link.rel == "image_src"),
    ]
    return next(
        ((address, source) for text, source in several if (address := view.absolute(text))), None
    )


def _images(view: PageView, value: object) -> list[str]:
    graph = view.graph
    return [
        text
        for each in graph.values(value)
        for key in ("url", "contentUrl")
        for text in graph.texts(each, key)
    ]


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
