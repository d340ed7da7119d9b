"""Which encoding of its script a page is in, wholly or beside UTF-8: its letters decide.

Labels do not: they lie, and detectors take windows-1250 for ISO 8859-2.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from math import log
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Bools, Floats, prefix_sums
from victor.config import plain_yaml
from victor.page.decoding.web_codecs import decode_as

LATIN = {
    "windows-1252": "cp1252",
    "windows-1250": "cp1250",
    "iso-8859-2": "iso8859-2",
    "iso-8859-15": "iso8859-15",
}
_C1 = re.compile("[\x80-\x9f]")
_CENTRAL = ("windows-1250", "iso-8859-2")
_USUAL = ("windows-1252", *_CENTRAL)

# Signs that stand between letters without being wrong there: apostrophes, dashes, joiners.
_BETWEEN = frozenset("\xa0\xad´·ˇ‘’‚“”„–—…•†‡‹›")
_TRACE = 0.01  # weight of what is odd but not wrong: enough to break a tie
ONE_LANGUAGE = 0.9
"""Share of letters in one alphabet from which a page counts as written in that alphabet."""
FEWEST = 3  # broken bytes among those of UTF-8 from which they are no accident
_FEWEST_VALID = 6
_PLAIN_SHARE = 0.95
_NEAR = 3  # characters beyond ASCII on each side that say whether one is like those around it
_BAD = 0xFFFD

_Codes = NDArray[np.uint32]
_FILE: Final = Path(__file__).with_name("letters.yaml")
_LARGEST_ALPHABET: Final = 100
_OF_ALPHABET, _OF_OTHERS = 0.97, 0.6
"""Share of a text that an alphabet makes up, and the commonest of thousands of characters."""
_ASCII, _SIGN, _OTHER, _ERROR, _ODD = -4.5, -5.0, -9.0, -12.0, -4.0
"""Logarithms of the probability of what is no letter of a language, and of what stands oddly."""
_SIGNS: Final = frozenset("\xa0\xad«»“”„‘’–—…·•№、。，「」『』（）：；！？　・")
_ERRORS: Final = re.compile("[\x80-\x9f\ufffd\ue000-\uf8ff]")
_LOWER, _UPPER = "a-zά-ώа-џґ", "A-ZΆ-ΫЀ-ЯҐ"
_ODDLY: Final = re.compile(
    f"[{_LOWER}](?=[{_UPPER}])|[{_UPPER}][{_UPPER}](?=[{_LOWER}])"  # a word in both cases
    r"|[A-Za-z](?=[\u0370-\u06ff])|[\u0370-\u06ff](?=[A-Za-z])"  # or in two scripts
    r"|(?<=\s)[’¶](?=[\u0370-\u06ff])"  # a sign in the place of its capital
)
_REPEATED: Final = re.compile(rb"(..)\1+", re.DOTALL)
_CLEAR, _OF_CHANGED, _OF_ALL = 10.0, 0.3, 0.02
"""How much likelier another reading must be, and for each character that it changes or has."""


@dataclass(frozen=True, slots=True, eq=False)
class Letters:
    """How the non-ASCII bytes of a page stand among letters."""

    counts: Floats  # (3, 128) float64; bytes 0x80-0xFF inside a word, at its edge, alone
    runs: bool  # most of the bytes come in runs, as in other scripts and multi-byte encodings

    @classmethod
    def of(cls, page: bytes) -> Letters:
        """Count the bytes of a page that has at least one non-ASCII byte."""
        codes = np.frombuffer(b" " + page + b" ", np.uint8)
        at = np.flatnonzero(codes >= 0x80)
        high, before, after = codes[at], codes[at - 1], codes[at + 1]
        is_letter = letter_bytes()
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
        return self.runs and share < ONE_LANGUAGE

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


def read_latin(page: bytes, name: str) -> str:
    """Text in one of the Latin encodings, without controls of the upper half.

    Browsers show these as they are; on pages they are quotes and dashes of a Windows code page, or
    nothing that anybody could read.
    """
    return codecs.charmap_decode(page, "strict", _latin_table(name))[0]


def without_controls(text: str, codec: str) -> str:
    """C1 controls replaced by what a Windows code page has there: quotes, dashes, letters."""
    if not _C1.search(text):
        return text
    windows = bytes(range(0x80, 0xA0)).decode(codec, "replace")
    return text.translate(dict(zip(range(0x80, 0xA0), windows, strict=True)))


@cache
def _latin_table(name: str) -> str:
    """256 characters: U+FFFD for undefined bytes, which so cost nothing, and no C1 controls."""
    windows = "cp1250" if name in _CENTRAL else "cp1252"
    return without_controls(bytes(range(256)).decode(LATIN[name], "replace"), windows)


@cache
def letter_bytes() -> Bools:
    """(256,) whether a byte is a letter in ASCII or in any of the Latin encodings."""
    texts = [bytes(range(256)).decode(codec, "replace") for codec in LATIN.values()]
    letters = [any(map(str.isalpha, readings)) for readings in zip(*texts, strict=True)]
    table: Bools = np.array(letters, dtype=np.bool_)
    return table


@cache
def _expectations(name: str) -> tuple[Floats, Floats]:
    """Weights of hits and misses, both (alphabets, 3 places, 128 bytes), of one encoding."""
    characters = bytes(range(128, 256)).decode(LATIN[name], "replace")
    alphabets = known_letters()["latin"]
    hits = np.zeros((len(alphabets), 3, 128))
    misses = np.zeros_like(hits)
    for byte, character in enumerate(characters):
        belongs = np.array([character.lower() in alphabet for alphabet in alphabets])
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


# --- Pages of which a part is UTF-8, as templates and old contents -------------------------------


def mixed_text(page: bytes, preferred: str) -> str | None:
    """The text of a page whose characters are plainly of two kinds; None if they are not.

    Valid sequences of UTF-8 stay, and other bytes are characters of the Latin encoding, wherever
    they stand: lines and tags do not part the two, for many pages have only one line.

    Args:
        page: bytes that are not valid UTF-8 throughout.
        preferred: the Latin encoding that the page declares, or ``windows-1252``.
    """
    # A byte that is no UTF-8 becomes one lone surrogate.
    escaped = page.decode("utf-8", "surrogateescape").encode("utf-32-le", "surrogatepass")
    codes = np.frombuffer(escaped, np.uint32)
    is_bad = (codes >= 0xDC80) & (codes <= 0xDCFF)
    is_valid = (codes >= 0x80) & ~is_bad
    sizes = 1 + is_valid.astype(np.uint8) + (is_valid & (codes >= 0x800)) + (codes >= 0x10000)
    is_legacy = _legacy(codes, is_bad)
    n_valid = np.count_nonzero(is_valid & ~is_legacy)
    if n_valid < _FEWEST_VALID or np.count_nonzero(is_legacy & is_bad) < FEWEST:
        return None
    raw, of_legacy = np.frombuffer(page, np.uint8), np.repeat(is_legacy, sizes)
    letters = Letters.of(raw[of_legacy | (raw < 0x80)].tobytes())
    readings = [letters.arbitrate(name) for name in (preferred, "windows-1252")]
    encoding, share = max(readings, key=itemgetter(1))
    if letters.runs or letters.count < FEWEST or share < _PLAIN_SHARE or _are_cut(raw, of_legacy):
        return None
    table = np.array([*map(ord, read_latin(bytes(range(256)), encoding))], dtype=np.uint32)
    read = np.where(is_bad, np.uint32(_BAD), codes)
    texts = np.where(of_legacy, table[raw], np.repeat(read, sizes))
    # A character of several bytes counts at the last of them.
    of_legacy[np.cumsum(sizes, dtype=np.int64) - 1] = True
    return texts[of_legacy].tobytes().decode("utf-32-le")


def _legacy(codes: _Codes, is_bad: Bools) -> Bools:
    """(n,) whether a character is of the Latin encoding.

    Two bytes among others of it make a valid sequence by accident, three hardly ever; one broken
    byte among valid characters is damage.
    """
    foreign = np.flatnonzero(codes >= 0x80)
    n_bad, at = prefix_sums(is_bad[foreign]), np.arange(len(foreign))
    first, end = np.maximum(at - _NEAR, 0), np.minimum(at + _NEAR + 1, len(foreign))
    near = n_bad[end] - n_bad[first]
    is_legacy = is_bad.copy()
    is_legacy[foreign] = np.where(
        is_bad[foreign], near > 1, (codes[foreign] < 0x800) & (2 * near > end - first)
    )
    return is_legacy


def _are_cut(raw: NDArray[np.uint8], of_legacy: Bools) -> bool:
    """Whether most of the bytes end a word, as those of characters that were cut through do."""
    after = np.append(raw[1:], np.uint8(0))[of_legacy]
    return bool(2 * np.count_nonzero(letter_bytes()[after]) < len(after))


# --- Encodings of one script ------------------------------------------------------------------


def likeliest(text: bytes, name: str) -> str:
    """The encoding of the same script that reads a language best; the given one where in doubt.

    A wrong encoding reads letters as well, but seldom those that a language has often. The rank of
    a letter tells how often: of n letters the one of rank r makes up ``log((n + 1) / r) / n`` of a
    text (S. M. Gusein-Zade 1988), so `letters.yaml` has the alphabets in the order of frequency.

    Args:
        text: without tags.
        name: of an encoding, by the Encoding Standard.
    """
    script = next((script for script in known_letters()["encodings"] if name in script), None)
    if script is None:
        return name
    # Menus and drawings say the same again and again.
    once = _REPEATED.sub(rb"\1", b" ".join(dict.fromkeys(text.split())))
    readings = {encoding: decode_as(once, encoding) for encoding in script}
    scores = {encoding: _score(readings[encoding], script[encoding]) for encoding in script}
    best = max(scores, key=scores.__getitem__)
    n_changed = (Counter(readings[best]) - Counter(readings[name])).total()
    clear = _CLEAR + _OF_CHANGED * n_changed + _OF_ALL * len(readings[best])
    return best if scores[best] - scores[name] > clear else name


def _score(text: str, languages: list[str]) -> float:
    """Logarithm of how probable a text is in the language that fits it best."""
    counts = Counter(text).items()
    tables = map(_probabilities, languages)
    sums = (sum(n * table[character] for character, n in counts) for table in tables)
    return max(sums) + _ODD * len(_ODDLY.findall(text))


class _Probabilities(dict[str, float]):
    """Logarithms of the probabilities of characters in a language."""

    def __missing__(self, character: str) -> float:
        if character < "\x80":
            return _ASCII
        if character in _SIGNS:
            return _SIGN
        return _ERROR if _ERRORS.match(character) else _OTHER


@cache
def _probabilities(language: str) -> _Probabilities:
    letters = "".join(known_letters()["letters"][language].split())
    n = len(letters)
    share = _OF_ALPHABET if n < _LARGEST_ALPHABET else _OF_OTHERS
    table = _Probabilities()
    for rank, letter in enumerate(letters, start=1):
        table[letter] = table[letter.upper()] = log(share / n * log((n + 1) / rank))
    return table


@cache
def known_letters() -> Any:  # noqa: ANN401  (whatever the file holds)
    """The content of `letters.yaml`."""
    return plain_yaml.read_compiled(_FILE)
