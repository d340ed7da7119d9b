"""Decode bytes: byte order mark, strict UTF-8, plausible declaration, detector.

Browsers believe the mark, else the header, else the page. Here the order is the same, but labels
lie: valid UTF-8 is UTF-8, and another declared encoding is used only if the bytes do not speak
against it. What is not UTF-8 is read by `legacy_encodings`, where among the encodings of a script
the letters decide.
"""

from __future__ import annotations

import codecs
import re
from typing import Final, NamedTuple

import numpy as np
from msgspec import Struct

from victor.base import core
from victor.base.lazy import pattern

BOMS: Final = (  # UTF-32 first: the mark of UTF-16LE is a prefix of its own
    (codecs.BOM_UTF32_LE, "utf-32le"),
    (codecs.BOM_UTF32_BE, "utf-32be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16le"),
    (codecs.BOM_UTF16_BE, "utf-16be"),
)
BOM_STARTS: Final = tuple(bom for bom, _ in BOMS)
_SAMPLE: Final = 1 << 16
_NARROW_TAG: Final = pattern(rb"<(?:!doctype|html|head|body|meta)[\s>]", re.IGNORECASE)
_HEAD = 4096
_IS_UTF8, _IS_ASCII, _HAS_ZERO, _HAS_REPLACED = 1, 2, 4, 8
"""Facts of bytes, as core/parsing/utf8.c has them."""
_SEVEN_BIT_MARKS: Final = (b"2022", b"hz-gb")
"""Every label of an encoding that writes other text in ASCII has one of these in it."""
_TAG_FIRST = pattern(rb"\s*+<(?:!doctype\b|!--|\?xml\b|[a-z][a-z0-9]*+[\s/>])", re.IGNORECASE)


class Decoded(Struct, frozen=True):
    """Text of a page and how it was obtained."""

    source: str | bytes
    """The text, or bytes that are known to be UTF-8: most pages are never asked for it."""
    encoding: str
    """Name used, by WHATWG where that standard knows the encoding (``"windows-1250"``), else
    Python's (``"cp852"``); ``"unicode"`` for input that was text already."""
    reason: str
    """``text`` the input was text; ``bom`` byte order mark; ``utf-8`` all bytes are valid;
    ``utf-8-damaged`` nearly all are, the rest became U+FFFD; ``utf-8-mixed`` some text is, other
    text is in a Latin encoding; ``declared-http`` and ``declared`` the encoding named by the
    caller or by the page; ``detected`` guessed from the bytes, also where they contradict a
    declaration; ``fallback`` nothing fitted, read as windows-1252."""
    is_whole: bool = False  # is it known that nothing of it is U+FFFD or NUL

    def __repr__(self) -> str:  # without the page
        return f"Decoded(encoding={self.encoding!r}, reason={self.reason!r})"

    @property
    def text(self) -> str:
        """The page without byte order mark; no code point of it is a surrogate."""
        return self.source if isinstance(self.source, str) else self.source.decode()


class AsUtf8(NamedTuple):
    """What a page is if it is read as UTF-8."""

    text: str  # with U+FFFD for what is broken
    valid: int  # sequences of several bytes
    errors: int  # broken ones; one that is cut by the end of the page does not count
    is_cut: bool  # there is such a one

    @classmethod
    def of(cls, page: bytes) -> AsUtf8:
        """Decode the bytes of a page with all that is broken replaced."""
        text, used = codecs.utf_8_decode(page, "replace", False)
        errors = text.count("\ufffd") - page.count(b"\xef\xbf\xbd")
        valid = len(text) - ascii_count(page) - errors
        is_cut = used < len(page)
        return cls(text + "\ufffd" if is_cut else text, valid, errors, is_cut)

    def is_utf8(self, *, sequences_per_error: int) -> bool:
        """Whether the page is UTF-8 at all: valid sequences outnumber errors by a factor.

        Legacy text yields valid sequences only by accident, in Chinese or Thai fewer than errors,
        elsewhere hardly any.
        """
        enough = self.valid >= sequences_per_error * self.errors
        return enough and (self.valid > 0 or not self.is_cut)


