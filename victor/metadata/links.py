"""Addresses that a page names: its own, its picture, its feeds and its translations."""

from __future__ import annotations

from typing import Final

from victor.metadata.page_view import PageView

_FEEDS: Final = frozenset(
    {"application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml"}
)
_MOST: Final = 200
_LONGEST_CODE: Final = 35


def canonical(view: PageView) -> tuple[str, str] | None:
    """The address that the page calls its own, and the source."""
    several = (
        (view.head.canonical or "", "link"),
        (view.meta("og:url"), "open-graph"),
        (view.graph.text(view.main.get("url"), "@id"), "json-ld"),
    )
    return next(
        ((address, source) for text, source in several if (address := view.absolute(text))), None
    )


def image(view: PageView) -> tuple[str, str] | None:
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
        for link in view.head.links[:_MOST]
        if {"alternate", "feed"} & {*link.rel.split()} and link.type.lower() in _FEEDS
    )
    return tuple(dict.fromkeys(address for address in several if address))


def translations(view: PageView) -> dict[str, str]:
    """Language to the address of the page in that language."""
    several: dict[str, str] = {}
    for link in view.head.links[:_MOST]:
        code = link.hreflang.strip()
        is_one = code and "alternate" in link.rel.split() and len(code) <= _LONGEST_CODE
        if is_one and (address := view.absolute(link.href)):
            several.setdefault(code, address)
    return several
