"""Decode bytes: byte order mark, strict UTF-8, plausible declaration, detector.

Labels lie, so a declared encoding is used only if the bytes do not speak against it; among the
Latin encodings the letters inside words decide, which tells windows-1250 from ISO 8859-2.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from victor import core
from victor.arrays import Bools, Floats
from victor.page.wide import BOM_STARTS, BOMS, wide_encoding


@dataclass(frozen=True, slots=True, eq=False)
class Decoded:
    """Text of a page and how it was obtained.

    Attributes:
        source: the text, or bytes that are known to be UTF-8: most pages are never asked for it.
        encoding: name used, by WHATWG where that standard knows the encoding (``"windows-1250"``),
            else Python's (``"cp852"``); ``"unicode"`` for input that was text already.
        reason: ``text`` the input was text; ``bom`` byte order mark; ``utf-8`` all bytes are valid;
            ``utf-8-damaged`` nearly all are, the rest became U+FFFD; ``declared-http`` and
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

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Decoded):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def _values(self) -> tuple[str, str, str]:
        return self.text, self.encoding, self.reason


def decode(page: bytes | str, *, declared: str | None = None) -> Decoded:
    """Turn a page into text; never fails, whatever the bytes are, and takes linear time.

    The order: byte order mark, UTF-16 betrayed by its zero bytes, strict UTF-8 (with 7-bit
    encodings such as ISO-2022-JP only where declared), UTF-8 with a few broken sequences, the
    declared encodings that the bytes bear out, a detector, windows-1252.

    Args:
        page: the page; text is returned as it is, but for a leading U+FEFF and surrogates.
        declared: value of ``charset`` in the HTTP header, if any; preferred to the page's own.

    Returns:
        Text, encoding and reason.
    """
    if isinstance(page, str):
        return Decoded(_without_surrogates(page.removeprefix("\ufeff")), "unicode", "text")
    if page.startswith(BOM_STARTS):
        return _by_bom(page, declared)
    facts = _Facts.of(page)
    if facts.has_zero and (wide := wide_encoding(page)):
        return Decoded(page.decode(wide, "replace"), wide, "detected")
    if not facts.is_utf8:
        return _not_utf8(page, declared)
    if facts.is_ascii and (shifted := _seven_bit(page, declared)):
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
        if core.compiled is not None:
            bits = core.compiled.facts_of_bytes(page)
            return cls(bool(bits & 1), bool(bits & 2), bool(bits & 4))
        is_ascii = page.isascii()
        return cls(is_ascii or _is_utf8(page), is_ascii, b"\0" in page)


def _is_utf8(page: bytes) -> bool:
    try:
        page.decode()
    except UnicodeDecodeError:
        return False
    return True


# --- Unicode in its several forms ----------------------------------------------------------------


def _by_bom(page: bytes, declared: str | None) -> Decoded:
    """Decode by the byte order mark, unless a UTF-8 mark precedes something else."""
    bom, encoding = next(pair for pair in BOMS if page.startswith(pair[0]))
    body = page[len(bom) :]
    if encoding != "utf-8":
        return Decoded(body.decode(encoding, "replace"), encoding, "bom")
    text, is_utf8 = _mended_utf8(body, sequences_per_error=1)
    # Templates saved with a mark are joined with contents in a legacy encoding.
    return Decoded(text, "utf-8", "bom") if is_utf8 else _not_utf8(body, declared)


def _mended_utf8(page: bytes, *, sequences_per_error: int) -> tuple[str, bool]:
    """UTF-8 with U+FFFD for what is broken, and whether the page is UTF-8 at all.

    It is if valid multi-byte sequences outnumber broken ones by the given factor; a sequence cut
    by the end of the page does not count. Legacy text yields valid sequences only by accident,
    in Chinese or Thai fewer than errors, elsewhere hardly any.
    """
    text, used = codecs.utf_8_decode(page, "replace", False)
    errors = text.count("\ufffd") - page.count(b"\xef\xbf\xbd")
    valid = len(text) - _ascii_count(page) - errors
    tail = "\ufffd" if used < len(page) else ""
    return text + tail, valid >= sequences_per_error * errors and (valid > 0 or not tail)


