"""Who wrote the main thing of a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, islice
from typing import Final

from victor.metadata.bylines import byline_names, names_of_microdata
from victor.metadata.fields import is_written
from victor.metadata.graph import ORGANIZATIONS, Graph, Node
from victor.metadata.names import MOST_NAMES, is_personal, names_in
from victor.metadata.page_view import PageView
from victor.metadata.schema_org import types
from victor.metadata.texts import clean, letters, unique

_METAS: Final = {
    "citation_author": "meta",
    "citation_authors": "meta",
    "parsely-author": "meta",
    "sailthru.author": "meta",
    "article:author_name": "open-graph",
    "article:author": "open-graph",
    "og:article:author": "open-graph",
    "book:author": "open-graph",
    "author": "meta",
    "authors": "meta",
    "byl": "meta",
    "article.author": "meta",
    "article_author": "meta",
    "dc.creator": "dublin-core",
    "dcterms.creator": "dublin-core",
    "dc.contributor": "dublin-core",
    "citation_author_name": "meta",
    "rbauthors": "meta",
    "cxenseparse:author": "meta",
    "content_author": "meta",
}
_MOST_TEXTS: Final = 1_000
"""Texts that name the makers of a thing; those behind references may be there again and again."""
_SHORTEST_SITE: Final = 5
"""Letters of the name of a site by which a name that has it is known."""
_LABELLED: Final = frozenset(
    {"writtenby", "author", "by", "autor", "autorin", "verfasstvon", "geschriebenvon", "ecritpar",
     "écritpar", "escritopor", "scrittoda", "geschrevendoor", "napsal", "автор", "написаноавтором",
     "napisaneprzez", "skrivenav", "skrevetav", "skrevetaf"}
)  # fmt: skip


def authors(view: PageView, site_names: frozenset[str], kind: str) -> tuple[tuple[str, ...], str]:
    """Names and their source.

    The first source that names somebody else than the site or an organisation counts; if there is
    none, the first that names one of these.

    Args:
        view: the page.
        site_names: names of the site and of organisations, as letters without case.
        kind: what the page says that it is, "" if it does not.
    """
    of_site: tuple[tuple[str, ...], str] = ((), "")
    parts_of_site = {name for name in site_names if len(name) >= _SHORTEST_SITE}
    for names, source in _candidates(view, site_names, kind):
        people = tuple(name for name in names if letters(name) not in site_names)
        if of_site[0] and source == "byline":  # the site's team, or its name with a rubric
            people = tuple(
                name for name in people if not any(each in letters(name) for each in parts_of_site)
            )
            people = people if len(people) == len(names) else tuple(filter(is_personal, people))
        if people:
            return people[:MOST_NAMES], source
        if names and not of_site[0]:
            of_site = names, source
    return of_site


def _candidates(
    view: PageView, site_names: frozenset[str], kind: str
) -> Iterator[tuple[tuple[str, ...], str]]:
    for node in view.things:
        yield names_of_node(view.graph, node, site_names, logins=view.is_forum), "json-ld"
    yield _labelled(view), "meta"
    for name, source in _METAS.items():
        if name in view.metas:
            yield _of_meta(view, name, site_names), source
    yield names_of_microdata(view), "microdata"
    if "product" not in kind:  # whose bylines are those of reviews
        yield byline_names(view, is_article=is_written(kind)), "byline"


def names_of_node(
    graph: Graph, node: Node, site_names: frozenset[str] = frozenset(), *, logins: bool = False
) -> tuple[str, ...]:
    """Names of those who made a thing; the names of the site stay as they are."""
    for key in ("author", "creator"):
        values = graph.values(node.get(key))
        of_texts = (
            names
            for value in values
            for names in _names_of(graph, value, site_names, logins=logins)
        )
        if several := [name for names in islice(of_texts, _MOST_TEXTS) for name in names]:
            return unique(several)
    return ()


def _names_of(
    graph: Graph, value: object, site_names: frozenset[str], *, logins: bool
) -> Iterator[tuple[str, ...]]:
    """Names in each text of a value of ``author``: a text itself, or a node with a name."""
    if isinstance(value, str):
        yield names_in(value, is_declared=True)
    if not isinstance(value, Mapping):
        return
    texts = graph.each_text(value.get("name"))
    first = next(texts, "")
    if not first:
        given, family = graph.text(value.get("givenName")), graph.text(value.get("familyName"))
        first = f"{given} {family}".strip()
    is_organization = not ORGANIZATIONS.isdisjoint(types(value))
    for text in chain((first,), texts):
        names = names_in(text, is_declared=True, logins=logins and not is_organization)
        of_site = names and all(letters(name) in site_names for name in names)
        is_whole = of_site or letters(text) in site_names or (is_organization and names)
        yield (text,) if is_whole else names


def _of_meta(view: PageView, name: str, site_names: frozenset[str]) -> tuple[str, ...]:
    contents = view.metas.get(name, [])[:MOST_NAMES]
    if name.startswith("citation"):
        contents = [_turned(content) for content in contents]
    names = [
        each
        for text in contents
        for each in (
            (text,)
            if letters(text) in site_names
            else names_in(text, is_declared=True, logins=view.is_forum)
        )
    ]
    return unique(names)


def _turned(name: str) -> str:
    """``Keeper, A.`` as ``A. Keeper``."""
    family, comma, given = name.partition(",")
    return f"{given.strip()} {family.strip()}" if comma and "," not in given else name


def _labelled(view: PageView) -> tuple[str, ...]:
    """The name in a card for sharing: ``twitter:label1`` says what ``twitter:data1`` is."""
    for number in ("1", "2"):
        if letters(view.meta(f"twitter:label{number}")) in _LABELLED:
            return names_in(clean(view.meta(f"twitter:data{number}")), is_declared=True)
    return ()
