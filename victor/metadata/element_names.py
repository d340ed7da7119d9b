"""Elements by their names: classes and ids in one string each, in lower case.

A page has hundreds of different names and a regular expression takes microseconds for each. So a
pattern is tried only on names that hold one of some runs of four characters, which are looked up at
once for all patterns and for all pages of a batch. Without that, metadata take twice as long.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import compress
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Bools, Codes, Ints
from victor.page.table.blocks import BlockTable

_LONGEST: Final = 500
"""Characters of a class or an id that are read."""
_LONGEST_NAME: Final = 100
_RUN: Final = 4
"""Characters of a run."""
_BITS: Final = 16
_FACTOR: Final = np.uint32(0x9E3779B1)


class NamePattern(NamedTuple):
    """A pattern for names in lower case.

    Attributes:
        pattern: is looked for in a name.
        runs: four characters each; a name without one of them does not match, unless it has
            characters beyond ASCII. Those are best that few other names have. A newline stands for
            the start or the end of the name. Empty where any name of `_READ` may match.
    """

    pattern: re.Pattern[str]
    runs: tuple[str, ...] = ()


_READ: Final = tuple(
    "auth byli by-l auto aute writ post arti publ date time datu fech meta subm sign comm rela "
    "reco side foot teas card recir more tren popu late nav- navi navb -nav _nav prom disq repl "
    "test news caro slid copy even user mess bigu crea redak verf skri even cont".split()
)
"""Runs of the names that are read at all."""
NOT_OF_PAGE: Final = NamePattern(
    re.compile(
        r"comment(?!ary)|related|recommend|sidebar|footer|teaser|(?:^|[\s_-])cards?(?:$|[\s_-])|"
        r"recirc|more-(?:from|stories|posts)|trending|popular|latest|(?:^|[\s_-])nav|promo|"
        r"disqus|repl(?:y|ies)|testimonial|newsletter|post-list|carousel|slider|copyright"
    ),
    (*"mmen elat ebar oote ease card circ ore- endi pula ates _nav -nav romo isqu eply".split(),
     *"epli imon slet t-li rous ider yrig".split(), "\nnav"),
)  # fmt: skip
"""Comments, teasers and margins."""
NAME_ALONE: Final = NamePattern(
    re.compile(
        r"(?:author|byline|writer|contributor|autor|auteur)[\s_-]*+(?:full[\s_-]*+)?+(?:name|link)s?"
        r"(?:$|[\s_-])|(?:^|\s)(?:p-author|url fn n|fn)(?:$|\s)|byline__name|authorname",
        re.IGNORECASE,
    ),
    ("utho", "ylin", "rite", "ntri", "utor", "uteu", "\nfn\n"),
)
"""Elements that hold the name of an author and nothing else."""
BYLINE: Final = NamePattern(
    re.compile(
        r"author(?!i[tz])|by-?line(?!r)|(?:^|[\s_-])(?:autor(?:e|en)?|auteurs?|posted-by|"
        r"written-?by|writer|redakteur|verfasser|signature|skribent)(?:$|[\s_-])",
        re.IGNORECASE,
    ),
    tuple("utho ylin y-li utor uteu d-by writ reda verf sign skri".split()),
)
USER: Final = NamePattern(
    re.compile(
        r"(?:^|[\s_-])(?:user-?name|message-name|bigusername|poster|creator)(?:$|[\s_-])", re.I
    ),
    ("user", "ge-n", "bigu", "oste", "reat"),
)
"""Who wrote in a forum."""
NOT_A_NAME: Final = NamePattern(
    re.compile(
        r"avatar|image|img|photo|picture|social|follow|bio(?:$|[\s_-])|desc|title|role|job(?!b)|"
        r"count|icon|share|heading|position",
        re.IGNORECASE,
    )
)
"""What stands beside the name of an author."""
DATE: Final = NamePattern(
    re.compile(
        r"(?:^|[\s_-])(?:published?|pub-?date|publish-?date|post(?:ed)?-?(?:date|on|time)|"
        r"entry-?date|dateline|(?:post|entry|article|story)-?meta|time-?stamp|date|datum|fecha|"
        r"data|time|article-?date|datetime|dt-published|byline|meta|submitted|post-?info)"
        r"(?:$|[\s_-])|publi(?:sh|cation)[-_]?date|post[-_]?date|entry[-_]?date|timestamp|"
        r"date(?:published|time)|articledate|createdat",
        re.IGNORECASE,
    ),
    tuple("publ date time t-on ston d-on edon meta datu fech data ylin subm info teda".split()),
)
SURE_DATE: Final = NamePattern(
    re.compile(
        r"(?:^|[\s_-])(?:dateline|pub-?date|published(?:-?(?:on|date))?|publish-?date|post-?date|"
        r"entry-?date|article-?date|date-?published)(?:$|[\s_-])",
        re.IGNORECASE,
    ),
    ("date", "line", "blis"),
)
"""What holds the date of the page itself."""
PATTERNS: Final = (NOT_OF_PAGE, NAME_ALONE, BYLINE, USER, DATE, SURE_DATE)
"""Those that are looked for in all names."""
_IS_READ: Final = 1 << len(PATTERNS)
_ALL: Final = 2 * _IS_READ - 1


@dataclass(frozen=True, eq=False)
class BatchNames:
    """Names of the elements of all pages of a batch.

    Attributes:
        by_attribute: values of each attribute by row of the bundles; those not recorded are not
            there.
        n_rows: rows of the bundles.
    """

    by_attribute: Mapping[str, Sequence[str | None]]
    n_rows: int

    @classmethod
    def of(cls, table: BlockTable) -> BatchNames:
        """The names in a table, without the table itself."""
        known: dict[str, Sequence[str | None]] = {
            name: table.attribute(name)
            for name in ("class", "id", "itemprop", "itemtype")
            if name in table.attributes
        }
        return cls(known, len(table.bundles))

    def value(self, attribute: str, row: int) -> str:
        """Value of an attribute, "" where there is none or it was not recorded."""
        values = self.by_attribute.get(attribute)
        return _cut((values[row] if values and row >= 0 else None) or "")

    @cached_property
    def _values(self) -> dict[str, dict[int, str]]:
        return {}

    def values(self, attribute: str) -> dict[int, str]:
        """Row to value of an attribute that few elements have."""
        known = self._values.get(attribute)
        if known is None:
            values = self.by_attribute.get(attribute, ())
            rows = compress(range(len(values)), values)
            known = {row: _cut(values[row] or "") for row in rows}
            self._values[attribute] = known
        return known

    @cached_property
    def _likely(self) -> _Likely:
        of_both = (self.by_attribute.get(attribute, ()) for attribute in ("class", "id"))
        values = [value[:_LONGEST] if value else "" for of_one in of_both for value in of_one]
        return _Likely.of(values, self.n_rows)

    @cached_property
    def _flags(self) -> dict[object, Bools]:
        return {}

    def matching(self, wanted: NamePattern) -> Bools:
        """(B + 1,) does each row have a class or id that a pattern is found in; False for -1."""
        known = self._flags.get(wanted)
        if known is None:
            likely = self._likely
            may_match = likely.masks & (1 << PATTERNS.index(wanted)) != 0
            numbers = np.flatnonzero(may_match).tolist()
            chosen = [n for n in numbers if _is_found(wanted.pattern, likely.names[n])]
            known = self._of_rows(likely.rows_of(chosen))
            self._flags[wanted] = known
        return known

    def rows_matching(self, wanted: NamePattern, rows: Sequence[int]) -> set[int]:
        """Those of some rows with such a class or id."""
        likely = self._likely
        among = likely.of_rows(self._of_rows(rows))
        return {row for number, row in among if _is_found(wanted.pattern, likely.names[number])}

    def with_property(self, pattern: re.Pattern[str]) -> Bools:
        """(B + 1,) does each row have an ``itemprop`` that a pattern is found in."""
        known = self._flags.get(pattern)
        if known is None:
            values = self.values("itemprop").items()
            known = self._of_rows([row for row, value in values if _is_found(pattern, value)])
            self._flags[pattern] = known
        return known

    def having(self, attribute: str) -> Bools:
        """(B + 1,) does each row have an attribute that few elements have."""
        known = self._flags.get(attribute)
        if known is None:
            known = self._flags[attribute] = self._of_rows([*self.values(attribute)])
        return known

    def _of_rows(self, rows: Sequence[int] | Ints) -> Bools:
        flags = np.zeros(self.n_rows + 1, dtype=bool)
        flags[rows] = True
        return flags


@dataclass(frozen=True, eq=False)
class ElementNames:
    """Names of the elements of one page.

    Attributes:
        batch: names of its batch.
        bundle: (E,) row of the attributes of each element of the page; -1 for none.
        first: number of the first of these elements in the batch.
    """

    batch: BatchNames
    bundle: Ints
    first: int

    def values(self, attribute: str) -> list[str]:
        """Different values of an attribute that few elements have, by row."""
        if not self.batch.values(attribute):
            return []
        values = self.batch.values(attribute)
        rows = {*self.bundle[self.batch.having(attribute)[self.bundle]].tolist()}
        return [values[row] for row in sorted(rows)]

    def matching(self, wanted: NamePattern) -> Ints:
        """Elements with a class or id that a pattern is found in, in order."""
        return self._flagged(self.batch.matching(wanted))

    def with_property(self, pattern: re.Pattern[str]) -> Ints:
        """Elements with an ``itemprop`` that a pattern is found in, in order."""
        if not self.batch.values("itemprop"):
            return _NONE
        return self._flagged(self.batch.with_property(pattern))

    def without(self, wanted: NamePattern, elements: Ints) -> Ints:
        """Those of some elements without a class or id that a pattern is found in."""
        rows = self.bundle[elements - self.first].tolist()
        barred = self.batch.rows_matching(wanted, [*{*rows}])
        return elements[[row not in barred for row in rows]] if barred else elements

    def _flagged(self, flags: Bools) -> Ints:
        return np.asarray(np.flatnonzero(flags[self.bundle]) + self.first)


_NONE: Final = np.zeros(0, dtype=np.int64)


def _cut(value: str) -> str:
    return value[:_LONGEST].replace("\n", " ")


@lru_cache(maxsize=1 << 14)
def _is_found(pattern: re.Pattern[str], name: str) -> bool:
    """Is a pattern found in a name; pages have many names in common."""
    if name.isascii() and name.islower():
        pattern = _in_lower_case(pattern)
    return pattern.search(name) is not None


@cache
def _in_lower_case(pattern: re.Pattern[str]) -> re.Pattern[str]:
    """A pattern for names of ASCII in lower case, which takes a third of the time."""
    is_lower = pattern.pattern == pattern.pattern.lower()
    return re.compile(pattern.pattern, pattern.flags & ~re.IGNORECASE) if is_lower else pattern


@dataclass(frozen=True, eq=False)
class _Likely:
    """The different names of a batch that are read; N names, M times.

    Attributes:
        names: the names.
        masks: (N,) a bit for each of `PATTERNS` that may match.
        name_row: (M,) place in `names` of each time.
        row: (M,) row of the bundles.
    """

    names: list[str]
    masks: Codes
    name_row: Ints
    row: Ints

    @classmethod
    def of(cls, values: list[str], n_rows: int) -> _Likely:
        """The names in some values, of as many rows for each attribute."""
        text = "\0".join([*values, ""])
        if text.count("\0") != len(values):  # no attribute of a page holds one
            text = "\0".join([*(value.replace("\0", " ") for value in values), ""])
        text = "\0" + text.lower()
        data = text.encode("latin-1", "replace")
        chars = np.frombuffer(data, dtype=np.uint8)
        edges = np.flatnonzero(chars <= ord(" "))
        before, masks = _masks(data, edges)
        start = edges[before] + 1
        extents = zip(start.tolist(), edges[before + 1].tolist(), strict=True)
        known: dict[str, int] = {}
        name_row = [
            known.setdefault(text[first : min(end, first + _LONGEST_NAME)], len(known))
            for first, end in extents
        ]
        of_name = np.zeros(len(known), dtype=np.uint8)
        np.bitwise_or.at(of_name, name_row, masks)
        of_name[[not name.isascii() for name in known]] = _ALL
        row = np.searchsorted(np.flatnonzero(chars == 0), start) - 1
        return cls([*known], of_name, np.array(name_row, dtype=np.int64), row % max(n_rows, 1))

    def of_rows(self, chosen: Bools) -> Iterator[tuple[int, int]]:
        """Numbers of the names that chosen rows have, and the rows."""
        times = np.flatnonzero(chosen[self.row])
        return zip(self.name_row[times].tolist(), self.row[times].tolist(), strict=True)

    def rows_of(self, numbers: list[int]) -> Ints:
        """Rows that have one of some names."""
        flags = np.zeros(len(self.names), dtype=bool)
        flags[numbers] = True
        return self.row[flags[self.name_row]]


def _masks(data: bytes, edges: Ints) -> tuple[Ints, Codes]:
    """The edges before the names that are read, and which patterns may match each.

    Args:
        data: names between characters that are no part of one.
        edges: ascending places of these characters.
    """
    if len(data) < _RUN:
        return _NONE, np.zeros(0, dtype=np.uint8)
    masks = _table().take(_hashed(data.translate(_EDGES_AS_NEWLINES)))
    hits = np.flatnonzero(masks)
    if not len(hits):
        return _NONE, np.zeros(0, dtype=np.uint8)
    masks = masks[hits]
    before = np.searchsorted(edges, hits, side="right") - 1
    after = np.minimum(before + 1, len(edges) - 1)
    masks[(edges[before] == hits) | (hits + _RUN > edges[after])] &= _ALL ^ _IS_READ
    begins = np.flatnonzero(np.diff(before, prepend=-1))
    masks = np.bitwise_or.reduceat(masks, begins)
    is_read = masks & _IS_READ != 0
    return before[begins][is_read], masks[is_read]


_EDGES_AS_NEWLINES: Final = bytes.maketrans(bytes(range(ord(" ") + 1)), b"\n" * (ord(" ") + 1))


def _hashed(data: bytes) -> NDArray[np.uint32]:
    """Hash of every run of four characters, of four at least."""
    runs: NDArray[np.uint32] = np.ndarray((len(data) - _RUN + 1,), "<u4", data, strides=(1,))
    return np.asarray(runs * _FACTOR >> np.uint32(32 - _BITS))


@cache
def _table() -> Codes:
    """For each hash, the bits of the patterns that have such a run."""
    table = np.zeros(1 << _BITS, dtype=np.uint8)
    for bit, runs in enumerate((*(pattern.runs for pattern in PATTERNS), _READ)):
        for run in runs:
            table[_hashed(run[:_RUN].encode())] |= np.uint8(1 << bit)
    return table
