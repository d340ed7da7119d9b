"""When a page was published and changed, and how dates are read, as programs and people write them.

A date is given as ISO 8601: ``2024-03-09``, or with time, and with offset where that is known.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import cache
from itertools import islice, tee
from typing import Final, NamedTuple

from victor.metadata.fields import Sourced, said
from victor.metadata.page_view import PageView
from victor.metadata.texts import any_of, clean, month_forms, word_list

FIRST_YEAR: Final = 1990
_AHEAD: Final = 366  # days that a date may be ahead
_LONGEST: Final = 200  # characters of a value that is only a date
_ISO: Final = re.compile(
    r"(\d{4})-?(\d\d)-?(\d\d)"
    r"(?:[T\s]\s?(\d\d):?(\d\d)(?::?(\d\d)(?:[.,]\d{1,9})?)?"
    r"\s?(?:(Z|UTC|GMT)|([+-])(\d\d):?(\d\d)?)?)?(?![\d:])",
    re.IGNORECASE,
)
_EPOCH: Final = re.compile(r"(\d{10})(?:\d{3})?")
_YEAR_FIRST: Final = re.compile(
    r"(?<!\d)((?:19|20)\d\d)(?:([-/.])\s?(\d{1,2})\2\s?(\d{1,2})(?!\d)"
    r"|\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]"
    r"|\.\s([^\W\d_]{3,12})\s(\d{1,2})\.)"
)
_YEAR_LAST: Final = re.compile(
    r"(?<![\d.,/-])(\d{1,2})(?:([-/.])\s?(\d{1,2})\2\s?((?:19|20)?\d\d)(?![\d:/-]|[.,]\d)"
    r"|(?:st|nd|rd|th|er|º|ª|\.|,)?[\s-]{0,2}(?:(?:de|of)\s{1,2}|d[’'])?([^\W\d_]{3,12})[.,]{0,2}"
    r"[\s-]{0,2}(?:(?:de|del)\s)?((?:19|20)\d\d)(?!\d))",
    re.IGNORECASE,
)
_MONTH_FIRST: Final = re.compile(
    r"(?<![^\W\d_])([^\W\d_]{3,12})\.?\s{0,2}(\d{1,2})(?:st|nd|rd|th)?[,.]{0,2}\s{1,2}((?:19|20)\d\d)(?!\d)",
    re.IGNORECASE,
)
_TIME_WITH_ZONE: Final = re.compile(
    r"\s(\d\d):(\d\d)(?::([0-5]\d))?\s(?:(?:GMT|UTC|Z)(?![A-Z+-])|(?:GMT|UTC)?([+-]\d\d):?(\d\d))"
)
_HAS_YEAR: Final = re.compile(r"(?:19|20)\d\d|\d[./-]\d\d(?!\d)")


def iso(value: str, *, month_first: bool | None = None) -> str | None:
    """A value that is a date, as ISO 8601; None where it is none, or no likely one.

    Args:
        value: text.
        month_first: is 3/4/2024 in March; None where that is not known, then only what is
            unambiguous is a date.
    """
    text = value[:_LONGEST].strip()
    if match := _ISO.match(text):
        return _of_iso(match)
    if match := _EPOCH.fullmatch(text):
        moment = datetime.fromtimestamp(int(match[1]), UTC)
        return moment.isoformat() if _is_likely(moment.date()) else None
    days = days_in(text, month_first=month_first)
    return _with_zone(text) or (days[0].iso if days else None)


def _of_iso(match: re.Match[str]) -> str | None:
    year, number, day = (int(match[group]) for group in (1, 2, 3))
    when = _date(year, number, day)
    if when is None or match[4] is None:
        return when
    hour, minute, second = (int(match[group] or 0) for group in (4, 5, 6))
    if hour > 23 or minute > 59 or second > 60:
        return when
    time = f"{when}T{hour:02}:{minute:02}:{min(second, 59):02}"
    if match[7]:
        return f"{time}+00:00"
    if match[8] and int(match[9]) <= 15 and int(match[10] or 0) <= 59:
        return f"{time}{match[8]}{match[9]}:{match[10] or '00'}"
    return time if hour or minute or second else when


def _with_zone(text: str) -> str | None:
    """``Sat, 09 Mar 2024 10:00:00 +0100`` and ``Mar 09 2024 10:00:00 GMT+0100``."""
    match = _TIME_WITH_ZONE.search(text)
    days = days_in(text[: match.start()]) if match else []
    if not match or not days:
        return None
    hours, minutes = match[4] or "+00", match[5] or "00"
    if int(match[1]) > 23 or int(match[2]) > 59 or abs(int(hours)) > 15 or int(minutes) > 59:
        return days[0].iso
    return f"{days[0].iso}T{match[1]}:{match[2]}:{match[3] or '00'}{hours}:{minutes}"


class Day(NamedTuple):
    """A date in a text: where it begins and ends, and the date as ISO 8601."""

    start: int
    end: int
    iso: str


def days_in(text: str, *, month_first: bool | None = None) -> list[Day]:
    """The dates in a text in their order; see `iso`."""
    if not _HAS_YEAR.search(text):
        return []
    return sorted(_days(text, month_first=month_first))


def _days(text: str, *, month_first: bool | None) -> Iterator[Day]:
    for match in _YEAR_FIRST.finditer(text):
        number = match[3] or match[5] or month(match[7] or "")
        yield from _at(match, match[1], number, match[4] or match[6] or match[8])
    for match in _YEAR_LAST.finditer(text):
        if match[3]:
            yield from _numeric(match, month_first=month_first)
        else:
            yield from _at(match, match[6], month(match[5]), match[1])
    for match in _MONTH_FIRST.finditer(text):
        yield from _at(match, match[3], month(match[1]), match[2])


def _numeric(match: re.Match[str], *, month_first: bool | None) -> Iterator[Day]:
    first, second = int(match[1]), int(match[3])
    year = int(match[4])
    if len(match[4]) == 2:
        if match[2] == "-" or month_first is None:
            return
        year += 2000 if year < 70 else 1900
    if match[2] == "." or first > 12:
        month_first = False
    elif second > 12 or first == second:
        month_first = True
    elif match[2] == "-" and month_first:  # so do programs write the day first
        return
    if month_first is not None:
        number, day = (first, second) if month_first else (second, first)
        yield from _at(match, year, number, day)


def _at(match: re.Match[str], year: str | int, number: str | int, day: str | int) -> Iterator[Day]:
    when = _date(int(year), int(number), int(day))
    if when is not None:
        yield Day(*match.span(), when)


def _date(year: int, number: int, day: int) -> str | None:
    try:
        when = date(year, number, day)
    except (ValueError, OverflowError):
        return None
    return when.isoformat() if _is_likely(when) else None


def _is_likely(when: date) -> bool:
    latest = datetime.now(UTC).date() + timedelta(days=_AHEAD)
    return when.year >= FIRST_YEAR and when <= latest


# --- Dates in threads, where many are not whole ---------------------------------------------------

_NUMERIC: Final = re.compile(
    r"(?<!\d)(?:\d{1,2}\s?[./-]\s?\d{1,2}\s?[./-]\s?(?:\d{4}|\d\d)|(?:19|20)\d\d\s?[./-]\s?\d{1,2}\s?[./-]"
    r"\s?\d{1,2}|(?:19|20)\d\d\s?[年년])(?!\d)"
)
_MONTH_OR_DAY: Final = re.compile(r"(?<!\d)(\d{1,2})\s?[/-]\s?(\d{1,2})\s?[/-]\s?\d\d")
_MONTHS: Final = 12
_CLOCK: Final = re.compile(r"(?<!\d)(?:[01]?\d|2[0-4])[:h][0-5]\d(?!\d)")
_BESIDE_NUMBER: Final = re.compile(
    r"(?<!\d)\d{1,4}(?:st|nd|rd|th|\.)?\s([^\W\d_]{3,14}+)(?!\w)|(?<!\w)([^\W\d_]{3,14}+)\.?\s\d{1,4}(?!\d)"
)
_DIGIT: Final = re.compile(r"\d")
_PART_WORDS: Final = 7  # words around a month or time without a whole date


def has_digit(text: str) -> bool:
    """Is some character of a text a digit, of whatever script."""
    return _DIGIT.search(text) is not None or (not text.isascii() and any(map(str.isdigit, text)))


def is_date(text: str) -> bool:
    """Is a short text a date, or part of one with a month or a time of the day."""
    if not has_digit(text) or says_other_date(text):
        return False
    if _NUMERIC.search(text) or days_in(text, month_first=True):
        return True
    if len(text.split()) > _PART_WORDS:
        return False
    months = (month(match[1] or match[2]) for match in _BESIDE_NUMBER.finditer(text))
    return _CLOCK.search(text) is not None or any(months)


def says_other_date(text: str) -> bool:
    """Does a text begin with what names another date than that of a post: ``Joined``."""
    return text.lower().startswith(_other_dates())


@cache
def _other_dates() -> tuple[str, ...]:
    return tuple(word_list("other_dates"))


def month_first_of(texts: Sequence[str]) -> bool | None:
    """Is 3/4/2024 in March, by other dates of the same page; None where these do not tell."""
    matches = [match for text in texts if (match := _MONTH_OR_DAY.search(text))]
    if any(int(match[2]) > _MONTHS for match in matches):
        return True
    return False if any(int(match[1]) > _MONTHS for match in matches) else None


def month_first_in(language: str | None) -> bool | None:
    """Is 3/4/2024 in March, by the declared language; None where there is none."""
    code = (language or "").lower().replace("_", "-")
    return code in ("en", "en-us") if code else None


# --- Months ---------------------------------------------------------------------------------------


def month(name: str) -> int:
    """Number of a month by its name or short name in any of many languages, else 0."""
    return _month_numbers().get(_plain(name), 0)


@cache
def _month_numbers() -> dict[str, int]:
    numbers: dict[str, int] = {}
    for names in month_forms():
        for number, forms in enumerate(names, 1):
            for form in forms.split("/"):
                numbers.setdefault(_plain(form), number)
    return numbers


def _plain(name: str) -> str:
    decomposed = unicodedata.normalize("NFD", name.casefold())
    return "".join(each for each in decomposed if not unicodedata.combining(each))


# --- Dates of pages -------------------------------------------------------------------------------

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
_ON: Final = r"(?:\s(?:on|am|le|el|il|op|dne))?\s?:?\s?(?=\S)"
_LABEL: Final = re.compile(rf"(?:{any_of('published_labels')}){_ON}", re.IGNORECASE)
_LABEL_OF_CHANGE: Final = re.compile(rf"(?:{any_of('changed_labels')}){_ON}", re.IGNORECASE)
_BEFORE, _AFTER = 8, 25  # blocks around the headline that may name a date
_LONGEST_ALONE: Final = 100  # characters of a text that names a date rather than being about it
_MOST: Final = 200
_IN_ADDRESS: Final = re.compile(r"/((?:19|20)\d\d)[/-]?(\d\d)[/-]?(\d\d)(?=[/_.-]|\d{0,2}$|$)")


def dates(view: PageView) -> tuple[Sourced | None, Sourced | None]:
    """When the page was published and when it was last changed, and how that is known."""
    near = tee(_near_dates(view))  # read where needed
    return next(_published(view, near[0]), None), next(_modified(view, near[1]), None)


def _published(view: PageView, near: Iterable[tuple[Sourced, bool]]) -> Iterator[Sourced]:
    yield from _declared(view, "published")
    yield from _of_times(view, _near(view), changed=False)
    yield from _of_address(view)
    yield from (dated for dated, is_change in near if not is_change)
    yield from _labelled_anywhere(view, _LABEL)
    yield from _named_anywhere(view)
    after_headline = range(view.headline_block, view.n_blocks + 1)
    yield from _of_times(view, after_headline, changed=False)


def _modified(view: PageView, near: Iterable[tuple[Sourced, bool]]) -> Iterator[Sourced]:
    yield from _declared(view, "modified")
    yield from _of_times(view, _near(view), changed=True)
    yield from (dated for dated, is_change in near if is_change)
    yield from _labelled_anywhere(view, _LABEL_OF_CHANGE)


def _declared(view: PageView, field: str) -> Iterator[Sourced]:
    for source, texts in said(view, field):
        month_first = None if source == "json-ld" else month_first_in(view.head.language)
        for text in islice(texts, _MOST):
            if when := iso(text, month_first=month_first):
                yield when, source


def _of_times(view: PageView, blocks: range, *, changed: bool) -> Iterator[Sourced]:
    times = view.times
    for element in view.of_page(sorted(times))[:_MOST]:
        block = view.block_of_element(element)
        is_wanted = block in blocks and _is_changed(view, element, block) == changed
        if is_wanted and (when := iso(times[element])):
            yield when, "time"


def _of_address(view: PageView) -> Iterator[Sourced]:
    for address in (view.url, view.head.canonical, view.meta("og:url")):
        match = _IN_ADDRESS.search(address[:2000]) if address else None
        if match and (when := iso("-".join(match.groups()))):
            yield when, "url"


def _near_dates(view: PageView) -> Iterator[tuple[Sourced, bool]]:
    """Dates in elements that are named so, then in short texts, all near the headline."""
    blocks, named = _near(view), view.of_page(view.named("dated"))
    near = [element for element in named if view.block_of_element(element) in blocks]
    for element in near[:_MOST]:
        of_change = _is_named_changed(view, element)
        for when, is_change in _dates_in(view, view.text_of_element(element)):
            yield (when, "byline"), is_change or of_change
    for _, text in view.dated_texts(_LONGEST_ALONE, blocks.start, blocks.stop):
        for when, is_change in _dates_in(view, text):
            yield (when, "text"), is_change


def _labelled_anywhere(view: PageView, label: re.Pattern[str]) -> Iterator[Sourced]:
    for _, text in view.labelled(label, view.dated, _LONGEST):
        for when, is_change in _dates_in(view, text):
            if not is_change:
                yield when, "text"


def _named_anywhere(view: PageView) -> Iterator[Sourced]:
    for element in view.of_page(view.named("published"))[:_MOST]:
        for when, is_change in _dates_in(view, view.text_of_element(element)):
            if not is_change:
                yield when, "byline"


def _dates_in(view: PageView, text: str) -> Iterator[tuple[str, bool]]:
    """Dates in a short text, and is each that of a change."""
    text = clean(text) if len(text) <= _LONGEST else ""
    last = 0
    for day in days_in(text, month_first=month_first_in(view.head.language)):
        yield day.iso, _tells_change(text[last : day.start])
        last = day.end


def _tells_change(before: str) -> bool:
    """Does a text say that the date after it is that of a change."""
    return _CHANGED.search(_DIGIT.split(before[-_BEFORE_CHANGE:])[-1]) is not None


def _is_changed(view: PageView, element: int, block: int) -> bool:
    """Is a time that of a change, by its name or by what stands before it."""
    if _is_named_changed(view, element):
        return True
    inside = view.text_of_element(element)
    before = view.text(block).partition(inside)[0][-60:] if inside else ""
    if before.strip() or not block:
        return _tells_change(before)
    above = view.text(block - 1)
    return len(above) <= 40 and _tells_change(above)


def _is_named_changed(view: PageView, element: int) -> bool:
    """Is an element, or the one around it, named as the date of a change."""
    around = view.parents[element]
    return any(view.is_named(each, "changed") for each in (element, around))


def _near(view: PageView) -> range:
    headline = view.headline_block
    return range(max(headline - _BEFORE, 0), min(max(headline, 0) + _AFTER, view.n_blocks))
