"""Which of a list of regular expressions a block's text matches (Victor 2008: regexp.*)."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

import numpy as np
import regex

from victor.base.errors import ConfigError
from victor.features.base import Column, ColumnValues, Feature, Measure
from victor.page.table.blocks import BlockTable
from victor.page.table.texts import block_texts

Expressions = Mapping[str, Sequence[str]]

_MONTH: Final = (
    "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|"  # English and what shares its names
    "led|úno|bře|dub|kvě|čer|srp|zář|říj|lis|pro|máj|okt|dez|mai|mär|"
    "sty|lut|kwi|maj|cze|lip|sie|wrz|paź|gru|janv|fév|avr|juin|juil|aoû|déc|"
    "ene|abr|ago|dic|gen|mag|giu|lug|set|ott|fev|out|mrt|mei|ian|iun|iul|noi|"
    "ápr|jún|júl|szep|avg|sij|velj|ožu|tra|svi|kol|ruj|stu|"
    "янв|фев|мар|апр|мая|июн|июл|авг|сен|окт|ноя|дек|"
    "січ|лют|бер|кві|тра|чер|лип|сер|вер|жов|лис|гру)"
)
_DAY: Final = r"[0-3]?\d(?:\.|st|nd|rd|th|º|er)?"
_YEAR: Final = r"[12]\d{3}"

DEFAULT: Final[Expressions] = {
    "url": (
        r"\bhttps?://",
        r"\bwww\.[a-z0-9]",
        r"(?<=[a-z0-9])\.(?:com|net|org|edu|gov|info|eu|uk|de|fr|nl|pl|cz|sk|hu|ru|ua|ch)\b",
    ),
    "date": (
        rf"\b{_MONTH}\w{{0,9}}\.?\s{_DAY},?\s{_YEAR}\b",
        rf"\b{_DAY}\s(?:of\s|de\s)?{_MONTH}\w{{0,9}}\.?,?\s(?:de\s)?{_YEAR}\b",
        rf"\b{_YEAR}([-/.]|年\s?)[01]?\d(?:\1|月\s?)[0-3]?\d(?!\d)",
        rf"\b[0-3]?\d([-/.])\s?[0-3]?\d\1\s?{_YEAR}\b",
        r"\b[0-3]?\d([-/.])\s?[0-3]?\d\1\s?\d\d\b",
        r"\b(?:19|20)\d\d\b",
    ),
    "time": (
        r"\b[012]?\d(?:[:.][0-5]\d)?\s?(?:am|pm|a\.m|p\.m)\b",
        r"\b[012]?\d:[0-5]\d(?::[0-5]\d)?\b",
        r"\b[012]?\d(?:[:.][0-5]\d)?\s?(?:h|hod|uhr)\b",
        r"\b[012]?\dh[0-5]\d\b",
    ),
}
"""What blocks are searched for unless a configuration says otherwise; case does not matter."""

_CZECH_MONTH: Final = (
    "(?:leden|ledn[au]|únoru?|února|březen|březn[au]|duben|dubn[au]|květen|květn[au]|červen|"
    "červn[au]|červenec|červenc[ei]|srpen|srpn[au]|září|říjen|říjn[au]|listopadu?|"
    "prosinec|prosinc[ei])"
)
_CZECH_WEEKDAY: Final = (
    "(?:pondělí|úterý|střed[auy]|čtvrt(?:ek|ka|ku)|pátek|pátku|sobot[auy]|neděl[eií]|"
    "po|út|st|čt|pá|so|ne)"
)
_CZECH_DAY: Final = r"(?:0?[1-9]|[12]\d|3[01])\."
_CZECH_MONTH_NUMBER: Final = r"(?:0?[1-9]|1[0-2])\."

CZECH: Final[Expressions] = {
    "url": DEFAULT["url"],
    "date": (
        rf"\b{_CZECH_WEEKDAY}[.,]{{0,2}}\s{_CZECH_DAY}\s?(?:{_CZECH_MONTH}\b|{_CZECH_MONTH_NUMBER})",
        rf"\b{_CZECH_DAY}\s?{_CZECH_MONTH},?\s{_YEAR}\b",
        rf"\b{_CZECH_DAY}\s?{_CZECH_MONTH}\b",
        rf"(?<![\d.]){_CZECH_DAY}\s?{_CZECH_MONTH_NUMBER}\s?{_YEAR}\b|\b{_YEAR}-[01]\d-[0-3]\d(?!\d)",
        rf"(?<![\d.]){_CZECH_DAY}\s?{_CZECH_MONTH_NUMBER}(?![\w.])(?!\s\d)",
        rf"\b{_CZECH_MONTH}\s(?:19|20)\d\d\b|\b(?:19|20)\d\d\b",
    ),
    "time": (
        r"\b(?:[01]?\d|2[0-4])[:.][0-5]\d\s?(?:h|hod|hodin[auy]?)\b",
        r"\b(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d)?\b",
        r"\b(?:[01]?\d|2[0-4])\s?(?:h|hod|hodin[auy]?)\b",
    ),
}
"""Those for Czech pages: as many dates as `DEFAULT`; a day and a month without a year are one."""
BY_LANGUAGE: Final[Mapping[str, Expressions]] = {"cs": CZECH}

_Search = Callable[..., object]
_log: Final = logging.getLogger(__name__)


def build(
    *, timeout: float = 0.1, language: str | None = None, **expressions: Sequence[str]
) -> Feature:
    """For each name a column ``regexp.NAME``: the number of its first expression found in a block.

    Args:
        timeout: seconds that one expression may take on one block. On a page where it takes
            longer, this block and those after it do not match it; a warning is logged.
        language: ``cs`` for dates, times and addresses as Czech pages write them; None for those
            of many languages.
        expressions: a list of expressions per name, in the syntax of the `regex` package and
            regardless of case; a name of `DEFAULT` is replaced, and dropped by an empty list.

    Raises:
        ConfigError: an expression is malformed, the time limit is not a positive number, or there
            are no expressions for the language.

    >>> from victor.page.table.segment import parse_pages
    >>> table = parse_pages([b"<p>5. 11. 2024<p>In 1999, at 9:30<p>www.example.org"], "tag")
    >>> values = build(price=["[$] ?[0-9]", "[0-9] ?EUR"])(table)
    >>> values["regexp.date"], values["regexp.time"], values["regexp.url"]
    (array([4, 6, 0]), array([0, 2, 0]), array([0, 0, 2]))
    >>> build(date=["(20"])
    Traceback (most recent call last):
    victor.base.errors.ConfigError: regexps: date: '(20' is malformed: missing ) at position 3
    """
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not timeout > 0:
        raise ConfigError(f"regexps: timeout is a number of seconds above 0, got {timeout!r}")
    if language is not None and language not in BY_LANGUAGE:
        known = ", ".join(BY_LANGUAGE)
        raise ConfigError(f"regexps: language: want one of {known}, or leave it, got {language!r}")
    searches = {}
    shipped = DEFAULT if language is None else BY_LANGUAGE[language]
    for name, entry in {**shipped, **expressions}.items():
        texts = _listed(name, entry)
        if texts:
            searches[f"regexp.{name}"] = [_compiled(name, text) for text in texts]
    columns = tuple(
        Column(
            name, "category", f"number of the first of {len(tried)} expressions found, 0 if none"
        )
        for name, tried in searches.items()
    )
    return Measure(columns, partial(_compute, searches=searches, timeout=timeout))


def _listed(name: str, expressions: object) -> tuple[str, ...]:
    """The expressions of one name, if they are a list of strings."""
    if isinstance(expressions, list | tuple) and all(isinstance(e, str) for e in expressions):
        return tuple(expressions)
    raise ConfigError(f"regexps: {name}: want a list of expressions, got {expressions!r}")


def _compiled(name: str, expression: str) -> _Search:
    try:
        search: _Search = regex.compile(expression, regex.IGNORECASE).search
    except regex.error as error:
        raise ConfigError(f"regexps: {name}: {expression!r} is malformed: {error}") from None
    return search


def _compute(
    table: BlockTable, *, searches: Mapping[str, Sequence[_Search]], timeout: float
) -> Mapping[str, ColumnValues]:
    texts, pages = block_texts(table), table.page.tolist()
    values = {name: np.zeros(len(table), dtype=np.int64) for name in searches}
    for name, expressions in searches.items():
        for number, expression in enumerate(expressions, 1):
            search = partial(expression, timeout=timeout)
            blocks = np.flatnonzero(values[name] == 0).tolist()
            values[name][_matching(search, texts, blocks, pages, name)] = number
    return values


def _matching(
    search: _Search, texts: Sequence[str], blocks: Sequence[int], pages: Sequence[int], name: str
) -> list[int]:
    """Those of some blocks where a search succeeds; a page on which it runs out of time is left."""
    matching, left = [], -1
    for block in blocks:
        if pages[block] == left:
            continue
        try:
            if search(texts[block]):
                matching.append(block)
        except TimeoutError:
            _log.warning("%s: an expression ran out of time; left the rest of its page", name)
            left = pages[block]
    return matching
