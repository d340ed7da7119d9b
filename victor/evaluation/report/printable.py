"""Text of pages as a file in UTF-8 and a browser can take it."""

from __future__ import annotations

import re
from typing import Final

_UNPRINTABLE: Final = re.compile(
    r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)


def printable(text: str) -> str:
    """Text in which U+FFFD stands for controls, halves of surrogate pairs and noncharacters."""
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)
