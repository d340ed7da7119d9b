"""Parse markup in one pass and without a tree, into one string of text and private tag codes.

The parser is libxml2's SAX interface through `lxml.etree.HTMLParser(target=...)`. Its target here
keeps one list of strings per page: text as it comes, and for every start or end tag one lone
surrogate, a code point that text can never hold because libxml2 turns it into U+FFFD. Joined and
viewed as 32-bit codes, the list is the only thing later stages read, so nothing is lost after a
stray ``</html>``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from victor.base import core
from victor.base.arrays import Bools, Ints
from victor.page.parsing.attributes import Bundle, BundleColumns
from victor.page.parsing.characters import LINE_BREAK
from victor.page.parsing.heads import OF_TABLES, Head, HeadNotes, Heads, noted_head
from victor.page.parsing.tags import (
    DEEPEST,
    DROPPED,
    NAMES,
    PAGE,
    READ_AS,
    SHADOW_ROOT,
    UNKNOWN,
    VOID,
    tag_id,
)

if TYPE_CHECKING:
    from victor.page.parsing.source_lines import SourceLines

TAG_BASE: Final = 0xD800
"""Code of tag id i: base + 3 i + one of the three kinds below."""
OPEN: Final = 0
CLOSE: Final = 1
OPEN_WITH_ATTRIBUTES: Final = 2
"""A start tag whose attributes of interest follow: one more code point, 0x10000 + bundle row."""
BUNDLE_BASE: Final = 0x10000
_MAX_BUNDLES: Final = 0xF0000 - 1

ATTRIBUTES: Final = (
    "class", "id", "role", "itemprop", "itemtype", "property", "style", "hidden", "aria-hidden",
)  # fmt: skip
"""Attributes that features read; a bundle is the tuple of their values, None where absent."""

_TEX: Final = "math/tex"


@dataclass(frozen=True, slots=True, eq=False)
class Events:
    """The event stream of a batch of pages.

    Attributes:
        codes: (N,) uint32; text code points and tag codes. Every page is one balanced
            ``#page`` element.
        page_starts: (P + 1,) int64 positions in `codes`.
        attributes: names of the recorded attributes.
        bundles: their values by bundle row.
        heads: (P,) what each page declares.
        lines: lines of the sources, if they were recorded (`victor.page.parsing.line_events`).
        formula_signs: (P,) bool; False for pages in which `victor.page.markup.formulas` finds
            nothing for sure; None where nobody looked, as on the Python path.
    """

    codes: NDArray[np.uint32]
    page_starts: Ints
    attributes: tuple[str, ...]
    bundles: Sequence[Bundle]
    heads: Sequence[Head]
    lines: SourceLines | None = None
    formula_signs: Bools | None = field(default=None, compare=False)


class Recorder:
    """Parses pages one after the other; `events` gives them as one batch.

    Args:
        alt_text: the ``alt`` of an image becomes text inside the image element.
        attributes: which attributes make a bundle.
        target: makes what sees the events of a page, given the arguments of `PageTarget`.
    """

    def __init__(
        self,
        *,
        alt_text: bool = False,
        attributes: tuple[str, ...] = ATTRIBUTES,
        target: Callable[..., PageTarget] | None = None,
    ) -> None:
        self._alt_text = alt_text
        self._attributes = attributes
        self._target = target or PageTarget
        self._bundles = Bundles()
        self._codes: list[NDArray[np.uint32]] = []
        self._heads: list[Head] = []

    def add(self, markup: bytes) -> None:
        """Parse one page given as UTF-8 bytes; what holds no markup or text is an empty page."""
        target = self._target(self._bundles, alt_text=self._alt_text, attributes=self._attributes)
        repaired = parse(markup, target)
        self._codes.append(target.codes())
        self._heads.append(target.head(repaired))
        # Its handlers refer to the target, so its strings would wait for the garbage collector.
        target.events.clear()

    def events(self) -> Events:
        """The batch of all pages added so far."""
        lengths = [len(codes) for codes in self._codes]
        codes = np.concatenate(self._codes) if self._codes else np.zeros(0, dtype=np.uint32)
        return Events(
            codes=codes,
            page_starts=np.concatenate(([0], np.cumsum(lengths))).astype(np.int64),
            attributes=self._attributes,
            bundles=tuple(self._bundles),
            heads=tuple(self._heads),
        )


def record(
    pages: Iterable[bytes],
    *,
    alt_text: bool = False,
    attributes: tuple[str, ...] = ATTRIBUTES,
) -> Events:
    """Events of a batch of pages given as UTF-8 bytes; the options are those of `Recorder`."""
    if core.compiled is not None:
        pages = tuple(pages)
        events = _compiled(pages, alt_text, attributes)
        if events is not None:
            return events
    recorder = Recorder(alt_text=alt_text, attributes=attributes)
    for page in pages:
        recorder.add(page)
    return recorder.events()


def _compiled(
    pages: tuple[bytes, ...], alt_text: bool, attributes: tuple[str, ...]
) -> Events | None:
    """As `record`; None if bytes are no UTF-8, or names of attributes are not those of HTML."""
    flags = core.compiled.pages_to_repair(pages)
    repaired: dict[int, tuple[str, ...]] = {}
    if any(flags):
        given = list(pages)
        for number in np.flatnonzero(np.frombuffer(flags, np.uint8)).tolist():
            given[number], repaired[number] = prepared(given[number])
        pages = tuple(given)
    found = core.compiled.events(pages, attributes, alt_text, _MAX_BUNDLES)
    if found is None:
        return None
    codes, values, offsets, *notes, starts, note_starts, signs = found
    columns = core.array(values, np.uint8), core.array(offsets, np.int64)
    make = _NotedHeads(notes, core.array(note_starts, np.int64), repaired)
    return Events(
        codes=core.array(codes, np.uint32),
        page_starts=core.array(starts, np.int64),
        attributes=attributes,
        bundles=BundleColumns(*columns, len(attributes)) if attributes else (),
        heads=Heads(make, range(len(pages))),
        formula_signs=core.array(signs, np.bool_),
    )


class _NotedHeads:
    """Makes the heads of pages of which the compiled core took notes, each once.

    Args:
        notes: three arrays as the compiled core has them.
        starts: (P + 1,) int64 where the notes of each page begin.
        repaired: as `Head.repaired`, for the pages where something was.
    """

    def __init__(
        self, notes: list[memoryview], starts: Ints, repaired: Mapping[int, tuple[str, ...]]
    ) -> None:
        rows, values, text = notes
        self._notes = (core.array(rows, np.int64), core.array(values, np.int64), text)
        self._starts = starts
        self._repaired = repaired
        self._made: dict[int, Head] = {}

    def __call__(self, page: int) -> Head:
        head = self._made.get(page)
        if head is None:
            first, end = self._starts[page : page + 2].tolist()
            metas, links, notes = core.compiled.head_notes(*self._notes, first, end)
            repaired = self._repaired.get(page, ())
            self._made[page] = head = noted_head(metas, links, notes, repaired)
        return head


_BREAK_AS_END: Final = re.compile(rb"</[bB][rR](?=[\s/>])")
"""The parser ignores such an end tag, which joins the words around it; browsers see ``<br>``."""


def parse(markup: bytes, target: object) -> tuple[str, ...]:
    """Send the tags and texts of UTF-8 markup to a parser target; what had no end gets one.

    Returns:
        What was given an end, as `victor.page.parsing.unclosed.closed` names it.
    """
    from lxml import etree  # slow to load, and the compiled core parses by itself

    markup, repaired = prepared(markup)
    parser = etree.HTMLParser(target=_Reported(target), huge_tree=True, encoding="utf-8")
    # Nothing to parse is not an error of the page, and what came before an error stands.
    with suppress(etree.LxmlError):
        etree.fromstring(markup, parser)
    return repaired


_SHADOW_ATTRIBUTES: Final = frozenset({"shadowrootmode", "shadowroot"})


class _Reported:
    """A parser target that sees no more than `DEEPEST` open elements, and names of shadow roots.

    One that is deeper ends the one around it, which begins again after it without attributes.
    What is deeper in one that is dropped is not seen at all.
    """

    def __init__(self, target: Any) -> None:  # noqa: ANN401  (lxml has no types)
        self._target = target
        self._start, self._end = target.start, target.end
        self._open: list[str] = []
        self._hidden = 0

    def __getattr__(self, name: str) -> object:
        return getattr(self._target, name)

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "template" and not _SHADOW_ATTRIBUTES.isdisjoint(attributes):
            name = SHADOW_ROOT
        if len(self._open) >= DEEPEST:
            if self._hidden or self._open[-1] in DROPPED:
                self._hidden += 1
            else:
                self._end(self._open[-1])
        self._open.append(name)
        if not self._hidden:
            self._start(name, attributes)

    def end(self, _name: str) -> None:
        name = self._open.pop()
        if self._hidden:
            self._hidden -= 1
            return
        self._end(name)
        if len(self._open) >= DEEPEST:
            self._start(self._open[-1], {})


def prepared(markup: bytes) -> tuple[bytes, tuple[str, ...]]:
    """UTF-8 markup as the parser is given it, and what got an end that it lacked."""
    from victor.page.parsing.unclosed import (  # the core repairs by itself
        closed,
        marks,
        with_ended_divs,
        with_rows,
    )

    if core.compiled is not None and not core.compiled.pages_to_repair((markup,))[0]:
        return markup, ()
    markup, tags = with_ended_divs(*with_rows(markup, marks(markup)))
    markup, repaired = closed(markup, tags)
    if tags.has_break_end:
        markup = _BREAK_AS_END.sub(b"<br", markup)
    return markup, repaired


@lru_cache(maxsize=4096)
def _code(name: str, kind: int) -> str:
    return chr(TAG_BASE + 3 * tag_id(name) + kind)


_RARE: Final = frozenset(
    "annotation base br code div html link meta pre samp span table td th time tt".split()
)
_CODE: Final = frozenset({"code", "samp", "tt"})
_BOXES: Final = frozenset({"div", "span"})
_MAY_BE_CODE: Final = _CODE | _BOXES | {"pre", "table"}
_NO_ENDS: Final = _MAY_BE_CODE | {"annotation"}
"""Elements whose end depends on their start."""
_COMMON: Final = tuple(
    name for name in (*NAMES, *READ_AS) if not name.startswith("#") and name not in _RARE
)
_START: Final = {name: _code(name, OPEN) for name in _COMMON}
_START_BUNDLED: Final = {name: _code(name, OPEN_WITH_ATTRIBUTES) for name in _COMMON}
_END: Final = {
    name: "" if name in VOID else _code(name, CLOSE)
    for name in (*_COMMON, *_RARE)
    if name not in _NO_ENDS
}
IMAGE_END: Final = _code("img", CLOSE)
"""Ends an image that holds its alternative text."""
_DIVS: Final = re.compile(
    f"[{''.join(_code('div', kind) for kind in (OPEN, OPEN_WITH_ATTRIBUTES))}]"
)
"""Starts of elements that programs make of the lines of code."""
_LINE: Final = _code("br", OPEN) + chr(LINE_BREAK)
_PAGE_START: Final = _code(PAGE, OPEN)
_PAGE_END: Final = _code(PAGE, CLOSE)


class Bundles(dict[Bundle, str]):
    """The character that stands for each tuple of attribute values, by first use in a batch.

    When there are more than characters to tell them apart, the rest counts as one bundle, the
    empty tuple.

    Attributes:
        lone: the same by the first value, for tuples that hold no other: most elements have a
            class and nothing else of interest, and no tuple is made for them.
    """

    __slots__ = ("lone",)

    def __init__(self) -> None:
        super().__init__()
        self.lone: dict[str, str] = {}

    def __missing__(self, bundle: Bundle) -> str:
        number = len(self)
        if number >= _MAX_BUNDLES:
            return self.setdefault((), chr(BUNDLE_BASE + number))
        self[bundle] = code = chr(BUNDLE_BASE + number)
        return code


def is_tex(name: str, attributes: Mapping[str, str]) -> bool:
    """Does an element hold TeX for MathJax 2; it is then no dropped one but an annotation."""
    return name == "script" and attributes.get("type", "").lower().startswith(_TEX)


_LISTINGS: Final = {
    "code": frozenset({"block", "d-block", "code-block"}),
    "table": frozenset({"js-file-line-container", "hljs-ln"}),
    "div": frozenset({"code-block"}),
}
"""Classes of code without ``<pre>``: Verso, Tailwind and Bootstrap; GitHub and highlight.js; with
``data-lang`` Writerside."""
_WHITE_SPACE: Final = re.compile(r"[ \t\n\f\r]+")


def is_listing(name: str, attributes: Mapping[str, str]) -> bool:
    """Does an element hold lines of code that a style sheet sets as ``<pre>`` does."""
    classes = attributes.get("class") or ""
    if name not in _LISTINGS or (name == "div" and "data-lang" not in attributes):
        return False
    return not _LISTINGS[name].isdisjoint(_WHITE_SPACE.split(classes))


_SETS_LINES: Final = re.compile(
    r"white-space[ \t\n]*+:[ \t\n]*+(?:pre(?!-line)|break-spaces)", re.I
)
_FIXED_WIDTH: Final = re.compile("monospace|courier|consolas|menlo", re.IGNORECASE)
_CODE_CLASSES: Final = frozenset(
    "code codeblock code-block cmd command console highlight hljs listing prettyprint source "
    "sourcecode syntax terminal".split()
)
_TAGS: Final = re.compile("[\ud800-\udfff\U00010000-\U0010ffff]")


def _sets_lines(attributes: Mapping[str, str]) -> bool:
    """Does an element say in its style that line ends of its text are line ends on the screen."""
    return bool(_SETS_LINES.search(attributes.get("style") or ""))


def _is_named_code(attributes: Mapping[str, str]) -> bool:
    """Do the classes of an element, or its font, say that it holds code."""
    classes = _WHITE_SPACE.split(attributes.get("class") or "")
    style = attributes.get("style") or ""
    return bool(_FIXED_WIDTH.search(style)) or not _CODE_CLASSES.isdisjoint(classes)


def _has_lines(events: str) -> bool:
    """Does the text of some events have more than one line."""
    text = _TAGS.sub("", _DIVS.sub("\n", events).replace(chr(LINE_BREAK), "\n"))
    return "\n" in text.strip()


class PageTarget:
    """Parser target of one page. `data` is a bound `list.append`: text costs no Python frame.

    Args:
        bundles: shared by the pages of a batch.
        alt_text: the ``alt`` of an image becomes text inside the image element.
        attributes: which attributes make a bundle.
    """

    def __init__(
        self,
        bundles: Bundles,
        *,
        alt_text: bool = False,
        attributes: tuple[str, ...] = ATTRIBUTES,
    ) -> None:
        self.events: list[str] = [_PAGE_START]
        self.data = self.events.append
        self._bundles = bundles
        self._alt_text = alt_text
        self._attributes = attributes
        self._not_wanted = frozenset(attributes).isdisjoint
        self._dropped_depth = 0
        self._dropped_at = 0
        self._notes = HeadNotes()
        self._script = ""
        self._in_tex = False
        self._annotations: list[str] = []
        self._code: list[tuple[str, int, bool]] = []
        """Names under which elements are reported that are code, or may be; the places of their
        starts among the events; and do they set line ends."""
        self._first_code = 0
        """Where the outermost open element for code begins, 0 if none is open."""
        self._listing = 0
        """Likewise for what is a listing if it has lines."""
        self._n_setting = 0
        """How many open elements set line ends."""
        self._n_pre = 0
        """How many of these are ``<pre>``."""
        self._n_tables = 0
        """How many tables and cells there were."""
        self.start = self._start_handler()
        self.end = self._end_handler()

    def close(self) -> None:
        """Called by the parser at the end; nothing is left to do."""

    def codes(self) -> NDArray[np.uint32]:
        """(N,) uint32 codes of the page; balanced, as the parser ends all that it has begun."""
        self.events.append(_PAGE_END)
        return np.array("".join(self.events)).reshape(1).view(np.uint32)

    def head(self, repaired: tuple[str, ...] = ()) -> Head:
        """What the page declares; to be asked for before its events are cleared.

        Args:
            repaired: as `Head.repaired`.
        """
        return self._notes.head(self._ordinals(self._notes.positions()), repaired)

    def _ordinals(self, positions: list[int]) -> Iterator[int]:
        """Ordinal of the last tag before each of some positions among the events."""
        if not positions:
            return iter(())
        is_tag = [0xD800 <= ord(event[0]) < 0xE000 if event else False for event in self.events]
        # An image with alternative text is two tags, its text is an event between them.
        before = np.concatenate(([0], np.cumsum(is_tag)))
        return iter((before[positions] - 1).tolist())

    def _start_handler(self) -> Callable[[str, Mapping[str, str]], None]:
        append, codes, bundled = self.events.append, _START, _START_BUNDLED
        bundles, lone, rare = self._bundles, self._bundles.lone, self._rare_start
        names = self._attributes
        first, absent = (*names, "")[0], (None,) * (len(names) - 1)
        no_others = frozenset(names[1:]).isdisjoint
        if self._alt_text:
            codes = {name: code for name, code in _START.items() if name != "img"}

        def start(name: str, attributes: Mapping[str, str]) -> None:
            if name not in codes:
                rare(name, attributes)
            elif not attributes:
                append(codes[name])
            elif no_others(attributes):
                value = attributes.get(first)
                if value is None:
                    append(codes[name])
                elif value in lone:
                    append(bundled[name] + lone[value])
                else:
                    lone[value] = bundle = bundles[(value, *absent)]
                    append(bundled[name] + bundle)
            else:
                append(bundled[name] + bundles[tuple(map(attributes.get, names))])

        return start

    def _end_handler(self) -> Callable[[str], None]:
        append, codes, rare = self.events.append, _END, self._rare_end

        def end(name: str) -> None:
            append(codes[name] if name in codes else rare(name))

        return end

    def _rare_start(self, name: str, attributes: Mapping[str, str]) -> None:
        """Start tags off the hot path: dropped, unknown, or of the head."""
        if name in DROPPED:
            if not self._dropped_depth and is_tex(name, attributes):
                self._in_tex = True
                self.events.append(_code("annotation", OPEN))
                return
            if not self._dropped_depth:
                self._dropped_at = len(self.events)
                self._script = attributes.get("type", "") if name == "script" else ""
            self._dropped_depth += 1
        elif self._dropped_depth:
            pass  # It vanishes with what it stands in.
        elif name == "br":
            self.events.append(_LINE)
        elif name == "img":
            self.events += [_START["img"], attributes.get("alt", ""), IMAGE_END]
        elif name in _MAY_BE_CODE:
            self._start_code(name, attributes)
        elif name == "annotation":
            # One of another language than TeX is like any element that HTML does not know.
            holds_tex = "tex" in attributes.get("encoding", "tex").lower()
            self._annotations.append("annotation" if holds_tex else UNKNOWN)
            self.events.append(_code(self._annotations[-1], OPEN))
        else:
            self._note(name, attributes)
            self.events.append(self._open_code(name, attributes))

    def _start_code(self, name: str, attributes: Mapping[str, str]) -> None:
        """Start of an element that is code, or may be."""
        at, sets_lines = len(self.events), bool(attributes) and _sets_lines(attributes)
        if not self._n_pre and name != "pre" and is_listing(name, attributes):
            name = "listing"
        elif name == "table":
            self._note(name, attributes)
        self._n_pre += name == "pre"
        self._n_setting += sets_lines
        if name in _CODE and not self._first_code:
            self._first_code = at
        if name == "pre":
            self._listing = 0
        elif not self._n_pre and not self._listing:
            if (self._n_setting and name in _CODE) or (
                sets_lines and name in _BOXES and _is_named_code(attributes)
            ):
                self._listing = at
            elif sets_lines:
                self._listing = self._first_code
        self._code.append((name, at, sets_lines))
        self.events.append(self._open_code(name, attributes))

    def _end_code(self) -> str:
        """Name of the innermost such element, which ends; what turns out to be code begins anew."""
        name, at, sets_lines = self._code.pop()
        self._n_pre -= name == "pre"
        self._n_setting -= sets_lines
        if at == self._first_code:
            self._first_code = 0
        if at == self._listing:
            self._listing = 0
            if _has_lines("".join(self.events[at + 1 :])):
                start, step = self.events[at], 3 * (tag_id("listing") - tag_id(name))
                self.events[at] = chr(ord(start[0]) + step) + start[1:]
                return "listing"
        return name

    def _note(self, name: str, attributes: Mapping[str, str]) -> None:
        """Note what an element declares, or what a table or a cell says of itself."""
        is_of_table = name in OF_TABLES
        position = self._n_tables if is_of_table else len(self.events) + 1
        self._notes.note(name, attributes, position)
        self._n_tables += is_of_table

    def _open_code(self, name: str, attributes: Mapping[str, str]) -> str:
        """Code of a start tag outside the tables, with its bundle where it has one."""
        if self._not_wanted(attributes):
            return _code(name, OPEN)
        bundle = tuple(map(attributes.get, self._attributes))
        return _code(name, OPEN_WITH_ATTRIBUTES) + self._bundles[bundle]

    def _rare_end(self, name: str) -> str:
        """End code of an unknown element; nothing for a dropped one, whose content goes."""
        if name not in DROPPED:
            if name in _NO_ENDS and not self._dropped_depth:
                name = self._annotations.pop() if name == "annotation" else self._end_code()
            return _code(name, CLOSE)
        if self._in_tex:
            self._in_tex = False
            return _code("annotation", CLOSE)
        self._dropped_depth -= 1
        if not self._dropped_depth:
            if name == "title":
                self._notes.note_title("".join(self.events[self._dropped_at :]))
            elif name == "script":
                self._notes.note_script(self._script, "".join(self.events[self._dropped_at :]))
            del self.events[self._dropped_at :]
        return ""
