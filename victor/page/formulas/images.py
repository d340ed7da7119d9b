"""The TeX that images of formulas have in their alternative text or in their address."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

from victor.page.formulas.symbols import COMMANDS

LONGEST: Final = 5000
"""Characters of a formula in an attribute."""
_SURE: Final = frozenset(
    "latex tex texrender mathtex mwe-math-fallback-image-inline mwe-math-fallback-image-display "
    "ql-img-inline-formula ql-img-displayed-equation".split()
)
"""Classes of images that WordPress, QuickLaTeX, MediaWiki and Moodle draw of TeX."""
_MAY_BE: Final = re.compile(r"(?:\A|[\s_-])(?:math|formula|equation)(?:[\s_-]|\Z)", re.IGNORECASE)
"""Parts of classes of images that are formulas, drawn of whatever."""
_PARAMETERS: Final = frozenset({"latex", "tex", "math", "formula", "equation", "eq"})
_SERVICES: Final = re.compile(
    r"(?:\.latex|svg\.image|png\.image|gif\.image|tex\.cgi|/cgi-bin/\w*tex)\Z"
)
"""Ends of paths after which the whole query is TeX (CodeCogs, MathTeX, mimeTeX)."""
_COMMAND: Final = re.compile(r"\\([A-Za-z]{1,24})")
_PATH: Final = re.compile(r"[A-Za-z]:\\|\\\\\w+\\")
"""How a file is named on Windows."""
_SIGNS: Final = re.compile(r"[\\^_{}=<>+]")
_DELIMITED: Final = re.compile(
    r"\A(?:\$latex\s++(.*?)\$|\$\$(.*)\$\$|\$(.*)\$|\\\((.*)\\\)|\\\[(.*)\\\])\Z", re.DOTALL
)
_STYLE: Final = re.compile(r"\A\{\\(?:display|text|script)style\s++(.*)\}\Z", re.DOTALL)
"""What MediaWiki puts around every formula."""
_SETTINGS: Final = re.compile(
    r"\A(?:\\(?:dpi|bg|fg|inline|fn)(?:_[a-z]+|_?\{[^{}]*\}|(?![A-Za-z]))\s*)+"
)
"""How CodeCogs is told the size and the colours of an image."""


def tidy(source: str) -> str:
    r"""TeX on one line, without the delimiters and the style that a program put around it.

    >>> tidy("$latex x^2 $"), tidy("{\\displaystyle y}")
    ('x^2', 'y')
    """
    source = " ".join(source[:LONGEST].split()) if len(source) <= LONGEST else ""
    match = _DELIMITED.match(source)
    if match:
        source = next(group for group in match.groups() if group is not None).strip()
    match = _STYLE.match(source)
    return match[1].strip() if match and is_balanced(match[1]) else source


def is_balanced(source: str) -> bool:
    """Do the braces of TeX close one another."""
    depth = 0
    for brace in re.findall(r"\\.|[{}]", source):
        depth += (brace == "{") - (brace == "}")
        if depth < 0:
            return False
    return depth == 0


def is_tex(text: str) -> bool:
    r"""Is a text written in TeX: it has a command that mathematics knows, or a script in braces.

    >>> is_tex("\\frac{a}{b}"), is_tex("C:\\Users\\me"), is_tex("snake_case")
    (True, False, False)
    """
    return (
        not _PATH.match(text)
        and is_balanced(text)
        and any(name in COMMANDS for name in _COMMAND.findall(text))
    )


def image_tex(attributes: Mapping[str, str]) -> str:
    """The TeX of an image of a formula; "" for any other image.

    Args:
        attributes: of an ``<img>``.
    """
    alternative = tidy(attributes.get("alt", ""))
    if is_tex(alternative):
        return alternative
    classes = attributes.get("class", "")
    is_sure = not _SURE.isdisjoint(classes.split()) or "eeimg" in attributes
    may_be = is_sure or (_MAY_BE.search(classes) is not None and _is_short(alternative))
    if alternative and may_be and is_balanced(alternative):
        return alternative
    return _of_address(attributes.get("src", ""))


def _is_short(text: str) -> bool:
    """May a text without a command be a formula: it is a word, or has signs of one."""
    return " " not in text or _SIGNS.search(text) is not None


def _of_address(address: str) -> str:
    """TeX that a service draws which is asked for in an address."""
    if ("%5" not in address and "?" not in address) or len(address) > LONGEST:
        return ""
    try:
        parts = urlsplit(address)
        query = dict(parse_qsl(parts.query))
    except ValueError:
        return ""
    source = next((query[name] for name in query if name.lower() in _PARAMETERS), "")
    if query.get("cht") == "tx":
        source = query.get("chl", "")
    elif _SERVICES.search(parts.path):
        source = unquote(parts.query)
    # The last part of a path may be TeX, too.
    source = source.replace("&space;", " ")
    tex = tidy(_SETTINGS.sub("", source or unquote(parts.path.rpartition("/")[2])))
    is_service = bool(source) and ("tex" in address.lower() or query.get("cht") == "tx")
    return tex if is_tex(tex) or (is_service and is_balanced(tex)) else ""
