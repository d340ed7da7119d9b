"""Inline content as Markdown: escapes, delimiters that all readers understand, links, formulas."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final
from urllib.parse import quote

from victor.page.allowance import Allowance
from victor.render.tree import nesting
from victor.render.tree.formulas import with_formulas
from victor.render.tree.nodes import (
    CODE,
    STRONG,
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
_FORMULA: Final = "\0"  # stands for a formula; no text holds it
_DISPLAY: Final = re.compile(r"^\$\$", re.MULTILINE)
"""What begins a formula of several lines, to the end of one wherever it stands."""
_TICKS: Final = re.compile(r"`+")
_NOT_IN_ADDRESS: Final = re.compile(r'[\s\x00-\x1f()<>\\|"\x7f]|&(?=#?\w+;)')
_IN_ADDRESS: Final = {"\n": "", "\r": "", "\t": "", "&": "&amp;"}
"""Of these, what stands in the place of those that are not written as numbers."""
_SIGNS: Final = {STRONG: "**", Mark.EMPHASIS.value: "*", Mark.DELETED.value: "~~"}
"""Delimiters of the marks that are not elements everywhere."""
_LINE_IN_CELL: Final = "<br>"
TAGS: Final = (_LINE_IN_CELL, *chain.from_iterable(nesting.TAGS.values()))
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


_Piece = tuple[str, int]
"""Markdown of a text, and the value of the `Mark` around it alone, 0 for none; or "", with that of
a mark that opens or, negative, ends."""


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
                Text(each.text, each.marks & ~STRONG, each.link)
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
        if self._has_formulas:
            inlines = [*_apart(inlines)]
        text = self._content(inlines)
        if "$" not in text or self._escapes_dollars:
            return text
        # A formula that begins with a dollar of text could end with one within code.
        if any(
            "$" in each.text if isinstance(each, Text) and each.marks & CODE
            else isinstance(each, Math)
            for each in inlines
        ):  # fmt: skip
            self._escapes_dollars = True
            return self._content(inlines)
        return _DISPLAY.sub(r"\\\g<0>", text)

    def _content(self, inlines: Sequence[Inline]) -> str:
        if len(inlines) == 1 and isinstance(inlines[0], Text) and inlines[0].is_plain:
            return _with_lone_star(self._escaped(inlines[0].text))
        pieces: list[_Piece] = []
        outer = pieces
        opened: list[int] = []
        has_marks = False
        for around, inline in nesting.steps(inlines, for_markdown=True):
            has_marks |= around > 0
            if inline is not None:
                text = self._plain(inline)
                if around < 0:
                    text = self._link(text, ~around)
                if text:
                    pieces.append((text, max(around, 0)))
            elif around > 0:
                opened.append(around)
                pieces.append(("", around))
            elif around:
                opened.append(around)
                outer, pieces = pieces, []
            elif (closed := opened.pop()) > 0:
                pieces.append(("", -closed))
            else:
                text = self._link(_delimited(pieces, self._allowance), ~closed)
                pieces = outer
                if text:
                    pieces.append((text, 0))
        text = _delimited(pieces, self._allowance)
        return text if has_marks else _with_lone_star(text)

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
                quoted = self._escaped(title, _SPECIAL).replace('"', "&quot;")
                shown = f' "{quoted}"' if title else ""
                return f"![{self._escaped(alternative, _SPECIAL)}]({_address(source)}{shown})"
            case Embed(address, title):
                return f"![{self._escaped(title, _SPECIAL)}]({_address(address)})"
            case Math(tex, display):
                sign, source = "$$" if display else "$", tex_between_dollars(tex)
                return f"{sign}{source}{sign}" if source else self._escaped(tex)
            case NoteMark(label):
                return f"[^{label}]"

    def _escaped(self, text: str, special: re.Pattern[str] = _MARKUP) -> str:
        text = special.sub(_backslash, text)
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
    if not any(mark for _, mark in pieces):
        return _joined([source for source, _ in pieces])
    out = _apart_delimited(pieces)
    if out is not None:
        return _joined(out)
    pieces, out = _trimmed(allowance.over(pieces)), []
    sure = _sure(pieces, allowance)
    for number, (source, mark) in enumerate(allowance.over(pieces)):
        if mark:
            out.append(_SIGNS[abs(mark)] if number in sure else nesting.TAGS[abs(mark)][mark < 0])
        else:
            out.append(source)
    return _joined(out)


def _apart_delimited(pieces: list[_Piece]) -> list[str] | None:
    """As `_delimited`, for texts that are each alone in a mark and stand apart; None for others."""
    out: list[str] = []
    for (source, mark), (following, next_mark) in zip(pieces, [*pieces[1:], ("", 0)], strict=True):
        if not mark:
            out.append(source)
            continue
        before, inner, after = _white_ends(source)
        if next_mark or not inner:
            return None
        outer = before or (out[-1] if out else "")
        is_sure = _flanks(outer[-1:], inner[0]) and _flanks((after or following)[:1], inner[-1])
        start, end = (_SIGNS[mark],) * 2 if is_sure and mark in _SIGNS else nesting.TAGS[mark]
        out += (before, start, inner, end, after)
    return out


def _trimmed(pieces: Iterable[_Piece]) -> list[_Piece]:
    """Pieces with white space moved out of delimiters, and without those that hold nothing."""
    result: list[_Piece] = []
    opened: list[int] = []
    for source, mark in pieces:
        if mark > 0:
            opened.append(len(result))
            result.append(("", mark))
        if source:
            result.append((source, 0))
        if mark < 0 or (mark and source):
            _close(result, opened.pop(), ("", -abs(mark)))
    return result


def _close(result: list[_Piece], start: int, closing: _Piece) -> None:
    """Close a delimiter; white space at its ends goes before its start and after its end."""
    inner = "".join([source for source, _ in result[start + 1 :]])
    if not inner.strip():
        result[start:] = [(inner, 0)] if inner else []
        return
    before = after = ""
    source, mark = result[start + 1]
    if not mark:
        head = source.lstrip()
        before = source[: -len(head) or None]
        result[start + 1] = head, 0
    source, mark = result[-1]
    if not mark:
        tail = source.rstrip()
        after = source[len(tail) :]
        if after.startswith("\n") and tail.endswith("\\"):
            tail, after = tail[:-1], "\\" + after
        result[-1] = tail, 0
    result.append(closing)
    if after:
        result.append((after, 0))
    if before:
        result.insert(start, (before, 0))


def _sure(pieces: list[_Piece], allowance: Allowance) -> set[int]:
    """The delimiters that a reader takes for what they are (CommonMark, section 6.2)."""
    sure, partner, opened = set[int](), dict[int, int](), list[int]()
    for number, (_, mark) in enumerate(allowance.over(pieces)):
        if mark > 0:
            opened.append(number)
        elif mark < 0:
            start = opened.pop()
            partner[start], partner[number] = number, start
            if -mark in _SIGNS and _stands(pieces, start, 1) and _stands(pieces, number, -1):
                sure |= {start, number}
    # Two of the same character that touch are read as one, so both are plain or none is.
    stars = {number for number in partner if abs(pieces[number][1]) & _STARS}
    touching = sorted(number for number in stars if number + 1 in stars)
    for number in touching * 2:
        if (number in sure) != (number + 1 in sure):
            for end in (number, number + 1):
                sure -= {end, partner[end]}
    return sure


def _stands(pieces: list[_Piece], number: int, inwards: int) -> bool:
    """Is a delimiter taken for what it is; the step to what it marks is 1 or, from an end, -1."""
    if any(pieces[at][1] * inwards < 0 for at in (number - 1, number + 1) if 0 <= at < len(pieces)):
        return False  # another ends where this one opens, or the reverse
    return _flanks(_beside(pieces, number, -inwards), _beside(pieces, number, inwards))


def _flanks(outer: str, inner: str) -> bool:
    """May a delimiter stand between a character outside and one inside of what it marks."""
    if not inner or inner.isspace():
        return False
    return not _is_punctuation(inner) or not outer or outer.isspace() or _is_punctuation(outer)


def _beside(pieces: list[_Piece], number: int, step: int) -> str:
    """The character on one side of a delimiter, "" for none; others of its own are left out."""
    is_star = abs(pieces[number][1]) & _STARS
    is_after = step == 1
    for at in range(number + step, len(pieces) if is_after else -1, step):
        source, mark = pieces[at]
        if mark and not (is_star and abs(mark) & _STARS):
            return _SIGNS.get(abs(mark), "<")[0]
        if source:
            return source[0] if is_after else source[-1]
    return ""


def _is_punctuation(character: str) -> bool:
    return not character.isalnum() and unicodedata.category(character)[0] in "PS"


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
