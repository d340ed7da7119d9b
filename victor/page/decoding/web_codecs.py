"""Decoders of the WHATWG Encoding Standard: Python's codecs, and what these lack of it.

Python knows encodings as they were standardised once. Web pages are written in what Windows made
of them: with the rows of NEC and IBM in Japanese, the euro sign of code page 936, other characters
for a few signs of Chinese. Some 200 rare characters of Hong Kong in Big5 are still missing.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Mapping
from typing import Final

_BAD: Final = "\ufffd"
_MANY: Final = 10_000
_BIG5_SIGNS: Final = 0xA3
_CELLS: Final = 94  # of a row of a Japanese standard


def decode_as(page: bytes, codec: str) -> str:
    """Decode bytes as browsers do; what is no character becomes U+FFFD.

    Args:
        page: without byte order mark.
        codec: name by the Encoding Standard, or of Python's codec of another encoding.
    """
    python, errors = _CODECS.get(codec, (codec, "replace"))
    text = page.decode(python, "replace")
    n_bad = text.count(_BAD)
    # Our error handlers take their time, and what is nothing but errors is in another encoding.
    if n_bad and errors != "replace" and (n_bad < _MANY or n_bad * 4 < len(text)):
        text = page.decode(python, errors)
    return text.translate(_SIGNS[codec]) if codec in _SIGNS else text


def _euc_jp(pair: bytes) -> str:
    """A character that code page 932 has in the rows of NEC and IBM, where EUC-JP has none."""
    row, cell = pair[0] - 0xA1, pair[1] - 0xA1
    if not 0 <= cell < _CELLS:
        return ""
    lead = row // 2 + (0x81 if row < 62 else 0xC1)
    trail = cell + 0x9F if row % 2 else cell + 0x40 + (cell >= 0x3F)
    return _in_code_page(bytes([lead, trail]), "cp932")


def _big5(pair: bytes) -> str:
    """A sign of the row that code page 950 has and Hong Kong has not, as that of the euro."""
    return _in_code_page(pair, "cp950") if pair[0] == _BIG5_SIGNS else ""


def _in_code_page(pair: bytes, codec: str) -> str:
    try:
        text = pair.decode(codec)
    except UnicodeDecodeError:
        return ""
    return "" if len(text) != 1 or "\ue000" <= text <= "\uf8ff" else text


def _pairs(convert: Callable[[bytes], str]) -> Callable[[UnicodeError], tuple[str, int]]:
    """An error handler that reads two bytes in another way.

    Two bytes that are no character are one error: else the second would begin a wrong one.
    """

    def handle(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeDecodeError), "it is used for decoding"
        page, start = error.object, error.start
        pair = page[start : start + 2]
        if len(pair) < 2 or min(pair) < 0x80:
            return _BAD, start + 1
        return convert(pair) or _BAD, start + 2

    return handle


def _single(byte: int, character: str) -> Callable[[UnicodeError], tuple[str, int]]:
    """An error handler that knows one more byte."""

    def handle(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeDecodeError), "it is used for decoding"
        is_known = error.object[error.start] == byte
        return (character, error.start + 1) if is_known else (_BAD, error.end)

    return handle


codecs.register_error("victor.euc-jp", _pairs(_euc_jp))
codecs.register_error("victor.big5", _pairs(_big5))
codecs.register_error("victor.shift_jis", _pairs(lambda _: ""))
codecs.register_error("victor.gb18030", _single(0x80, "€"))
codecs.register_error("victor.windows-1255", _single(0xCA, "\u05ba"))

_CODECS: Final[Mapping[str, tuple[str, str]]] = {
    "big5": ("big5hkscs", "victor.big5"),
    "euc-jp": ("euc_jp", "victor.euc-jp"),
    "euc-kr": ("cp949", "replace"),
    "gb18030": ("gb18030", "victor.gb18030"),
    "gbk": ("gb18030", "victor.gb18030"),
    "iso-8859-8-i": ("iso8859-8", "replace"),
    "macintosh": ("mac_roman", "replace"),
    "shift_jis": ("cp932", "victor.shift_jis"),
    "windows-874": ("cp874", "replace"),
    "windows-1255": ("cp1255", "victor.windows-1255"),
    "x-mac-cyrillic": ("mac_cyrillic", "replace"),
}
"""Python's codec and what it does with errors, where the name alone does not do."""

_GB18030: Final = {
    0xE5E5: 0x3000, 0xE78D: 0xFE10, 0xE78E: 0xFE12, 0xE78F: 0xFE11, 0xE790: 0xFE13,
    0xE791: 0xFE14, 0xE792: 0xFE15, 0xE793: 0xFE16, 0xE794: 0xFE17, 0xE795: 0xFE18,
    0xE796: 0xFE19, 0xE7C7: 0x1E3F, 0xE81E: 0x9FB4, 0xE826: 0x9FB5, 0xE82B: 0x9FB6,
    0xE82C: 0x9FB7, 0xE832: 0x9FB8, 0xE843: 0x9FB9, 0xE854: 0x9FBA, 0xE864: 0x9FBB,
}  # fmt: skip
_SIGNS: Final[Mapping[str, Mapping[int, int]]] = {
    "big5": {
        0x2022: 0x2027, 0xFF64: 0xFE51, 0x203E: 0xAF, 0x223C: 0xFF5E,
        0x2641: 0x2295, 0x2609: 0x2299, 0xA5: 0xFFE5, 0xA2: 0xFFE0, 0xA3: 0xFFE1,
    },
    "euc-jp": {
        0x301C: 0xFF5E, 0x2016: 0x2225, 0x2212: 0xFF0D, 0xA2: 0xFFE0,
        0xA3: 0xFFE1, 0xAC: 0xFFE2,
    },
    "gb18030": _GB18030,
    "gbk": _GB18030,
    "koi8-u": {0x255D: 0x45E, 0x256C: 0x40E},
    "shift_jis": dict.fromkeys(range(0xF8F0, 0xF8F4), 0xFFFD),
}  # fmt: skip
"""Characters that the standard has in place of Python's."""
