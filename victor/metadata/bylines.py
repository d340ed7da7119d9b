"""Names in the page itself: microdata, elements named as bylines, texts that begin with ``By``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import numpy as np

from victor.base.arrays import Ints
from victor.metadata.dates import days_in
from victor.metadata.element_names import BYLINE, NAME_ALONE, NOT_A_NAME, USER, NamePattern
from victor.metadata.names import has_label, is_likely, is_personal, names_in
from victor.metadata.page_view import PageView

Names = tuple[str, ...]

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
_FIRST_LETTERS: Final = frozenset("wpasWPAS\u017f")
"""Those of the labels; the long s is one without case."""
_LONGEST_LABELLED: Final = 120
"""Characters of a text that begins with one."""
_BEFORE, _AFTER = 8, 25
"""Blocks around the headline in which a byline is looked for."""
_NEXT_TO: Final = 4
"""Blocks around the headline in which a name alone is a byline."""
_RIGHT_BEHIND: Final = 2
"""Blocks behind the headline in which it is one without a date, too."""
_LONGEST: Final = 250
_MOST_ELEMENTS: Final = 60


def names_of_microdata(view: PageView) -> Names:
    """Names in elements with ``itemprop=author``."""
    authors = view.of_page(view.names.with_property(_AUTHOR_PROPERTY))
    if not len(authors):
        return ()
    for named in (_NAME_PROPERTY, _LINK_PROPERTY):
        inner = view.names.with_property(named)
        inner = inner[view.are_inside(inner, authors[:1])]
        for element in inner[:_MOST_ELEMENTS].tolist():
            if names := names_in(view.text_of_element(element), logins=view.is_forum):
                return names
    return names_in(view.text_of_element(int(authors[0])), logins=view.is_forum)


def byline_names(view: PageView) -> Names:
    """Names near the headline, by what stands before them, how elements are named, or alone."""
    for several in (
        _labelled(view),
        _users(view),
        _of_elements(view, NAME_ALONE),
        _of_elements(view, BYLINE),
        _alone(view),
        _labelled_anywhere(view),
    ):
        if names := next(filter(None, several), ()):
            return names
    return ()


def _labelled(view: PageView) -> Iterator[Names]:
    """Names in texts near the headline that begin with ``By`` or say it inside."""
    end = min(max(view.headline_block, 0) + _AFTER, len(view.texts))
    for block, glued in view.own_texts(_first(view), end):
        if len(glued) <= _LONGEST:
            text = view.spaced_text(block)
            if has_label(text):
                yield _likely(names_in(text, logins=view.is_forum))
            elif ("by" in text or "By" in text) and (inside := _BY_INSIDE.search(text)):
                yield _likely(names_in(text[inside.end() :], logins=view.is_forum))


def _likely(names: Names) -> Names:
    """Names unless one of them is a sentence rather than a name."""
    return names if all(len(name.split()) <= 6 for name in names) else ()


def _users(view: PageView) -> Iterator[Names]:
    """Who began a thread."""
    if view.is_forum:
        for text in _texts_of(view, view.names.matching(USER)):
            yield names_in(text, logins=True)[:1]


def _of_elements(view: PageView, named: NamePattern) -> Iterator[Names]:
    for text in _texts_of(view, view.names.matching(named)):
        names = names_in(text, logins=view.is_forum)
        surely = has_label(text) or view.is_forum
        least = 1 if named is NAME_ALONE else 2
        likely = all(is_likely(name) and len(name.split()) >= least for name in names)
        yield names if surely or likely else ()


def _texts_of(view: PageView, elements: Ints) -> Iterator[str]:
    """Texts of elements of the page, those after the headline first."""
    elements = view.names.without(NOT_A_NAME, view.of_page(elements))
    if not len(elements):
        return
    opens, headline = view.table.elements.open[elements], view.headline_block
    start = (
        int(view.table.tag[view.blocks.start + max(headline - _NEXT_TO, 0)])
        if len(view.texts)
        else 0
    )
    ordered = np.concatenate((elements[opens >= start], elements[opens < start]))
    for element in ordered[:_MOST_ELEMENTS].tolist():
        text = view.text_of_element(element)
        if 0 < len(text) <= _LONGEST:
            yield text


def _alone(view: PageView) -> Iterator[Names]:
    """Names that stand alone next to the headline and near a date."""
    headline = view.headline_block
    if headline < 0:
        return
    first, end = max(headline - 2, 0), headline + _NEXT_TO + 1
    near = view.texts[first:end]
    dated = any(len(text) <= _LONGEST and days_in(text, month_first=True) for text in near)
    for block, text in view.own_texts(first, end):
        is_near = dated or 0 < block - headline <= _RIGHT_BEHIND
        if is_near and block != headline and len(text) <= 80 and not view.levels[block]:
            names = names_in(text)
            yield names if names and all(map(is_personal, names)) else ()


def _labelled_anywhere(view: PageView) -> Iterator[Names]:
    """Names in short texts anywhere that say who wrote the page."""
    for block in view.texts.starting_with(_FIRST_LETTERS, _LONGEST_LABELLED):
        text = view.texts[block]
        if view.own_blocks[block] and (label := _ANYWHERE.match(text)):
            names = names_in(text[label.end() :].lstrip(" :"))
            yield names if all(len(name.split()) <= 4 for name in names) else ()


def _first(view: PageView) -> int:
    return max(view.headline_block - _BEFORE, 0)
