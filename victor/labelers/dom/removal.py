"""Removal before the article is located: filters and the three removers.

Source of the filters and removers: Gupta, Kaiser, Neistadt, Grimm: DOM-based content extraction of
HTML documents. WWW 2003.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from victor.arrays import Bools, Floats, Ints
from victor.labelers.dom.ads import AdHosts
from victor.labelers.dom.settings import Filters, LinkLists, Settings, Tables
from victor.page.blocks import BlockTable
from victor.page.tags import IDS, PAGE, member_mask

ATTRIBUTES: Final = ("class", "href", "src", "alt")
"""Attributes that are recorded; classes are for reports only."""

_FRAME: Final = frozenset({PAGE, "html", "head", "body"})
"""Elements that are never removed."""
_LINKS: Final = frozenset({"a"})
_FILTERED: Final = {
    "noscript": ("noscript",),
    "forms": ("form",),
    "buttons": ("button",),
    "selects": ("select", "optgroup", "option"),
}
"""Elements whose text the filters remove."""


def remove(table: BlockTable, settings: Settings, hosts: AdHosts) -> tuple[Bools, Bools]:
    """Apply the removal steps one after another.

    Returns:
        Two (T,) bool arrays: is the place after each tag in a removed element, and does each tag
        or an element around it lead to an ad server. Void elements count only in the second.
    """
    is_link = links(table)
    gone = covered(table, filtered(table, is_link, settings.filters))
    ads = np.zeros(len(gone), dtype=bool)
    if settings.ads.remove:
        advertised = by_bundle(table, ("href", "src"), hosts.hold)
        around = covered(table, advertised[table.elements.bundle])
        ads = around | (advertised[table.tags.bundle] & (table.tags.step == 0))
        gone |= around
    if settings.link_lists.remove:
        gone |= covered(table, link_lists(table, is_link, gone, settings.link_lists))
    if settings.tables.remove:
        gone |= covered(table, empty_tables(table, gone | ads, settings.tables))
    return gone, ads


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


def filtered(table: BlockTable, is_link: Bools, filters: Filters) -> Bools:
    """(E,) bool; which elements the filters remove."""
    names = frozenset(
        name for key, tags in _FILTERED.items() if getattr(filters, key) for name in tags
    )
    gone = member_mask(names)[table.elements.tag]
    if filters.image_links or filters.text_links:
        n_images = np.cumsum(table.tags.id == IDS["img"])
        has_image = n_images[table.elements.close] > n_images[table.elements.open]
        chosen = np.where(has_image, filters.image_links, filters.text_links)
        gone = gone | (is_link & chosen)
    return np.asarray(gone)


def link_lists(table: BlockTable, is_link: Bools, gone: Bools, settings: LinkLists) -> Bools:
    """(E,) bool; which elements hold more links per unlinked word than a ratio.

    Inner elements come first; what they remove does not count for the elements around them.
    """
    elements, names = table.elements, frozenset(settings.tags)
    rows = np.flatnonzero(member_mask(names)[elements.tag])
    link = is_link & ~gone[elements.open]
    segments = table.segments
    linked = covered(table, is_link)[segments.tag]
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
