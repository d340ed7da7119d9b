"""Inline content as Markdown: escapes, delimiters that all readers understand, links, formulas."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple
from urllib.parse import quote

from victor.page.allowance import Allowance
from victor.render.tree.formulas import with_formulas
from victor.render.tree.nodes import (
    UNSET,
    Break,
    Embed,
    Inline,
    Mark,
    Math,
    NoteMark,
    Picture,
    Text,
)

_SPECIAL: Final = re.compile(
    r"\\|`|\*|\[|\]|<(?=[A-Za-z/!?])|&(?=#?\w+;)|_(?:(?<![^\W_]_)|(?![^\W_]))"
    r"|~(?:(?=~)|(?<=~~))"
)
"""Every alternative begins with a character of its own, so all other text is skipped fast."""
_MARKUP: Final = re.compile(rf"\[(?![ xX]\]|[!^])([^][]++)\](?![(\[:{{])|{_SPECIAL.pattern}")
"""Of words in brackets that no reader takes for a link, a task, a note or a callout the words."""
_ESCAPED_END: Final = re.compile(r"(?<!\\)(?:\\\\)*+\\[]!~]\Z")
_JOINED: Final = frozenset({"![", "~~", "]("})
"""What the end of one piece and the start of the next must not make."""
_FORMULA: Final = "\0"
"""Stands for a formula; no text holds it."""
_DISPLAY: Final = re.compile(r"^\$\$", re.MULTILINE)
"""What begins a formula of several lines, to the end of one wherever it stands."""
_TICKS: Final = re.compile(r"`+")
_NOT_IN_ADDRESS: Final = re.compile(r'[\s\x00-\x1f()<>\\|"\x7f]|&(?=#?\w+;)')
_IN_ADDRESS: Final = {"\n": "", "\r": "", "\t": "", "&": "&amp;"}
"""Of these, what stands in the place of those that are not written as numbers."""
_DELIMITERS: Final = {
    Mark.STRONG.value: ("**", "<strong>", "</strong>"),
    Mark.EMPHASIS.value: ("*", "<em>", "</em>"),
    Mark.DELETED.value: ("~~", "<del>", "</del>"),
    Mark.SUBSCRIPT.value: ("", "<sub>", "</sub>"),
    Mark.SUPERSCRIPT.value: ("", "<sup>", "</sup>"),
}
_LINE_IN_CELL: Final = "<br>"
TAGS: Final = (_LINE_IN_CELL, *(tag for _, *tags in _DELIMITERS.values() for tag in tags))
"""All HTML that Markdown has of Victor; what the page brings is text."""
_DELIMITED: Final = sum(_DELIMITERS)
"""All marks that have delimiters."""
# Operations on plain numbers are many times as fast as those on flags.
_PLAIN: Final = 0
_CODE: Final = Mark.CODE.value
_STARS: Final = Mark.STRONG.value | Mark.EMPHASIS.value
"""Marks whose delimiters are of one character."""
_LINKED: Final = (Text, Picture)
_LINE_BREAK: Final = "\\\n"
_FEWEST: Final = 2
"""Pieces that can be one."""
_IN_TEX: Final = re.compile(
    r"\\(?P<active>(?:href|url|includegraphics|mmlToken|style|html[A-Za-z]*)(?![A-Za-z])"
    r"|bbox\s*\[[^]\[:]*+[\[:])"
    r"|\\(?P<pair>.?)|[<>](?=[A-Za-z/!?])|[`$]|\](?=\()|!(?=\[)|\[(?=\^)|&(?=#?\w+;)"
)
_TEX_WORDS: Final = {"<": r"\lt ", ">": r"\gt ", "`": r"\lq ", "$": r"\$"}


class _Piece(NamedTuple):
    """A piece of Markdown: text, or where a delimiter opens or closes.

    Attributes:
        source: Markdown of a text.
        mark: value of the `Mark` of a delimiter; 0 for text.
        is_open: of a delimiter.
    """

    source: str
    mark: int = _PLAIN
    is_open: bool = False


class Writer:
    """Writes the inline content of one document.

    Args:
        links: addresses by number.
        allowance: what the form may take.
        has_formulas: the document has some, so dollar signs of text are escaped.
    """

    def __init__(
        self, links: Sequence[str], allowance: Allowance, *, has_formulas: bool = False
    ) -> None:
        self._links, self._allowance = links, allowance
        self._has_formulas = self._escapes_dollars = has_formulas

    def text(self, inlines: Sequence[Inline]) -> str:
        """Content of several lines."""
        return self._written(inlines, _LINE_BREAK)

    def line(
        self, inlines: Sequence[Inline], *, is_heading: bool = False, in_cell: bool = False
    ) -> str:
        """Content on one line; a heading is set as such, and a cell keeps its lines apart."""
        if is_heading:
            inlines = [_without(Mark.STRONG, inline) for inline in inlines]
        text = self._written(inlines, _LINE_IN_CELL if in_cell else " ").replace("\n", " ")
        return text.replace("|", "\\|") if in_cell else text

    def heading(self, text: str) -> str:
        """Plain text as a heading."""
        plain = Text(" ".join(text.split()))
        return self.line(with_formulas([plain], dollars=False), is_heading=True)

    def code(self, text: str, *, in_cell: bool = False) -> str:
        """Text as inline code."""
        longest = max(map(len, _TICKS.findall(text)), default=0)
        ticks = "`" * (longest + 1)
        # One space at both ends is not part of the code.
        space = " " if text[:1] in "` " or text[-1:] in "` " else ""
        written = f"{ticks}{space}{text}{space}{ticks}" if text.strip() else ""
        return written.replace("|", "\\|") if in_cell else written

    def _written(self, inlines: Sequence[Inline], line_break: str) -> str:
        # A formula that begins with a dollar of text could end with one within code.
        self._escapes_dollars = self._has_formulas or any(map(_may_end_formula, inlines))
        text = self._content(inlines, line_break)
        if self._escapes_dollars or "$$" not in text:
            return text
        return _DISPLAY.sub(r"\\\g<0>", text)

    def _content(self, inlines: Sequence[Inline], line_break: str) -> str:
        if len(inlines) == 1 and isinstance(lone := inlines[0], Text) and lone[1:] == UNSET:
            return _with_lone_star(self._escaped(lone.text))
        inlines = _merged(inlines)
        if self._has_formulas:
            inlines = [*_apart(inlines)]
        for each in inlines:
            if isinstance(each, Text) and each.marks._value_ & _DELIMITED:
                pieces = [*self._pieces(inlines, _PLAIN, -1, line_break)]
                return _delimited(pieces, self._allowance)
        return _with_lone_star(self._undelimited(inlines, line_break))

    def _undelimited(self, inlines: Sequence[Inline], line_break: str) -> str:
        """Content without a mark that has delimiters."""
        parts: list[str] = []
        at = 0
        while at < len(inlines):
            link, end = _link_of(inlines[at]), at + 1
            if link < 0:
                parts.append(self._plain(inlines[at], line_break))
            else:
                end = _end(inlines, at, lambda each, number=link: _link_of(each) == number)
                texts = [self._plain(each, line_break) for each in inlines[at:end]]
                parts.append(self._link(_joined(texts), link))
            at = end
        return _joined(parts)

    def _pieces(
        self, inlines: Sequence[Inline], done: int, link: int, line_break: str
    ) -> Iterator[_Piece]:
        """Pieces of some content within marks and a link that are open already."""
        at = 0
        while at < len(inlines):
            inline = inlines[at]
            other = _link_of(inline)
            if other >= 0 and other != link:
                end = _end(inlines, at, lambda each, number=other: _link_of(each) == number)
                pieces = [*self._pieces(inlines[at:end], done, other, line_break)]
                yield _Piece(self._link(_delimited(pieces, self._allowance), other))
                at = end
                continue
            end, mark = _longest(inlines, at, done)
            if mark:
                yield _Piece("", mark, is_open=True)
                yield from self._pieces(inlines[at:end], done | mark, link, line_break)
                yield _Piece("", mark)
            else:
                yield _Piece(self._plain(inline, line_break))
            at = max(end, at + 1)

    def _link(self, text: str, link: int) -> str:
        """The Markdown of a text as a link, but for white space at its ends."""
        inner = text.strip()
        if not inner:
            return text
        before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
        return f"{before}[{inner}]({_address(self._links[link])}){after}"

    def _plain(self, inline: Inline, line_break: str) -> str:
        """One piece without regard to marks, except code."""
        if isinstance(inline, Text):  # nearly all are
            is_code = inline.marks._value_ & _CODE
            return self.code(inline.text) if is_code else self._escaped(inline.text)
        self._allowance.ask()
        match inline:
            case Break():
                return line_break
            case Picture(source, alternative, title):
                shown = f' "{self._label(title).replace(chr(34), "&quot;")}"' if title else ""
                return f"![{self._label(alternative)}]({_address(source)}{shown})"
            case Embed(address, title):
                return f"![{self._label(title)}]({_address(address)})"
            case Math(tex, display):
                sign, source = "$$" if display else "$", tex_between_dollars(tex)
                return f"{sign}{source}{sign}" if source else self._escaped(tex)
            case NoteMark(label):
                return f"[^{label}]"

    def _escaped(self, text: str) -> str:
        """Text with a backslash before every character that would be markup."""
        self._allowance.ask()
        return self._with_dollars(_escaped(text))

    def _label(self, text: str) -> str:
        """Text that stands between brackets or quotes."""
        return self._with_dollars(_SPECIAL.sub(_backslash, text))

    def _with_dollars(self, text: str) -> str:
        return text.replace("$", "\\$") if self._escapes_dollars else text


def _apart(inlines: Sequence[Inline]) -> Iterator[Inline]:
    """Formulas apart from one another and from digits, beside which a dollar is no delimiter."""
    last = ""
    for inline in inlines:
        start, end = _edge(inline, 0), _edge(inline, -1)
        edges = last, start
        if _FORMULA in edges and all(edge == _FORMULA or edge.isdecimal() for edge in edges):
            yield Text(" ")
        yield inline
        last = end


def _edge(inline: Inline, index: int) -> str:
    """The first or last character of a text, `_FORMULA` of a formula, "" of all else."""
    if isinstance(inline, Text):
        return inline.text[index:][:1]
    return _FORMULA if isinstance(inline, Math) else ""


def _escaped(text: str) -> str:
    """Text with a backslash before every character that would be markup."""
    return _MARKUP.sub(_backslash, text)


def _backslash(match: re.Match[str]) -> str:
    words = match.re is _MARKUP and match[1]
    return f"[{_SPECIAL.sub(_backslash, words)}]" if words else "\\" + match[0]


def _joined(parts: Sequence[str]) -> str:
    """Pieces in a row; what would be markup with the next piece gets a backslash."""
    text = "".join(parts)
    if not any(sign in text for sign in _JOINED):
        return text
    filled = [part for part in parts if part]
    for position in range(len(filled) - 1):
        part, after = filled[position : position + 2]
        if part[-1] + after[0] not in _JOINED or _ESCAPED_END.search(part):
            continue
        if part == "~~" or part[-1] == "]":  # a delimiter, or the mark of a note, which stays
            filled[position + 1] = "\\" + after
        else:
            filled[position] = f"{part[:-1]}\\{part[-1]}"
    return "".join(filled)


def _with_lone_star(text: str) -> str:
    """Text without delimiters; a single star in it begins and ends nothing."""
    is_lone = "\\*" in text and text.count("*") == 1 and "`" not in text and "$" not in text
    return text.replace("\\*", "*") if is_lone else text


def _address(address: str) -> str:
    return _NOT_IN_ADDRESS.sub(_percent, address)


def _percent(match: re.Match[str]) -> str:
    return _IN_ADDRESS.get(match[0], quote(match[0]))


def _link_of(inline: Inline) -> int:
    return inline.link if isinstance(inline, _LINKED) else -1


def _may_end_formula(inline: Inline) -> bool:
    if isinstance(inline, Text):
        return bool(inline.marks._value_ & _CODE) and "$" in inline.text
    return isinstance(inline, Math)


def _marks_of(inline: Inline) -> int:
    return inline.marks._value_ if isinstance(inline, Text) else _PLAIN


def _without(mark: Mark, inline: Inline) -> Inline:
    if isinstance(inline, Text) and inline.marks.value & mark.value:
        return inline._replace(marks=inline.marks & ~mark)
    return inline


def _merged(inlines: Sequence[Inline]) -> list[Inline]:
    """Adjacent texts of the same kind as one; code is one whatever is marked in it."""
    if len(inlines) < _FEWEST:
        return [*inlines]
    merged: list[Inline] = []
    parts: list[str] = []
    for inline in inlines:
        last = merged[-1] if merged else None
        if isinstance(inline, Text) and isinstance(last, Text) and _are_one(last, inline):
            parts = parts or [last.text]
            parts.append(inline.text)
            if last.marks is not inline.marks:
                merged[-1] = last._replace(marks=last.marks & inline.marks)
            continue
        if parts and isinstance(last, Text):
            merged[-1], parts = last._replace(text="".join(parts)), []
        merged.append(inline)
    if parts and isinstance(last := merged[-1], Text):
        merged[-1] = last._replace(text="".join(parts))
    return merged


def _are_one(first: Text, second: Text) -> bool:
    if first.link != second.link:
        return False
    if first.marks is second.marks:
        return True
    one, other = first.marks._value_, second.marks._value_
    return one == other or bool(one & other & _CODE)


def _end(inlines: Sequence[Inline], at: int, belongs) -> int:  # type: ignore[no-untyped-def]  # noqa: ANN001
    """Where the run of pieces that belong together ends."""
    end = at + 1
    for position in range(end, len(inlines)):
        if belongs(inlines[position]):
            end = position + 1
        elif not isinstance(inlines[position], Break):  # lines may end within a run
            break
    return end


def _longest(inlines: Sequence[Inline], at: int, done: int) -> tuple[int, int]:
    """The mark of a piece that reaches furthest, and where it ends."""
    best = at, _PLAIN
    missing = _marks_of(inlines[at]) & _DELIMITED & ~done
    for mark in _DELIMITERS if missing else ():
        if missing & mark:
            end = _end(inlines, at, lambda each, mark=mark: bool(_marks_of(each) & mark))
            best = max(best, (end, mark), key=lambda each: each[0])
    return best


def _delimited(pieces: list[_Piece], allowance: Allowance) -> str:
    """Pieces with their delimiters; white space goes outside of these."""
    if not any(piece.mark for piece in pieces):
        return _joined([piece.source for piece in pieces])
    pieces = _trimmed(allowance.over(pieces))
    sure = _are_sure(pieces, allowance)
    out: list[str] = []
    for piece, is_sure in zip(allowance.over(pieces), sure, strict=True):
        if piece.mark:
            sign, opening, closing = _DELIMITERS[piece.mark]
            out.append(sign if is_sure else opening if piece.is_open else closing)
        else:
            out.append(piece.source)
    return _joined(out)


def _trimmed(pieces: Iterable[_Piece]) -> list[_Piece]:
    """Pieces with white space moved out of delimiters, and without those that hold nothing."""
    result: list[_Piece] = []
    opened: list[int] = []
    for piece in pieces:
        if piece.mark and piece.is_open:
            opened.append(len(result))
            result.append(piece)
        elif piece.mark:
            start = opened.pop()
            inner = "".join(each.source for each in result[start + 1 :])
            if not inner.strip():
                result[start:] = [_Piece(inner)] if inner else []
                continue
            _move_out(result, start, piece)
        elif piece.source:
            result.append(piece)
    return result


def _move_out(result: list[_Piece], start: int, closing: _Piece) -> None:
    """Close a delimiter; white space at its ends goes before its start and after its end."""
    first, last = start + 1, len(result) - 1
    head, tail = result[first].source, result[last].source
    before = head[: len(head) - len(head.lstrip())] if not result[first].mark else ""
    result[first] = result[first]._replace(source=head[len(before) :])
    tail = result[last].source
    after = tail[len(tail.rstrip()) :] if not result[last].mark else ""
    if after.startswith("\n") and tail.rstrip().endswith("\\"):
        after = "\\" + after
    result[last] = result[last]._replace(source=tail[: len(tail) - len(after)])
    result.append(closing)
    if after:
        result.append(_Piece(after))
    if before:
        result.insert(start, _Piece(before))


def _are_sure(pieces: list[_Piece], allowance: Allowance) -> list[bool]:
    """Which delimiters a reader takes for what they are (CommonMark, section 6.2)."""
    partner = _partners(pieces)
    sure = [True] * len(pieces)
    befores, afters = _neighbours(pieces, -1), _neighbours(pieces[::-1], 0)[::-1]
    for number, piece in enumerate(allowance.over(pieces)):
        if piece.mark and not piece.is_open:
            start = partner[number]
            is_plain = bool(_DELIMITERS[piece.mark][0])
            is_plain &= _flanks(befores[start], afters[start])
            is_plain &= _flanks(afters[number], befores[number])
            is_plain &= not _turns(pieces, start) and not _turns(pieces, number)
            sure[start] = sure[number] = is_plain
    # Two of the same character that touch are read as one, so both are plain or none is.
    for _ in range(2):
        for number, (one, other) in enumerate(pairwise(allowance.over(pieces))):
            if _touch(one, other) and sure[number] != sure[number + 1]:
                for end in (number, number + 1):
                    sure[end] = sure[partner[end]] = False
    return sure


def _partners(pieces: list[_Piece]) -> dict[int, int]:
    """The other end of every delimiter."""
    partner: dict[int, int] = {}
    opened: list[int] = []
    for number, piece in enumerate(pieces):
        if piece.mark and piece.is_open:
            opened.append(number)
        elif piece.mark:
            start = opened.pop()
            partner[start], partner[number] = number, start
    return partner


def _touch(one: _Piece, other: _Piece) -> bool:
    """Are two delimiters of the same character."""
    return bool(one.mark & _STARS and other.mark & _STARS)


def _neighbours(pieces: list[_Piece], end: int) -> list[str]:
    """The character before each piece, "" for the first; delimiters like its own are left out.

    Args:
        pieces: in order, or reversed for the characters after them.
        end: position in the piece before that is next to a piece, -1 or 0.
    """
    result: list[str] = []
    last, run = "", ""
    for piece in pieces:
        result.append(run if piece.mark & _STARS else last)
        if piece.mark:
            last = _DELIMITERS[piece.mark][0][:1] or "<"
            run = run if piece.mark & _STARS else last
        elif piece.source:
            last = run = piece.source[end]
    return result


def _flanks(outer: str, inner: str) -> bool:
    """May a delimiter stand between a character outside and one inside of what it marks."""
    if not inner or inner.isspace():
        return False
    return not _is_punctuation(inner) or not outer or outer.isspace() or _is_punctuation(outer)


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"


def _turns(pieces: list[_Piece], number: int) -> bool:
    """Does a delimiter that closes stand directly before one that opens, or the reverse."""
    neighbours = pieces[max(number - 1, 0) : number] + pieces[number + 1 : number + 2]
    return any(each.mark and each.is_open != pieces[number].is_open for each in neighbours)


def tex_between_dollars(tex: str) -> str:
    r"""TeX on one line, such that a reader without formulas finds no markup in it.

    What TeX has another word for is written so (``\lt``, which KaTeX and MathJax know); elsewhere a
    space, which means nothing to TeX, parts what would be markup. "" if it is to be shown as text,
    which has commands by which KaTeX or MathJax load something, lead elsewhere or set
    attributes.

    >>> tex_between_dollars("a<b \\& `c`"), tex_between_dollars("\\href{javascript:x}{y}")
    ('a\\lt b \\& \\lq c\\lq ', '')
    """
    is_active = False

    def inert(match: re.Match[str]) -> str:
        nonlocal is_active
        is_active |= match["active"] is not None
        if match["pair"] is not None:  # a backslash at the end would hide the dollar
            return match[0] if match["pair"] else ""
        return _TEX_WORDS.get(match[0], match[0] + " ")

    text = _IN_TEX.sub(inert, " ".join(tex.split()))
    return "" if is_active else text.strip()
