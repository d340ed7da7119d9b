"""Formulas that a page types between delimiters in its text, as MathJax and KaTeX look for them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from victor.base.lazy import pattern
from victor.page.markup.formulas import is_tex
from victor.page.markup.full_record import mentions
from victor.render.tree.nodes import CODE, Inline, Math, Text, merged

_START: Final = re.compile(r"\\[(\[]|\$\$(?=[^$]{1,2000}+\$\$)")
_END: Final = {"\\(": "\\)", "\\[": "\\]", "$$": "$$"}  # how formulas begin, and how they end
_LONGEST: Final = 2000
_DOLLARS: Final = re.compile(
    r"(?<![\w\\$])\$(?![\s$])((?:[^$\\]|\\.){1,2000}+)(?<!\s)\$(?![\w$])", re.DOTALL
)
"""Single dollars around what begins and ends without space; no word stands beside them."""
_SIGNS: Final = re.compile(r"\\[A-Za-z,;]|[\^_{}=<>|]")
_WORDS: Final = re.compile(r"(?<![^\W\d_])[^\W\d_]{3,}+\s|\s[^\W\d_]{3,}+")
_LETTER: Final = re.compile(r"[^\W\d_]")
_RENDERERS: Final = (b"mathjax", b"katex")
_LOADED: Final = pattern(
    rb"<script\b[^>]{0,1000}(?:mathjax|katex)|mathjax\s*=|mathjax\.hub|rendermathinelement"
    rb"|katex\.render",
    re.IGNORECASE,
)
_OPERATOR: Final = re.compile(r"[+*/-]")


def loads_tex(markup: bytes) -> bool:
    """Does a page load MathJax or KaTeX, which draw the TeX in its text."""
    return mentions(markup, _RENDERERS) and _LOADED.search(markup) is not None


def may_type(text: str) -> bool:
    """May a text hold a formula between delimiters other than single dollars."""
    return any(start in text for start in _END)


def has_tex(text: str) -> bool:
    """Has a text a command of TeX between two single dollars."""
    return "\\" in text and any(map(is_tex, _DOLLARS.findall(text)))


def with_formulas(inlines: Sequence[Inline], *, dollars: bool) -> list[Inline]:
    """Some content with the formulas in it apart from its text; code stays as it is.

    Args:
        inlines: the content.
        dollars: what stands between single dollars may be TeX.
    """
    pieces: list[Inline] = []
    for inline in merged(inlines):
        if isinstance(inline, Text) and not inline.marks & CODE:
            pieces += _parted(inline, dollars=dollars)
        else:
            pieces.append(inline)
    return pieces


def _parted(text: Text, *, dollars: bool) -> Iterator[Inline]:
    at = 0
    for start, end, tex, display in sorted(_formulas(text.text, dollars=dollars)):
        if start < at:
            continue
        if start > at:
            yield replace(text, text=text.text[at:start])
        yield Math(tex, display)
        at = end
    if at < len(text.text):
        yield replace(text, text=text.text[at:])


def _formulas(text: str, *, dollars: bool) -> Iterator[tuple[int, int, str, bool]]:
    """Extents of the formulas in a text with their delimiters, their TeX, and are they displayed.

    The next end of each kind is looked for once, however many beginnings stand before it.
    """
    ends = dict.fromkeys(_END, -1)
    at = 0
    while match := _START.search(text, at):
        at = match.end()
        if ends[match[0]] <= at:
            end = text.find(_END[match[0]], at + 1)
            ends[match[0]] = end if end >= 0 else len(text) + _LONGEST
        if ends[match[0]] - at <= _LONGEST and ends[match[0]] < len(text):
            tex = text[at : ends[match[0]]].strip()
            at = ends[match[0]] + 2
            if _is_tex(tex) and not (match[0] == "$$" and text.startswith("$", at)):
                yield match.start(), at, tex, match[0] != "\\("
    for match in _DOLLARS.finditer(text) if dollars else ():
        if _is_tex(match[1]) and not _is_price(match[1]):
            yield match.start(), match.end(), match[1], False


def _is_tex(content: str) -> bool:
    """Is what stands between two delimiters TeX: it has signs of it, or no words."""
    if _SIGNS.search(content):
        return True
    return not _WORDS.search(content) and any(map(str.isalnum, content))


def _is_price(content: str) -> bool:
    """May what stands between two single dollars begin with a price."""
    if _SIGNS.search(content):
        return False
    has_space = " " in content and not _OPERATOR.search(content)
    return not _LETTER.search(content) or (content[0].isdecimal() and has_space)
