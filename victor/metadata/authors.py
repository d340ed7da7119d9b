"""Who wrote the main thing of a page: as it declares, else as its bylines say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import Enum
from itertools import chain, islice
from typing import Final, NamedTuple

from victor.metadata.dates import days_in
from victor.metadata.element_names import BYLINE, NAME_ALONE, NOT_A_NAME, USER, NamePattern
from victor.metadata.fields import is_written
from victor.metadata.names import MOST_NAMES, has_label, is_personal, is_shaped, names_in
from victor.metadata.page_view import PageView, by_name
from victor.metadata.schema_org import ORGANIZATIONS, Graph, Node, types
from victor.metadata.texts import clean, letters, unique
from victor.page.parsing.attributes import places

_METAS: Final = by_name(
    "meta: citation_author citation_authors parsely-author sailthru.author "
    "open-graph: article:author_name article:author og:article:author book:author "
    "meta: author authors byl article.author article_author "
    "dublin-core: dc.creator dcterms.creator dc.contributor "
    "meta: citation_author_name rbauthors cxenseparse:author content_author"
)
_MOST_TEXTS: Final = 1_000
"""Texts that name the makers of a thing; those behind references may be there again and again."""
_SHORTEST_SITE: Final = 5
"""Letters of the name of a site by which a name that has it is known."""
_LABELS_OF_CARDS: Final = frozenset(
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
    yield _of_card(view), "meta"
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


def _of_card(view: PageView) -> tuple[str, ...]:
    """The name in a card for sharing: ``twitter:label1`` says what ``twitter:data1`` is."""
    for number in ("1", "2"):
        if letters(view.meta(f"twitter:label{number}")) in _LABELS_OF_CARDS:
            return names_in(clean(view.meta(f"twitter:data{number}")), is_declared=True)
    return ()


# --- Bylines --------------------------------------------------------------------------------------

Names = tuple[str, ...]


class _Mark(Enum):
    """What says that a text is a name."""

    BY, OF, NAME, BYLINE, NONE = range(5)
    """A label (``By``, or one with which names begin, too: ``von``), the name of its element as
    that of a name (or of a byline, with a label) or of a byline, or nothing."""


_AUTHOR_PROPERTY: Final = re.compile(r"(?:^|\s)(?:author|creator)(?:\s|$)", re.IGNORECASE)
_NAME_PROPERTY: Final = re.compile(r"(?:^|\s)name(?:\s|$)", re.IGNORECASE)
_LINK_PROPERTY: Final = re.compile(r"(?:^|\s)url(?:\s|$)", re.IGNORECASE)
_BY_INSIDE: Final = re.compile(
    r"(?:\b(?:[Ww]ritten|[Pp]osted|[Ss]tarted|[Ss]ubmitted|[Aa]uthored|[Pp]ublished|[Cc]reated)\s[Bb]y:?"
    r"|(?:[·•|,»–—-]|\d)\s?[Bb]y:?(?=\s[A-Z]))\s?"
)
"""What stands before names inside a text."""
_ANYWHERE: Final = re.compile(
    r"(?:written|posted|authored|article|story|words)\sby\b", re.IGNORECASE
)
"""Labels that say who wrote the page wherever they stand."""
_BY: Final = ("by", "By", "BY", "bY")
_LONGEST_BEFORE_BY: Final = len("authored ")
_LONGEST_LABELLED: Final = 120
"""Characters of a text that begins with one."""
_BEFORE, _AFTER = 8, 25
"""Blocks around the headline in which a byline is looked for."""
_NEXT_TO: Final = 4
"""Blocks around the headline in which a name alone is a byline."""
_BESIDE: Final = 3
"""Blocks between a byline and its date at most."""
_LONGEST: Final = 250
_MOST_ELEMENTS: Final = 60
_LOGIN: Final = re.compile(r"\s@\w")
_WORD: Final = re.compile(r"[^\W\d_]+")
_SHORTEST_WORD: Final = 3
_MOST_OF_LOGIN: Final = 4
"""Words of the name of a user of a forum."""


def names_of_microdata(view: PageView) -> Names:
    """Names in elements with ``itemprop=author``."""
    authors = view.of_page(view.with_property(_AUTHOR_PROPERTY))
    if not authors:
        return ()
    for named in (_NAME_PROPERTY, _LINK_PROPERTY):
        for element in view.inside(authors[0], view.with_property(named))[:_MOST_ELEMENTS]:
            if names := names_in(view.text_of_element(element), logins=view.is_forum):
                return names
    return names_in(view.text_of_element(authors[0]), logins=view.is_forum)


class _Found(NamedTuple):
    """Names that may be a byline.

    Attributes:
        block: where they stand.
        names: what is found.
        mark: what says that they are names.
    """

    block: int
    names: Names
    mark: _Mark


def byline_names(view: PageView, *, is_article: bool) -> Names:
    """Names near the headline, by what stands before them, how elements are named, or alone.

    Args:
        view: the page.
        is_article: it says that it is a written work. Other pages have a byline only where a date
            or the headline stands beside it.
    """
    finders = (
        _labelled(view),
        _users(view),
        _of_elements(view, NAME_ALONE, _Mark.NAME),
        _of_elements(view, BYLINE, _Mark.BYLINE),
        _alone(view),
        _labelled_anywhere(view),
    )
    found = (each for finder in finders for each in finder if each.names)
    return next((each.names for each in found if _is_byline(view, each, is_article)), ())


def _is_byline(view: PageView, found: _Found, is_article: bool) -> bool:
    """Do names look like those of people, and stand where bylines do."""
    block, names, mark = found
    if view.is_forum:
        return all(len(name.split()) <= _MOST_OF_LOGIN for name in names)
    if mark is _Mark.NAME:
        is_near = abs(block - view.headline_block) <= _AFTER
        may_be = is_article or is_near or _is_dated(view, block)
        return may_be and not any(name[0].islower() for name in names)
    if not all(map(is_personal if mark is _Mark.OF else is_shaped, names)):
        return False
    if mark in (_Mark.BYLINE, _Mark.NONE) and any(_is_usual(view, name) for name in names):
        return False
    is_near = mark is _Mark.BY or 0 < block - view.headline_block <= _NEXT_TO
    is_sure = is_article or (is_near and all(map(is_personal, names)))
    return (is_sure and mark is not _Mark.NONE) or _is_dated(view, block)


def _is_usual(view: PageView, name: str) -> bool:
    """Does the page use most words of a name as others, in small letters."""
    words = [word for word in _WORD.findall(name) if len(word) >= _SHORTEST_WORD]
    return 2 * sum(_is_used(view, word.lower()) for word in words) > len(words)


def _is_used(view: PageView, word: str) -> bool:
    """Does the page have a word."""
    whole = view.whole
    return f" {word}" in whole and re.search(rf"\b{re.escape(word)}\b", whole) is not None


def _is_dated(view: PageView, block: int) -> bool:
    """Has a block, or one beside it, a date."""
    first, end = max(block - _BESIDE, 0), block + _BESIDE + 1
    return any(
        view.is_own(near) and days_in(text, month_first=True)
        for near, text in view.dated_texts(_LONGEST, first, end)
    )


def _labelled(view: PageView) -> Iterator[_Found]:
    """Names in texts near the headline that begin with ``By`` or say it inside."""
    end = min(max(view.headline_block, 0) + _AFTER, view.n_blocks)
    for block, _ in view.short_texts(max(view.headline_block - _BEFORE, 0), end, _LONGEST):
        text = view.spaced_text(block)
        if has_label(text):
            mark = _Mark.BY if has_label(text, is_declared=True) else _Mark.OF
            yield _Found(block, names_in(text, logins=view.is_forum), mark)
        elif ("by" in text or "By" in text) and (inside := _BY_INSIDE.search(text)):
            yield _Found(block, names_in(text[inside.end() :], logins=view.is_forum), _Mark.OF)


def _users(view: PageView) -> Iterator[_Found]:
    """Who began a thread."""
    if view.is_forum:
        for block, text in _texts_of(view, view.named(USER)):
            yield _Found(block, names_in(text, logins=True)[:1], _Mark.NAME)


def _of_elements(view: PageView, named: NamePattern, mark: _Mark) -> Iterator[_Found]:
    for block, text in _texts_of(view, view.named(named)):
        names = names_in(text, logins=view.is_forum)
        surely = mark is _Mark.NAME or has_label(text)
        likely = surely or view.is_forum or all(" " in name for name in names)
        yield _Found(block, names if likely else (), _Mark.NAME if surely else mark)


def _texts_of(view: PageView, elements: list[int]) -> Iterator[tuple[int, str]]:
    """Blocks and texts of elements of the page, those after the headline first."""
    elements = view.batch.names.without(NOT_A_NAME, view.of_page(elements))
    if not elements:
        return
    before_headline = view.blocks.start + max(view.headline_block - _NEXT_TO, 0)
    start = int(view.table.tag[before_headline]) if view.n_blocks else 0
    elements.sort(key=lambda element: view.batch.opens[element] < start)
    for element in elements[:_MOST_ELEMENTS]:
        text = view.text_of_element(element)
        if 0 < len(text) <= _LONGEST:
            yield view.block_of_element(element), text


def _alone(view: PageView) -> Iterator[_Found]:
    """Names that stand alone next to the headline; a log-in behind a name marks it."""
    headline = view.headline_block
    if headline < 0:
        return
    for block, text in view.short_texts(headline + 1, headline + _NEXT_TO + 1, 80):
        if not view.level(block):
            names = names_in(text)
            mark = _Mark.BYLINE if _LOGIN.search(text) else _Mark.NONE
            yield _Found(block, names if all(map(is_personal, names)) else (), mark)


def _labelled_anywhere(view: PageView) -> Iterator[_Found]:
    """Names in short texts anywhere that say who wrote the page."""
    for block in _with_by(view):
        text = view.text(block)
        is_short = len(text) <= _LONGEST_LABELLED
        if is_short and (label := _ANYWHERE.match(text)) and view.is_own(block):
            names = names_in(text[label.end() :].lstrip(" :"))
            names = names if all(len(name.split()) <= 4 for name in names) else ()
            yield _Found(block, names, _Mark.BY)


def _with_by(view: PageView) -> list[int]:
    """Blocks in which ``by`` is the second word, or stands as near to the start as that."""
    found = sorted(place for word in _BY for place in places(view.whole, word))
    blocks = {view.block_at(place): place for place in reversed(found)}
    return [
        block
        for block, place in sorted(blocks.items())
        if place - view.start(block) <= _LONGEST_BEFORE_BY
    ]
