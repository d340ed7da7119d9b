"""The site that a page is of, and who publishes it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from victor.metadata.addresses import is_address
from victor.metadata.graph import ORGANIZATIONS
from victor.metadata.page_view import PageView
from victor.metadata.schema_org import members, types
from victor.metadata.texts import letters

_LONGEST: Final = 120
_SECOND_LEVEL: Final = frozenset("co com org net gov edu ac gob gouv or ne go".split())


def site(view: PageView) -> tuple[str, str] | None:
    """Name of the site and its source."""
    return next(_named(view), None)


def _named(view: PageView) -> Iterator[tuple[str, str]]:
    names = (
        (view.meta("og:site_name"), "open-graph"),
        (view.graph.text(view.graph.site.get("name")), "json-ld"),
        (view.meta("application-name", "apple-mobile-web-app-title", "al:ios:app_name"), "meta"),
        (view.publisher, "json-ld"),
    )
    for name, source in names:
        if name and len(name) <= _LONGEST:
            yield name, source


def publisher(view: PageView) -> tuple[str, str] | None:
    """Name of the publisher and its source; what the page is only about does not count."""
    names = (
        (view.publisher, "json-ld"),
        (view.meta("dc.publisher", "dcterms.publisher"), "dublin-core"),
        (view.meta("citation_publisher", "publisher"), "meta"),
        (view.meta("article:publisher"), "open-graph"),
    )
    return next(
        ((name, source) for name, source in names
         if name and len(name) <= _LONGEST and not is_address(name)),
        None,
    )  # fmt: skip


def site_names(view: PageView) -> frozenset[str]:
    """Names of the site and of the organisations behind it, as letters without case.

    These are the names that it gives itself, those of its host, and of organisations in its
    JSON-LD, also where they stand for the author.
    """
    names = {name for name, _ in _named(view)} | {view.meta("twitter:site").lstrip("@")}
    names |= {name[0] for name in (publisher(view),) if name}
    graph = view.graph
    nodes = [*graph.top, *map(graph.resolved, _signing(view))]
    for node in nodes:
        if isinstance(node, Mapping) and ORGANIZATIONS & {*types(node)}:
            names.add(graph.text(node.get("name")))
    return frozenset(({letters(name) for name in names} | _of_host(view.host)) - {""})


def _signing(view: PageView) -> Iterator[object]:
    """What stands for authors and publishers of the main thing."""
    for node in view.things:
        for key in ("author", "creator", "publisher"):
            yield from members(node.get(key))


def _of_host(host: str) -> set[str]:
    """``news.example.co.uk`` as ``newsexamplecouk`` and ``example``."""
    labels = [label for label in host.split(".") if label]
    if len(labels) < 2:
        return set()
    labels_before = labels[:-1]
    if len(labels_before) > 1 and labels_before[-1] in _SECOND_LEVEL:
        labels_before.pop()
    return {letters(host), letters(".".join(labels[-2:])), letters(labels_before[-1])}
