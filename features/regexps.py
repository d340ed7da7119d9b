"""Which of a list of regular expressions a block's text matches (Victor 2008: regexp.*)."""

from __future__ import annotations

import logging
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Final

import numpy as np
import regex
from numpy.typing import NDArray

from victor.base.arrays import Bools, Ints
from victor.base.cached import cached_property
from victor.base.errors import ConfigError
from victor.features.base import Column, ColumnValues, Feature, Measure
from victor.page.parsing import characters as ch
from victor.page.table.blocks import BlockTable
from victor.page.table.texts import text_of

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

_WEEKDAY: Final = r"\b(?:mon|tue|wed|thu|fri|sat|sun)\s+"
_PAIR: Final = r"\d{1,2}.\s?\d{1,2}"

ORIGINAL: Final[Expressions] = {
    "url": (r"\bhttp://", r"\bwww\.[a-zA-Z0-9]", r"(?<=[a-zA-Z0-9])\.(com|net|org)\b"),
    "date": (
        rf"{_WEEKDAY}{_PAIR}.\s?\d{{4}}\b",
        rf"\b{_PAIR}.\s?[12]\d{{3}}\b",
        rf"{_WEEKDAY}{_PAIR}.\s?\d\d\b",
        rf"\b{_PAIR}.\s?\d\d\b",
        rf"{_WEEKDAY}{_PAIR}\b",
        rf"\b{_PAIR}\b",
    ),
    "time": (r"\b\d{1,2}:\d\d\s+(am|pm)\b", r"\b\d{1,2}:\d\d\b"),
}
"""Those of configs/victor2007.yaml. Its dates take any number of three digits for one."""

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
_Places = Callable[["_Batch"], Ints]
_Traits = NDArray[np.uint8]
_SHORT: Final = 10_000
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
            searches[f"regexp.{name}"] = [
                _Expression(_compiled(name, text), _PLACES.get(text)) for text in texts
            ]
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
    table: BlockTable,
    *,
    searches: Mapping[str, Sequence[_Expression]],
    timeout: float,
) -> Mapping[str, ColumnValues]:
    batch = _Batch(table)
    values: dict[str, ColumnValues] = {}
    for name, expressions in searches.items():
        codes = np.zeros(len(table), dtype=np.int64)
        for number, expression in enumerate(expressions, 1):
            candidates = np.flatnonzero((codes == 0) & batch.candidates(expression.places))
            codes[batch.matches(candidates, partial(expression, timeout=timeout), name)] = number
        values[name] = codes
    return values


@dataclass(frozen=True, slots=True)
class _Expression:
    """A compiled expression; `places` is the rule for where a known one can match."""

    search: _Search
    places: _Places | None

    def __call__(self, text: str, *, timeout: float) -> bool:
        """Whether it is found in a text.

        Known expressions take time in proportion to the text, so that on a short one it would
        only cost time to watch the clock.

        Raises:
            TimeoutError: it takes more seconds than allowed.
        """
        if self.places is not None and len(text) <= _SHORT:
            return self.search(text) is not None
        return self.search(text, timeout=timeout) is not None


