"""TeX as pages write it: without what programs put around it, and told from other texts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

LONGEST: Final = 5000
"""Characters of a formula."""
_OF_TEX: Final = frozenset(
    "latex tex texrender mathtex mwe-math-fallback-image-inline mwe-math-fallback-image-display "
    "ql-img-inline-formula ql-img-displayed-equation".split()
)
"""Classes of images that WordPress, QuickLaTeX, MediaWiki and Moodle draw of TeX."""
_PARAMETERS: Final = frozenset({"latex", "tex", "math", "formula", "equation", "eq", "chl"})
"""Names under which services that draw TeX are given it; others take the whole query for it."""
_SETTINGS: Final = re.compile(
    r"\A(?:\\(?:dpi|bg|fg|inline|fn)(?:_[a-z]+|_?\{[^{}]*\}|(?![A-Za-z]))\s*)+"
)
"""How CodeCogs is told the size and the colours of an image."""
_COMMANDS: Final = frozenset(
    "alpha approx bar begin beta binom bmod boldsymbol cap cdot cdots cfrac chi circ cos cup ddot "
    "delta dfrac displaystyle dot ell epsilon equiv eta exists exp forall frac gamma ge geq hat "
    "hbar in infty int kappa lambda langle ldots le left leftarrow leq lfloor lim ln log lvert "
    "mapsto mathbb mathbf mathcal mathfrak mathit mathop mathrm mathsf mathtt mu nabla ne neq nu "
    "oint omega operatorname oplus otimes over overline overset partial perp phi pi pm prime prod "
    "propto psi quad right rightarrow rho sec sigma sim sin sqrt subset subseteq sum sup tan tau "
    "text textbf textstyle tfrac theta tilde times to underline underset upsilon varepsilon varphi "
    "vec widehat xi zeta".split()
)
"""Names of commands, in lower case, that tell that a text is TeX."""
_COMMAND: Final = re.compile(r"\\([A-Za-z]{1,24})")
_PATH: Final = re.compile(r"[A-Za-z]:\\|\\\\\w+\\")
"""How a file is named on Windows."""
_DELIMITED: Final = re.compile(
    r"\A(?:\$latex\s++(.*?)\$|\$\$(.*)\$\$|\$(.*)\$|\\\((.*)\\\)|\\\[(.*)\\\])\Z", re.DOTALL
)
_STYLE: Final = re.compile(r"\A\{\\(?:display|text|script)style\s++(.*)\}\Z", re.DOTALL)
"""What MediaWiki puts around every formula."""


def tidy(source: str) -> str:
    r"""TeX on one line, without the delimiters and the style that a program put around it.

    >>> tidy("$latex x^2 $"), tidy("{\\displaystyle y}")
    ('x^2', 'y')
    """
    source = " ".join(source.split()) if len(source) <= LONGEST else ""
    match = _DELIMITED.match(source)
    if match:
        source = next(group for group in match.groups() if group is not None).strip()
    match = _STYLE.match(source)
    source = match[1].strip() if match and is_balanced(match[1]) else source
    # A backslash at the end has lost its space, and would hide the delimiter.
    is_cut = (len(source) - len(source.rstrip("\\"))) % 2
    return source[:-1].rstrip() if is_cut else source


def is_balanced(source: str) -> bool:
    """Do the braces of TeX close one another."""
    depth = 0
    for brace in re.findall(r"\\.|[{}]", source):
        depth += (brace == "{") - (brace == "}")
        if depth < 0:
            return False
    return depth == 0


def is_tex(text: str) -> bool:
    r"""Is a text written in TeX: it has a command that mathematics knows.

    >>> is_tex("\\frac{a}{b}"), is_tex("C:\\Users\\me"), is_tex("snake_case")
    (True, False, False)
    """
    return (
        any(name.lower() in _COMMANDS for name in _COMMAND.findall(text))
        and is_balanced(text)
        and not _PATH.match(text)
    )


def image_tex(attributes: Mapping[str, str]) -> str:
    """The TeX that an image has as alternative text or in its address; "" for most images.

    Args:
        attributes: of an ``<img>``.
    """
    alternative = tidy(attributes.get("alt", ""))
    is_drawn = "eeimg" in attributes or not _OF_TEX.isdisjoint(attributes.get("class", "").split())
    if is_tex(alternative) or (alternative and is_drawn and is_balanced(alternative)):
        return alternative
    return _address_tex(attributes.get("src", ""))


def _address_tex(address: str) -> str:
    """TeX in the query or at the end of the path of an address."""
    if len(address) > LONGEST or not ("\\" in address or "%5c" in address.lower()):
        return ""
    try:
        parts = urlsplit(address)
        named = [value for name, value in parse_qsl(parts.query) if name.lower() in _PARAMETERS]
    except ValueError:
        return ""
    sources = (*named, unquote(parts.query), unquote(parts.path.rpartition("/")[2]))
    texs = (tidy(_SETTINGS.sub("", source.replace("&space;", " "))) for source in sources)
    return next(filter(is_tex, texs), "")
