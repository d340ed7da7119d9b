"""What stands around code and is none of it: the name of its language, tabs, *Copy* buttons.

Generators of documentation set code into a frame of its own with a bar above it (MDN, Docusaurus,
ChatGPT, Stripe). What the frame holds beside code is for the reader's hand. The name of a language
belongs to the code as such.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Final

import numpy as np

from victor.base.arrays import Bools
from victor.page.parsing.tags import HEADINGS, IDS, SPLITTING, member_mask
from victor.page.table.blocks import BlockTable
from victor.page.table.texts import text_of
from victor.page.verdict.preformatted import PRE

LANGUAGES: Final = frozenset(
    "ada apache asm awk bash basic bat batch c clojure cmake cobol coffeescript console cpp cs "
    "csharp css csv cuda dart diff dockerfile elixir elm erb erlang fortran fsharp git go golang "
    "gradle graphql groovy handlebars haskell hcl html http ini java javascript js json json5 jsx "
    "julia kotlin latex lean less lisp lua makefile markdown matlab md mdx mysql nginx nim nix "
    "objc objectivec ocaml octave pascal perl php plaintext plain powershell properties proto "
    "protobuf ps1 py python python3 r ruby rb rst rust sass scala scheme scss sh shell solidity "
    "sql svelte swift terraform tex text toml ts tsx typescript vb vbnet verilog vhdl vim vue xml "
    "yaml yml zig zsh c++ c# f# objective-c shell-session jsonc astro ejs pgsql postgresql".split()
)
"""Names of languages of code, as they stand after a fence."""
_DISPLAYED: Final = {
    **{name: name for name in LANGUAGES},
    "plain text": "text",
    "shell session": "shell-session",
    "objective c": "objective-c",
    "visual basic": "vb",
}
"""Names of languages as labels show them, in lower case."""
_BUTTONS: Final = re.compile(
    r"(?:copy|copied|kopieren|copier|copiar|копировать|复制|複製|コピー)\W*\Z"
    r"|(?:copy|copied)(?: (?:code|snippet|text|to (?:the )?clipboard|to your clipboard))?\W*\Z"
    r"|(?:run(?: code)?|raw|view raw|wrap|expand|collapse|toggle word wrap)\Z"
)
_LONGEST: Final = 30
"""Characters of a label."""
_LEVELS: Final = 6
"""Elements around code that may be its frame."""
_MOST_LABELS: Final = 12
_CONTROL_LEVELS: Final = 3
"""Elements around a text that may be the control it is in."""
_CONTROLS: Final = frozenset({"button", "select", "option", "label"})
_CONTROL_ROLES: Final = frozenset(
    "button tab tablist listbox option combobox menu menuitem toolbar tooltip".split()
)
_AUTHORED: Final = frozenset(HEADINGS) | {
    "p",
    "li",
    "td",
    "th",
    "dt",
    "dd",
    "caption",
    "blockquote",
}
"""Elements of text: what stands in them is no label."""
_BAR: Final = re.compile(r"header|lang|label|toolbar|title|badge|(?:^|[\s_-])bar(?:$|[\s_-])", re.I)


def label_blocks(table: BlockTable, kept: Bools) -> list[int]:
    """The kept blocks that only label or serve code; ascending.

    Args:
        table: the blocks.
        kept: (n,) bool; which of them.
    """
    elements = table.elements
    pres = np.flatnonzero(member_mask(PRE)[elements.tag])
    start = np.searchsorted(table.tag, elements.open[pres])
    stop = np.searchsorted(table.tag, elements.close[pres])
    is_short = np.append(kept & (table.end - table.start <= _LONGEST), False)
    beside = is_short[start - 1] | is_short[start] | is_short[stop]
    frames = (_Frame(table, pre) for pre in pres[beside & (start < stop)].tolist())
    rows = chain.from_iterable(frame.labels() for frame in frames)
    return sorted({row for row in rows if kept[row]})


def label_language(table: BlockTable, pre: int) -> str:
    """The language that a label of code names, "" if none does.

    Args:
        table: the blocks.
        pre: number of the ``<pre>``.
    """
    frame = _Frame(table, pre)
    names = {name for row in frame.labels() for name in frame.names(row)}
    return names.pop() if len(names) == 1 else ""


class _Frame:
    """What is around one ``<pre>``."""

    def __init__(self, table: BlockTable, pre: int) -> None:
        self._table, self._elements, self._pre = table, table.elements, pre

    def labels(self) -> Iterator[int]:
        """The blocks that label it: those of a bar at its beginning, and around it."""
        yield from self._inside()
        around, span = self._pre, self._rows(self._pre)
        for _ in range(_LEVELS):
            around = int(self._elements.parent[around])
            wider = self._rows(around)
            if len(wider) - len(span) > _MOST_LABELS:
                return
            added = [*range(wider.start, span.start), *range(span.stop, wider.stop)]
            labels: list[int] = []
            for row in added:
                if not self._is_code(row):
                    if not self._is_label(row):
                        return
                    labels.append(row)
            yield from labels
            span = wider

    def _inside(self) -> Iterator[int]:
        """Labels at the beginning of the ``<pre>`` in an element that is a bar."""
        for row in self._rows(self._pre)[:-1]:
            if not self._is_label(row) or not self._is_in_bar(row):
                return
            yield row

    def _is_in_bar(self, row: int) -> bool:
        """Has an element around a label inside the ``<pre>`` buttons, or the name of a bar."""
        element = int(self._table.element[row])
        while element > self._pre and all(map(self._is_label, self._rows(element))):
            if _BAR.search(self._value("class", element)) or self._has_button(element):
                return True
            element = int(self._elements.parent[element])
        return False

    def _has_button(self, element: int) -> bool:
        elements = self._elements
        bounds = elements.open[element], elements.close[element]
        inside = slice(*np.searchsorted(elements.open, bounds).tolist())
        return bool((elements.tag[inside] == IDS["button"]).any())

    def _rows(self, element: int) -> range:
        """The blocks in an element."""
        bounds = self._elements.open[element], self._elements.close[element]
        return range(*np.searchsorted(self._table.tag, bounds).tolist())

    def names(self, row: int) -> Iterator[str]:
        """The languages that a block names, but not those that can be chosen in it."""
        for segment, text in enumerate(self._texts(row), int(self._table.segment_starts[row])):
            if text in _DISPLAYED and not self._is_control(segment):
                yield _DISPLAYED[text]

    def _texts(self, row: int) -> list[str]:
        """The segments of a short block in lower case; none of a long one."""
        table = self._table
        if table.end[row] - table.start[row] > _LONGEST:
            return []
        segments, (start, stop) = table.segments, table.segment_starts[row : row + 2].tolist()
        bounds = zip(segments.start[start:stop], segments.end[start:stop], strict=True)
        return [text_of(table.chars[a:b]).lower() for a, b in bounds]

    def _is_label(self, row: int) -> bool:
        """Is a block made of buttons, tabs, and names of languages that are no author's text."""
        texts, start = self._texts(row), int(self._table.segment_starts[row])
        container = self._around(row, SPLITTING)
        is_authored = bool(member_mask(_AUTHORED)[self._elements.tag[container]])
        return bool(texts) and all(
            self._is_control(start + number)
            or _BUTTONS.match(text) is not None
            or (text in _DISPLAYED and not is_authored)
            for number, text in enumerate(texts)
        )

    def _is_control(self, segment: int) -> bool:
        """Is a segment in a button or a tab, by the element or its role."""
        element = int(self._table.tags.element[self._table.segments.tag[segment]])
        for _ in range(_CONTROL_LEVELS):
            if member_mask(_CONTROLS)[self._elements.tag[element]]:
                return True
            if self._value("role", element).lower() in _CONTROL_ROLES:
                return True
            element = int(self._elements.parent[element])
        return False

    def _is_code(self, row: int) -> bool:
        return self._around(row, PRE) >= 0

    def _around(self, row: int, names: frozenset[str]) -> int:
        """The innermost element of some names around a block, -1 for none."""
        is_named, element = member_mask(names), int(self._table.element[row])
        while not is_named[self._elements.tag[element]]:
            inner, element = element, int(self._elements.parent[element])
            if element == inner:
                return -1
        return element

    def _value(self, name: str, element: int) -> str:
        bundle = int(self._elements.bundle[element])
        if bundle < 0 or name not in self._table.attributes:
            return ""
        return self._table.attribute_value(name, bundle) or ""
