"""Where no sentence ends, whatever a splitter says: one rule on top of all of them."""

from __future__ import annotations

import re
from typing import Final

from victor.metadata.dates import month

_END: Final = re.compile(r"[.!?…][\"'”“»’)\]]*\s*$")
_LAST_WORD: Final = re.compile(r"(?<!\w)(\w+)\.\s*$")
_FIRST_WORD: Final = re.compile(r"[^\W\d_]+")
_WINDOW: Final = 40
"""Characters on either side of a cut that are read; no word that matters is longer."""
_LAST_DAY: Final = 31
_SHORTEST_MONTH: Final = 4
"""Letters; short names of months are other words, too, such as *pro*."""
_DOTTED_ORDINALS: Final = frozenset("bs cs da de et fi hr hu lv nb nn no pl sk sl sr".split())
"""Languages whose ordinal numbers, and so days, end with a full stop."""
_NEVER_LAST: Final = frozenset({"ph"})
_NEVER_LAST_IN_CZECH: Final = _NEVER_LAST | frozenset(
    "akad arch brig event gen kpt mil mj mjr mld nadpor nábř např nám npor obr odst plk popř por "
    "ppor pplk příp resp stržm str škpt tab thdr tis tj tř tzn tzv vč zvl č čl".split()
)
"""Abbreviations in Czech and Slovak of what stands before a name, a number or a unit."""


def begins_small(text: str) -> bool:
    """Does a text begin with a small letter, in a script that has capital ones.

    Georgian texts are written without capitals, although its letters count as small.
    """
    letter = text[:1]
    return letter.islower() and letter.title() != letter


def goes_on(text: str, cut: int, language: str | None = None) -> bool:
    """Does the sentence before a cut go on behind it.

    It does between a day and its month (``28. Října``) and after an abbreviation that never ends a
    sentence (``Ph. D.``). It does before a small letter, too: in languages whose ordinal numbers
    end with a full stop always, in others after a number or a single letter (``2. and``), as
    English sentences of forums often begin so.

    Args:
        text: what a splitter has split.
        cut: (character offset) where it lets a sentence begin.
        language: its code in ISO 639, if known.
    """
    before, after = text[max(0, cut - _WINDOW) : cut], text[cut : cut + _WINDOW].lstrip()
    if not after or not _END.search(before):
        return False
    if language in _DOTTED_ORDINALS and begins_small(after):
        return True
    last = _LAST_WORD.search(before)
    return last is not None and _belongs_before(last[1].lower(), after, language or "")


def _belongs_before(word: str, after: str, language: str) -> bool:
    """Is a word with a full stop part of what follows it."""
    if begins_small(after) and (len(word) == 1 or word.isdecimal()):
        return True
    if word.isdecimal():
        name = _FIRST_WORD.match(after)
        is_day = language in _DOTTED_ORDINALS and 1 <= int(word) <= _LAST_DAY
        return is_day and name is not None and _is_month(name[0])
    return word in (_NEVER_LAST_IN_CZECH if language in ("cs", "sk") else _NEVER_LAST)


def _is_month(name: str) -> bool:
    return len(name) >= _SHORTEST_MONTH and month(name) > 0
