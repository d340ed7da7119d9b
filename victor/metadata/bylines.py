"""Names in the page itself: microdata, elements named as bylines, texts that begin with ``By``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from typing import Final, NamedTuple

from victor.metadata.dates import days_in
from victor.metadata.element_names import BYLINE, NAME_ALONE, NOT_A_NAME, USER, NamePattern
from victor.metadata.names import has_label, is_personal, is_shaped, names_in
from victor.metadata.page_view import PageView
from victor.page.parsing.attributes import places

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
