"""Whether a page may have formulas, by words in its markup: that costs less than a parse."""

from __future__ import annotations

import re
from typing import Final

from victor.page.markup.mentions import mentions
from victor.page.parsing.patterns import pattern

_ELEMENTS: Final = (
    *(b"<math>", b"<math ", b"<math\n", b"<math-renderer", b"<m:math", b"mml:math", b"<mjx-"),
    b"math/tex",
)
_CLASSES: Final = (
    *(b'="katex', b"='katex", b"=katex", b'="mathjax', b"='mathjax", b"=mathjax", b"mathjax_"),
    *(b"mjxc-", b"mwe-math", b"hurmet", b"data-math=", b"data-tex=", b"data-latex="),
)
_IMAGES: Final = (
    *(b'="latex', b"='latex", b"=latex", b"ex.php?latex", b"f.latex?", b"g.latex?", b"g.image?"),
    *(
        b"=%5c",
        b"?%5c",
        b"/%5c",
        b"?tex=",
        b"tex.cgi",
        b"eeimg=",
        b'="tex"',
        b"ql-img",
        b"mwe-math",
    ),
    *(b'alt="\\', b"alt='\\", b'alt="{\\', b'alt="$\\'),
)
_RENDERERS: Final = (b"mathjax", b"katex")
_LOADED: Final = pattern(
    rb"<script\b[^>]{0,1000}(?:mathjax|katex)|mathjax\s*=|mathjax\.hub|rendermathinelement"
    rb"|katex\.render",
    re.IGNORECASE,
)


def may_have(markup: bytes) -> bool:
    """May a page have formulas."""
    return mentions(markup, (*_ELEMENTS, *_CLASSES, *_IMAGES))


def in_classes(markup: bytes) -> bool:
    """May some formulas be told by a class or an attribute alone."""
    return mentions(markup, _CLASSES)


def in_images(markup: bytes) -> bool:
    """May some images be formulas."""
    return mentions(markup, _IMAGES)


def loads_tex(markup: bytes) -> bool:
    """Does a page load MathJax or KaTeX, which draw the TeX in its text."""
    return mentions(markup, _RENDERERS) and _LOADED.search(markup) is not None
