"""Addresses of one picture in several sizes: what they have in common, and how wide each is.

Services that scale pictures put the size into the address: into a folder, at the end of the name,
into a parameter. That says nothing of which picture it is.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

_LONGEST: Final = 2_000
"""Characters of an address that is read; a longer one is a picture of its own."""
_EXTENSION: Final = re.compile(r"\.(?:jpe?g|png|gif|webp|avif|svg|bmp|tiff?)\Z", re.IGNORECASE)
_INNER: Final = re.compile(r"(?<=[/=,])https?:/{1,2}(?=\w)")
"""Where an address begins within that of a service."""
_SIZE_FOLDER: Final = re.compile(
    r"/(?:max|fit|resize|width|height|[cwhs])(?:/[a-z])?(?:/\d{2,4})+(?=/)"
    r"|/\d{2,4}x\d{0,4}(?=/)"
    r"|/\d{3,4}/\d{3,4}(?=/)"
    r"|/(?:\$s_![^/,]*!,)?(?:[a-z]|ar|fl|dpr)_[^/,]+(?:,[a-z]{1,4}_[^/,]+)*(?=/)"
)
"""Folders as Medium, thumbor, Cloudinary and Substack have them."""
_SIZE_SUFFIX: Final = re.compile(
    r"\d{2,4}x\d{2,4}|\d{2,4}(?:w|px)|[23]x|w\d{2,4}|scaled|small|medium|large|thumb"
)
_SEPARATOR: Final = re.compile(r"([-_.@])")
_WIDTHS: Final = tuple(
    map(
        re.compile,
        (
            r"[/,]w_(\d{1,4})(?=[/,])",
            r"/(?:max|width|w)/(\d{2,4})/|/fit/[a-z]/(\d{2,4})/",
            r"[?&](?:w|width|imwidth|resize)=(\d{1,4})\b",
            r"/(\d{2,4})px-|[-_./](\d{2,4})x\d{2,4}\b",
        ),
    )
)
UNKNOWN: Final = 0
"""The width of a picture whose address does not tell it."""


def picture(address: str) -> str:
    """What the addresses of one picture in several sizes have in common.

    >>> picture("https://x.org/max/60/bee.png?q=20") == picture("https://x.org/max/1698/bee.png")
    True
    """
    if len(address) > _LONGEST:
        return address
    inner = _inner(address)
    if inner:
        return picture(inner)
    parts = urlsplit(address)
    folder, _, name = _SIZE_FOLDER.sub("", unquote(parts.path)).rpartition("/")
    stem = _EXTENSION.sub("", name)
    query = "" if stem != name else parts.query
    return f"{folder}/{_without_sizes(stem.lower())}?{query}"


def _without_sizes(stem: str) -> str:
    """The name of a file without the sizes at its end, such as ``-1024x576``."""
    parts = _SEPARATOR.split(stem)
    while len(parts) > 1 and _SIZE_SUFFIX.fullmatch(parts[-1]):
        del parts[-2:]
    return "".join(parts)


def _inner(address: str) -> str:
    """The address of a file within that of a service, "" if there is none."""
    for name, value in parse_qsl(urlsplit(address).query) if "=" in address else ():
        if name in ("url", "src", "image") and "/" in value:
            return value
    match = _INNER.search(unquote(address), 8)
    return unquote(address)[match.start() :] if match else ""


def width(address: str) -> int:
    """Pixels that an address says its picture is wide, `UNKNOWN` if it says nothing."""
    for pattern in _WIDTHS:
        match = None
        for match in pattern.finditer(address[:_LONGEST]):  # noqa: B007  (the last one counts)
            pass
        if match is not None:
            return int(match[match.lastindex or 0])
    return UNKNOWN
