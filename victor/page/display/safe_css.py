"""Style sheets that can neither load nor run anything, nor hold a bar over the text.

Tokens, including escapes, are those of CSS Syntax Module Level 3 (section 4). Dangerous names are
replaced by one that no browser knows, so that it ignores the declaration or rule around it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Final

Resolve = Callable[[str], str | None]
"""The address that a reference becomes; None if nothing may be loaded."""

_SPACE: Final = r"[ \t\n]"
_ESCAPE: Final = rf"\\(?:[0-9a-f]{{1,6}}{_SPACE}?|[^\n0-9a-f])"
_NAME: Final = rf"(?:[a-z0-9_-]|[^\x00-\x7f]|{_ESCAPE})++"
_STRING: Final = r""""(?:[^"\\\n]|\\[\s\S])*+"|'(?:[^'\\\n]|\\[\s\S])*+'"""
_UNCLOSED: Final = r""""(?:[^"\\\n]|\\[\s\S])*+|'(?:[^'\\\n]|\\[\s\S])*+"""


def _letter(plain: str) -> str:
    """A letter of a keyword as it is or escaped."""
    codes = "|".join(f"{ord(case):x}" for case in (plain, plain.upper()))
    return rf"(?:{plain}|\\{plain}|\\0{{0,4}}(?:{codes}){_SPACE}?)"


_URL: Final = "".join(map(_letter, "url")) + r"\("
_TOKEN: Final = re.compile(
    rf"""(?P<comment>/\*(?:[\s\S]*?\*/|[\s\S]*))
    |@import{_SPACE}*+(?:url\({_SPACE}*+)?["']?+(?P<sheet>[\w./%~+?=&-]++)["']?+{_SPACE}*+\)?+
      (?P<media>[ \t\n\w,-]*+);
    |{_URL}{_SPACE}*+(?P<quoted>{_STRING}){_SPACE}*+\)
    |(?P<function>{_URL}(?={_SPACE}*+["']))
    |{_URL}(?P<bare>(?:[^)\\]|\\[\s\S])*+)\)?
    |(?P<string>{_STRING})
    |(?P<unclosed>{_UNCLOSED})
    |(?P<less><!--|-->|<(?![= \t\n]))
    |(?P<link>:(?:any-)?link(?![\w\\-]))
    |(?P<mark>[@\#]?)(?P<name>{_NAME})(?P<call>\(?)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_NOTHING_TO_DO: Final = re.compile(r"[ \w\t\n;:,.%#!+-]*")
"""Declarations without strings, functions, escapes and comments."""
_AT_RULES: Final = frozenset(
    "media supports keyframes -webkit-keyframes font-face page layer container property "
    "counter-style scope starting-style".split()
)
_ASKS_OR_RUNS: Final = re.compile("url|src|image|element|expression|paint|fade|script")
"""In names of functions: all that take an address, some as a plain string, and some that run."""
_BINDS: Final = frozenset("behavior -ms-behavior -moz-binding binding".split())
"""Properties that attached scripts to elements in old browsers."""
_UNKNOWN: Final = "v-none"
_REPLACED: Final = {
    "function": f"{_UNKNOWN}(",
    "link": "[data-href]",
    # Comments separate tokens, but are not white space, which means something in selectors.
    "comment": "/**/",
    "unclosed": " ",
    "less": " ",
}
_HELD: Final = re.compile(
    r"(?<![\w-])(position\s*+:\s*+)(?:fixed|(?:-webkit-)?sticky)(?=\s*+(?:[;}!]|\Z))", re.IGNORECASE
)
_IN_ITS_PLACE: Final = r"contain:layout;\1static"
"""What is within stays within: layout containment holds absolutely positioned boxes, too."""
_LINE_ENDS: Final = re.compile(r"\r\n?|\f")
_ESCAPED: Final = re.compile(rf"\\(?:([0-9a-f]{{1,6}}){_SPACE}?|\n|([\s\S]))", re.IGNORECASE)


def inert(css: str, resolve: Resolve) -> str:
    """A style sheet, or the declarations of a style attribute, that loads local files at most.

    Addresses become those of `resolve`, or ``none``. Rules and functions that load, and those that
    ran scripts in old browsers, become unknown ones. What would stay over the text while the page
    scrolls keeps its place in the page. The result ends no style element. Linear.
    """
    css = _LINE_ENDS.sub("\n", css).replace("\0", "\ufffd")
    plain = _NOTHING_TO_DO.fullmatch(css) and not any(name in css.lower() for name in _BINDS)
    safe = css if plain else _TOKEN.sub(partial(_token, resolve=resolve), css)
    return _HELD.sub(_IN_ITS_PLACE, safe)


def _token(match: re.Match[str], *, resolve: Resolve) -> str:
    kind = match.lastgroup
    if kind == "call":
        return _name(match["mark"], match["name"], match["call"])
    if kind == "string":
        return _without_less(match[0])
    if kind in ("quoted", "bare"):
        inside = match["quoted"][1:-1] if kind == "quoted" else match["bare"].strip(" \t\n")
        return _address(resolve(_unescaped(inside)))
    if kind == "media":
        address = resolve(match["sheet"])
        if not address:
            return ""
        return f"@import {_address(address)} {match['media'].strip()}".rstrip() + ";"
    return _REPLACED[kind or ""]


def _address(address: str | None) -> str:
    return "none" if address is None else f'url("{_quotable(address)}")'


def _quotable(address: str) -> str:
    """An address in which nothing ends a string or an element."""
    return re.sub(r"""["'\\<>\s]""", lambda match: f"%{ord(match[0]):02X}", address)


def _name(mark: str, written: str, call: str) -> str:
    """An identifier, function, hash or at-rule; an unknown one in place of a dangerous one."""
    name = _unescaped(written).lower()
    if mark == "@":
        return f"@{written if name in _AT_RULES else _UNKNOWN}{call}"
    if name in _BINDS or (call and _ASKS_OR_RUNS.search(name)):
        return f"{mark}{_UNKNOWN}{call}"
    return f"{mark}{_without_less(written)}{call}"


def _without_less(token: str) -> str:
    """A string or name that cannot contain an end tag."""
    return token.replace("\\<", "\\3c ").replace("<", "\\3c ")


def _unescaped(text: str) -> str:
    """Text with the escapes of CSS undone."""
    return _ESCAPED.sub(_character, text) if "\\" in text else text


def _character(escape: re.Match[str]) -> str:
    if escape[1] is None:
        return escape[2] or ""
    code = int(escape[1], 16)
    return chr(code) if 0 < code < 0xD800 or 0xDFFF < code < 0x110000 else "\ufffd"