def _ascii_count(page: bytes) -> int:
    return int(np.count_nonzero(np.frombuffer(page, np.uint8) < 0x80))


def _without_surrogates(text: str) -> str:
    """The text with surrogate pairs joined and lone surrogates replaced by U+FFFD."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


# --- Declarations --------------------------------------------------------------------------------

_PRESCAN = 4096
_COMMENT = re.compile(rb"<!--(?:.*?-->|.*)", re.DOTALL)
_META = re.compile(rb"<meta\b[^<>]*?\bcharset\s*+=\s*+(?:[\"']\s*+)?+([\w.:+-]++)", re.IGNORECASE)
_XML = re.compile(rb"\s*+<\?xml\b[^<>]*?\bencoding\s*+=\s*+[\"']\s*+([\w.:+-]++)", re.IGNORECASE)

_WIDER_CODECS = {  # what browsers read under these names is more than Python's codec of that name
    "big5": "big5hkscs",
    "euc-kr": "cp949",
    "gbk": "gb18030",
    "shift_jis": "cp932",
}
_BEYOND_WHATWG = {  # old pages of Central Europe; the detector knows these, browsers do not
    "cp852": "cp852",
    "ibm437": "cp437",
    "ibm850": "cp850",
    "ibm852": "cp852",
    "ibm855": "cp855",
    "ibm862": "cp862",
    "ibm865": "cp865",
    "maccentraleurope": "mac_latin2",
    "x-mac-ce": "mac_latin2",
}
_DETECTOR_NAMES = {  # KOI8-U has every letter of KOI8-R and the Ukrainian ones
    "koi8-r": "koi8-u",
    "maccyrillic": "x-mac-cyrillic",
    "uhc": "euc-kr",
}
_SEVEN_BIT = {  # label -> name, codec, error handler; damaged UTF-7 takes more than linear time
    "csiso2022jp": ("iso-2022-jp", "iso2022_jp_ext", "replace"),
    "csiso2022kr": ("iso-2022-kr", "iso2022_kr", "replace"),
    "hz-gb-2312": ("hz-gb-2312", "hz", "replace"),
    "iso-2022-jp": ("iso-2022-jp", "iso2022_jp_ext", "replace"),
    "iso-2022-kr": ("iso-2022-kr", "iso2022_kr", "replace"),
    "unicode-1-1-utf-7": ("utf-7", "utf-7", "strict"),
    "utf-7": ("utf-7", "utf-7", "strict"),
}
_SEVEN_BIT_MARKS = (b"2022", b"hz-gb", b"utf-7")
"""Every one of these labels has one of them in it."""


def _labels(
    page: bytes, declared: str | None, marks: tuple[bytes, ...] = (b"",)
) -> Iterator[tuple[str, str]]:
    """Declared labels in order of authority: HTTP header, `meta` elements, XML declaration.

    The page is asked for its own only if its head has one of some marks, in lower case.
    """
    if declared is not None:
        yield "declared-http", declared.strip(" \t\r\n\f\"'").lower()
    head = _COMMENT.sub(b"", page[:_PRESCAN])
    lower = head.lower()
    if not any(mark in lower for mark in marks):
        return
    for match in _META.finditer(head):
        yield "declared", match[1].decode("ascii").lower()
    if xml := _XML.match(head):
        yield "declared", xml[1].decode("ascii").lower()


def _resolve(label: str) -> tuple[str, str] | None:
    """Name of the encoding and of Python's codec; None if unknown or if it is Unicode.

    A page whose markup is readable as ASCII is not UTF-16, whatever it says, and what is UTF-8 is
    found without labels.
    """
    from webencodings import lookup  # rarely needed, so not on import

    if codec := _BEYOND_WHATWG.get(label):
        return codec, codec
    encoding = lookup(label)
    if encoding is None or encoding.name in ("replacement", "x-user-defined"):
        return None
    if encoding.name.startswith("utf-"):
        return None
    return encoding.name, _WIDER_CODECS.get(encoding.name, encoding.codec_info.name)


def _seven_bit(page: bytes, declared: str | None) -> Decoded | None:
    """Decode ASCII bytes that stand for other text, if declared or unmistakable."""
    for reason, label in _labels(page, declared, _SEVEN_BIT_MARKS):
        if label in _SEVEN_BIT and (decoded := _shifted(page, label, reason)):
            return decoded
    # One byte is found much faster than three, and hardly any page has it.
    if b"\x1b" in page and (b"\x1b$B" in page or b"\x1b$@" in page):
        return _shifted(page, "iso-2022-jp", "detected")
    return None


def _shifted(page: bytes, label: str, reason: str) -> Decoded | None:
    """Decode 7-bit bytes, or None if that yields nothing but ASCII or many errors."""
    name, codec, errors = _SEVEN_BIT[label]
    try:
        text = _without_surrogates(page.decode(codec, errors))
    except UnicodeDecodeError:
        return None
    foreign = len(text) - len(text.encode("ascii", "ignore"))
    return Decoded(text, name, reason) if text.count("\ufffd") * 10 < foreign else None


# --- Legacy encodings ----------------------------------------------------------------------------


def _not_utf8(page: bytes, declared: str | None) -> Decoded:
    """Decode bytes that are not valid UTF-8 throughout."""
    labels = list(_labels(page, declared))
    says_utf8 = any(label in ("utf-8", "utf8") for _, label in labels)
    text, is_utf8 = _mended_utf8(page, sequences_per_error=1 if says_utf8 else 3)
    if is_utf8:
        return Decoded(text, "utf-8", "utf-8-damaged")
    letters = _Letters.of(page)
    for reason, label in labels:
        if decoded := _as_declared(page, letters, label, reason):
            return decoded
    return _as_guessed(page, letters)


def _as_declared(page: bytes, letters: _Letters, label: str, reason: str) -> Decoded | None:
    """Decode by a label, or by the Latin encoding it should have named; None if implausible."""
    resolved = _resolve(label)
    if resolved is None:
        return None
    name, codec = resolved
    chosen, share = letters.arbitrate(name if name in _LATIN else "windows-1252")
    if name not in _LATIN:
        plainly_latin = not letters.runs and letters.count >= 20 and share >= 0.95
        text = None if plainly_latin else _sound_text(page, codec, tolerance=0.06)
        return None if text is None else Decoded(text, name, reason)
    if letters.rule_out_latin(share):
        return None
    return _latin(page, chosen, reason if chosen == name else "detected")


def _as_guessed(page: bytes, letters: _Letters) -> Decoded:
    """Decode by the detector, checked against the letters inside words."""
    guess = _detect(page)
    preferred = guess[0] if guess and guess[0] in _LATIN else "windows-1252"
    chosen, share = letters.arbitrate(preferred)
    is_latin = not letters.rule_out_latin(share)
    # Few letters mislead the detector into encodings that hardly any page uses.
    settled = is_latin and (share >= _ONE_LANGUAGE or letters.count < 6)
    if guess and guess[0] not in _LATIN and not settled:
        text = _sound_text(page, guess[1], tolerance=0.25)
        if text is not None:
            return Decoded(text, guess[0], "detected")
    if not is_latin or (guess is None and chosen == "windows-1252"):
        return _latin(page, "windows-1252", "fallback")
    decoded, western = (_latin(page, name, "detected") for name in (chosen, "windows-1252"))
    # Where it makes no difference, as with quotes and dashes only, name the common encoding.
    return western if western.text == decoded.text else decoded


def _detect(page: bytes) -> tuple[str, str] | None:
    """The detector's encoding and codec, or None if it has none that can be used."""
    import cchardet  # rarely needed, so not on import

    name = cchardet.detect(_around_letters(page))["encoding"]
    if name is None:
        return None
    return _resolve(_DETECTOR_NAMES.get(name.lower(), name.lower()))


