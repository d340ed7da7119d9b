"""What a page is once it is decoded, and how its bytes look as UTF-8."""

from __future__ import annotations

import codecs
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text of a page and how it was obtained.

    Attributes:
        source: the text, or bytes that are known to be UTF-8: most pages are never asked for it.
        encoding: name used, by WHATWG where that standard knows the encoding (``"windows-1250"``),
            else Python's (``"cp852"``); ``"unicode"`` for input that was text already.
        reason: ``text`` the input was text; ``bom`` byte order mark; ``utf-8`` all bytes are valid;
            ``utf-8-damaged`` nearly all are, the rest became U+FFFD; ``utf-8-mixed`` some text
            is, other text is in a Latin encoding; ``declared-http`` and
            ``declared`` the encoding named by the caller or by the page; ``detected`` guessed
            from the bytes, also where they contradict a declaration; ``fallback`` nothing
            fitted, read as windows-1252.
    """

    source: str | bytes = field(repr=False)
    encoding: str
    reason: str

    @property
    def text(self) -> str:
        """The page without byte order mark; no code point of it is a surrogate."""
        return self.source if isinstance(self.source, str) else self.source.decode()


class AsUtf8(NamedTuple):
    """What a page is if it is read as UTF-8.

    Attributes:
        text: with U+FFFD for what is broken.
        valid: sequences of several bytes.
        errors: broken ones; one that is cut by the end of the page does not count.
        is_cut: there is such a one.
    """

    text: str
    valid: int
    errors: int
    is_cut: bool

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


def without_surrogates(text: str) -> str:
    """A text with surrogate pairs joined and lone surrogates replaced by U+FFFD."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
