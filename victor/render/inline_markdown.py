"""Inline content as Markdown: escapes, delimiters that all readers understand, links, formulas."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final
from urllib.parse import quote

from msgspec import Struct
from msgspec.structs import replace

from victor.page.allowance import Allowance
from victor.render.tree.formulas import with_formulas
from victor.render.tree.nodes import (
    CODE,
    NESTED,
    STRONG,
    Break,
    Embed,
    Inline,
    Mark,
    Math,
    NoteMark,
    Part,
    Picture,
    Run,
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
_FORMULA: Final = "\0"  # stands for a formula; no text holds it
_DISPLAY: Final = re.compile(r"^\$\$", re.MULTILINE)
"""What begins a formula of several lines, to the end of one wherever it stands."""
_TICKS: Final = re.compile(r"`+")
_NOT_IN_ADDRESS: Final = re.compile(r'[\s\x00-\x1f()<>\\|"\x7f]|&(?=#?\w+;)')
_IN_ADDRESS: Final = {"\n": "", "\r": "", "\t": "", "&": "&amp;"}
"""Of these, what stands in the place of those that are not written as numbers."""
_DELIMITERS: Final = {
    STRONG: ("**", "<strong>", "</strong>"),
    Mark.EMPHASIS.value: ("*", "<em>", "</em>"),
    Mark.DELETED.value: ("~~", "<del>", "</del>"),
    Mark.SUBSCRIPT.value: ("", "<sub>", "</sub>"),
    Mark.SUPERSCRIPT.value: ("", "<sup>", "</sup>"),
}
_LINE_IN_CELL: Final = "<br>"
TAGS: Final = (_LINE_IN_CELL, *(tag for _, *tags in _DELIMITERS.values() for tag in tags))
"""All HTML that Markdown has of Victor; what the page brings is text."""
_STARS: Final = STRONG | Mark.EMPHASIS.value
"""Marks whose delimiters are of one character."""
_LINE_BREAK: Final = "\\\n"
_IN_TEX: Final = re.compile(
    r"\\(?P<active>(?:href|url|includegraphics|mmlToken|style|html[A-Za-z]*)(?![A-Za-z])"
    r"|bbox\s*\[[^]\[:]*+[\[:])"
    r"|\\(?P<pair>.?)|[<>](?=[A-Za-z/!?])|[`$]|\](?=\()|!(?=\[)|\[(?=\^)|&(?=#?\w+;)"
)
_TEX_WORDS: Final = {"<": r"\lt ", ">": r"\gt ", "`": r"\lq ", "$": r"\$"}


class _Piece(Struct, frozen=True, gc=False):
    """A piece of Markdown: text, or where a delimiter opens or closes."""

    source: str  # Markdown of a text
    mark: int = 0  # value of the `Mark` of a delimiter; 0 for text
    is_open: bool = False  # of a delimiter


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
        self._line_break = _LINE_BREAK

    def text(self, inlines: Sequence[Inline]) -> str:
        """Content of several lines."""
        return self._written(inlines, _LINE_BREAK)

    def line(
        self, inlines: Sequence[Inline], *, is_heading: bool = False, in_cell: bool = False
    ) -> str:
        """Content on one line; a heading is set as such, and a cell keeps its lines apart."""
        if is_heading:
            inlines = [
                replace(each, marks=each.marks & ~STRONG)
                if isinstance(each, Text) and each.marks
                else each
                for each in inlines
            ]
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
        self._allowance.ask(len(inlines))
        self._line_break = line_break
        self._escapes_dollars = self._has_formulas
        lone = inlines[0] if len(inlines) == 1 else None
        if isinstance(lone, Text) and lone.is_plain:
            text = _with_lone_star(self._escaped(lone.text))
        else:
            text = self._content(inlines)
        if self._escapes_dollars or "$$" not in text:
            return text
        return _DISPLAY.sub(r"\\\g<0>", text)

    def _content(self, inlines: Sequence[Inline]) -> str:
        if self._has_formulas:
            inlines = [*_apart(inlines)]
        run = Run.of(inlines, for_markdown=True)
        # A formula that begins with a dollar of text could end with one within code.
        self._escapes_dollars |= any(
            "$" in each.text if isinstance(each, Text) and each.marks & CODE
            else isinstance(each, Math)
            for each in run.inlines
        )  # fmt: skip
        text = _delimited(self._pieces(run, run.whole), self._allowance)
        return text if any(mark & NESTED for mark in run.marks) else _with_lone_star(text)

    def _pieces(self, run: Run, part: Part) -> list[_Piece]:
        """Pieces of a stretch within marks and a link that are open already."""
        pieces: list[_Piece] = []
        for inner in run.parts(part):
            if inner.around < 0:
                text = _delimited(self._pieces(run, inner), self._allowance)
                pieces.append(_Piece(self._link(text, inner.link)))
            elif inner.around:
                pieces.append(_Piece("", inner.around, is_open=True))
                pieces += self._pieces(run, inner)
                pieces.append(_Piece("", inner.around))
            else:
                pieces.append(_Piece(self._plain(run.inlines[inner.start])))
        return pieces

    def _link(self, text: str, link: int) -> str:
        before, inner, after = _white_ends(text)
        return f"{before}[{inner}]({_address(self._links[link])}){after}" if inner else text

    def _plain(self, inline: Inline) -> str:
        if isinstance(inline, Text):  # nearly all are
            is_code = inline.marks & CODE
            return self.code(inline.text) if is_code else self._escaped(inline.text)
        match inline:
            case Break():
                return self._line_break
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
        return self._with_dollars(_MARKUP.sub(_backslash, text))

    def _label(self, text: str) -> str:
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


def _backslash(match: re.Match[str]) -> str:
    words = match.re is _MARKUP and match[1]
    return f"[{_SPECIAL.sub(_backslash, words)}]" if words else "\\" + match[0]


def _joined(parts: Sequence[str]) -> str:
    """Pieces in a row; what would be markup with the next piece gets a backslash."""
    filled = [part for part in parts if part]
    for position, after in enumerate(filled[1:]):
        part = filled[position]
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
    return _NOT_IN_ADDRESS.sub(lambda match: _IN_ADDRESS.get(match[0], quote(match[0])), address)


def _white_ends(text: str) -> tuple[str, str, str]:
    """A text in three parts: white space, what stands between, white space."""
    inner = text.strip()
    if inner == text:
        return "", inner, ""
    before, _, after = text.partition(inner) if inner else (text, "", "")
    return before, inner, after


def _delimited(pieces: list[_Piece], allowance: Allowance) -> str:
    """Pieces with their delimiters; white space goes outside of these."""
    if not any(piece.mark for piece in pieces):
        return _joined([piece.source for piece in pieces])
    pieces = _trimmed(allowance.over(pieces))
    out: list[str] = []
    for piece, is_sure in zip(allowance.over(pieces), _are_sure(pieces, allowance), strict=True):
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
            _close(result, opened.pop(), piece)
        elif piece.source:
            result.append(piece)
    return result


def _close(result: list[_Piece], start: int, closing: _Piece) -> None:
    """Close a delimiter; white space at its ends goes before its start and after its end."""
    inner = "".join([each.source for each in result[start + 1 :]])
    if not inner.strip():
        result[start:] = [_Piece(inner)] if inner else []
        return
    before = after = ""
    if not result[start + 1].mark:
        head = result[start + 1].source.lstrip()
        before = result[start + 1].source[: -len(head) or None]
        result[start + 1] = _Piece(head)
    if not result[-1].mark:
        tail = result[-1].source.rstrip()
        after = result[-1].source[len(tail) :]
        if after.startswith("\n") and tail.endswith("\\"):
            tail, after = tail[:-1], "\\" + after
        result[-1] = _Piece(tail)
    result.append(closing)
    if after:
        result.append(_Piece(after))
    if before:
        result.insert(start, _Piece(before))


def _are_sure(pieces: list[_Piece], allowance: Allowance) -> list[bool]:
    """Which delimiters a reader takes for what they are (CommonMark, section 6.2)."""
    befores, afters = _neighbours(pieces, -1), _neighbours(pieces[::-1], 0)[::-1]
    sure, partner, opened = [True] * len(pieces), dict[int, int](), list[int]()
    for number, piece in enumerate(allowance.over(pieces)):
        if piece.mark and piece.is_open:
            opened.append(number)
        elif piece.mark:
            start = opened.pop()
            partner[start], partner[number] = number, start
            sure[start] = sure[number] = (
                bool(_DELIMITERS[piece.mark][0])
                and _flanks(befores[start], afters[start])
                and _flanks(afters[number], befores[number])
                and not _turns(pieces, start)
                and not _turns(pieces, number)
            )
    # Two of the same character that touch are read as one, so both are plain or none is.
    touching = [
        number
        for number, (one, other) in enumerate(pairwise(allowance.over(pieces)))
        if one.mark & _STARS and other.mark & _STARS
    ]
    for number in touching * 2:
        if sure[number] != sure[number + 1]:
            for end in (number, number + 1):
                sure[end] = sure[partner[end]] = False
    return sure


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
