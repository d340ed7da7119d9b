"""Convert values to data that JSON and UTF-8 can hold, and texts to what XML can."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, Final

_DEEPEST: Final = 32
_LARGEST: Final = 2**63
# XML 1.0, production 2 (Char).
_CONTROLS: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")
_NO_CHARACTERS: Final = re.compile("[\ud800-\udfff\ufffe\uffff]")
_LANGUAGE: Final = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}\Z")
_FORBIDDEN: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def valid(text: str) -> str:
    """A text without surrogates, which UTF-8 cannot hold: pairs are joined, others are U+FFFD."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def plain(value: Any, depth: int = 0) -> Any:  # noqa: ANN401  (JSON values)
    """A value as JSON can hold it: else it becomes text; None if nested too deep or not finite."""
    if isinstance(value, str):
        return valid(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(value) if -_LARGEST <= value < _LARGEST else str(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if depth == _DEEPEST:
        return None
    if isinstance(value, Mapping):
        return {valid(str(key)): plain(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner, depth + 1) for inner in value]
    return valid(str(value))


# --- XML -------------------------------------------------------------------------------------


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


def attribute_value(text: str) -> str:
    """A text as the value of an attribute."""
    return escaped(text).replace('"', "&quot;").replace("\n", "&#10;").replace("\t", "&#9;")


def attributes(**values: str | int | None) -> str:
    """Attributes of a start tag, each after a space; those that are None or "" are left out.

    An underscore at the end of a name, which makes it none of Python's, is left out.
    """
    text = ""
    for name, value in values.items():
        if value is not None and value != "":
            text += f' {name.rstrip("_")}="{attribute_value(str(value))}"'
    return text


def language_tag(text: str) -> str:
    """A text that is the tag of a language (RFC 5646, in outline); "" if it is none."""
    return text if _LANGUAGE.match(text) else ""
