"""Text as XML 1.0 can hold it."""

from __future__ import annotations

import re
from typing import Final

# XML 1.0, production 2 (Char).
_CONTROLS: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")
_NO_CHARACTERS: Final = re.compile("[\ud800-\udfff\ufffe\uffff]")
_LANGUAGE: Final = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}\Z")
_FORBIDDEN: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def xml_text(text: str) -> str:
    """A text without the characters that XML forbids: controls become spaces, others U+FFFD."""
    if text.isprintable() or _FORBIDDEN.search(text) is None:  # the first takes less time
        return text
    return _NO_CHARACTERS.sub("\ufffd", _CONTROLS.sub(" ", text))


def escaped(text: str) -> str:
    """A text as content of an element of XML or HTML."""
    # Replacements one after the other are many times as fast as a translation.
    text = xml_text(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace("\r", "&#13;")


def _value(text: str) -> str:
    """A text as the value of an attribute."""
    return escaped(text).replace('"', "&quot;").replace("\n", "&#10;").replace("\t", "&#9;")


def attributes(**values: str | int | None) -> str:
    """Attributes of a start tag, each after a space; those that are None or "" are left out.

    An underscore at the end of a name, which makes it none of Python's, is left out; two within
    are the colon of XML.
    """
    return "".join(
        f' {name.rstrip("_").replace("__", ":")}="{_value(str(value))}"'
        for name, value in values.items()
        if value is not None and value != ""
    )


def language_tag(text: str) -> str:
    """A text that is the tag of a language (RFC 5646, in outline); "" if it is none."""
    return text if _LANGUAGE.match(text) else ""