_FROM_HIGH_BYTE = re.compile(rb"[\x80-\xff][^<>\r\n]*")


def _around_letters(page: bytes, limit: int = 1 << 16) -> bytes:
    """At most `limit` bytes of tag-free text around non-ASCII bytes, wherever they stand."""
    pieces: list[bytes] = []
    size = end = 0
    for match in _FROM_HIGH_BYTE.finditer(page):
        # A word may begin with ASCII letters; a long line may be a script with one such byte.
        left = page[max(end, match.start() - 20) : match.start()].rpartition(b">")[2]
        pieces.append(left + match[0][:1000])
        size += len(pieces[-1]) + 1
        end = match.end()
        if size >= limit:
            break
    return b"\n".join(pieces)[:limit]


_C1 = re.compile("[\x80-\x9f]")
_C1_OR_ERROR = re.compile("[\x80-\x9f\ufffd]")


def _sound_text(page: bytes, codec: str, *, tolerance: float) -> str | None:
    """Decoded text, or None if errors and C1 controls exceed a share of the high bytes."""
    text = page.decode(codec, "replace")
    bad = len(_C1_OR_ERROR.findall(text))
    high = len(page) - _ascii_count(page)
    # One more: a page may be cut inside its last character.
    if bad >= high or bad > tolerance * high + 1:
        return None
    return _without_surrogates(_without_controls(text, "cp1252"))


