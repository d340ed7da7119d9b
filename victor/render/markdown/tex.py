r"""TeX between dollars, such that a reader without formulas finds no markup in it.

What TeX has another word for is written so (``\lt``, which KaTeX and MathJax know); elsewhere a
space, which means nothing to TeX, parts what would be markup.
"""

from __future__ import annotations

import re
from typing import Final

_MARKUP: Final = re.compile(
    r"\\(?P<active>(?:href|url|includegraphics|mmlToken|style|html[A-Za-z]*)(?![A-Za-z])"
    r"|bbox\s*\[[^]\[:]*+[\[:])"
    r"|\\(?P<pair>.?)|[<>](?=[A-Za-z/!?])|[`$]|\](?=\()|!(?=\[)|\[(?=\^)|&(?=#?\w+;)"
)
_WORDS: Final = {"<": r"\lt ", ">": r"\gt ", "`": r"\lq ", "$": r"\$"}


def written(tex: str) -> str:
    r"""TeX on one line, to stand between dollars; "" if it is to be shown as text.

    The latter has commands by which KaTeX or MathJax load something, lead elsewhere or set
    attributes.

    >>> written("a<b \\& `c`"), written("\\href{javascript:x}{y}")
    ('a\\lt b \\& \\lq c\\lq ', '')
    """
    is_active = False

    def inert(match: re.Match[str]) -> str:
        nonlocal is_active
        is_active |= match["active"] is not None
        if match["pair"] is not None:  # a backslash at the end would hide the dollar
            return match[0] if match["pair"] else ""
        return _WORDS.get(match[0], match[0] + " ")

    text = _MARKUP.sub(inert, " ".join(tex.split()))
    return "" if is_active else text.strip()
