"""The lines of preformatted text: code as its author wrote it.

Inside ``<pre>`` white space is text. What else makes lines there are ``<br>`` and block-level
elements, of which some programs make one for each line. Numbers of lines are no part of the code.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import pairwise
from textwrap import dedent
from typing import Final, NamedTuple

import numpy as np

from victor.base import core
from victor.base.arrays import Bools, Codes, unchanging
from victor.base.lazy import pattern
from victor.page.parsing.tags import IDS, SPLITTING, VOID, member_mask, roles_of
from victor.page.table.blocks import BlockTable
from victor.page.table.texts import segment_text, text_of

PRE: Final = frozenset({"pre", "listing"})
_CODE: Final = frozenset({"code"})
_ENDING_LINES: Final = SPLITTING - VOID
_NUMBER_NAMES: Final = pattern(
    r"(?:^|[\s_-])(?:(?:line|row)[_-]?(?:num(?:ber)?s?|no)|linenos?|linenums?|gutter|lnt|ln|blob-num|"
    r"pre-numbering)"
    r"(?=$|[\s_-])",
    re.IGNORECASE,
)
"""Classes of elements that hold the numbers of lines."""
_LINE_NAMES: Final = frozenset({"line", "code-line", "token-line", "cm-line", "view-line"})
"""Classes of lines, by Shiki, rehype, Prism in React, CodeMirror and Monaco."""
_POPUPS: Final = frozenset({"hover-info", "twoslash-popup-container"})
"""Classes of what is shown when the mouse rests on a name: by Verso, and by Twoslash for Shiki."""
_ALL: Final = unchanging(np.ones(1, dtype=bool))  # of code without a tag in it
_NUMBERS: Final = pattern(r"[\d\s.:|]*+\Z")
_ROWS: Final = frozenset({"tr", "tbody", "thead", "tfoot"})
_FEWEST: Final = 2
"""Lines that make a count."""
_DIGITS: Final = 6
_BLANK_LINES: Final = pattern(r"\A(?:[^\S\n]*+\n)++")


def code_text(table: BlockTable, element: int, kept: Bools) -> str:
    """Text of a ``<pre>`` without blank lines at its ends; indentation is as written.

    Args:
        table: the blocks.
        element: number of the ``<pre>``.
        kept: (S,) bool; the segments to show. White space between two of them is as written.
    """
    first, last = _tags(table, element)
    named = _named_elements(table, first, last)
    shown = _is_shown(table, element, kept, named) if last > first + 1 else _ALL
    text = _lines(table, first, last, shown)
    if "\n" not in text and len(lines := named.lines) >= _FEWEST:
        bounds = [_tags(table, line) for line in lines]
        texts = [
            _lines(table, start, end, shown[start - first : end - first]) for start, end in bounds
        ]
        if "".join("".join(texts).split()) == "".join(text.split()):
            text = _BLANK_LINES.sub("", "\n".join(texts)).rstrip()
    # Where a style sheet makes the lines, they are indented as the markup is.
    return dedent(text) if table.elements.tag[element] == IDS["listing"] else text


def _lines(table: BlockTable, first: int, last: int, is_shown: Bools) -> str:
    """The text between two tags that is shown after each, without blank lines at its ends."""
    starts = (table.tags.text_start[first : last + 1] - table.tags.text_start[first]).tolist()
    ids = table.tags.id[first : last + 1]
    ends_line = member_mask(_ENDING_LINES)[ids].tolist()
    is_break, is_end = (ids == IDS["br"]).tolist(), (table.tags.step[first:last] < 0).tolist()
    whole = text_of(table.chars[table.tags.text_start[first] : table.tags.text_start[last]])
    pieces = list[str]()
    is_at_start, is_filled = True, False  # of a line; since the last block-level tag
    for tag, shown in enumerate(is_shown.tolist()):
        if ends_line[tag]:  # what follows is on a new line
            if is_filled and not is_at_start:
                pieces.append("\n")
                is_at_start = True
            is_filled = False
        text = whole[starts[tag] : starts[tag + 1]] if shown else ""
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        # Markup is set on lines of its own: white space between two block-level tags is no text.
        if (
            ends_line[tag]
            and ends_line[tag + 1]
            and is_end[tag]
            and "\n" in text
            and text.isspace()
        ):
            continue
        # A <br> stands for a newline of the source that may follow it.
        if is_break[tag] and shown and not text.startswith("\n"):
            text = "\n" + text
        if text:
            pieces.append(text)
            is_at_start, is_filled = text.endswith("\n"), True
    return _BLANK_LINES.sub("", "".join(pieces).rstrip())


def _tags(table: BlockTable, element: int) -> tuple[int, int]:
    """The start and the end tag of an element."""
    return int(table.elements.open[element]), int(table.elements.close[element])


def _is_shown(table: BlockTable, element: int, kept: Bools, named: _Named) -> Bools:
    """(last - first,) bool; is the text after each tag kept, and no number of a line or popup."""
    first, last = _tags(table, element)
    shown = np.ones(last - first, dtype=bool)
    tags = table.segments.tag
    start, stop = np.searchsorted(tags, (first, last)).tolist()
    shown[tags[start:stop] - first] = kept[start:stop]
    for hidden in named.numbers + named.popups:
        inside = slice(table.elements.open[hidden] - first, table.elements.close[hidden] - first)
        shown[inside] = False
    if not named.numbers and (counting := _counting(table, range(start, stop))):
        shown[tags[counting] - first] = False
    if table.elements.tag[element] == IDS["listing"]:
        # A table whose rows are the lines: between its cells there is no text.
        around = table.elements.tag[table.tags.element[first:last]]
        in_rows = member_mask(_ROWS)[around]
        is_between = in_rows | (in_rows.any() & (around == IDS["listing"]))
        is_between[tags[start:stop] - first] = False  # but what somebody wrote there is
        shown &= ~is_between
    return shown


def _counting(table: BlockTable, rows: range) -> list[int]:
    """Segments that count the lines of code, one for each, in elements that look alike."""
    # Hardly any code begins with a number.
    if not rows or not segment_text(table, rows[0]).isdecimal():
        return []
    elements = table.tags.element[table.segments.tag[rows.start : rows.stop]]
    tags, bundles = table.elements.tag[elements], table.elements.bundle[elements]
    alike = np.flatnonzero((tags == tags[0]) & (bundles == bundles[0]))
    texts = {row: segment_text(table, rows[row]) for row in alike.tolist()}
    numbers = [row for row, text in texts.items() if text.isdecimal() and len(text) < _DIGITS]
    values = [int(texts[row]) for row in numbers]
    if len(values) < _FEWEST or values != [*range(values[0], values[0] + len(values))]:
        return []
    bounds = [*numbers, len(rows)]
    if any(_has_lines(table, rows[a + 1 : b]) for a, b in pairwise(bounds)):
        return []
    return [rows[number] for number in numbers]


def _has_lines(table: BlockTable, rows: range) -> bool:
    """Does some code between two numbers have more than one line."""
    if not rows:
        return False
    text = text_of(table.chars[table.segments.start[rows[0]] : table.segments.end[rows[-1]]])
    return "\n" in text


class _Named(NamedTuple):
    """What the classes of elements of code say: elements by what they are."""

    numbers: list[int]  # they hold nothing but numbers of lines
    popups: list[int]
    lines: list[int]  # style sheets make lines of them


def _named_elements(table: BlockTable, first: int, last: int) -> _Named:
    """The elements between two tags that are named."""
    found = _Named([], [], [])
    if "class" not in table.attributes:
        return found
    if last == first + 1:
        return found
    start, stop = np.searchsorted(table.elements.open, (first, last + 1)).tolist()
    rows = table.elements.bundle[start:stop].tolist()
    kinds = {row: _kinds_of(table.attribute_value("class", row)) for row in {*rows} - {-1}}
    if not any(kinds.values()):
        return found
    for element, row in enumerate(rows, start):
        for kind in kinds.get(row, ()):
            if kind or _holds_numbers(table, element):
                found[kind].append(element)
    return found


@lru_cache(maxsize=4096)
def _kinds_of(classes: str | None) -> tuple[int, ...]:
    """Fields of `_Named` that classes name."""
    if not classes:
        return ()
    names = classes.split()
    is_named = (
        _NUMBER_NAMES.search(classes), not _POPUPS.isdisjoint(names),
        not _LINE_NAMES.isdisjoint(names),
    )  # fmt: skip
    return tuple(kind for kind, is_so in enumerate(is_named) if is_so)


def _holds_numbers(table: BlockTable, element: int) -> bool:
    starts = table.tags.text_start[[table.elements.open[element], table.elements.close[element]]]
    return _NUMBERS.match(text_of(table.chars[starts[0] : starts[1]])) is not None


@cache
def roles_of_code() -> Codes:
    """(128,) which tags are preformatted, and which hold other code."""
    return roles_of(PRE, _CODE)


def without_gutters(table: BlockTable, kept: Bools) -> Bools:
    """(n,) the kept blocks without those that only number the lines of code beside them.

    Args:
        table: the blocks.
        kept: (n,) bool; which are kept.
    """
    memory = core.compiled.judge("gutters", table.batch, (roles_of_code(),))
    if not len(pages := np.flatnonzero(core.array(memory, np.bool_))):  # as on most pages
        return kept
    elements = table.elements
    listings = np.flatnonzero(member_mask(PRE)[elements.tag]).tolist()
    roots = table.page_roots[pages]
    spans = zip(elements.open[roots].tolist(), elements.close[roots].tolist(), strict=True)
    named = [element for span in spans for element in _named_elements(table, *span).numbers]
    beside = [e for e in named if len(_numbers(table, e)) >= _FEWEST]
    is_within = elements.inside(PRE, np.array(beside, dtype=np.int64))
    beside = [e for e, within in zip(beside, is_within.tolist(), strict=True) if not within]
    gutters = [e for e in {*listings, *beside} if is_gutter(table, e)]
    if not gutters:
        return kept
    chosen = np.zeros(len(elements), dtype=bool)
    chosen[gutters] = True
    return np.asarray(kept & ~elements.gathered(chosen)[table.element])


def is_gutter(table: BlockTable, element: int) -> bool:
    """Does an element hold the numbers of the lines of code that stands beside it.

    It counts lines, and it is named so or stands in a row of a table that has other code.
    """
    if not _holds_numbers(table, element):
        return False
    numbers = _numbers(table, element)
    if not numbers or not all(map(str.isdecimal, numbers)):
        return False
    if [int(number) for number in numbers] != [
        *range(int(numbers[0]), int(numbers[0]) + len(numbers))
    ]:
        return False
    return _is_named_gutter(table, element) or _has_code_beside(table, element)


def _numbers(table: BlockTable, element: int) -> list[str]:
    """What stands in an element, parted by white space and tags."""
    span = table.elements.open[element], table.elements.close[element]
    rows = range(*np.searchsorted(table.segments.tag, span).tolist())
    return " ".join(segment_text(table, row) for row in rows).split()


def _is_named_gutter(table: BlockTable, element: int) -> bool:
    if "class" not in table.attributes:
        return False
    parent = int(table.elements.parent[element])
    rows = table.elements.bundle[[element, parent]].tolist()
    return any(0 in _kinds_of(table.attribute_value("class", row)) for row in rows if row >= 0)


def _has_code_beside(table: BlockTable, element: int) -> bool:
    """Is another ``<pre>`` in the same row of a table."""
    elements, row = table.elements, element
    for _ in range(4):
        row = int(elements.parent[row])
        if elements.tag[row] == IDS["tr"]:
            inside = slice(
                *np.searchsorted(elements.open, (elements.open[row], elements.close[row]))
            )
            return int(member_mask(PRE)[elements.tag[inside]].sum()) > 1
    return False