def ascii_count(page: bytes) -> int:
    """How many bytes are ASCII."""
    return int(np.count_nonzero(np.frombuffer(page, np.uint8) < 0x80))


def decode(page: bytes | str, *, declared: str | None = None) -> Decoded:
    """Turn a page into text; never fails, whatever the bytes are, and takes linear time.

    The order: byte order mark, UTF-16 betrayed by its zero bytes, strict UTF-8 (with
    7-bit encodings such as ISO-2022-JP only where declared), UTF-8 with text in a Latin encoding
    or with a few broken sequences, the declared encodings that the bytes bear out, a detector,
    windows-1252.

    Args:
        page: the page; text is returned as it is, but for a leading U+FEFF and surrogates.
        declared: value of ``charset`` in the HTTP header, if any; preferred to the page's own.

    Returns:
        Text, encoding and reason.
    """
    if isinstance(page, str):
        from victor.page.plain_data import valid  # commands and crawls have bytes

        return Decoded(valid(page.removeprefix("\ufeff")), "unicode", "text")
    if page.startswith(BOM_STARTS):
        return _by_bom(page, declared)
    facts = core.compiled.facts_of_bytes(page)
    is_utf8, has_zero = facts & _IS_UTF8, facts & _HAS_ZERO
    if has_zero and (wide := wide_encoding(page)):
        return Decoded(page.decode(wide, "replace"), wide, "detected")
    if is_utf8 and not (facts & _IS_ASCII and _may_be_shifted(page, declared)):
        return Decoded(page, "utf-8", "utf-8", not facts & (_HAS_ZERO | _HAS_REPLACED))
    from victor.page.decoding import legacy_encodings  # most pages do not need these

    if not is_utf8:
        return legacy_encodings.not_utf8(page, declared)
    return legacy_encodings.seven_bit(page, declared) or Decoded(page, "utf-8", "utf-8")


def _may_be_shifted(page: bytes, declared: str | None) -> bool:
    """May ASCII stand for other text: an escape does so, or a label of such an encoding."""
    labels = page[:_HEAD] + (declared or "").encode("utf-8", "replace")
    return b"\x1b" in page or any(mark in labels.lower() for mark in _SEVEN_BIT_MARKS)


def utf8(page: bytes | str, decoded: Decoded | None = None) -> bytes:
    """A page as the UTF-8 bytes that the parser takes; not copied where it is that already.

    Args:
        page: bytes of any encoding, or text.
        decoded: the same page after `decode`, where the caller has it.
    """
    decoded = decoded or decode(page)
    if isinstance(page, bytes) and decoded.reason == "utf-8":
        return page
    return decoded.text.encode()


# --- Unicode in its several forms ----------------------------------------------------------------


def _by_bom(page: bytes, declared: str | None) -> Decoded:
    """Decode by the byte order mark, unless the bytes behind it are plainly something else."""
    bom, encoding = next(pair for pair in BOMS if page.startswith(pair[0]))
    body = page[len(bom) :]
    if encoding != "utf-8":
        # In UTF-16 and UTF-32 a tag has zero bytes.
        if b"\0" not in body[:_HEAD] and _TAG_FIRST.match(body):
            return decode(body, declared=declared)
        return Decoded(body.decode(encoding, "replace"), encoding, "bom")
    if b"\0" in body[:_HEAD] and (wide := wide_encoding(body)):
        text = body.decode(wide, "replace").removeprefix("\ufeff")
        if _TAG_FIRST.match(text[:_HEAD].encode("utf-8", "replace")):
            return Decoded(text, wide, "detected")
    from victor.page.decoding import legacy_encodings  # as above

    as_utf8 = AsUtf8.of(body)
    # Templates saved with a mark are joined with contents in a legacy encoding.
    if not as_utf8.is_utf8(sequences_per_error=1):
        return legacy_encodings.not_utf8(body, declared)
    return legacy_encodings.mixed(body, as_utf8, declared) or Decoded(as_utf8.text, "utf-8", "bom")


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