def _latin(page: bytes, name: str, reason: str) -> Decoded:
    """Decode by one of the Latin encodings."""
    return Decoded(codecs.charmap_decode(page, "strict", _latin_table(name))[0], name, reason)


@cache
def _latin_table(name: str) -> str:
    """256 characters: U+FFFD for undefined bytes, which so cost nothing, and no C1 controls."""
    windows = "cp1250" if name in _CENTRAL else "cp1252"
    return _without_controls(bytes(range(256)).decode(_LATIN[name], "replace"), windows)


def _without_controls(text: str, codec: str) -> str:
    """C1 controls replaced by what a Windows code page has there: quotes, dashes, letters."""
    if not _C1.search(text):
        return text
    windows = bytes(range(0x80, 0xA0)).decode(codec, "replace")
    return text.translate(dict(zip(range(0x80, 0xA0), windows, strict=True)))


# --- Which Latin encoding ------------------------------------------------------------------------

_LATIN = {
    "windows-1252": "cp1252",
    "windows-1250": "cp1250",
    "iso-8859-2": "iso8859-2",
    "iso-8859-15": "iso8859-15",
}
_CENTRAL = ("windows-1250", "iso-8859-2")
_USUAL = ("windows-1252", *_CENTRAL)

_ALPHABETS = (  # letters beyond ASCII, one string per language or group of languages
    "áčďéěíňóřšťúůýž",  # Czech
    "áäčďéíľĺňóôŕšťúýž",  # Slovak
    "ąćęłńóśźż",  # Polish
    "áéíóöőúüű",  # Hungarian
    "čćđšž",  # Croatian, Slovene
    "ăâîşţ",  # Romanian
    "äöüß",  # German
    "àâæçèéêëîïôœùûüÿ",  # French
    "áéíñóúü",  # Spanish
    "àáâãçéêíóôõú",  # Portuguese (its rare ü would make it fit Hungarian)
    "àáèéìíîòóùú",  # Italian, Gaelic
    "àçèéíïòóúü",  # Catalan
    "áèéêëíïóöúü",  # Dutch
    "âéêëïôöúûü",  # Frisian, Afrikaans
    "åäöé",  # Swedish, Finnish
    "åæøéòô",  # Danish, Norwegian
    "áæðéíóöøúýþ",  # Icelandic, Faroese
    "äõöüšž",  # Estonian
)
# Signs that stand between letters without being wrong there: apostrophes, dashes, joiners.
_BETWEEN = frozenset("\xa0\xad´·ˇ‘’‚“”„–—…•†‡‹›")
_TRACE = 0.01
"""Weight of what is odd but not wrong: enough to break a tie."""
_ONE_LANGUAGE = 0.9
"""Share of letters in one alphabet from which a page counts as written in that alphabet."""


