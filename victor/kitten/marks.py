"""Marks at the ends of texts: which of them stay when a text becomes a sentence or a part of one.

Source: Falco, Moriceau, Vilnat (2012), Kitten, sections 3.2.3 and 3.3.
"""

from __future__ import annotations

from typing import Final

_STOPS: Final = (".", "?", "!", "…", "。", "！", "？", "।", "۔", "؟")
_SEPARATORS: Final = ",;:،؛，；：、"
_PAUSES: Final = (",", ";", "،", "؛", "，", "；")
_QUOTES: Final = "\"'”’»“›"
_CLOSING: Final = _QUOTES + ")]} "
"""Quotes and brackets; the mark before them ends the text."""


def with_stop(text: str) -> str:
    """A block of text that ends as a sentence does.

    A comma or semicolon at its end becomes a full stop, a colon stays: it announces what follows.
    """
    if _ends(text, (*_STOPS, ":")):
        return text
    return (text.rstrip(";, ") if text.endswith((",", ";")) else text) + "."


def as_sentence(text: str) -> str:
    """A text that is a sentence by itself, such as a long item of a list or a row of a table.

    A final mark stays. Marks that separate, the colon too, become a full stop; brackets and dashes
    stay before it. A text without letters or digits stays as it is.
    """
    return text if _ends(text, _STOPS) else text.rstrip(_SEPARATORS + " ") + "."


def as_part(text: str, *, after_colon: bool = False) -> str:
    """A text that another one follows in the same sentence.

    It keeps a full stop, question or exclamation mark, semicolon or comma; else it gets a comma,
    in the place of a colon or, if asked, after it.
    """
    if text.rstrip(_QUOTES).endswith((*_STOPS, *_PAUSES)):
        return text
    return (text if after_colon else text.rstrip(":： ")) + ","


def _ends(text: str, marks: tuple[str, ...]) -> bool:
    """Does one of some marks end a text, or is there nothing to end."""
    return text.rstrip(_CLOSING).endswith(marks) or not any(map(str.isalnum, text))
