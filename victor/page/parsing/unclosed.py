"""Close raw-text elements and comments that the author of a page forgot to close.

A ``<title>``, a ``<script>`` or a comment without an end swallows the page up to the next end of
its kind, or all of it. Such an element is given an end where a human reader of the source would see
it. What is closed stays as it is: the only elements in question are those that reach the end of
the page, or that hold the start of another one of their kind, which the first end belongs to.

Everything is linear in the length of the page. The one pass over all of it is vectorised.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from victor.base import core
from victor.base.arrays import Ints
from victor.base.lazy import cached_property, pattern
from victor.page.parsing.tags import BLOCK_LEVEL, DROPPED, INLINE, READ_AS, VOID

COMMENT: Final = "comment"
_RAW: Final = tuple("iframe noframes script style textarea title xmp".split())
"""Elements whose content is text to the parser, whatever it looks like."""
_OTHERS: Final = ("pre", "table", "tbody", "tfoot", "thead")
"""Elements that end, or have content, where the parser takes no notice."""
_NEVER: Final = 1 << 62  # position of what does not come any more

# --- Marks: the few tags that matter -------------------------------------------------------------

_BREAK_END: Final = b"</br"
_WRITTEN: Final = (
    b"<!--", _BREAK_END, *(p + n.encode() for n in (*_RAW, *_OTHERS) for p in (b"<", b"</")),
)  # fmt: skip
"""What is looked for: a comment, the end of a line break, and even the starts, odd the ends."""
_FIRST_RAW: Final = 2
_PRE_START: Final = _FIRST_RAW + 2 * len(_RAW)


class Marks(NamedTuple):
    """Where comments, raw text, ends of line breaks, code and tables are written in a page."""

    at: Ints  # (n,) int64 positions, ascending
    kind: NDArray[np.uint8]  # (n,) uint8 rows of `_WRITTEN`

    @property
    def has_break_end(self) -> bool:
        """Is there a ``</br``."""
        return bool((self.kind == 1).any())


def marks(markup: bytes) -> Marks:
    """Find them all, also those in comments, scripts and attributes."""
    places, kinds = core.compiled.marks(markup)
    return Marks(core.array(places, np.int64), core.array(kinds, np.uint8))


def _all_paired(markup: bytes, tags: Marks) -> bool:
    """Has every element an end before the next one of its kind, and every comment, too."""
    elements = tags.kind[(tags.kind >= _FIRST_RAW) & (tags.kind < _PRE_START)]
    elements = elements[np.argsort(elements >> 1, kind="stable")]
    starts, ends = elements[::2], elements[1::2]
    if len(starts) != len(ends) or ((starts & 1) | (ends ^ starts ^ 1)).any():
        return False
    comments = tags.at[tags.kind == 0].tolist()
    stops = [*comments[1:], len(markup)]
    # The two bytes more are those of an end that reads as a start, too: ``<!-->``.
    spans = zip(comments, stops, strict=False)
    return all(markup.find(b"-->", at + 2, stop + 5) >= 0 for at, stop in spans)


def with_rows(markup: bytes, tags: Marks) -> tuple[bytes, Marks]:
    """The markup with a ``<tr>`` before each first cell of a table, or of a part, that has none.

    Browsers do the same (HTML standard, "in table body": a cell there begins a row).

    Args:
        markup: UTF-8 bytes.
        tags: its marks.

    Returns:
        The markup, not copied where nothing is missing, and its marks.
    """
    starts = tags.at[(tags.kind > _PRE_START + 1) & (tags.kind % 2 == 0)].tolist()
    cells = [match.end() for at in starts if (match := _TO_CELL.match(markup, at))]
    if not cells:
        return markup, tags
    bounds = zip([0, *cells], [*cells, len(markup)], strict=True)
    markup = b"<tr>".join(markup[start:end] for start, end in bounds)
    return markup, marks(markup)


def with_ended_divs(markup: bytes, tags: Marks) -> tuple[bytes, Marks]:
    """The markup with an end for each ``<div>`` that is open where ``</pre>`` is.

    The parser takes no notice of such an end tag, so all that follows would be preformatted. In
    browsers it ends what is open inside (HTML standard, "in body": pop until a ``pre`` was popped).

    Args:
        markup: UTF-8 bytes.
        tags: its marks.

    Returns:
        The markup, not copied where nothing is missing, and its marks.
    """
    pres = np.flatnonzero(tags.kind >> 1 == _PRE_START >> 1)
    is_pair = np.diff(tags.kind[pres].astype(np.int8)) == 1
    pieces: list[bytes] = []
    done = 0
    for start, end in zip(tags.at[pres[:-1][is_pair]], tags.at[pres[1:][is_pair]], strict=True):
        if n_open := _open_divs(markup[start:end]):
            pieces += [markup[done:end], b"</div>" * n_open]
            done = end
    if not pieces:
        return markup, tags
    markup = b"".join([*pieces, markup[done:]])
    return markup, marks(markup)


def _open_divs(code: bytes) -> int:
    """How many ``<div>`` are open at the end of preformatted text; 0 if that has ended before."""
    n_open = 0
    for tag in _TAG_IN_CODE.finditer(code) if b"<div" in code.lower() else ():
        name = (tag["name"] or b"").lower()
        if name in _ENDS_CODE:
            return 0
        if name == b"div" and not tag[0].endswith(b"/>"):
            n_open = max(n_open + (-1 if tag["end"] else 1), 0)
    return n_open


# --- Where an unclosed element ends ---------------------------------------------------------------


def _any_of(names: frozenset[str]) -> bytes:
    return b"(?:" + "|".join(sorted(names)).encode() + rb")(?=[\s/>])"


_BLOCKS: Final = _any_of(BLOCK_LEVEL | DROPPED | READ_AS.keys())
_ELEMENTS: Final = _any_of(BLOCK_LEVEL | DROPPED | INLINE | READ_AS.keys())

_TAG_NAME: Final = pattern(rb"</?[a-z][^\s>/]*+", re.IGNORECASE)
_PART: Final = rb"""(?:[^<>=]++|=\s*+(?:"[^"]*+"|'[^']*+')?+)"""
_TAG_PART: Final = pattern(_PART)
_TAG_REST: Final = pattern(_PART + rb"*+(?P<end>>?)")
"""What follows the name, up to the end of the tag if it has one."""
_EMPTY: Final = pattern(rb"""(?:<\w+|[\s"'])/>\Z""")
"""A tag that the parser takes for a whole element."""
_ANY_TAG: Final = pattern(rb"<[a-z/!]", re.IGNORECASE)
_FIELD_END: Final = pattern(rb"</?" + _BLOCKS, re.IGNORECASE)
_TEMPLATE_END: Final = pattern(
    rb"</(?:head|body|html)\b|<(?:body|noscript|script)\b", re.IGNORECASE
)
_STYLE_STEP: Final = pattern(
    rb"""\\.|"(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+'"""
    rb"""|/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/|\Z)|url\([^()\n]*+\)|(?P<markup></?"""
    + _ELEMENTS
    + b")",
    re.IGNORECASE | re.DOTALL,
)
"""Strings, comments, or markup outside of them."""
_SCRIPT_STEP: Final = pattern(
    rb"""\\.|"(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+'|`(?:[^`\\]|\\.)*+`|//[^\n<]*+"""
    rb"""|/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/|\Z)"""
    rb"""|[;})>\]\n]\s*+(?P<markup></?""" + _ELEMENTS + rb")?+",
    re.IGNORECASE | re.DOTALL,
)
"""The same; a statement or a line ends before markup."""
_TYPE: Final = pattern(rb"""\stype\s*=\s*["']?([^\s"'>]*)""", re.IGNORECASE)
_CODE_TYPE: Final = pattern(rb"script|json|module|babel|^$", re.IGNORECASE)
_TAG_IN_CODE: Final = pattern(
    rb"<!--(?:[^-]++|-(?!->))*+|"
    rb"<(?P<end>/?)(?P<name>[a-z][^\s/>]*+)(?:[^\"'>]++|\"[^\"]*+\"|'[^']*+')*+>?",
    re.IGNORECASE,
)
_TO_CELL: Final = pattern(rb"<[^<>]*+>[ \t\n\f\r]*+(?=<t[dh][\s/>])", re.IGNORECASE)
_ENDS_CODE: Final = frozenset(
    b"dd dl dt fieldset form li table tbody td tfoot th thead tr ul".split()
)
"""Elements that end a ``<pre>`` for the parser wherever they begin."""
_COMMENT_END: Final = pattern(rb"--!?>")
_REMARK: Final = pattern(rb"[^<>\n]*+>*+")
_HIDES: Final = pattern(rb"\s*(?:<|\Z)|[^\s\[][^>]*>")
"""A remark that does not tell what follows but is markup, or begins with it."""
_HIDDEN_TAG: Final = pattern(
    rb"<(?:(?P<raw>script|style)\b|(?P<end>/?)(?P<name>[a-z][a-z0-9]*+))[^>]*+(?P<closed>>?)",
    re.IGNORECASE,
)
_RAW_END: Final = {
    name: pattern(rb"</" + name + rb"\s*+>", re.IGNORECASE) for name in (b"script", b"style")
}
_VOID: Final = frozenset(name.encode() for name in VOID)
_LOOSE: Final = _VOID | {*b"p li dt dd td th tr tbody thead tfoot option".split()}
"""Elements whose end is nowhere, or often forgotten: they do not count for what is balanced."""
_QUOTED: Final = pattern(rb"""["'`+\\(,=:]\s*\Z""")
"""What stands before markup in a string of a script."""
_LOOK_BACK: Final = 64


class _Open(NamedTuple):
    """A start of a raw-text element."""

    at: int  # where
    end: int  # the next end of its kind
    last: int  # the last start of its kind before that end


def closed(markup: bytes, tags: Marks | None = None) -> tuple[bytes, tuple[str, ...]]:
    """The markup with an end for all that lacks one.

    Args:
        markup: UTF-8 bytes.
        tags: its marks, where the caller has them.

    Returns:
        The markup, not copied where nothing is missing; and what was closed, in alphabetical
        order: names of elements, and ``comment``.
    """
    tags = tags or marks(markup)
    if _all_paired(markup, tags):
        return markup, ()
    repair = _Repair(markup, tags)
    repair.run()
    if not repair.inserted:
        return markup, ()
    cuts = [0, *(at for at, _, _ in repair.inserted), len(markup)]
    ends = [*(text for _, text, _ in repair.inserted), b""]
    pieces = (
        markup[start:end] + text for start, end, text in zip(cuts, cuts[1:], ends, strict=False)
    )
    return b"".join(pieces), tuple(sorted({name for _, _, name in repair.inserted}))


class _Repair:
    """One walk over the marks of a page.

    Attributes:
        inserted: position, text and name of every end that was missing.
    """

    def __init__(self, markup: bytes, tags: Marks) -> None:
        self.inserted: list[tuple[int, bytes, str]] = []
        self._markup = markup
        self._at: list[int] = tags.at.tolist()
        self._kind: list[int] = tags.kind.tolist()
        self._cursor = 0
        """Everything before is done with."""
        self._tag = 0, 0
        """The last tag that was looked at for what its attributes hold."""
        self._comment_end = -1
        self._endless: set[int] = set()
        self._endless_until = 0
        self._escaped: dict[int, bool] = {}

    def run(self) -> None:
        """Go from mark to mark outside what is closed."""
        pairs = self._pairs()
        n_comments = 0
        for number, (at, kind) in enumerate(zip(self._at, self._kind, strict=True)):
            n_comments += kind == 0
            if at < self._cursor:
                continue
            if kind == 0:
                self._comment(at, n_comments)
            elif kind < _PRE_START and (pair := pairs[number]) is not None:
                self._element(pair, _RAW[(kind - _FIRST_RAW) // 2])

    def _pairs(self) -> list[_Open | None]:
        """For every mark that starts an element, the end and the start that belong together."""
        pairs: list[_Open | None] = [None] * len(self._at)
        end, last = [_NEVER] * len(_WRITTEN), [_NEVER] * len(_WRITTEN)
        for number in range(len(pairs) - 1, -1, -1):
            at, kind = self._at[number], self._kind[number]
            if kind < _FIRST_RAW:
                continue
            if kind % 2:
                end[kind - 1], last[kind - 1] = at, _NEVER
            else:
                last[kind] = at if last[kind] == _NEVER else last[kind]
                pairs[number] = _Open(at, end[kind], last[kind])
        return pairs

    def _element(self, opened: _Open, name: str) -> None:
        """Step over an element, or give it the end it lacks."""
        if opened.last == opened.at and opened.end != _NEVER:
            self._cursor = opened.end
            return
        if self._cursor <= self._tag[0] < opened.at < self._tag[1]:
            return  # in an attribute of the tag looked at last
        tag_name = _TAG_NAME.match(self._markup, opened.at)
        tag_end = self._tag_end(tag_name.end()) if tag_name else None
        if tag_end is None or self._in_attribute(opened.at):
            return
        tag = self._markup[opened.at : tag_end]
        if _EMPTY.search(tag):
            self._cursor = tag_end
            return
        end = self._element_end(opened, name, tag)
        if end is None:
            self._cursor = min(opened.end, len(self._markup))
        else:
            self.inserted.append((end, b"</%s>" % name.encode(), name))
            self._cursor = end

    def _in_attribute(self, at: int) -> bool:
        """Does a position lie inside a tag that begins before it."""
        start, end = self._tag
        while end <= at or start < self._cursor:
            start, end = self._next_tag(max(end, self._cursor))
        self._tag = start, end
        return start < at

    def _next_tag(self, at: int) -> tuple[int, int]:
        """Where the next tag begins and ends."""
        for name in _TAG_NAME.finditer(self._markup, at):
            end = self._tag_end(name.end())
            if end is not None:
                return name.start(), end
        return _NEVER, _NEVER

    def _tag_end(self, at: int) -> int | None:
        """Where a tag ends whose name ends at a position; None if it has no end.

        Many tags may begin, in the quoted values of one another, of which none ends. Where one
        leads to nothing, no later one goes on from the same place.
        """
        if at >= self._endless_until:
            rest = _TAG_REST.match(self._markup, at)
            if rest and rest["end"]:
                return rest.end()
            self._endless_until = rest.end() if rest else at
            return None
        places = []
        while at not in self._endless and (part := _TAG_PART.match(self._markup, at)):
            places.append(at)
            at = part.end()
        if at not in self._endless and self._markup.startswith(b">", at):
            return at + 1
        self._endless.update(places)
        return None

    def _element_end(self, opened: _Open, name: str, tag: bytes) -> int | None:
        """Where an element ends that has no end of its own; None if it may have one after all."""
        start = opened.at + len(tag)
        if name == "script":
            return self._script_end(opened, start, tag)
        if name == "style":
            return self._first_markup(_STYLE_STEP, start, opened)
        return self._first(_FIELD_END if name == "textarea" else _ANY_TAG, start, opened)

    def _script_end(self, opened: _Open, start: int, tag: bytes) -> int | None:
        if opened.end != _NEVER and self._is_string(opened.last, opened.end):
            return None
        kind = _TYPE.search(tag)
        if kind and not _CODE_TYPE.search(kind[1]):
            return self._first(_TEMPLATE_END, start, opened)
        return self._first_markup(_SCRIPT_STEP, start - 1, opened)

    def _first(self, pattern: re.Pattern[bytes], start: int, opened: _Open) -> int:
        """Where a pattern first matches, not after the next start of the same kind or the page."""
        limit = len(self._markup) if opened.end == _NEVER else opened.last
        match = pattern.search(self._markup, start, limit)
        return match.start() if match else limit

    def _first_markup(self, step: re.Pattern[bytes], start: int, opened: _Open) -> int | None:
        """The first markup in code, up to the last start of the same kind; None for none."""
        stop = min(opened.end, len(self._markup))
        for match in step.finditer(self._markup, start, stop):
            if match["markup"] is not None:
                at = match.start("markup")
                return at if opened.end == _NEVER or at <= opened.last else None
        return None

    def _is_string(self, at: int, end: int) -> bool:
        """Is what looks like the start of a script, before the end at `end`, in a string."""
        if at not in self._escaped:
            before = self._markup[max(at - _LOOK_BACK, 0) : at]
            escaped_end = self._markup.find(b"<\\/", at, end) >= 0
            self._escaped[at] = escaped_end or _QUOTED.search(before) is not None
        return self._escaped[at]

    def _comment(self, at: int, following: int) -> None:
        """Step over a comment, or give it the end it lacks, given the number of the next one."""
        end = self._end_of_comment(at)
        lacking = self._lacking_end(at, end, following)
        if lacking is not None:
            if self._in_attribute(at):
                return
            end, text = lacking
            self.inserted.append((end, text, COMMENT))
        self._cursor = end

    def _lacking_end(self, at: int, end: int, inner: int) -> tuple[int, bytes] | None:
        """Where and what the end of a comment is to be, given the next end; None if it is that."""
        comments = self._comments
        # ``<!-->`` inside a comment is its end.
        if end != _NEVER and (inner == len(comments) or comments[inner] >= end - 2):
            return None
        after = bisect_left(comments, end - 2)
        remark = _REMARK.match(self._markup, at + 4) or [b""]
        if end != _NEVER and _HIDES.match(remark[0]):
            balanced = _balanced_end(self._markup, at + 4, comments[inner])
            return None if balanced is None else (balanced, b"-->")
        if end != _NEVER and not self._has_end_to_spare(end, after):
            return None
        has_end = remark[0].endswith(b">")
        return at + 4 + len(remark[0]) - has_end, b"--" if has_end else b"-->"

    def _end_of_comment(self, at: int) -> int:
        """The first end of a comment after its start."""
        if self._comment_end < at + 2:
            match = _COMMENT_END.search(self._markup, at + 2)
            self._comment_end = match.start() if match else _NEVER
        return self._comment_end

    def _has_end_to_spare(self, end: int, after: int) -> bool:
        """Is the end of a comment that of another one, which begins inside it.

        It is its own if what follows has an end too many: then one comment stands in another. And
        a condition hides what goes up to its own end.

        Args:
            end: where the comment ends.
            after: number of the last comment that begins inside it, and one.
        """
        comments = self._comments
        following = bisect_left(comments, end)
        around = comments[after - 1 : following + 1]
        if any(self._markup.startswith((b"<!--[endif", b"<!--<![endif"), at) for at in around):
            return False
        stop = comments[following] if following < len(comments) else len(self._markup)
        return self._markup.find(b"-->", end + 3, stop) < 0

    @cached_property
    def _comments(self) -> list[int]:
        """Where comments begin."""
        return [at for at, kind in zip(self._at, self._kind, strict=True) if kind == 0]


def _balanced_end(markup: bytes, start: int, stop: int) -> int | None:
    """Where a comment around markup was to end, whose own end is missing.

    That is after its first whole element, if an element ends later that began before the comment,
    for an author hides whole elements. None if there is no such end.

    Args:
        markup: the page.
        start: where the comment's content begins.
        stop: where the next comment begins.
    """
    depth, end = 0, None
    for tag in _hidden_tags(markup, start, stop):
        if not tag.is_whole and tag.name not in _LOOSE:
            if depth == 0 and tag.is_end:
                return end
            depth += -1 if tag.is_end else 1
        if depth == 0 and end is None and (tag.is_whole or tag.is_end or tag.name in _VOID):
            end = tag.end
    return None


class _HiddenTag(NamedTuple):
    """A tag in a comment, or a whole script or style element; `end` is where it ends."""

    name: bytes
    is_whole: bool
    is_end: bool
    end: int


def _hidden_tags(markup: bytes, start: int, stop: int) -> Iterator[_HiddenTag]:
    """Tags between two positions; the content of scripts and styles that end there has none."""
    without_end: set[bytes] = set()
    while (tag := _HIDDEN_TAG.search(markup, start, stop)) and tag["closed"]:
        start = tag.end()
        name = (tag["raw"] or tag["name"]).lower()
        whole = None
        if tag["raw"] and name not in without_end:
            whole = _RAW_END[name].search(markup, start, stop)
            start = whole.end() if whole else start
            without_end |= set() if whole else {name}
        yield _HiddenTag(name, whole is not None, bool(tag["end"]), start)