class _Batch:
    """The blocks of a table as strings and where a match can be; each is made when asked for."""

    def __init__(self, table: BlockTable) -> None:
        self.table = table
        self._texts: dict[int, str] = {}
        self._candidates: dict[_Places | None, Bools] = {}

    def text(self, block: int) -> str:
        """Text of one block."""
        if block not in self._texts:
            span = slice(self.table.start[block], self.table.end[block])
            self._texts[block] = text_of(self.table.chars[span])
        return self._texts[block]

    def candidates(self, places: _Places | None) -> Bools:
        """(n,) blocks that hold one of the places; all blocks without a rule for places."""
        if places not in self._candidates:
            marked = np.full(len(self.table), places is None)
            if places is not None and len(marked):
                owner = np.searchsorted(self.table.start, places(self), side="right") - 1
                marked[owner] = True
            self._candidates[places] = marked
        return self._candidates[places]

    def matches(self, candidates: Ints, search: Callable[[str], bool], name: str) -> list[int]:
        """The candidates where a search succeeds; a page on which it runs out of time is left."""
        matching, left = [], -1
        pages = self.table.page[candidates]
        for block, page in zip(candidates.tolist(), pages.tolist(), strict=True):
            if page == left:
                continue
            try:
                if search(self.text(block)):
                    matching.append(block)
            except TimeoutError:
                _log.warning("%s: an expression ran out of time; left the rest of its page", name)
                left = page
        return matching

    def traits(self, places: Ints) -> _Traits:
        """Traits of the characters at places, of which some may lie just outside the text."""
        chars = self.table.chars.take(places, mode="clip")
        return _traits().take(np.minimum(chars, _BEYOND))

    def pairs(self, places: Ints, letters: str) -> Bools:
        """Whether one of the known pairs of letters stands at places, regardless of case."""
        first = np.minimum(self.table.chars.take(places, mode="clip"), _BEYOND)
        second = np.minimum(self.table.chars.take(places + 1, mode="clip"), _BEYOND)
        return _pairs(letters)[first, second]

    @cached_property
    def starts(self) -> Bools:
        """(N + 1,) whether a block begins at a place, or the text ends."""
        starts = np.zeros(len(self.table.chars) + 1, dtype=bool)
        starts[self.table.start] = starts[-1] = True
        return starts

    @cached_property
    def digits(self) -> Ints:
        """Places of digits of any script, ascending."""
        chars = self.table.chars
        ascii_digits = np.flatnonzero((chars - np.uint32(ord("0"))) < 10)
        beyond = np.flatnonzero(chars >= _BEYOND)
        numerals = beyond[ch.class_table()[chars[beyond]] == ch.OTHER_WORD]
        return np.sort(np.append(ascii_digits, numerals)) if len(numerals) else ascii_digits

    @cached_property
    def after_digits(self) -> tuple[_Traits, ...]:
        """(D,) traits of the first, the second and the third character after every digit."""
        return tuple(self.traits(self.digits + offset) for offset in (1, 2, 3))

    def digit_at(self, *offsets: int) -> Bools:
        """(D,) whether a digit stands at one of the offsets from each digit."""
        result = np.zeros(len(self.digits), dtype=bool)
        for offset in offsets:
            result |= self._is_digit[self.digits + (_REACH + offset)]
        return result

    @cached_property
    def _is_digit(self) -> Bools:
        """Whether each character is a digit, with room on both sides."""
        is_digit = np.zeros(len(self.table.chars) + 2 * _REACH, dtype=bool)
        is_digit[self.digits + _REACH] = True
        return is_digit

    @cached_property
    def years(self) -> Ints:
        """The first of four digits in a row, a 1 or 2, with no letter or digit after the four."""
        first: Ints = self.digits[:-3][self.digits[3:] - self.digits[:-3] == 3]
        ends: Bools = ~_is_word(self.traits(first + 4)) | self.starts[first + 4]
        return first[ends & (self.traits(first) & _ONE_TWO > 0)]

    @cached_property
    def dots(self) -> Ints:
        """Places of full stops."""
        return np.flatnonzero(self.table.chars == ord("."))

    @cached_property
    def colons(self) -> Ints:
        """Places of colons."""
        return np.flatnonzero(self.table.chars == ord(":"))


# The known expressions can match only around certain characters, which are cheap to find in all
# blocks at once. A rule may find too many places, but it must not miss one; characters beyond
# ASCII hence have all traits. Expressions without a rule are searched in every block.

_BEYOND: Final = 0x7F
_SPACE, _DIGIT, _ONE_TWO, _LETTER, _SEPARATOR = 1, 2, 4, 8, 16
_HALF, _HALF_END, _HOUR = 32, 64, 128
_ALL: Final = 255
_REACH: Final = 8


@cache
def _traits() -> _Traits:
    """Traits of the ASCII characters and, as the last, of all others."""
    members = {
        _SPACE: string.whitespace + "\x1c\x1d\x1e\x1f",
        _DIGIT: string.digits,
        _ONE_TWO: "12",
        _LETTER: string.ascii_letters,
        _SEPARATOR: "-/.",
        _HALF: "apAP",
        _HALF_END: "mM.",
        _HOUR: "huHU",
    }
    traits = np.zeros(_BEYOND + 1, dtype=np.uint8)
    for trait, characters in members.items():
        traits[[ord(c) for c in characters]] |= trait
    traits[_BEYOND] = _ALL
    return traits


@cache
def _pairs(letters: str) -> Bools:
    """Table of the known pairs of lower-case letters, with those of upper-case letters."""
    pairs = np.zeros((_BEYOND + 1, _BEYOND + 1), dtype=bool)
    for pair in letters.split():
        pairs[np.ix_(*([ord(letter), ord(letter.upper())] for letter in pair))] = True
    pairs[_BEYOND] = pairs[:, _BEYOND] = True
    return pairs


def _is_word(traits: _Traits) -> Bools:
    """Whether a character is certainly an ASCII letter or digit."""
    sure: Bools = (traits & (_LETTER | _DIGIT) > 0) & (traits < _ALL)
    return sure


def _schemes(batch: _Batch) -> Ints:
    """Colons before a slash."""
    return batch.colons[batch.traits(batch.colons + 1) & _SEPARATOR > 0]


def _www(batch: _Batch) -> Ints:
    """Dots after ww."""
    return batch.dots[batch.pairs(batch.dots - 2, "ww")]


