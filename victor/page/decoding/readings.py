"""Which encoding of its script a page is in: the letters that each of them reads decide.

A wrong encoding reads letters as well, but seldom those that a language has often. The rank of a
letter tells how often: of n letters the one of rank r makes up ``log((n + 1) / r) / n`` of a text
(S. M. Gusein-Zade 1988), so `letters.yaml` has the alphabets in the order of frequency.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from math import log
from pathlib import Path
from typing import Any, Final

from victor.config import plain_yaml
from victor.page.decoding.web_codecs import decode_as

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


def likeliest(text: bytes, name: str) -> str:
    """The encoding of the same script that reads a language best; the given one where in doubt.

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
