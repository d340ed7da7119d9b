"""Elements by their names: classes and ids in one string each, in lower case.

A page has hundreds of different names and a regular expression takes microseconds for each. So a
pattern is tried only on names that hold one of some runs of four characters, which are looked up at
once for all patterns and for all pages of a batch, and strings are made of these names alone.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Codes, Ints
from victor.base.cached import cached_property
from victor.page.parsing.attributes import BundleColumns
from victor.page.table.blocks import BlockTable

_ATTRIBUTES: Final[tuple[str, ...]] = ("class", "id", "itemprop", "itemtype")
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
    """Names of the elements of all pages of a batch; B rows of bundles, E elements.

    Attributes:
        bundles: values of their attributes.
        columns: where those that are read are in each bundle; those not recorded are not there.
        bundle: (E,) row of the attributes of each element; -1 for none.
    """

    bundles: BundleColumns
    columns: Mapping[str, int]
    bundle: Ints

    @classmethod
    def of(cls, table: BlockTable) -> BatchNames:
        """The names in a table, without the table itself."""
        bundles = BundleColumns.of(table.bundles, max(len(table.attributes), 1))
        recorded = [name for name in _ATTRIBUTES if name in table.attributes]
        columns: dict[str, int] = {name: table.attribute_column(name) for name in recorded}
        return cls(bundles, columns, table.elements.bundle)

    def value(self, attribute: str, row: int) -> str:
        """Value of an attribute, "" where there is none or it was not recorded."""
        if row < 0 or attribute not in self.columns:
            return ""
        return _cut(self.bundles.value(row, self.columns[attribute]) or "")

    def matching(self, wanted: NamePattern) -> list[int]:
        """Elements with a class or id that a pattern is found in, in order."""
        if wanted not in self._elements:
            names, is_found = self._names, _finder(wanted.pattern)
            likely = np.flatnonzero(names.masks & (1 << PATTERNS.index(wanted)))
            extents = zip(names.start[likely].tolist(), names.end[likely].tolist(), strict=True)
            found = [is_found(names.text[start:end]) for start, end in extents]
            self._elements[wanted] = self._of_rows(names.row[likely[found]])
        return self._elements[wanted]

    def without(self, wanted: NamePattern, elements: Sequence[int]) -> list[int]:
        """Those of some elements without a class or id that a pattern is found in."""
        names, is_found = self._names, _finder(wanted.pattern)
        chosen = []
        for element in elements:
            row = int(self.bundle[element])
            among = range(bisect_left(names.row.data, row), bisect_right(names.row.data, row))
            if not any(is_found(names.text[names.start[n] : names.end[n]]) for n in among):
                chosen.append(element)
        return chosen

    def with_property(self, pattern: re.Pattern[str]) -> list[int]:
        """Elements with an ``itemprop`` that a pattern is found in, in order."""
        if pattern not in self._elements:
            values = self.values("itemprop").items()
            rows = [row for row, value in values if pattern.search(value)]
            self._elements[pattern] = self._of_rows(np.array(rows, dtype=np.int64))
        return self._elements[pattern]

    def having(self, attribute: str) -> list[int]:
        """Elements with an attribute that few elements have, in order."""
        if attribute not in self._elements:
            rows = np.array([*self.values(attribute)], dtype=np.int64)
            self._elements[attribute] = self._of_rows(rows)
        return self._elements[attribute]

    def values(self, attribute: str) -> dict[int, str]:
        """Row to value of an attribute that few elements have."""
        if attribute not in self._values:
            rows = self._rows_having(attribute)
            self._values[attribute] = {row: self.value(attribute, row) for row in rows}
        return self._values[attribute]

    def _rows_having(self, attribute: str) -> list[int]:
        if attribute not in self.columns:
            return []
        offsets, width = self.bundles.offsets, self.bundles.width
        column = self.columns[attribute]
        lengths = offsets[column + 1 :: width] - offsets[column:-1:width]
        return [*np.flatnonzero(lengths > 1).tolist()]

    def _of_rows(self, rows: Ints) -> list[int]:
        if not len(rows):
            return []
        flags = np.zeros(len(self.bundles) + 1, dtype=bool)
        flags[rows] = True
        return [*np.flatnonzero(flags[self.bundle]).tolist()]

    @cached_property
    def _values(self) -> dict[str, dict[int, str]]:
        return {}

    @cached_property
    def _elements(self) -> dict[object, list[int]]:
        return {}

    @cached_property
    def _names(self) -> _Names:
        chosen = [self.columns[name] for name in ("class", "id") if name in self.columns]
        return _Names.of(self.bundles, chosen)


def _cut(value: str) -> str:
    return value[:_LONGEST].replace("\n", " ")


@cache
def _finder(pattern: re.Pattern[str]) -> Callable[[bytes], bool]:
    """Tells whether a pattern is found in a name; pages have many names in common."""
    in_lower_case = _in_lower_case(pattern)

    @lru_cache(maxsize=1 << 12)
    def is_found(name: bytes) -> bool:
        if name.isascii():
            return in_lower_case.search(name[:_LONGEST_NAME].decode()) is not None
        return pattern.search(name.decode().lower()[:_LONGEST_NAME]) is not None

    return is_found


def _in_lower_case(pattern: re.Pattern[str]) -> re.Pattern[str]:
    """A pattern for names of ASCII in lower case, which takes a third of the time."""
    is_lower = pattern.pattern == pattern.pattern.lower()
    return re.compile(pattern.pattern, pattern.flags & ~re.IGNORECASE) if is_lower else pattern


@dataclass(frozen=True, eq=False)
class _Names:
    """The names of a batch that are read, each as often as it stands there; M times.

    Attributes:
        text: values one after the other, ASCII in lower case; what is not in a name is a newline.
        start, end: (M,) extent in it.
        masks: (M,) a bit for each of `PATTERNS` that may match.
        row: (M,) row of the bundles, ascending.
    """

    text: bytes
    start: Ints
    end: Ints
    masks: Codes
    row: Ints

    @classmethod
    def of(cls, bundles: BundleColumns, columns: Sequence[int]) -> _Names:
        """The names in some attributes."""
        text = b"\n" + _cut_off(bundles, columns).translate(_FOLDED)
        edges = np.flatnonzero(np.frombuffer(text, dtype=np.uint8) == ord("\n"))
        before, masks = _masks(text, edges)
        start, end = edges[before] + 1, edges[before + 1]
        cell = np.searchsorted(bundles.offsets, start - 1, side="right") - 1
        if not text.isascii():
            odd = np.flatnonzero(np.frombuffer(text, dtype=np.uint8) > ord("\x7f"))
            masks[np.searchsorted(odd, start) < np.searchsorted(odd, end)] = _ALL
        some = np.isin(cell % bundles.width, columns)
        return cls(text, start[some], end[some], masks[some], cell[some] // bundles.width)


def _cut_off(bundles: BundleColumns, columns: Sequence[int]) -> bytes:
    """All values, with spaces in place of what is not read of long ones in some columns."""
    text, offsets = bytearray(bundles.values), bundles.offsets
    for column in columns:
        starts, ends = offsets[column : -1 : bundles.width], offsets[column + 1 :: bundles.width]
        for row in np.flatnonzero(ends - starts > _LONGEST + 1).tolist():
            start, end = int(starts[row]), int(ends[row])
            start += len(text[start:end].decode()[:_LONGEST].encode())
            text[start:end] = b" " * (end - start)
    return bytes(text)


def _masks(data: bytes, edges: Ints) -> tuple[Ints, Codes]:
    """The edges before the names that are read, and which patterns may match each.

    Args:
        data: names between newlines.
        edges: ascending places of these.
    """
    if len(data) < _RUN:
        return _NONE, np.zeros(0, dtype=np.uint8)
    masks = _table().take(_hashed(data))
    hits = np.flatnonzero(masks != 0)  # of flags they are found several times as fast
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


_NONE: Final = np.zeros(0, dtype=np.int64)
_FOLDED: Final = b"\n" * (ord(" ") + 1) + bytes(range(ord(" ") + 1, 256)).lower()


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
