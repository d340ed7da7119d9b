"""Find what a page repeats: elements of one name that each hold text and a name or a date."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from victor.base.arrays import Bools, Floats, Ints, prefix_sums
from victor.base.lazy import cached_property, pattern
from victor.kinds.threads.anchors import NO, Anchors, Grouped, around
from victor.page.parsing.heads import Head

_ONE: Final = 0.6  # worth of a record with a name or a date only
_NAMED: Final = 1.5  # records are worth more if the markup calls them posts or comments
_KEPT, _DROPPED = 10, 3  # worth of a word that the labeler keeps, and of one that it drops
_LEADING: Final = 0.5
"""Share of records with a heading that leads away; more make a list of other pages."""
_FEWEST: Final = 2
_BEST: Final = 3
"""Groups that are looked at, of those that may be records and of those that may begin them."""
_LEAST_SHARE: Final = 0.25
"""Share of the words kept that records have to hold that nothing calls posts or comments."""
_HEADING: Final = 3  # words of what only begins a record, at most
_SIGNED: Final = 0.7
"""Share of records with both a name and a date, where no forum says that it is one."""
_LONG, _MUCH_LONGER = 200, 4
"""Words of a text, and how much longer than the others together it is, that is no post."""
_FORUM: Final = pattern(
    r"(?:\b|_)(?:forums?|foren|threads?|viewtopic|showthread|showtopic|topics?|boards?|messageboard"
    r"|bulletin|discussions?|diskussion|diskuse|fóra|форум|community|communities)(?:\b|_)"
)
_READ: Final = 300  # characters of an address or a title that are read
_TOP: Final = 2  # depth of <body>, which is no record


@dataclass(frozen=True, eq=False)
class Records:
    """Repeated records of a page; R records, E elements, S segments."""

    elements: Ints  # (R,) where each begins, in document order; one may stand inside another
    around: Ints  # (E,) innermost record that each element is or stands in, -1 for none
    owner: Ints  # (S,) innermost record around each segment, -1 for none


def records(anchors: Anchors, kept: Bools) -> Records | None:
    """What on a page is most like posts or comments; None where nothing is.

    Args:
        anchors: of the page.
        kept: (S,) what the labeler keeps.
    """
    return _Finder(anchors, kept).best()


def is_of_forum(head: Head) -> bool:
    """Do title, address or generator of a page say that it is one of a forum."""
    meta = (head.meta.get(name, "") for name in ("og:url", "og:site_name", "generator"))
    about = (head.title, head.canonical or "", *meta)
    return any(_FORUM.search(text[:_READ].lower()) for text in about)


def _of_elements(anchors: Anchors, around: Ints) -> Records:
    number, first = np.unique(around, return_index=True)
    return Records(first[number >= 0], around, around[anchors.table.segment_element])


class _Candidates(NamedTuple):
    """m elements that may be records or begin them, and what these hold outside of one another."""

    named: Grouped  # by their names
    words: Ints  # (m,) of running text, in tenths; those that the labeler drops count less
    is_named: Bools  # (m,) is there a name
    is_dated: Bools  # (m,) is there a date
    stop: Ints | None  # (m,) tag with which each ends, if that is not the end of the element

    @property
    def is_signed(self) -> Bools:
        """(m,) has it both a name and a date."""
        return self.is_named & self.is_dated

    @property
    def worth(self) -> Floats:
        """(m,) of each as a record; 0 for one that is none."""
        is_record = (self.words > 0) & (self.is_named | self.is_dated)
        words = np.log1p(np.maximum(self.words, 0) / _KEPT)
        return np.where(is_record, words * np.where(self.is_signed, 1.0, _ONE), 0.0)


class _Group(NamedTuple):
    score: float  # how much they look like posts
    candidates: _Candidates  # all
    is_record: Bools  # (m,) which of them these are
    is_called: bool  # does the markup call most of them posts


@dataclass(frozen=True, eq=False)
class _Finder:
    anchors: Anchors
    kept: Bools

    def best(self) -> Records | None:
        """The records of the best group that may be posts."""
        groups = [*self._groups(self._whole()), *self._groups(self._beginning())]
        for group in sorted(groups, key=lambda group: -group.score):
            repeated = self._records(group)
            if self._may_be(group, repeated):
                return repeated
        return None

    @cached_property
    def _columns(self) -> tuple[Ints, Bools, Bools]:
        anchors = self.anchors
        words = anchors.prose * np.where(self.kept, _KEPT, _DROPPED)
        return words, anchors.names > NO, anchors.dates > NO

    def _whole(self) -> _Candidates:
        """Elements that hold text and a name or a date."""
        columns = [*map(self.anchors.inside, self._columns)]
        named = self.anchors.groups.of(np.flatnonzero(self._signed & (columns[0] > 0)))
        outer = around(self.anchors.table, named)
        inner = np.flatnonzero(outer >= 0)
        held = [column[named.element] for column in columns]
        for values, column in zip(held, columns, strict=True):
            np.subtract.at(values, outer[inner], column[named.element[inner]])
        return _Candidates(named, held[0], held[1] > 0, held[2] > 0, None)

    def _beginning(self) -> _Candidates:
        """Elements with hardly more than a name or a date, and what follows up to the next one."""
        anchors, elements = self.anchors, self.anchors.table.elements
        is_short = anchors.inside(anchors.prose) <= _HEADING
        named = anchors.groups.of(np.flatnonzero(self._signed & is_short))
        element, parent = named.element, elements.parent[named.element]
        goes_on = (named.group[1:] == named.group[:-1]) & (parent[1:] == parent[:-1])
        stop = elements.close[parent]
        stop[:-1][goes_on] = elements.open[element[1:]][goes_on]
        first = anchors.of_element[0][element]
        after = np.searchsorted(anchors.table.segments.tag, stop)
        sums = [*map(prefix_sums, self._columns)]
        words, names, dates = (column[after] - column[first] for column in sums)
        # One alone in its parent is a part of that, which is a candidate itself.
        has_next = np.append(goes_on, False)[: len(element)]
        words[~has_next & ~np.append(False, goes_on)[: len(element)]] = 0
        return _Candidates(named, words, names > 0, dates > 0, stop)

    def _groups(self, candidates: _Candidates) -> Iterator[_Group]:
        named, table = candidates.named, self.anchors.table
        if not len(named.element):
            return
        is_record = candidates.worth > 0
        number = np.maximum(np.bincount(named.group, is_record), 1)
        is_called = np.bincount(named.group, self._called[named.element] & is_record) > number / 2
        score = np.bincount(named.group, candidates.worth) * np.sqrt(number / named.size)
        score *= np.where(is_called, _NAMED, 1.0)
        leading = np.bincount(named.group, self.anchors.leads_away[named.element] & is_record)
        score[(number < _FEWEST) | (leading > _LEADING * number)] = 0.0
        n_tags = (table.elements.close - table.elements.open)[named.element]
        # Of groups with the same records the one that holds most is the better.
        order = np.lexsort((-np.bincount(named.group, n_tags), -score))[:_BEST]
        for group in order[score[order] > 0].tolist():
            of_group = (named.group == group) & is_record
            yield _Group(float(score[group]), candidates, of_group, bool(is_called[group]))

    def _records(self, group: _Group) -> Records:
        """The candidates of a group, none inside another where they only begin records."""
        table, (named, *_, stop) = self.anchors.table, group.candidates
        chosen = group.is_record
        if group.is_called:
            # Other boxes of that name are not called so and lack a name or a date.
            chosen = chosen & (self._called[named.element] | group.candidates.is_signed)
        first = named.element[chosen]
        if stop is None:
            is_record = np.zeros(len(table.elements), dtype=bool)
            is_record[first] = True
            inner = table.elements.nearest(is_record)
            number = np.where(inner >= 0, np.cumsum(is_record)[inner] - 1, -1)
        else:
            opens, order = table.elements.open, np.argsort(first)
            before = np.searchsorted(opens[first[order]], opens, side="right") - 1
            is_inside = (before >= 0) & (opens < stop[chosen][order][before])
            number = np.where(is_inside, before, -1)
        return _of_elements(self.anchors, number)

    def _may_be(self, group: _Group, repeated: Records) -> bool:
        """Are records posts, by what they are called, who signs them, and what the page is."""
        anchors, owned = self.anchors, repeated.owner >= 0
        words = np.bincount(repeated.owner[owned], anchors.prose[owned])
        if words.max() > _LONG and words.max() > _MUCH_LONGER * (words.sum() - words.max()):
            return False  # a text, and something that looks like it
        comments = anchors.table.elements.gathered(anchors.signs.is_named("comment", "review"))
        if group.is_called and comments[repeated.elements].all():
            return True
        is_signed = group.candidates.is_signed[group.is_record].mean() >= _SIGNED
        if not (is_signed or anchors.signs.is_thread[0] or is_of_forum(anchors.table.heads[0])):
            return False
        kept = anchors.table.segment_words[self.kept].sum()
        prose = anchors.prose[self.kept & owned].sum()
        return bool(prose > 0 and prose >= _LEAST_SHARE * kept)

    @cached_property
    def _signed(self) -> Bools:
        """(E,) is there a name or a date inside an element below <body>."""
        _, names, dates = self._columns
        is_below = self.anchors.table.elements.depth > _TOP
        return np.asarray(is_below & (self.anchors.inside(names | dates) > 0))

    @cached_property
    def _called(self) -> Bools:
        return self.anchors.signs.is_named("post", "comment", "review")
