"""Removal before the article is located: the filters and the three removers, step by step.

Source of the filters and removers: Gupta, Kaiser, Neistadt, Grimm: DOM-based content extraction of
HTML documents. WWW 2003.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Bools, Floats, Ints
from victor.labelers.dom.ads import AdHosts
from victor.labelers.dom.settings import Filters, LinkLists, Settings, Tables
from victor.page.parsing.tags import IDS, PAGE, member_mask
from victor.page.table.blocks import BlockTable
from victor.page.verdict.removed_parts import STAYS

ATTRIBUTES: Final = ("class", "href", "src", "alt")
"""Attributes that are recorded; classes are for reports only."""

_FRAME: Final = frozenset({PAGE, "html", "head", "body"})
"""Elements that are never removed."""
_LINKS: Final = frozenset({"a"})
_FILTERED: Final = {
    "noscript": frozenset({"noscript"}),
    "forms": frozenset({"form"}),
    "buttons": frozenset({"button"}),
    "selects": frozenset({"select", "optgroup", "option"}),
}
"""Elements whose text the filters remove."""
STEPS: Final = (
    *_FILTERED, "image-links", "text-links", "advertisements", "link-lists", "empty-tables"
)  # fmt: skip
"""What removes text, in order; positions in it are the reasons of removal."""


@dataclass(frozen=True, eq=False)
class Removal:
    """What the steps remove from the pages of a batch.

    Attributes:
        reason: (T,) int64 the step that removed the place after each tag, the first of several, as
            a position in `STEPS`; -1 for none.
        ads: (T,) bool; does each tag, or an element around it, lead to an ad server. Void elements
            count only here.
        emptied: (E,) bool; which elements lose their content and stay.
    """

    reason: Ints
    ads: Bools
    emptied: Bools

    @property
    def gone(self) -> Bools:
        """(T,) bool; is the place after each tag removed."""
        return np.asarray(self.reason >= 0)


def remove(table: BlockTable, settings: Settings, hosts: AdHosts) -> Removal:
    """Apply the removal steps one after another."""
    is_link = links(table)
    reason = np.full(len(table.tags.id), STAYS)
    ads = np.zeros(len(reason), dtype=bool)
    emptied = np.zeros(len(table.elements), dtype=bool)
    for step, places in filtered(table, is_link, settings.filters):
        _note(reason, step, places)
    if settings.ads.remove:
        advertised = by_bundle(table, ("href", "src"), hosts.hold)
        around = covered(table, advertised[table.elements.bundle])
        ads = around | (advertised[table.tags.bundle] & (table.tags.step == 0))
        _note(reason, "advertisements", around)
    if settings.link_lists.remove:
        lists = link_lists(table, is_link, reason >= 0, settings.link_lists)
        if not settings.link_lists.cell:
            emptied = lists & (reason[table.elements.open] == STAYS)
        _note(reason, "link-lists", covered(table, lists))
    if settings.tables.remove:
        tables = empty_tables(table, (reason >= 0) | ads, settings.tables)
        _note(reason, "empty-tables", covered(table, tables))
    return Removal(reason, ads, emptied)


def _note(reason: Ints, step: str, places: Bools) -> None:
    """Give places that no step removed before a reason; edits `reason`."""
    reason[places & (reason == STAYS)] = STEPS.index(step)


def covered(table: BlockTable, chosen: Bools) -> Bools:
    """(T,) bool; is the place after each tag in one of the chosen elements, (E,) bool."""
    chosen = chosen & ~member_mask(_FRAME)[table.elements.tag]
    n = len(table.tags.id)
    opened = np.bincount(table.elements.open[chosen], minlength=n)
    closed = np.bincount(table.elements.close[chosen], minlength=n)
    return np.asarray(np.cumsum(opened - closed) > 0)


def by_bundle(
    table: BlockTable, names: tuple[str, ...], holds: Callable[[str | None], bool]
) -> Bools:
    """(B + 1,) bool; does one of the attributes satisfy `holds`; the last row, False, is for -1."""
    holding = np.zeros(len(table.bundles) + 1, dtype=bool)
    for name in names:
        holding[:-1] |= np.fromiter(map(holds, table.attribute(name)), bool, len(table.bundles))
    return holding


def links(table: BlockTable) -> Bools:
    """(E,) bool; is it ``<a href>``."""
    has_target = by_bundle(table, ("href",), lambda value: value is not None)
    return np.asarray((table.elements.tag == IDS["a"]) & has_target[table.elements.bundle])


def filtered(table: BlockTable, is_link: Bools, filters: Filters) -> Iterator[tuple[str, Bools]]:
    """The filters that find something: step, and (T,) bool places that it removes."""
    for step, names in _FILTERED.items():
        is_filtered = member_mask(names)[table.elements.tag]
        if getattr(filters, step) and is_filtered.any():
            yield step, covered(table, is_filtered)
    if filters.image_links or filters.text_links:
        n_images = np.cumsum(table.tags.id == IDS["img"])
        has_image = n_images[table.elements.close] > n_images[table.elements.open]
        if filters.image_links:
            # Alternative texts, the only text inside images, stand in place of the link.
            is_image = table.elements.tag == IDS["img"]
            yield "image-links", covered(table, is_link & has_image) & ~covered(table, is_image)
        if filters.text_links:
            yield "text-links", covered(table, is_link & ~has_image)


def link_lists(table: BlockTable, is_link: Bools, gone: Bools, settings: LinkLists) -> Bools:
    """(E,) bool; which elements hold more links per unlinked word than a ratio.

    Unlinked words are characters outside links by characters per word. Inner elements come first;
    what they remove does not count for the elements around them.
    """
    elements, names = table.elements, frozenset(settings.tags)
    rows = np.flatnonzero(member_mask(names)[elements.tag])
    link = is_link & ~gone[elements.open]
    segments = table.segments
    linked = covered(table, link)[segments.tag]
    length = np.where(linked | gone[segments.tag], 0, segments.end - segments.start)
    n_links = _own(table, names, elements.open[link], np.ones(int(link.sum())))[rows]
    n_words = _own(table, names, segments.tag, length)[rows] / settings.characters_per_word
    outer = table.nearest(names, elements.open[rows] - 1)
    removed = np.zeros(len(elements), dtype=bool)
    above = np.where(outer < 0, -1, np.searchsorted(rows, outer))
    removed[rows] = _crowded(n_links, n_words, above, settings.ratio)
    return removed


def _own(
    table: BlockTable, names: frozenset[str], tags: Ints, values: NDArray[np.generic]
) -> Floats:
    """(E,) sums of values at tags, each counted for the innermost element of some names."""
    holder = table.nearest(names, tags)
    is_inside = holder >= 0
    sums = np.bincount(holder[is_inside], weights=values[is_inside], minlength=len(table.elements))
    return sums.astype(np.float64)


def _crowded(n_links: Floats, n_words: Floats, above: Ints, ratio: float) -> Bools:
    """(k,) which of k nested elements are removed; adds the rest to their parents, in place.

    Args:
        n_links: (k,) links in each element, without those of inner elements.
        n_words: (k,) unlinked words, counted likewise.
        above: (k,) the nearest of them around each, -1 for none.
        ratio: more links per word are too many.
    """
    removed = np.zeros(len(above), dtype=bool)
    level = _levels(above)
    order = np.argsort(-level, kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(level[order])) + 1):
        removed[rows] = n_links[rows] > ratio * n_words[rows]
        up = rows[~removed[rows] & (above[rows] >= 0)]
        np.add.at(n_links, above[up], n_links[up])
        np.add.at(n_words, above[up], n_words[up])
    return removed


def _levels(above: Ints) -> Ints:
    """(k,) nesting depth of each of k nested elements, by pointer doubling."""
    level = (above >= 0).astype(np.int64)
    while (above >= 0).any():
        level += np.where(above >= 0, level[above], 0)
        above = np.where(above >= 0, above[above], -1)
    return level


def empty_tables(table: BlockTable, gone: Bools, settings: Tables) -> Bools:
    """(E,) bool; which tables have neither an element of substance nor enough characters."""
    segments, elements = table.segments, table.elements
    length = np.where(gone[segments.tag], 0, segments.end - segments.start)
    substance = member_mask(frozenset(settings.tags))[table.tags.id] & (table.tags.step >= 0)
    counted = np.cumsum(substance & ~gone)
    has_substance = counted[elements.close] > counted[elements.open]
    short = table.sum_elements(length) < settings.characters
    return np.asarray((elements.tag == IDS["table"]) & short & ~has_substance)
