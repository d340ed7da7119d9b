"""The title of a page's main thing, without the name of the site."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from victor.metadata.page_view import PageView
from victor.metadata.texts import clean, letters, words

_DECLARED: Final = {
    "og:title": "open-graph",
    "twitter:title": "meta",
    "citation_title": "meta",
    "parsely-title": "meta",
    "sailthru.title": "meta",
    "dc.title": "dublin-core",
    "dcterms.title": "dublin-core",
    "headline": "microdata",
    "title": "meta",
}
_LONGEST: Final = 500
_SEPARATOR: Final = re.compile(
    r"\s[-–—|·•»«›‹~/:⋆]{1,3}\s|\s?[|｜»›]\s?|\s?::\s?|(?<=\w):\s|\s?[—]\s?"
)
_MOST_PIECES: Final = 8
_SHORTEST: Final = 4
_MOST_OF: Final = 0.4


def title(view: PageView, site_names: frozenset[str]) -> tuple[str, str] | None:
    """The title and its source; None where the page has none.

    The heading of level one that is most like what the page declares counts; a page without such a
    heading has the declared title, without the name of the site.

    Args:
        view: the page.
        site_names: names of the site, as letters without case.
    """
    headings = [text for text in _headings(view) if letters(text) not in site_names]
    declared = _declared(view)
    plain = [(without_site(text, site_names, headings), source) for text, source in declared]
    plain = [(text, source) for text, source in plain if text]
    heading = _best(headings, [text for text, _ in plain])
    if heading:
        heading = without_site(heading, site_names, [], at_bars=True)
        return _in_case(heading, [text for text, _ in plain]), "headline"
    text, source = next(iter(plain), ("", ""))
    return (without_site(text, site_names, [], at_bars=True), source) if text else None


def _headings(view: PageView) -> list[str]:
    """Headings that may be the title."""
    texts = (clean(view.given_headline), *view.first_headings)
    return [text for text in texts if text and len(text) <= _LONGEST]


def _best(headings: Sequence[str], declared: Sequence[str]) -> str:
    """The heading most like the declared titles; "" where none has a word of them."""
    best = max(headings, key=lambda text: _likeness(text, declared), default="")
    if not declared or not best:
        return best
    return best if _likeness(best, declared) > 0 else ""


def _in_case(heading: str, declared: Sequence[str]) -> str:
    """A heading in capitals as a declared title has it."""
    if heading != heading.upper():
        return heading
    plain = letters(heading)
    return next((text for text in declared if letters(text) == plain), heading)


def _declared(view: PageView) -> list[tuple[str, str]]:
    """Titles that the page declares, the surest first."""
    graph, main = view.graph, view.main
    named = [(graph.text(main.get("headline")) or graph.text(main.get("name")), "json-ld")]
    named += [(view.meta(name), source) for name, source in _DECLARED.items()]
    named.append((clean(view.head.title), "title"))
    return [(text, source) for text, source in named if 0 < len(text) <= _LONGEST]


def _likeness(text: str, others: Sequence[str]) -> float:
    own = {*words(text)}
    return max((_jaccard(own, {*words(other)}) for other in others), default=0.0)


def _jaccard(first: set[str], second: set[str]) -> float:
    return len(first & second) / max(len(first | second), 1)


def without_site(
    text: str, site_names: frozenset[str], headings: Sequence[str], *, at_bars: bool = False
) -> str:
    """A title without the name of the site and of its rubrics at either end.

    Args:
        text: the title.
        site_names: names of the site, as letters without case.
        headings: texts on the page; where one of them is a part of the title, it is the title.
        at_bars: what follows a ``|`` is of the site, too.
    """
    pieces = _pieces(text)
    if len(pieces) == 1:
        return text
    known = {letters(heading) for heading in headings}
    for first in range(len(pieces)):
        for end in range(len(pieces), first, -1):
            if end - first < len(pieces) and letters(_between(text, pieces[first:end])) in known:
                return _between(text, pieces[first:end])
    while len(pieces) > 1 and _is_site(text[slice(*pieces[-1])], site_names):
        pieces.pop()
    while len(pieces) > 1 and _is_site(text[slice(*pieces[0])], site_names):
        pieces.pop(0)
    text = _between(text, pieces)
    return text.partition(" | ")[0].strip() or text if at_bars else text


def _pieces(text: str) -> list[tuple[int, int]]:
    """Extents of what stands between separators, at most the outer ones."""
    edges = [0]
    for match in _SEPARATOR.finditer(text):
        edges += match.span()
    edges.append(len(text))
    pieces = [(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True) if text[a:b].strip()]
    if len(pieces) > _MOST_PIECES:
        pieces = [pieces[0], (pieces[1][0], pieces[-2][1]), pieces[-1]]
    return pieces or [(0, len(text))]


def _between(text: str, pieces: Sequence[tuple[int, int]]) -> str:
    return text[pieces[0][0] : pieces[-1][1]].strip()


def _is_site(piece: str, site_names: frozenset[str]) -> bool:
    """Is a part of a title the name of the site, or a part of it, or little more than it."""
    plain = letters(piece)
    if plain in site_names:
        return True
    return len(plain) >= _SHORTEST and any(
        plain in name or (len(name) >= max(_SHORTEST, _MOST_OF * len(plain)) and name in plain)
        for name in site_names
    )
