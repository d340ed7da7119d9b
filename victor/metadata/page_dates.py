"""When a page was published and when it was changed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import tee
from typing import Final

from victor.metadata.dates import days_in, iso, month_first_in
from victor.metadata.element_names import DATE, SURE_DATE
from victor.metadata.page_view import PageView, by_name
from victor.metadata.texts import clean

Dated = tuple[str, str]
"""A date and its source."""

_PUBLISHED_LD: Final = ("datePublished", "dateCreated", "uploadDate", "datePosted")
_MODIFIED_LD: Final = ("dateModified",)
_PUBLISHED: Final = by_name(
    "open-graph: article:published_time og:article:published_time og:published_time "
    "og:article:published book:release_date video:release_date "
    "microdata: datepublished datecreated uploaddate "
    "meta: citation_publication_date citation_date citation_online_date parsely-pub-date "
    "sailthru.date "
    "dublin-core: dc.date.issued dcterms.issued dc.date.created dcterms.created dc.date "
    "dcterms.date dc.issued dc.created "
    "meta: pubdate pub_date publish-date publish_date publishdate published-date published_date "
    "published publication_date publication-date article.published article.created "
    "article_date_original article:published article:created_time originalpublicationdate "
    "rnews:datepublished cxenseparse:recs:publishtime cxenseparse:publishtime ptime displaydate "
    "release_date ms.date created creation_date date_published date"
)
"""Names of meta elements that say when a page was published, the surest first."""
_MODIFIED: Final = by_name(
    "open-graph: article:modified_time og:article:modified_time og:updated_time article:modified "
    "microdata: datemodified "
    "dublin-core: dc.date.modified dcterms.modified dc.modified "
    "meta: article.updated modified lastmod last-modified last_modified revised modified_time "
    "updated_time date_modified utime"
)
"""The same of its last change."""
_PUBLISHED_PROPERTY: Final = re.compile(r"datePublished|dateCreated|uploadDate", re.IGNORECASE)
_MODIFIED_PROPERTY: Final = re.compile(r"dateModified", re.IGNORECASE)
_CHANGED_NAME: Final = re.compile(r"updat|modif|chang|aktualis|revis", re.IGNORECASE)
_CHANGED: Final = re.compile(
    r"(?:updat|modif|revis|edited|chang|review|aktuali[sz]|stand|geändert|mis(?:e)?\s(?:à|a)\sjour|"
    r"modifi|actualiz|aggiornat|bijgewerkt|gewijzigd|zmodyfik|обновл|изменен|оновлен|atualiz|"
    r"uppdater|opdater|oppdater|päivite|frissít|güncell|joined|member since|copyright|©|expires|"
    r"deadline|event|registered)",
    re.IGNORECASE,
)
"""What stands before the date of a change."""
_BEFORE_CHANGE: Final = 56
"""Characters before a date in which such a word may stand, behind the last digit."""
_DIGIT: Final = re.compile(r"\d")
_LABEL: Final = re.compile(
    r"(?:first\s)?(?:published|posted|publication date|date published|release date|veröffentlicht|"
    r"erschienen|publié|publicado|pubblicato|geplaatst|gepubliceerd|opublikowan[oey]|publikováno|"
    r"zveřejněno|опубликован[оа]|publicerad|publisert|offentliggjort)(?:\s(?:on|am|le|el|il|op|dne))?"
    r"\s?:?\s?(?=\S)",
    re.IGNORECASE,
)
_LABEL_OF_CHANGE: Final = re.compile(
    r"(?:(?:this\s)?(?:page|article|content|post)\s(?:was\s)?)?(?:last\s)?(?:updated|modified|"
    r"revised|changed|edited|reviewed|aktualisiert|geändert|stand|mis à jour|actualizado|"
    r"dernière mise à jour|"
    r"última actualización|aggiornato|ultimo aggiornamento|bijgewerkt|laatst bijgewerkt|"
    r"aktualizováno|naposledy změněno|zaktualizowano|обновлено)(?:\s(?:on|am|le|el|il|op|dne))?"
    r"\s?:?\s?(?=\S)",
    re.IGNORECASE,
)
_BEFORE, _AFTER = 8, 25
"""Blocks around the headline that may name a date."""
_LONGEST: Final = 200
_LONGEST_ALONE: Final = 100
"""Characters of a text that names a date rather than being about it."""
_MOST: Final = 200
_IN_ADDRESS: Final = re.compile(r"/((?:19|20)\d\d)[/-]?(\d\d)[/-]?(\d\d)(?=[/_.-]|\d{0,2}$|$)")


def dates(view: PageView) -> tuple[Dated | None, Dated | None]:
    """When the page was published and when it was last changed, and how that is known."""
    near, short = tee(_near_dates(view)), tee(view.dated_texts(_LONGEST))  # read where needed
    published = next(_published(view, near[0], short[0]), None)
    return published, next(_modified(view, near[1], short[1]), None)


def _published(
    view: PageView, near: Iterable[tuple[Dated, bool]], short: Iterable[tuple[int, str]]
) -> Iterator[Dated]:
    yield from _of_json_ld(view, _PUBLISHED_LD)
    yield from _of_metas(view, _PUBLISHED)
    yield from _of_microdata(view, _PUBLISHED_PROPERTY)
    yield from _of_times(view, _near(view), changed=False)
    yield from _of_address(view)
    yield from (dated for dated, is_change in near if not is_change)
    yield from _labelled_anywhere(view, short, changed=False)
    after_headline = range(view.headline_block, view.n_blocks + 1)
    yield from _of_times(view, after_headline, changed=False)


def _modified(
    view: PageView, near: Iterable[tuple[Dated, bool]], short: Iterable[tuple[int, str]]
) -> Iterator[Dated]:
    yield from _of_json_ld(view, _MODIFIED_LD)
    yield from _of_metas(view, _MODIFIED)
    yield from _of_microdata(view, _MODIFIED_PROPERTY)
    yield from _of_times(view, _near(view), changed=True)
    yield from (dated for dated, is_change in near if is_change)
    yield from _labelled_anywhere(view, short, changed=True)


def _of_json_ld(view: PageView, keys: tuple[str, ...]) -> Iterator[Dated]:
    for node in view.things:
        for key in keys:
            if when := iso(view.graph.text(node.get(key))):
                yield when, "json-ld"


def _of_metas(view: PageView, names: dict[str, str]) -> Iterator[Dated]:
    for name, source in names.items():
        for content in view.metas.get(name, ())[:_MOST]:
            if when := iso(content, month_first=_month_first(view)):
                yield when, source


def _of_microdata(view: PageView, named: re.Pattern[str]) -> Iterator[Dated]:
    for element in view.of_page(view.with_property(named))[:_MOST]:
        times = view.times
        when = next((iso(times[each]) for each in view.inside(element, times)), None)
        when = when or iso(view.text_of_element(element), month_first=_month_first(view))
        if when:
            yield when, "microdata"


def _of_times(view: PageView, blocks: range, *, changed: bool) -> Iterator[Dated]:
    """Times in some blocks."""
    times = view.times
    for element in view.of_page(sorted(times))[:_MOST]:
        block = view.block_of_element(element)
        is_wanted = block in blocks and _is_changed(view, element, block) == changed
        if is_wanted and (when := iso(times[element])):
            yield when, "time"


def _of_address(view: PageView) -> Iterator[Dated]:
    for address in (view.url, view.head.canonical, view.meta("og:url")):
        match = _IN_ADDRESS.search(address[:2000]) if address else None
        if match and (when := iso("-".join(match.groups()))):
            yield when, "url"


def _near_dates(view: PageView) -> Iterator[tuple[Dated, bool]]:
    """Dates in elements that are named so, then in short texts, all near the headline."""
    blocks, named = _near(view), view.of_page(view.named(DATE))
    near = [element for element in named if view.block_of_element(element) in blocks]
    for element in filter(view.may_have_date, near[:_MOST]):
        of_change = _CHANGED_NAME.search(_names(view, element)) is not None
        for when, is_change in _days(view, view.text_of_element(element)):
            yield (when, "byline"), is_change or of_change
    for block, text in view.dated_texts(_LONGEST_ALONE, blocks.start, blocks.stop):
        for when, is_change in _days(view, text) if view.is_own(block) else ():
            yield (when, "text"), is_change


def _labelled_anywhere(
    view: PageView, short: Iterable[tuple[int, str]], *, changed: bool
) -> Iterator[Dated]:
    """Dates anywhere that a text or a name calls those of the publication, or of a change."""
    label = _LABEL_OF_CHANGE if changed else _LABEL
    for block, text in short:
        if (match := label.match(text)) and view.is_own(block):
            for when, is_change in _days(view, text[match.end() :]):
                if not is_change:
                    yield when, "text"
    named = () if changed else view.of_page(view.named(SURE_DATE))[:_MOST]
    for element in filter(view.may_have_date, named):
        for when, is_change in _days(view, view.text_of_element(element)):
            if not is_change:
                yield when, "byline"


def _days(view: PageView, text: str) -> Iterator[tuple[str, bool]]:
    """Dates in a short text, and is each that of a change."""
    text = clean(text) if len(text) <= _LONGEST else ""
    last = 0
    for day in days_in(text, month_first=_month_first(view)):
        yield day.iso, _tells_change(text[last : day.start])
        last = day.end


def _tells_change(before: str) -> bool:
    """Does a text say that the date after it is that of a change."""
    return _CHANGED.search(_DIGIT.split(before[-_BEFORE_CHANGE:])[-1]) is not None


def _is_changed(view: PageView, element: int, block: int) -> bool:
    """Is a time that of a change, by its name or by what stands before it."""
    if _CHANGED_NAME.search(_names(view, element)):
        return True
    inside = view.text_of_element(element)
    before = view.text(block).partition(inside)[0][-60:] if inside else ""
    if before.strip() or not block:
        return _tells_change(before)
    above = view.text(block - 1)
    return len(above) <= 40 and _tells_change(above)


def _names(view: PageView, element: int) -> str:
    """Class and id of an element and of the one around it."""
    names = view.batch.names
    rows = [int(names.bundle[each]) for each in (element, view.batch.parents[element])]
    return " ".join(
        names.value(name, row)[:200] for row in rows for name in ("class", "id", "itemprop")
    )


def _near(view: PageView) -> range:
    """The blocks near the headline."""
    headline = view.headline_block
    return range(max(headline - _BEFORE, 0), min(max(headline, 0) + _AFTER, view.n_blocks))


def _month_first(view: PageView) -> bool | None:
    """Is the month first in dates of numbers, as in America."""
    is_first = month_first_in(view.head.language)
    return False if is_first and view.host.endswith((".uk", ".au", ".in")) else is_first
