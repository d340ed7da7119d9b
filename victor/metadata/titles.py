"""The title of a page's main thing, without the name of the site."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from victor.metadata.dates import days_in
from victor.metadata.fields import said
from victor.metadata.page_view import PageView
from victor.metadata.schema_org import is_work
from victor.metadata.texts import clean, letters, words

_LONGEST: Final = 500
_BAR_OR_DASH: Final = re.compile(r"\s[-–—|·•»]{1,3}\s|\s?[|｜]\s?")
_LIKE: Final = 0.25
_LIKE_IF_WRITTEN: Final = 0.1
"""How like a heading is to the declared titles at least, of pages at large and of written works."""
_FEWEST_WORDS: Final = 3  # words of a declared title that may stand for a heading
_LONGEST_NAME: Final = 30
"""Letters of a name that is that of a site for sure, though it is a title of the page, too."""
_SHORTEST: Final = 4
_MOST_OF: Final = 0.4


def title(
    view: PageView, site_names: frozenset[str], is_written: Callable[[], bool]
) -> tuple[str, str] | None:
    """The title and its source; None where the page has none.

    The heading of level one that is most like what the page declares counts; a page without such a
    heading has the declared title, without the name of the site.

    Args:
        view: the page.
        site_names: names of the site, as letters without case.
        is_written: tells if it is likely an article or the like, asked only if that decides.
            These have headlines and titles for search engines, which differ; the headings of other
            pages are slogans where they do.
    """
    declared = _declared(view)
    every_heading = [text for text in view.first_headings if len(text) <= _LONGEST]
    site_names = _of_site_only(site_names, [text for text, _ in declared] + every_heading)
    site_names |= _told_by_window(declared, every_heading, site_names)
    headings = [text for text in every_heading if letters(text) not in site_names]
    texts = {text: without_site(text, site_names, headings) for text, _ in declared}
    plain = [(texts[text], source) for text, source in declared if texts[text]]
    heading = _best(headings, [text for text, _ in plain])
    if heading:
        if instead := _instead(heading, plain, is_written):
            return instead
        others = [text for text, _ in plain]
        heading = without_site(_without_label(heading, others), site_names, [], at_bars=True)
        return _as_declared(heading, others), "headline"
    text, source = next(iter(plain), ("", ""))
    return (without_site(text, site_names, [], at_bars=True), source) if text else None


def _of_site_only(site_names: frozenset[str], titles: Sequence[str]) -> frozenset[str]:
    """Names of the site without titles of the page, as which some sites fill them in."""
    long = {letters(text) for text in titles}
    return frozenset(name for name in site_names if len(name) <= _LONGEST_NAME or name not in long)


def _instead(
    heading: str, declared: Sequence[tuple[str, str]], is_written: Callable[[], bool]
) -> tuple[str, str] | None:
    """What stands for a heading that is unlike the titles: the one for the window, up to a bar."""
    likeness = _likeness(heading, [text for text, _ in declared])
    if likeness >= _LIKE or (likeness >= _LIKE_IF_WRITTEN and is_written()):
        return None
    of_window = (pair for pair in declared if pair[1] == "title")
    text, source = next(of_window, next(iter(declared), ("", "")))
    text = next((part.strip() for part in _BAR_OR_DASH.split(text) if part.strip()), "")
    return (text, source) if len(words(text)) >= _FEWEST_WORDS else None


def _best(headings: Sequence[str], declared: Sequence[str]) -> str:
    """The heading most like the declared titles; "" where none has a word of them."""
    best = max(headings, key=lambda text: _likeness(text, declared), default="")
    if not declared or not best:
        return best
    return best if _likeness(best, declared) > 0 else ""


def _told_by_window(
    declared: Sequence[tuple[str, str]], headings: Sequence[str], site_names: frozenset[str]
) -> set[str]:
    """Names that the title of the window has around a title that is declared elsewhere.

    A heading that only ends it, behind a longer part, is such a name, too.
    """
    window = next((text for text, source in declared if source == "title"), "")
    parts = pieces(window)
    if len(parts) == 1:
        return set()
    others = {letters(text) for text, source in declared if source != "title"} - site_names
    last = letters(window[slice(*parts[-1])])
    if last in map(letters, headings) and _is_after_longer(window, parts):
        return {last}
    at_ends = ((parts[:-1], parts[-1]), (parts[1:], parts[0]))
    return {letters(window[slice(*end)]) for rest, end in at_ends
            if letters(between(window, rest)) in others}  # fmt: skip


def _is_after_longer(window: str, parts: Sequence[Extent]) -> bool:
    """Stands the last part of a title, which is no subtitle, behind a longer one."""
    last, rest = window[slice(*parts[-1])], between(window, parts[:-1])
    is_subtitle = window[parts[-2][1] : parts[-1][0]].strip() == ":"
    return not is_subtitle and len(words(rest)) > len(words(last))


def _without_label(heading: str, declared: Sequence[str]) -> str:
    """A heading without a label, a kicker or a date in front of what is declared."""
    for text in declared:
        before = heading.removesuffix(text).rstrip()
        if (
            before
            and before != heading
            and (MARK.match(before[-1]) or days_in(before, month_first=True))
        ):
            return text
    return heading


def _as_declared(heading: str, declared: Sequence[str]) -> str:
    """A heading as it is declared where it is in capitals or its parts lack a separator."""
    if heading == heading.upper():
        plain = letters(heading)
        return next((text for text in declared if letters(text) == plain), heading)
    run = _without_marks(heading)
    same = (text for text in declared if _without_marks(text) == run)
    return next((text for text in same if len(pieces(text)) > len(pieces(heading))), heading)


def _without_marks(text: str) -> str:
    return "".join(MARK.sub("", text).split())


def _declared(view: PageView) -> list[tuple[str, str]]:
    graph, main = view.graph, view.main
    of_thing = graph.text(main.get("headline")) or graph.text(main.get("name"))
    named = [(text, source) for source, texts in said(view, "title") for text in [*texts][:1]]
    named.append((clean(view.head.title), "title"))
    others = [*(text for text, _ in named), *view.first_headings]
    if is_work(main) or not _is_of_other(of_thing, others):
        named.insert(0, (of_thing, "json-ld"))
    return [(text, source) for text, source in named if 0 < len(text) <= _LONGEST]


def _is_of_other(title: str, others: Sequence[str]) -> bool:
    """Is a title that of another thing than the page: the others have no word of it."""
    return any(others) and _likeness(title, others) == 0


def _likeness(text: str, others: Sequence[str]) -> float:
    bag = _bag(text)
    return max((_jaccard(bag, _bag(other)) for other in dict.fromkeys(others)), default=0.0)


@lru_cache(maxsize=64)
def _bag(text: str) -> frozenset[str]:
    """The different words of a text; the few titles of a page are compared again and again."""
    return frozenset(words(text))


def _jaccard(first: frozenset[str], second: frozenset[str]) -> float:
    n_common = len(first & second)
    return n_common / max(len(first) + len(second) - n_common, 1)


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
    parts = [*pieces(text)]
    known = {letters(heading) for heading in headings}
    for first in range(len(parts)):
        for end in range(len(parts), first, -1):
            if end - first < len(parts) and letters(between(text, parts[first:end])) in known:
                return between(text, parts[first:end])
    while len(parts) > 1 and _is_end_of_site(text, parts[-2:], parts[-1], site_names):
        parts.pop()
    while len(parts) > 1 and _is_end_of_site(text, parts[:2], parts[0], site_names):
        parts.pop(0)
    text = between(text, parts)
    return text.partition(" | ")[0].strip() or text if at_bars else text


def _is_end_of_site(
    text: str, around: Sequence[Extent], end: Extent, site_names: frozenset[str]
) -> bool:
    """Is the first or last part of a title the site; at a colon only where it is just its name.

    Args:
        text: the title.
        around: the parts on both sides of the separator.
        end: that of them which may be the site.
        site_names: as letters without case.
    """
    part = text[slice(*end)]
    if text[around[0][1] : around[1][0]].strip() == ":":
        return letters(part) in site_names
    return _is_site(part, site_names)


def _is_site(piece: str, site_names: frozenset[str]) -> bool:
    """Is a part of a title the name of the site, or a part of it, or little more than it."""
    plain = letters(piece)
    if plain in site_names:
        return True
    return len(plain) >= _SHORTEST and any(
        plain in name or (len(name) >= max(_SHORTEST, _MOST_OF * len(plain)) and name in plain)
        for name in site_names
    )


# --- Parts of titles ------------------------------------------------------------------------------

Extent = tuple[int, int]

_SEPARATOR: Final = re.compile(
    r"\s[-–—|·•»«›‹~/:⋆]{1,3}\s|\s?[|｜»›]\s?|\s?::\s?|(?<=\w):\s|\s?[—]\s?"
)
_NOT_OF_QUOTES: Final = re.compile(
    r"\s[-–—|·•~/:⋆]{1,3}\s|\s?[|｜]\s?|\s?::\s?|(?<=\w):\s|\s?[—]\s?"
)
"""The same for a title with quotation marks that have the shape of separators."""
MARK: Final = re.compile(r"[-–—|·•»«›‹~/:⋆｜]")  # what every separator has
_MOST_PIECES: Final = 8


@lru_cache(maxsize=64)
def pieces(text: str) -> tuple[Extent, ...]:
    """Extents of what stands between separators, at most the outer ones; of none the whole."""
    if not MARK.search(text):
        return ((0, len(text)),)
    has_quotes = ("«" in text and "»" in text) or ("‹" in text and "›" in text)
    edges = [0]
    for match in (_NOT_OF_QUOTES if has_quotes else _SEPARATOR).finditer(text):
        edges += match.span()
    edges.append(len(text))
    several = [(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True) if text[a:b].strip()]
    if len(several) > _MOST_PIECES:
        several = [several[0], (several[1][0], several[-2][1]), several[-1]]
    return tuple(several) or ((0, len(text)),)


def between(text: str, extents: Sequence[Extent]) -> str:
    """A title from the first of some of its parts to the last."""
    return text[extents[0][0] : extents[-1][1]].strip()


def says(title: str) -> Callable[[str], bool]:
    """Tells if a heading says a title: the same letters, or one is the other and parts behind it.

    A part in front of the title may be the name of the site, so the heading may be the title's end.
    """
    parts, wanted = pieces(title), letters(title)
    ends = [parts[:end] for end in range(1, len(parts) + 1)]
    ends += [parts[first:] for first in range(1, len(parts))]
    parts_of_title = {letters(between(title, end)) for end in ends}

    def is_same(heading: str) -> bool:
        written = letters(heading)
        if written in parts_of_title or not written.startswith(wanted):
            return written in parts_of_title
        parts = pieces(heading)
        starts = (between(heading, parts[:end]) for end in range(1, len(parts) + 1))
        return any(letters(start) == wanted for start in starts)

    return is_same
