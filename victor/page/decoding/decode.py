"""Decode bytes: byte order mark, strict UTF-8, plausible declaration, detector.

Browsers believe the mark, else the header, else the page. Here the order is the same, but labels
lie: valid UTF-8 is UTF-8, and another declared encoding is used only if the bytes do not speak
against it. What is not UTF-8 is read by `legacy_encodings`, where among the encodings of a script
the letters decide.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from victor.base import core
from victor.page.decoding.decoded import AsUtf8, Decoded, without_surrogates
from victor.page.decoding.utf16 import BOM_STARTS, BOMS, wide_encoding

_HEAD = 4096
_TAG_FIRST = re.compile(rb"\s*+<(?:!doctype\b|!--|\?xml\b|[a-z][a-z0-9]*+[\s/>])", re.IGNORECASE)


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
        return Decoded(without_surrogates(page.removeprefix("\ufeff")), "unicode", "text")
    if page.startswith(BOM_STARTS):
        return _by_bom(page, declared)
    facts = _Facts.of(page)
    if facts.has_zero and (wide := wide_encoding(page)):
        return Decoded(page.decode(wide, "replace"), wide, "detected")
    if facts.is_utf8 and not facts.is_ascii and not facts.has_zero:
        return Decoded(page, "utf-8", "utf-8")
    from victor.page.decoding import legacy_encodings  # most pages do not need these

    if not facts.is_utf8:
        return legacy_encodings.not_utf8(page, declared)
    if facts.is_ascii and (shifted := legacy_encodings.seven_bit(page, declared)):
        return shifted
    return Decoded(page, "utf-8", "utf-8")


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


class _Facts(NamedTuple):
    """What the bytes of a page are."""

    is_utf8: bool
    is_ascii: bool
    has_zero: bool

    @classmethod
    def of(cls, page: bytes) -> _Facts:
        """Look at all bytes."""
        bits = core.compiled.facts_of_bytes(page)
        return cls(bool(bits & 1), bool(bits & 2), bool(bits & 4))


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
