"""Lines made by ``<br>``: a line whose sentence continues is joined with the next."""

from __future__ import annotations

from typing import Final

from victor.kitten.language import LONGEST_WORD, Language, last_word
from victor.language.sentence_ends import begins_small

_CONTINUES: Final = (",", "(", "[", "„", "–", "—", "&", "+", "/")
_NOT_INITIAL: Final = (",", ";", ".", ")", "]", "!", "?", "–", "—")


def join_lines(text: str, language: Language) -> str:
    """A text in which newlines no longer break sentences.

    Two lines are joined if the first ends with a comma, a preposition or another word that must
    be followed by something, or if the second does not begin like a sentence: with a small letter
    or a closing mark. Lines of marks, and items of lists typed by hand, stay separate.
    """
    first, *rest = text.split("\n")
    joined = [first]
    end, is_mark = first, _is_mark(first)  # of what is joined so far, which may be very long
    for line in rest:
        if _continues(end, line, language, is_mark=is_mark):
            joined += " ", line
            end, is_mark = f"{end[-LONGEST_WORD:]} {line}", is_mark and _is_mark(line)
        else:
            joined += "\n", line
            end, is_mark = line, _is_mark(line)
    return "".join(joined)


def _continues(line: str, following: str, language: Language, *, is_mark: bool) -> bool:
    if not line or not following:
        return False
    if begins_small(following) or following.startswith(_NOT_INITIAL):
        return not is_mark and not _is_bullet(following)
    last = last_word(line).lower()
    return line.endswith(_CONTINUES) or last in language.triggers or last in language.conjunctions


def _is_mark(line: str) -> bool:
    """A line without letters or digits, such as a rule drawn by hand."""
    return not any(character.isalnum() for character in line)


def _is_bullet(line: str) -> bool:
    """An item of a list typed by hand: ``- milk``, ``a) milk``."""
    mark, _, rest = line.partition(" ")
    return bool(rest) and (not any(map(str.isalnum, mark)) or (len(mark) == 2 and mark[1] in ")."))
