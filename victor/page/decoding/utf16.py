"""Recognise UTF-16 and UTF-32, by byte order mark or by their zero bytes."""

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
    """UTF-16 or UTF-32 without a mark; None for everything else.

    Markup is ASCII, so in UTF-16 every other byte is often zero and its neighbour hardly ever. In
    UTF-32 the highest byte of every character is zero and the next is at most 16. Where a tag is
    one byte a character, zero bytes are damage.
    """
    sample = page[:_SAMPLE]
    wide = _by_zeros(sample)
    return None if wide is None or _NARROW_TAG.search(sample) else wide


def _by_zeros(sample: bytes) -> str | None:
    """What the zero bytes alone say."""
    zeros = [sample[start::4].count(0) for start in range(4)]
    quarter = len(sample) // 4
    if quarter >= 2 and (wide := _utf32(sample, zeros, quarter)):
        return wide
    even, odd, half = zeros[0] + zeros[2], zeros[1] + zeros[3], len(sample) // 2
    if half < 2 or max(even, odd) * 4 < half or min(even, odd) * 20 > half:
        return None
    return "utf-16le" if odd > even else "utf-16be"


def _utf32(sample: bytes, zeros: list[int], quarter: int) -> str | None:
    for highest, next_one, lowest, name in ((3, 2, 0, "utf-32le"), (0, 1, 3, "utf-32be")):
        is_empty = zeros[highest] >= quarter and zeros[lowest] * 20 <= quarter
        if is_empty and max(sample[next_one::4]) <= 0x10 and zeros[next_one] * 20 >= quarter * 19:
            return name
    return None
