"""Lines that ``<br>`` made: those that go on in the next line are joined with it."""

from __future__ import annotations

from typing import Final

from victor.kitten.language import Language, last_word

_GOES_ON: Final = (",", "(", "[", "„", "–", "—", "&", "+", "/")
_BEGINS_NOTHING: Final = (",", ";", ".", ")", "]", "!", "?", "–", "—")


def join_lines(text: str, language: Language) -> str:
    """A text whose newlines are those between sentences, or between things that are none.

    Two lines are one if the first ends with a comma, a preposition or another word that wants
    something after it, or if the second begins as no sentence does: with a small letter or with
    a mark that closes. Lines of marks, and items of lists typed by hand, stay lines.
    """
    first, *rest = text.split("\n")
    joined = [first]
    for line in rest:
        if _goes_on(joined[-1], line, language):
            joined[-1] = f"{joined[-1]} {line}"
        else:
            joined.append(line)
    return "\n".join(joined)


def _goes_on(line: str, following: str, language: Language) -> bool:
    if not line or not following:
        return False
    if following[0].islower() or following.startswith(_BEGINS_NOTHING):
        return not _is_mark(line) and not _is_bullet(following)
    last = last_word(line).lower()
    return line.endswith(_GOES_ON) or last in language.triggers or last in language.conjunctions


def _is_mark(line: str) -> bool:
    """A line of its own that no sentence goes through, such as a rule drawn by hand."""
    return not any(character.isalnum() for character in line)


def _is_bullet(line: str) -> bool:
    """A line that is an item of a list typed by hand: ``- milk``, ``a) milk``."""
    mark, _, rest = line.partition(" ")
    return bool(rest) and (not any(map(str.isalnum, mark)) or (len(mark) == 2 and mark[1] in ")."))
