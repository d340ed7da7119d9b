"""Recognise UTF-16 by its byte order mark or its zero bytes, and UTF-32 by its mark."""

from __future__ import annotations

import codecs
import re
from typing import Final

BOMS: Final = (  # UTF-32 first: the mark of UTF-16LE is a prefix of its own
    (codecs.BOM_UTF32_LE, "utf-32le"),
    (codecs.BOM_UTF32_BE, "utf-32be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16le"),
    (codecs.BOM_UTF16_BE, "utf-16be"),
)
BOM_STARTS: Final = tuple(bom for bom, _ in BOMS)
_SAMPLE: Final = 1 << 16
_NARROW_TAG: Final = re.compile(rb"<(?:!doctype|html|head|body|meta)[\s>]", re.IGNORECASE)


def wide_encoding(page: bytes) -> str | None:
    """UTF-16 without a mark; None for everything else.

    Markup is ASCII, so every other byte is often zero and its neighbour hardly ever. Where a tag is
    one byte a character, zero bytes are damage.
    """
    sample = page[:_SAMPLE]
    even, odd, half = sample[::2].count(0), sample[1::2].count(0), len(sample) // 2
    if half < 2 or max(even, odd) * 4 < half or min(even, odd) * 20 > half:
        return None
    wide = "utf-16le" if odd > even else "utf-16be"
    return None if _NARROW_TAG.search(sample) else wide
