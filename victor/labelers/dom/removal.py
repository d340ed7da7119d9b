"""Removal before the article is located: the filters and the three removers, step by step.

Source of the filters and removers: Gupta, Kaiser, Neistadt, Grimm: DOM-based content extraction of
HTML documents. WWW 2003.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Bools, Floats, Ints
from victor.base.errors import ConfigError
from victor.base.files import package_folder
from victor.config.schema import (
    Count,
    Flat,
    Limits,
    NonNegative,
    Positive,
    PositiveInt,
    Scope,
    Share,
)
from victor.page.parsing.events import AltText
from victor.page.parsing.tags import BLOCK_LEVEL, IDS, INLINE, PAGE, member_mask
from victor.page.table.blocks import BlockTable
from victor.page.table.segment import read_pages
from victor.page.verdict.removed_parts import STAYS

_NAMES: Final = BLOCK_LEVEL | INLINE


def _are_names(names: object) -> object:
    """Refuse what is no element name; what is no list at all is refused by its type."""
    listed = names if isinstance(names, list | tuple) else ()
    unknown = [str(name) for name in listed if name not in _NAMES]
    if unknown:
        raise ValueError(
            f"{', '.join(unknown)}: no such element reaches the blocks of a page; name elements "
            "that hold or stand in visible text"
        )
    return names


Names = Annotated[tuple[str, ...], _are_names]
"""Element names that the stream of events knows."""


class Settings(Flat, frozen=True):
    """The schema of ``configs/dom.yaml``."""

    labeler: Literal["dom"] = "dom"
    filters_scripts: bool = True
    filters_noscript: bool = True
    filters_styles: bool = True
    filters_style_attributes: Literal["all", "div", "none"] = "all"
    filters_non_link_images: bool = False
    filters_alt_for_images: bool = False
    filters_image_links: bool = False
    filters_alt_for_image_links: bool = False
    filters_text_links: bool = False
    filters_forms: bool = False
    filters_inputs: bool = True
    filters_buttons: bool = True
    filters_selects: bool = True
    filters_meta: bool = False
    filters_iframes: bool = True
    filters_embeds: bool = True
    filters_cell_widths: bool = True
    ads_remove: bool = True
    ads_lists: tuple[str, ...] = ()
    link_lists_remove: bool = True
    link_lists_tags: Names = ("td", "th", "div", "ul")
    link_lists_cell: bool = True
    link_lists_ratio: NonNegative = 0.35
    link_lists_characters_per_word: Positive = 5.0
    tables_remove: bool = True
    tables_tags: Names = ("img",)
    tables_characters: Count = 10
    article_characters: Count = 500
    article_subtree: Literal["first", "common"] = "first"
    images_relevance: Share = 0.1
    images_short: Count = 5
    images_representatives: PositiveInt = 3
    texts_compare: bool = True
    texts_relevance: Share = 0.0
    texts_entities: PositiveInt = 3
    texts_share: Share = 0.2
    texts_main: PositiveInt = 3
    entities_recogniser: str = "capitals"
    output_form: Literal["text", "html"] = "text"
    output_removed_links: bool = False
    output_line_breaks: PositiveInt = 2
    limits: Limits = Limits()
    scope: Scope = Scope()

    @classmethod
    def read_in(cls, layer: Mapping[str, Any], directory: Path, where: str) -> dict[str, Any]:
        """The same keys, paths relative to the file made absolute."""
        resolved = super().read_in(layer, directory, where)
        for key in ("ads_lists", "ads_lists+"):
            if resolved.get(key):
                listed = resolved[key]
                paths = [listed] if isinstance(listed, str) else listed
                resolved[key] = [str((directory / path).resolve()) for path in paths]
        return resolved


ATTRIBUTES: Final = ("class", "href", "src", "alt")
"""Attributes that are recorded; classes are for reports only."""

_FRAME: Final = frozenset({PAGE, "html", "head", "body"})  # elements that are never removed
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
    for step, places in filtered(table, is_link, settings):
        _note(reason, step, places)
    if settings.ads_remove:
        advertised = by_bundle(table, ("href", "src"), hosts.hold)
        around = covered(table, advertised[table.elements.bundle])
        ads = around | (advertised[table.tags.bundle] & (table.tags.step == 0))
        _note(reason, "advertisements", around)
    if settings.link_lists_remove:
        lists = link_lists(table, is_link, reason >= 0, settings)
        if not settings.link_lists_cell:
            emptied = lists & (reason[table.elements.open] == STAYS)
        _note(reason, "link-lists", covered(table, lists))
    if settings.tables_remove:
        tables = empty_tables(table, (reason >= 0) | ads, settings)
        _note(reason, "empty-tables", covered(table, tables))
    return Removal(reason, ads, emptied)


def _note(reason: Ints, step: str, places: Bools) -> None:
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


def filtered(table: BlockTable, is_link: Bools, settings: Settings) -> Iterator[tuple[str, Bools]]:
    """The filters that find something: step, and (T,) bool places that it removes."""
    for step, names in _FILTERED.items():
        is_filtered = member_mask(names)[table.elements.tag]
        if getattr(settings, f"filters_{step}") and is_filtered.any():
            yield step, covered(table, is_filtered)
    if settings.filters_image_links or settings.filters_text_links:
        n_images = np.cumsum(table.tags.id == IDS["img"])
        has_image = n_images[table.elements.close] > n_images[table.elements.open]
        if settings.filters_image_links:
            # Alternative texts, the only text inside images, stand in place of the link.
            is_image = table.elements.tag == IDS["img"]
            yield "image-links", covered(table, is_link & has_image) & ~covered(table, is_image)
        if settings.filters_text_links:
            yield "text-links", covered(table, is_link & ~has_image)


def link_lists(table: BlockTable, is_link: Bools, gone: Bools, settings: Settings) -> Bools:
    """(E,) bool; which elements hold more links per unlinked word than a ratio.

    Unlinked words are characters outside links by characters per word. Inner elements come first;
    what they remove does not count for the elements around them.
    """
    elements, names = table.elements, frozenset(settings.link_lists_tags)
    rows = np.flatnonzero(member_mask(names)[elements.tag])
    link = is_link & ~gone[elements.open]
    segments = table.segments
    linked = covered(table, link)[segments.tag]
    length = np.where(linked | gone[segments.tag], 0, segments.end - segments.start)
    n_links = _own(table, names, elements.open[link], np.ones(int(link.sum())))[rows]
    n_words = (
        _own(table, names, segments.tag, length)[rows] / settings.link_lists_characters_per_word
    )
    outer = table.nearest(names, elements.open[rows] - 1)
    removed = np.zeros(len(elements), dtype=bool)
    above = np.where(outer < 0, -1, np.searchsorted(rows, outer))
    removed[rows] = _crowded(n_links, n_words, above, settings.link_lists_ratio)
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


def empty_tables(table: BlockTable, gone: Bools, settings: Settings) -> Bools:
    """(E,) bool; which tables have neither an element of substance nor enough characters."""
    segments, elements = table.segments, table.elements
    length = np.where(gone[segments.tag], 0, segments.end - segments.start)
    substance = member_mask(frozenset(settings.tables_tags))[table.tags.id] & (table.tags.step >= 0)
    counted = np.cumsum(substance & ~gone)
    has_substance = counted[elements.close] > counted[elements.open]
    short = table.sum_elements(length) < settings.tables_characters
    return np.asarray((elements.tag == IDS["table"]) & short & ~has_substance)


# --- Hosts of advertisements: the list that ships, and lists in the format of EasyList ---

_OPTION: Final = "(?:third-party|3p|popup|document|doc|all|important)"
"""Options that do not limit a rule to some sites or to requests that no link makes."""
_RULE: Final = re.compile(
    rf"^(@@)?\|\|([a-z0-9_.-]+)\^(?:\${_OPTION}(?:,{_OPTION})*)?[ \t\r]*$", re.MULTILINE
)
_HOST: Final = re.compile(r"\s*(?:https?:)?//(?:[^/?#@\s]*@)?([^/?#:\s]+)", re.IGNORECASE)


@dataclass(frozen=True)
class AdHosts:
    """Hosts of ad servers; a host stands for those below it, too."""

    hosts: frozenset[str]  # in lower case

    def hold(self, url: str | None) -> bool:
        """Does an address as it is written on a page lead to one; relative ones do not.

        >>> AdHosts(frozenset({"ads.example"})).hold("//img.ads.example/1.gif")
        True
        """
        if not url or "//" not in url:
            return False
        match = _HOST.match(url)
        return match is not None and self._holds_host(match[1].lower().rstrip("."))

    def _holds_host(self, host: str) -> bool:
        while host:
            if host in self.hosts:
                return True
            _, _, host = host.partition(".")
        return False


def parse_hosts(text: str) -> frozenset[str]:
    """Hosts of the rules ``||host^`` of a list, less those with an exception ``@@||host^``.

    Of the options only those are known that do not limit a rule to some sites, requests or
    places; other rules, comments and what hides elements are left out.
    """
    rules = _RULE.findall(text)
    allowed = {host for exception, host in rules if exception}
    return frozenset(host for exception, host in rules if not exception and host not in allowed)


def ad_hosts(lists: Iterable[str | Path] = ()) -> AdHosts:
    """The hosts of the shipped list and of further ones.

    Raises:
        ConfigError: a list cannot be read, or holds no such rule.
    """
    shipped = (package_folder("victor.labelers.dom") / "ads.txt").read_text(encoding="utf-8")
    return AdHosts(parse_hosts(shipped).union(*map(_read_hosts, lists)))


def _read_hosts(path: str | Path) -> frozenset[str]:
    try:
        text = Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise ConfigError(f"ads.lists: cannot read {path}: {error.strerror}") from None
    hosts = parse_hosts(text)
    if not hosts:
        raise ConfigError(f"ads.lists: {path} has no rule ||host^; give a list like EasyList")
    return hosts


# --- Alternative texts in place of ignored images ---


def blocks_of(pages: Sequence[bytes], settings: Settings) -> BlockTable:
    """Block table of a batch of pages given as UTF-8 bytes.

    With a switch *Display ALT Links*, alternative texts stand in place of ignored images. Such a
    text lies inside the image element, and all images of such a table have an end tag.
    """
    shown = AltText.BUNDLED if shows_alternatives(settings) else AltText.NONE
    if settings.filters_image_links and settings.filters_alt_for_image_links:
        shown |= AltText.IN_LINKS
    if settings.filters_non_link_images and settings.filters_alt_for_images:
        shown |= AltText.ELSEWHERE
    return read_pages(pages, alt_text=shown, attributes=ATTRIBUTES)


def shows_alternatives(settings: Settings) -> bool:
    """Do alternative texts stand in place of some images."""
    return (settings.filters_non_link_images and settings.filters_alt_for_images) or (
        settings.filters_image_links and settings.filters_alt_for_image_links
    )