def _hosts(batch: _Batch) -> Ints:
    """Dots after a letter or digit and before what begins a known top-level domain."""
    dots = batch.dots[batch.traits(batch.dots - 1) & (_LETTER | _DIGIT) > 0]
    return dots[batch.pairs(dots + 1, "co ne or ed go in eu uk de fr nl pl cz sk hu ru ua ch")]


def _years_alone(batch: _Batch) -> Ints:
    """Years with no letter or digit before them."""
    free = ~_is_word(batch.traits(batch.years - 1)) | batch.starts[batch.years]
    return batch.years[free]


def _years_before_months(batch: _Batch) -> Ints:
    """Years before a separator."""
    return batch.years[batch.traits(batch.years + 4) & _SEPARATOR > 0]


def _years_after_months(batch: _Batch) -> Ints:
    """Years after a separator, white space between allowed."""
    before, earlier = batch.traits(batch.years - 1), batch.traits(batch.years - 2)
    spaced = (before & _SPACE > 0) & (earlier & _SEPARATOR > 0)
    return batch.years[spaced | (before & _SEPARATOR > 0)]


def _years_after(batch: _Batch, reach: int) -> Ints:
    """Years with a digit at most so many characters before them."""
    index = np.searchsorted(batch.digits, batch.years)
    before = batch.digits.take(index - 1, mode="clip")
    return batch.years[(index > 0) & (batch.years - before <= reach)]


_years_after_pairs: Final = partial(_years_after, reach=3)
_years_after_days: Final = partial(_years_after, reach=6)
_years_after_names: Final = partial(_years_after, reach=32)


def _separated(batch: _Batch) -> Ints:
    """Digits before a separator, a digit and another separator."""
    first = batch.digits[batch.after_digits[0] & _SEPARATOR > 0]
    near = [batch.traits(first + offset) for offset in (2, 3, 4, 5)]
    digit, separator = near[0] | near[1], near[1] | near[2] | near[3]
    return first[(digit & _DIGIT > 0) & (separator & _SEPARATOR > 0)]


def _two_apart(batch: _Batch) -> Ints:
    """Digits with another digit two or three places later."""
    return batch.digits[batch.digit_at(2, 3)]


def _three_apart(batch: _Batch) -> Ints:
    """Two digits with another digit two or three places before and one more as far before it."""
    last = batch.digit_at(1) & batch.digit_at(-2, -3) & batch.digit_at(-4, -5, -6, -7)
    return batch.digits[last]


def _after_weekdays(batch: _Batch) -> Ints:
    """Digits after white space and the end of an English weekday's first three letters."""
    spaced = batch.digits[batch.traits(batch.digits - 1) & _SPACE > 0]
    ends = batch.pairs(spaced - 3, "on ue ed hu ri at un")
    return spaced[ends | (batch.traits(spaced - 2) & _SPACE > 0)]


def _clocks(batch: _Batch) -> Ints:
    """Colons between digits."""
    both = batch.traits(batch.colons - 1) & batch.traits(batch.colons + 1)
    return batch.colons[both & _DIGIT > 0]


def _halves(batch: _Batch) -> Ints:
    """Digits before am or a.m, pm or p.m, white space between allowed."""
    first, second, third = batch.after_digits
    glued = (first & _HALF > 0) & (second & _HALF_END > 0)
    spaced = (first & _SPACE > 0) & (second & _HALF > 0) & (third & _HALF_END > 0)
    return batch.digits[glued | spaced]


def _hours(batch: _Batch) -> Ints:
    """Digits before h or u, white space between allowed."""
    first, second, _ = batch.after_digits
    return batch.digits[(first & _HOUR > 0) | ((first & _SPACE > 0) & (second & _HOUR > 0))]


def _digits(batch: _Batch) -> Ints:
    """All digits."""
    return batch.digits


_RULES: Final[Mapping[str, tuple[_Places, ...]]] = {
    "url": (_schemes, _www, _hosts),
    "date": (
        _years_after_days,
        _years_after_names,
        _years_before_months,
        _years_after_months,
        _separated,
        _years_alone,
    ),
    "time": (_halves, _clocks, _hours, _hours),
}
_RULES_2007: Final[Mapping[str, tuple[_Places, ...]]] = {
    "url": (_schemes, _www, _hosts),
    "date": (
        _after_weekdays,
        _years_after_pairs,
        _after_weekdays,
        _three_apart,
        _after_weekdays,
        _two_apart,
    ),
    "time": (_clocks, _clocks),
}
_RULES_CZECH: Final[Mapping[str, tuple[_Places, ...]]] = {
    "url": _RULES["url"],
    "date": (_digits,) * 6,
    "time": (_digits,) * 3,
}
_PLACES: Final[Mapping[str, _Places]] = {
    expression: places
    for known, rules in ((DEFAULT, _RULES), (ORIGINAL, _RULES_2007), (CZECH, _RULES_CZECH))
    for name in known
    for expression, places in zip(known[name], rules[name], strict=True)
}
