"""Find what a page repeats: elements of one name that each hold text and a name or a date."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from victor.base.arrays import Bools, Floats, Ints, prefix_sums
from victor.base.cached import cached_property
from victor.kinds.threads.anchors import NO, Anchors
from victor.kinds.threads.element_groups import Grouped, around
from victor.page.parsing.heads import Head
from victor.page.parsing.patterns import pattern

_ONE: Final = 0.6
"""Worth of a record with a name or a date only."""
_NAMED: Final = 1.5
"""Records are worth more if the markup calls them posts or comments."""
_DROPPED: Final = 0.3
"""Worth of a word that the labeler does not keep."""
_LEADING: Final = 0.5
"""Share of records with a heading that leads away; more make a list of other pages."""
_FEWEST: Final = 2
_TINY: Final = 1e-9
_AS_GOOD: Final = 0.98
"""Of groups with scores so near to one another the one that holds most is the better."""
_BEST: Final = 3
"""Groups that are looked at, of those that may be records and of those that may begin them."""
_LEAST_SHARE: Final = 0.25
"""Share of the words kept that records have to hold that nothing calls posts or comments."""
_HEADING: Final = 3
"""Words of what only begins a record, at most."""
_SIGNED: Final = 0.7
"""Share of records with both a name and a date, where no forum says that it is one."""
_LONG, _MUCH_LONGER = 200, 4
"""Words of a text, and how much longer than the others together it is, that is no post."""
_FORUM: Final = pattern(
    r"(?:\b|_)(?:forums?|foren|threads?|viewtopic|showthread|showtopic|topics?|boards?|messageboard"
    r"|bulletin|discussions?|diskussion|diskuse|fóra|форум|community|communities)(?:\b|_)"
)
_READ: Final = 300
"""Characters of an address or a title that are read."""
_TOP: Final = 2
"""Depth of <body>, which is no record."""


@dataclass(frozen=True, eq=False)
class Records:
    """Repeated records of a page; R records, E elements, S segments.

    Attributes:
        elements: (R,) where each begins, in document order; one may stand inside another.
        around: (E,) innermost record that each element is or stands in, -1 for none.
        owner: (S,) innermost record around each segment, -1 for none.
    """

    elements: Ints
    around: Ints
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


def is_of_forum(head: Head) -> bool:
    """Do title, address or generator of a page say that it is one of a forum."""
    meta = (head.meta.get(name, "") for name in ("og:url", "og:site_name", "generator"))
    about = (head.title, head.canonical or "", *meta)
    return any(_FORUM.search(text[:_READ].lower()) for text in about)


def _records(anchors: Anchors, chosen: Ints) -> Records:
    """Records that are elements."""
    table = anchors.table
    is_record = np.zeros(len(table.elements), dtype=bool)
    is_record[chosen] = True
    inner = table.elements.nearest(is_record)
    return _of_elements(anchors, np.where(inner >= 0, np.cumsum(is_record)[inner] - 1, -1))


def _spans(anchors: Anchors, first: Ints, stop: Ints) -> Records:
    """Records that are elements and what follows them up to some tags, none inside another."""
    opens = anchors.table.elements.open
    order = np.argsort(first)
    before = np.searchsorted(opens[first[order]], opens, side="right") - 1
    inside = (before >= 0) & (opens < stop[order][before])
    return _of_elements(anchors, np.where(inside, before, -1))


def _of_elements(anchors: Anchors, around: Ints) -> Records:
    number, first = np.unique(around, return_index=True)
    return Records(first[number >= 0], around, around[anchors.table.segment_element])


class _Candidates(NamedTuple):
    """Elements that may be records or begin them, and what these hold.

    Attributes:
        named: by their names.
        held: (m,).
        stop: (m,) tag with which each ends, if that is not the end of the element.
    """

    named: Grouped
    held: _Held
    stop: Ints | None


class _Group(NamedTuple):
    """Candidates of one name that may be the records.

    Attributes:
        score: how much they look like posts.
        candidates: all.
        is_record: (m,) which of them these are.
        is_called: does the markup call most of them posts.
    """

    score: float
    candidates: _Candidates
    is_record: Bools
    is_called: bool


@dataclass(frozen=True, eq=False)
class _Finder:
    anchors: Anchors
    kept: Bools

    def best(self) -> Records | None:
        """The records of the best group that may be posts."""
        groups = [*self.groups(self.whole), *self.groups(self.beginning)]
        for group in sorted(groups, key=lambda group: -group.score):
            repeated = self.of(group)
            if self.may_be(group, repeated):
                return repeated
        return None

    def may_be(self, group: _Group, repeated: Records) -> bool:
        """Are records posts, by what they are called, who signs them, and what the page is."""
        held, chosen = group.candidates.held, group.is_record
        words = np.bincount(
            repeated.owner[repeated.owner >= 0], self.anchors.prose[repeated.owner >= 0]
        )
        if words.max() > _LONG and words.max() > _MUCH_LONGER * (words.sum() - words.max()):
            return False  # a text, and something that looks like it
        if group.is_called and self.comments[repeated.elements].all():
            return True
        is_signed = held.is_signed[chosen].mean() >= _SIGNED
        return bool(is_signed or self.in_thread) and self.holds_most(repeated)

    @cached_property
    def in_thread(self) -> bool:
        """Does the page say that it is one of a forum."""
        says_so = bool(self.anchors.signs.is_thread[0])
        return says_so or is_of_forum(self.anchors.table.heads[0])

    @cached_property
    def comments(self) -> Bools:
        """(E,) is an element, or one around it, called a comment or a review."""
        called = self.anchors.signs.is_named("comment", "review")
        return np.asarray(self.anchors.table.elements.gathered(called))

    def of(self, group: _Group) -> Records:
        named, held, stop = group.candidates
        chosen = group.is_record
        if group.is_called:
            # Other boxes of that name are not called so and lack a name or a date.
            chosen = chosen & (self.called[named.element] | held.is_signed)
        if stop is None:
            return _records(self.anchors, named.element[chosen])
        return _spans(self.anchors, named.element[chosen], stop[chosen])

    def groups(self, candidates: _Candidates | None) -> Iterator[_Group]:
        """The best groups of candidates."""
        if candidates is None:
            return
        named, held, _ = candidates
        is_record = held.worth > 0
        number = np.maximum(np.bincount(named.group, is_record), 1)
        is_called = np.bincount(named.group, self.called[named.element] & is_record) > number / 2
        score = np.bincount(named.group, held.worth) * np.sqrt(number / named.size)
        score *= np.where(is_called, _NAMED, 1.0)
        leading = np.bincount(named.group, self.anchors.leads_away[named.element] & is_record)
        score[(number < _FEWEST) | (leading > _LEADING * number)] = 0.0
        size = self.anchors.table.elements.close - self.anchors.table.elements.open
        held_tags = np.bincount(named.group, size[named.element])
        steps = np.round(np.log(np.maximum(score, _TINY)) / np.log(_AS_GOOD))
        for group in np.lexsort((-held_tags, steps))[:_BEST].tolist():
            if score[group] > 0:
                of_group = (named.group == group) & is_record
                yield _Group(float(score[group]), candidates, of_group, bool(is_called[group]))

    @cached_property
    def whole(self) -> _Candidates | None:
        """Elements that hold text and a name or a date."""
        named = self.anchors.groups.of(np.flatnonzero(self.signed & (self.words > 0)))
        if not len(named.element):
            return None
        outer = around(self.anchors.table, named)
        inner = np.flatnonzero(outer >= 0)

        def without_inner(column: Ints) -> Ints:
            values = column[named.element]
            np.subtract.at(values, outer[inner], column[named.element[inner]])
            return values

        columns = (self.kept_words, self.words - self.kept_words, self.names, self.dates)
        kept, dropped, names, dates = map(without_inner, columns)
        return _Candidates(named, _Held(kept + _DROPPED * dropped, names, dates), None)

    @cached_property
    def beginning(self) -> _Candidates | None:
        """Elements with hardly more than a name or a date, and what follows up to the next one."""
        anchors, elements = self.anchors, self.anchors.table.elements
        named = self.anchors.groups.of(np.flatnonzero(self.signed & (self.words <= _HEADING)))
        if not len(named.element):
            return None
        element, parent = named.element, elements.parent[named.element]
        goes_on = (named.group[1:] == named.group[:-1]) & (parent[1:] == parent[:-1])
        stop = elements.close[parent]
        stop[:-1][goes_on] = elements.open[element[1:]][goes_on]
        first = anchors.of_element[0][element]
        after = np.searchsorted(anchors.table.segments.tag, stop)

        def between(column: Ints | Bools) -> Ints:
            sums = prefix_sums(column)
            return sums[after] - sums[first]

        # One alone in its parent is a part of that, which is a candidate itself.
        shares = np.append(False, goes_on) | np.append(goes_on, False)
        kept, words = (
            between(prose) * shares for prose in (anchors.prose * self.kept, anchors.prose)
        )
        names, dates = between(anchors.names > NO), between(anchors.dates > NO)
        return _Candidates(named, _Held(kept + _DROPPED * (words - kept), names, dates), stop)

    def holds_most(self, repeated: Records) -> bool:
        """Does the running text of records make enough of what is kept."""
        kept = int(self.anchors.table.segment_words[self.kept].sum())
        prose = int(self.anchors.prose[self.kept & (repeated.owner >= 0)].sum())
        return prose > 0 and prose >= _LEAST_SHARE * kept

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

    @cached_property
    def signed(self) -> Bools:
        """(E,) is there a name or a date inside an element below <body>."""
        below = self.anchors.table.elements.depth > _TOP
        return np.asarray(below & ((self.names > 0) | (self.dates > 0)))

    @cached_property
    def called(self) -> Bools:
        """(E,) does the markup call an element a post, a comment or a review."""
        return self.anchors.signs.is_named("post", "comment", "review")
