"""Find what a page repeats: elements of one name that each hold text and a name or a date."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from victor.arrays import Bools, Floats, Ints
from victor.kinds.anchors import NO, Anchors
from victor.kinds.element_names import ElementNames, Named, around

_ONE: Final = 0.6
"""Worth of a record with a name or a date only."""
_NAMED, _DECLARED = 1.5, 2.0
"""Records are worth more if the markup or schema.org calls them posts or comments."""
_DROPPED: Final = 0.3
"""Worth of a word that the labeler does not keep."""
_AS_GOOD: Final = 0.98
"""Scores so near to the best are as good."""
_LEADING: Final = 0.5
"""Share of records with a heading that leads away; more make a list of other pages."""
_FEWEST: Final = 2
_LEAST_SHARE: Final = 0.25
"""Share of the words kept that records have to hold that nothing calls posts or comments."""
_TOP: Final = 2
"""Depth of <body>, which is no record."""


@dataclass(frozen=True, eq=False)
class Records:
    """Repeated records of a page; R records, S segments.

    Attributes:
        elements: (R,) in document order; one may stand inside another.
        owner: (S,) innermost record around each segment, -1 for none.
    """

    elements: Ints
    owner: Ints


class _Held(NamedTuple):
    """(m,) what elements hold outside of others of their group inside them."""

    words: Floats
    names: Ints
    dates: Ints

    @property
    def worth(self) -> Floats:
        """(m,) of each element as a record; 0 for one that is none."""
        is_record = (self.words > 0) & ((self.names > 0) | (self.dates > 0))
        words = np.log1p(np.maximum(self.words, 0.0))
        return np.where(is_record, words * np.where(self.is_signed, 1.0, _ONE), 0.0)

    @property
    def is_signed(self) -> Bools:
        """(m,) has it both a name and a date."""
        return (self.names > 0) & (self.dates > 0)


def records(anchors: Anchors, kept: Bools) -> Records | None:
    """What on a page is most like posts or comments; None where nothing is.

    Args:
        anchors: of the page.
        kept: (S,) what the labeler keeps.
    """
    return _Finder(anchors, kept).best()


def with_lead(anchors: Anchors, kept: Bools, found: Records) -> Records:
    """The records and, where it looks otherwise than they do, the post that began the thread.

    Args:
        anchors: of the page.
        kept: (S,) what the labeler keeps.
        found: the records.
    """
    elements, tags = anchors.table.elements, anchors.table.segments.tag
    begin = elements.open[found.elements[0]]
    words = np.where((tags < begin) & kept & (found.owner < 0), anchors.prose, 0)
    if not words.any():
        return found
    element = int(anchors.table.segment_element[words.argmax()])
    lead, either = -1, -1
    names, dates = anchors.inside(anchors.names > NO), anchors.inside(anchors.dates > NO)
    while elements.close[element] < begin and elements.depth[element] > _TOP:
        if names[element] and dates[element]:
            lead = element
            break
        if either < 0 and (names[element] or dates[element]):
            either = element
        element = int(elements.parent[element])
    lead = lead if lead >= 0 else either
    return found if lead < 0 else _records(anchors, np.append(lead, found.elements))


def _records(anchors: Anchors, chosen: Ints) -> Records:
    table = anchors.table
    is_record = np.zeros(len(table.elements), dtype=bool)
    is_record[chosen] = True
    inner = table.elements.nearest(is_record)[table.segment_element]
    owner = np.where(inner >= 0, np.cumsum(is_record)[inner] - 1, -1)
    return Records(np.flatnonzero(is_record), owner)


@dataclass(frozen=True, eq=False)
class _Finder:
    anchors: Anchors
    kept: Bools

    def best(self) -> Records | None:
        """The records of the best group that may be posts."""
        able = (self.names > 0) | (self.dates > 0)
        able &= (self.words > 0) & (self.anchors.table.elements.depth > _TOP)
        named = self.element_names.of(np.flatnonzero(able))
        if not len(named.element):
            return None
        held = self.held(named)
        worth = held.worth
        is_record = worth > 0
        number = np.maximum(np.bincount(named.group, is_record), 1)
        called = self._most(self.called, named, is_record, number)
        declared = self._most(self.declared, named, is_record, number)
        score: Floats = np.bincount(named.group, worth).astype(np.float64)
        score *= np.sqrt(number / named.size)
        score *= np.where(declared, _DECLARED, np.where(called, _NAMED, 1.0))
        leading = np.bincount(named.group, self.leading[named.element] & is_record)
        score[(number < _FEWEST) | (leading > _LEADING * number) & ~declared] = 0.0
        for group in self.by_score(named, score):
            of_group = (named.group == group) & is_record
            if called[group] or declared[group]:
                # Other boxes of that name are not called so and lack a name or a date.
                of_group &= (self.called | self.declared)[named.element] | held.is_signed
            chosen = named.element[of_group]
            found = _records(self.anchors, chosen)
            if called[group] or declared[group] or self.holds_most(found):
                return found
        return None

    def by_score(self, named: Named, score: Floats) -> Iterator[int]:
        """The best groups; of those as good the one that holds most."""
        elements = self.anchors.table.elements
        size = elements.close - elements.open
        held = np.bincount(named.group, size[named.element])
        steps = np.round(np.log(np.maximum(score, 1e-9)) / np.log(_AS_GOOD))
        order = np.lexsort((-held, steps))
        yield from (int(group) for group in order[:3] if score[group] > 0)

    def holds_most(self, found: Records) -> bool:
        """Do records hold enough of what is kept."""
        words = self.anchors.table.segment_words * self.kept
        return bool(words[found.owner >= 0].sum() >= _LEAST_SHARE * max(int(words.sum()), 1))

    @cached_property
    def element_names(self) -> ElementNames:
        return ElementNames(self.anchors.table)

    @cached_property
    def words(self) -> Ints:
        """(E,) words of running text."""
        return self.anchors.inside(self.anchors.prose)

    @cached_property
    def kept_words(self) -> Ints:
        """(E,) those that are kept."""
        return self.anchors.inside(self.anchors.prose * self.kept)

    @cached_property
    def names(self) -> Ints:
        """(E,)."""
        return self.anchors.inside(self.anchors.names > NO)

    @cached_property
    def dates(self) -> Ints:
        """(E,)."""
        return self.anchors.inside(self.anchors.dates > NO)

    def held(self, named: Named) -> _Held:
        """What each element holds without what others of its group inside it hold."""
        outer = around(self.anchors.table, named)
        inner = np.flatnonzero(outer >= 0)

        def without_inner(column: Ints) -> Ints:
            values = column[named.element]
            np.subtract.at(values, outer[inner], column[named.element[inner]])
            return values

        kept, dropped, names, dates = map(
            without_inner, (self.kept_words, self.words - self.kept_words, self.names, self.dates)
        )
        return _Held(kept + _DROPPED * dropped, names, dates)

    @cached_property
    def declared(self) -> Bools:
        """(E,) does schema.org call an element what users write."""
        return self.element_names.are_posts

    @cached_property
    def called(self) -> Bools:
        """(E,) does the markup call an element a post, a comment or a review."""
        return self.anchors.signs.is_named("post", "comment", "review")

    @cached_property
    def leading(self) -> Bools:
        """(E,) does an element hold a heading that leads to another page."""
        elements = self.anchors.table.elements
        before = np.append(0, np.cumsum(self.anchors.leads_away))
        after = np.searchsorted(elements.open, elements.close)
        return np.asarray(before[after] > before[:-1])

    @staticmethod
    def _most(chosen: Bools, named: Named, is_record: Bools, number: Ints) -> Bools:
        """(G,) are most records of a group among some elements."""
        return np.bincount(named.group, chosen[named.element] & is_record) > number / 2