@dataclass(frozen=True, slots=True, eq=False)
class _Letters:
    """How the non-ASCII bytes of a page stand among letters.

    Attributes:
        counts: (3, 128) float64; bytes 0x80-0xFF inside a word, at its edge, alone.
        runs: most of the bytes come in runs, as in other scripts and multi-byte encodings.
    """

    counts: Floats
    runs: bool

    @classmethod
    def of(cls, page: bytes) -> _Letters:
        """Count the bytes of a page that has at least one non-ASCII byte."""
        codes = np.frombuffer(b" " + page + b" ", np.uint8)
        at = np.flatnonzero(codes >= 0x80)
        high, before, after = codes[at], codes[at - 1], codes[at + 1]
        is_letter = _letter_bytes()
        position = 2 - is_letter[before].astype(np.int64) - is_letter[after]
        cells = position * 128 + (high - 128)
        counts = np.bincount(cells, minlength=384).astype(np.float64).reshape(3, 128)
        joined = np.count_nonzero(_makes_run(high, before) | _makes_run(high, after))
        return cls(counts, bool(joined >= 8 and joined > 0.6 * np.count_nonzero(high != 0xA0)))

    @property
    def count(self) -> int:
        """Number of non-ASCII bytes beside a letter."""
        return int(self.counts[:2].sum())

    def rule_out_latin(self, share: float) -> bool:
        """Whether the page is in no Latin script, given the share of the best alphabet."""
        return self.runs and share < _ONE_LANGUAGE

    def arbitrate(self, preferred: str) -> tuple[str, float]:
        """The Latin encoding that makes the words those of one language best.

        The preferred one stays unless another fits better; between Western and Central European
        encodings the advantage must be clear, because a few foreign names say little.

        Returns:
            Name of the encoding, and the share of letters that its best alphabet has.
        """
        fits = {name: self._fit(name) for name in dict.fromkeys((preferred, *_USUAL))}
        peers = [name for name in fits if (name in _CENTRAL) == (preferred in _CENTRAL)]
        peer = max(peers, key=lambda name: fits[name][0])
        rival = max(fits, key=lambda name: fits[name][0])
        share, missed = fits[peer]
        clear = fits[rival][0] >= max(0.95, share + 0.05)
        if clear and missed.sum() >= 3 and np.count_nonzero(missed >= 1) >= 2:
            return rival, fits[rival][0]
        return peer, share

    def _fit(self, name: str) -> tuple[float, Floats]:
        """Share of fitting bytes under an encoding's best alphabet, and the misfits per byte."""
        hits, misses = _expectations(name)
        hit = np.einsum("apb,pb->a", hits, self.counts)
        missed = np.einsum("apb,pb->ab", misses, self.counts)
        total = hit + missed.sum(axis=1)
        shares = np.where(total > 0, hit / np.maximum(total, _TRACE), 1.0)
        best = int(shares.argmax())
        return float(shares[best]), missed[best]


def _makes_run(byte: NDArray[np.uint8], beside: NDArray[np.uint8]) -> Bools:
    """Whether two bytes are different non-ASCII bytes other than the no-break space."""
    other = (beside >= 0x80) & (beside != byte)
    joined: Bools = other & (beside != 0xA0) & (byte != 0xA0)
    return joined


@cache
def _letter_bytes() -> Bools:
    """(256,) whether a byte is a letter in ASCII or in any of the Latin encodings."""
    texts = [bytes(range(256)).decode(codec, "replace") for codec in _LATIN.values()]
    letters = [any(map(str.isalpha, readings)) for readings in zip(*texts, strict=True)]
    table: Bools = np.array(letters, dtype=np.bool_)
    return table


@cache
def _expectations(name: str) -> tuple[Floats, Floats]:
    """Weights of hits and misses, both (alphabets, 3 places, 128 bytes), of one encoding."""
    characters = bytes(range(128, 256)).decode(_LATIN[name], "replace")
    hits = np.zeros((len(_ALPHABETS), 3, 128))
    misses = np.zeros_like(hits)
    for byte, character in enumerate(characters):
        belongs = np.array([character.lower() in alphabet for alphabet in _ALPHABETS])
        hits[:, :2, byte] = belongs[:, None]
        misses[:, :, byte] = ~belongs[:, None] * _blame(byte + 128, character)
    return hits, misses


def _blame(byte: int, character: str) -> tuple[float, float, float]:
    """How wrong a character outside the alphabet is inside a word, at its edge, alone."""
    if character == "\ufffd":
        return 1.0, 1.0, _TRACE
    if character < "\xa0":
        # A control: harmless if the byte is punctuation of the Windows code pages.
        weight = 1.0 if bytes([byte]).decode("cp1250", "replace").isalpha() else _TRACE
        return weight, weight, _TRACE
    if character.isalpha() and character not in "ªºµ":
        return 1.0, 1.0, _TRACE
    return (0.0 if character in _BETWEEN else 1.0), 0.0, 0.0
