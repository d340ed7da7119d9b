"""Where a page names people and dates: by markup, by addresses of profiles, by what texts say."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, chain, count
from typing import Final, NamedTuple

import numpy as np

from victor.base.arrays import Bools, Codes, Ints, prefix_sums, span_indices
from victor.base.lazy import cached_property
from victor.kinds.names import Signs
from victor.metadata.dates import (
    has_digit,
    is_date,
    iso,
    month_first_in,
    month_first_of,
    says_other_date,
)
from victor.page.names.name_groups import ATTRIBUTES, words
from victor.page.parsing.tags import IDS, member_mask
from victor.page.table.blocks import BlockTable
from victor.page.table.texts import segment_texts

LINKED_ATTRIBUTES: Final = (*ATTRIBUTES, "href", "rel", "datetime", "title", "content")
"""What has to be recorded of a page to find its posts."""
DATES: Final = frozenset({"datepublished", "datecreated", "commenttime"})
"""Properties of schema.org and of others that hold dates of posts."""
_LONGEST: Final = 60  # characters of a text that is only a name or a date
_NAME_WORDS: Final = 5
_NARROW, _WIDE = 8, 60
"""Words of an element that holds a name and little else, and of a box about a user."""
_DATE_WORDS: Final = 12
_LONGEST_ADDRESS: Final = 300
_PROFILE: Final = re.compile(
    r"(?:\A|[/?&;=._-])(?:users?|u|members?|profiles?|people|userid|uid|viewprofile|showuser|authors?"
    r"|mitglied(?:er)?|benutzer|nutzer|membres?|profile?n?|profiel|utilisateurs?|usuarios?|uzivatele?"
    r"|uzytkownik|user_profile)(?:[/=?&._-]|\d)",
    re.IGNORECASE,
)
_LATELY_WORDS: Final = 5
_QUOTES: Final = frozenset({"blockquote", "q"})
_NOT_TEXT: Final = frozenset("button select option label nav footer legend textarea".split())
_SAME_PAGE: Final = "#"
_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4"})

NO, WEAK, LIKELY, SURE = range(4)
"""How surely a text is a name or a date."""


@dataclass(frozen=True, eq=False)
class Anchors:
    """Names, dates and running text on the one page of a table; S segments, E elements."""

    signs: Signs  # of the page, whose table has `LINKED_ATTRIBUTES`

    @property
    def table(self) -> BlockTable:
        """The blocks."""
        return self.signs.table

    @cached_property
    def groups(self) -> ElementGroups:
        """Names of the elements."""
        return ElementGroups(self.table)

    @cached_property
    def texts(self) -> Sequence[str]:
        """(S,) text of each segment."""
        return segment_texts(self.table)

    @cached_property
    def short(self) -> Ints:
        """Numbers of the segments short enough to be a name or a date only."""
        segments = self.table.segments
        return np.flatnonzero(segments.end - segments.start <= _LONGEST)

    @cached_property
    def phrases(self) -> Ints:
        """(S,) bits of the lists that have the text of each short segment."""
        masks = np.zeros(len(self.texts), dtype=np.int64)
        masks[self.short] = words().phrases.masks([self.texts[i] for i in self.short.tolist()])
        return masks

    def says(self, *lists: str) -> Bools:
        """(S,) is the text of a segment a phrase of one of some lists."""
        wanted = sum(words().lists[name] for name in lists)
        return np.asarray(self.phrases & wanted != 0)

    @cached_property
    def of_element(self) -> tuple[Ints, Ints]:
        """(E,) first segment inside each element, and (E,) the one after the last."""
        elements, tags = self.table.elements, self.table.segments.tag
        return np.searchsorted(tags, elements.open), np.searchsorted(tags, elements.close)

    def inside(self, values: np.ndarray) -> Ints:
        """(E,) sums of integers or flags of segments over each element."""
        first, after = self.of_element
        sums = prefix_sums(values)
        return sums[after] - sums[first]

    def in_element(self, chosen: Bools) -> Bools:
        """(S,) is a segment inside one of some elements."""
        return np.asarray(self.table.elements.gathered(chosen)[self.table.segment_element])

    # --- Dates ------------------------------------------------------------------------------------

    @cached_property
    def dates(self) -> Codes:
        """(S,) how surely a segment is a date: SURE by markup, LIKELY by name, WEAK by its text."""
        result = np.zeros(len(self.texts), dtype=np.uint8)
        timed = self.in_element(self._is_timed)
        named = self.in_element(self.signs.is_named("when", "meta"))
        brief = self.table.segment_words <= _DATE_WORDS
        few = self.table.segment_words <= _LATELY_WORDS
        like = self._reads_as_date | self.says("lately") & few
        like |= self.says("ago") & self._has_digit
        result[like & brief] = WEAK
        result[like & named & brief] = LIKELY
        tells_programs = elements_with(self.table, "datetime", lambda value: iso(value) is not None)
        result[timed & brief & (self.shows_date | self.in_element(tells_programs))] = SURE
        for segment in np.flatnonzero(result == WEAK).tolist():
            if segment and says_other_date(self.texts[segment - 1]):
                result[segment] = NO
        return result * ~self.quoted

    @cached_property
    def shows_date(self) -> Bools:
        """(S,) does the text of a segment say when, for people, if its element says so."""
        return self._reads_as_date | self._has_digit | self.says("ago", "lately")

    @cached_property
    def _reads_as_date(self) -> Bools:
        return self._holding(is_date, np.flatnonzero(self._has_digit))

    @cached_property
    def _has_digit(self) -> Bools:
        return self._holding(has_digit, self.short)

    def _holding(self, holds: Callable[[str], bool], segments: Ints) -> Bools:
        """(S,) of which of some segments something holds; of no other segment."""
        result = np.zeros(len(self.texts), dtype=bool)
        texts = [self.texts[i] for i in segments.tolist()]
        known = {text: holds(text) for text in {*texts}}
        result[segments] = [known[text] for text in texts]
        return result

    def month_first(self, segments: Ints) -> bool | None:
        """Is 3/4/2024 in March, by some dates of the page or by its language; None if unknown."""
        by_dates = month_first_of([self.texts[segment] for segment in segments.tolist()])
        return month_first_in(self.table.heads[0].language) if by_dates is None else by_dates

    @cached_property
    def _is_timed(self) -> Bools:
        timed = self.table.elements.tag == IDS["time"]
        named = elements_with(self.table, "itemprop", lambda name: name.lower() in DATES)
        return np.asarray(timed | named)

    # --- Names ------------------------------------------------------------------------------------

    @cached_property
    def names(self) -> Codes:
        """(S,) how surely a segment is who wrote: SURE by schema.org and class, LIKELY by link."""
        table, signs = self.table, self.signs
        result = np.zeros(len(self.texts), dtype=np.uint8)
        result[self._near(signs.is_named("author", "named"), _WIDE)] = WEAK
        result[self._before_said] = LIKELY
        result[self._near(self.is_profile, _NARROW)] = LIKELY
        result[self._near(signs.is_named("user"), _NARROW)] = SURE
        flagged = np.flatnonzero((result > 0) & (table.segment_words <= _NAME_WORDS))
        named = np.zeros(len(result), dtype=bool)
        named[flagged] = [_is_name(self.texts[i]) for i in flagged.tolist()]
        named &= (self.dates == NO) & ~self.says("role", "wrote", "ago", "lately", "headings")
        return result * (named & ~self.quoted & ~self.in_element(signs.is_named("controls")))

    @cached_property
    def _before_said(self) -> Bools:
        """(S,) does a short segment stand before one such as ``says:`` in the same block."""
        result = np.zeros(len(self.texts), dtype=bool)
        saying = np.flatnonzero(self.says("wrote"))
        saying = saying[saying > 0]
        block = self.table.block_of_segment
        result[saying[block[saying] == block[saying - 1]] - 1] = True
        return result

    def _near(self, chosen: Bools, most_words: int) -> Bools:
        """(S,) is a segment inside one of some elements that has not too many words."""
        small = chosen & (self.table.element_words <= most_words)
        return self.in_element(small)

    @cached_property
    def is_profile(self) -> Bools:
        """(E,) is an element a link to a page about somebody."""
        hrefs, rels = map(self.table.attribute, ("href", "rel"))
        is_author = [
            href is not None and rel is not None and "author" in rel.split()
            for href, rel in zip(hrefs, rels, strict=True)
        ]
        return elements_of(self.table, is_author) | self._leads_to_user

    @cached_property
    def _leads_to_user(self) -> Bools:
        """(E,) does the address of an element look like that of somebody."""
        return elements_with(self.table, "href", _is_of_user)

    # --- Text -------------------------------------------------------------------------------------

    @cached_property
    def quoted(self) -> Bools:
        """(S,) does a segment stand in a quote."""
        signs = self.signs
        quotes = member_mask(_QUOTES)[self.table.elements.tag] & ~signs.is_named("body", "said")
        return self.in_element(quotes | signs.is_named("quote"))

    @cached_property
    def furniture(self) -> Bools:
        """(S,) is a segment a control, a form, a signature or in a menu."""
        signs = self.signs
        chosen = member_mask(_NOT_TEXT)[self.table.elements.tag]
        chosen |= signs.is_named("signature", "controls", "navigation", "hidden", "modal")
        # Some forums are one form for their moderators.
        chosen &= self.table.element_words * 2 < self.table.element_words[0]
        button = self.says("role") & self.table.segments_inside(frozenset({"a"}))
        return np.asarray(self.in_element(chosen) | button)

    @cached_property
    def prose(self) -> Ints:
        """(S,) words outside links, names, dates and furniture."""
        free = ~self.table.segments_inside(frozenset({"a"})) & ~self.furniture
        free &= (self.names == NO) & (self.dates == NO)
        return self.table.segment_words * free

    @cached_property
    def leads_away(self) -> Bools:
        """(E,) does an element hold a linked heading that leads to another page."""
        elements = self.table.elements
        headings, leads = elements.innermost(_HEADINGS), self._leads
        above = headings[leads]
        linked = np.zeros(len(elements), dtype=bool)
        linked[above[above >= 0]] = True
        linked |= member_mask(_HEADINGS)[elements.tag] & (elements.nearest(leads) >= 0)
        before = np.append(0, np.cumsum(linked))
        after = np.searchsorted(elements.open, elements.close)
        return np.asarray(before[after] > before[:-1])

    @property
    def _leads(self) -> Bools:
        """(E,) is an element a link of some words to another page, not to a user."""
        table = self.table
        away = elements_with(table, "href", lambda href: _SAME_PAGE not in href)
        away &= ~self._leads_to_user
        return np.asarray(away & (table.elements.tag == IDS["a"]) & (table.element_words > 1))


def _is_of_user(href: str) -> bool:
    return _PROFILE.search(href[:_LONGEST_ADDRESS]) is not None


def _is_name(text: str) -> bool:
    """Is a short text a word or some, of which one has a letter or digit, and no address.

    What stands in parentheses is a number or the like beside a name.
    """
    return any(map(str.isalnum, text)) and "://" not in text and not text.startswith(("#", "("))


# --- Elements by their names ----------------------------------------------------------------------

_MOST_NAMES: Final = 8  # names of one element that are looked at
_DIGITS: Final = re.compile(r"\d+")


def elements_with(table: BlockTable, attribute: str, holds: Callable[[str], bool]) -> Bools:
    """(E,) which elements have an attribute with a value of which something holds."""
    values = table.attribute(attribute)
    known = {value: value is not None and holds(value) for value in {*values}}
    return elements_of(table, [known[value] for value in values])


def elements_of(table: BlockTable, rows: Sequence[bool]) -> Bools:
    """(E,) which elements have the attributes of some of the bundles."""
    return np.asarray(np.array([*rows, False], dtype=bool)[table.elements.bundle])


class Grouped(NamedTuple):
    """Elements by the names that they have; one with several names is in as many groups."""

    element: Ints  # (m,)
    group: Ints  # (m,) ascending from 0; elements of a group are in document order

    @property
    def size(self) -> Ints:
        """(G,) elements of each group."""
        return np.bincount(self.group)


@dataclass(frozen=True, eq=False)
class ElementGroups:
    """Names of the elements of a table that has their classes and ids."""

    table: BlockTable

    def of(self, chosen: Ints) -> Grouped:
        """Some elements by their classes and ids, else by the way to them from one with.

        Args:
            chosen: ascending numbers of elements.
        """
        elements = self.table.elements
        names, starts = self._of_rows
        rows = elements.bundle[chosen]
        length = np.diff(starts)[rows]
        plain = chosen[length == 0]
        element = np.append(np.repeat(chosen, length), plain)
        named = names[span_indices(starts[rows], length)]
        group = np.append(named, self.ways[plain] + (names.max(initial=0) + 1))
        order = np.lexsort((element, group))
        number = np.unique(group[order], return_inverse=True)[1].reshape(-1)
        return Grouped(element[order], number)

    @cached_property
    def _of_rows(self) -> tuple[Ints, Ints]:
        """Numbers of the names of every bundle row and of row -1, and where those of each begin."""
        rows = [*zip(*map(self.table.attribute, ("class", "id")), strict=True)]
        number = defaultdict[str, int](count().__next__)
        known = {row: [number[name] for name in dict.fromkeys(_names(*row))] for row in {*rows}}
        of_rows = [*map(known.__getitem__, rows), []]
        starts = [*accumulate(map(len, of_rows), initial=0)]
        names = np.array([*chain.from_iterable(of_rows)], dtype=np.int64)
        return names, np.array(starts, dtype=np.int64)

    @cached_property
    def ways(self) -> Ints:
        """(E,) number of the way to each element from the nearest with a name, perhaps itself."""
        elements = self.table.elements
        names, starts = self._of_rows
        near = elements.nearest(np.diff(starts)[elements.bundle] > 0)
        first = np.append(names, -1)[starts[elements.bundle[near]]]
        ways = (
            np.where(near >= 0, first, -1),
            elements.depth - np.where(near >= 0, elements.depth[near], 0),
            elements.tag[elements.parent],
            elements.tag,
        )
        result = np.zeros(len(elements), dtype=np.int64)
        for way in ways:
            result = np.unique(result * (int(way.max()) + 1) + way, return_inverse=True)[1]
        return result.reshape(-1)


def around(table: BlockTable, named: Grouped) -> Ints:
    """(m,) place in `named` of the nearest element of the same group around each, -1 for none."""
    result = np.full(len(named.element), -1)
    offset = named.group * len(table.tags.id)
    opens = table.elements.open[named.element] + offset
    closes = table.elements.close[named.element] + offset
    # Few groups nest. Where all elements before have ended, none is around.
    nested = named.group[1:][np.maximum.accumulate(closes)[:-1] > opens[1:]]
    begins, ends = opens.tolist(), closes.tolist()
    stack: list[int] = []
    for place in np.flatnonzero(np.isin(named.group, nested)).tolist():
        while stack and ends[stack[-1]] < begins[place]:
            stack.pop()
        if stack:
            result[place] = stack[-1]
        stack.append(place)
    return result


def _names(classes: str | None, identifier: str | None) -> Iterator[str]:
    """The names of an element without their numbers; an id counts only for its form."""
    for name in (classes or "").split(None, _MOST_NAMES)[:_MOST_NAMES]:
        yield _without_numbers(name[:_LONGEST])
    if identifier and (form := _DIGITS.sub("0", identifier[:_LONGEST])) != identifier:
        yield f"#{form}"


@lru_cache(maxsize=4096)
def _without_numbers(name: str) -> str:
    return _DIGITS.sub("0", name.lower())
