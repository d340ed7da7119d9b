"""Addresses that a page declares, made absolute."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urljoin, urlsplit

from victor.page.parsing.base_address import web_address

_LONGEST: Final = 2_048
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,30}+:")
_SPACE: Final = re.compile(r"\s++")


_PLAIN: Final = re.compile(
    r"https?://[\w.-]+(?::\d+)?/[\w./~%+@,=:!*'()&-]*(?:\?[\w./~%+@,=:!*'()&-]+)?", re.ASCII
)
"""Addresses that are absolute and that nothing changes."""


def root(base: str, url: str | None) -> str | None:
    """What addresses of a page are relative to, "" where that is not known; None for what is none.

    Args:
        base: target of ``<base>``, itself relative to `url`.
        url: address of the page.
    """
    try:
        joined = urljoin(web_address(url), base)
        urlsplit(joined)
    except ValueError:
        return None
    return joined


def absolute(address: str, root: str | None) -> str | None:
    """An http address made absolute against the `root` of its page.

    Args:
        address: as written; it stays relative where the root is not absolute.
        root: of the page.

    Returns:
        None for what is no address, is of another scheme (``data:``, ``javascript:``) or too long.
    """
    address = _SPACE.sub("%20", address.strip())
    if root is None or not address or address.startswith("#") or len(address) > _LONGEST:
        return None
    if _PLAIN.fullmatch(address):
        return address
    try:
        joined = urljoin(root, address) if root else address
        parts = urlsplit(joined)
    except ValueError:
        return None
    if _SCHEME.match(joined) and (parts.scheme not in ("http", "https") or not parts.netloc):
        return None
    return joined


def host_of(address: str) -> str:
    """Host of an address without ``www.`` and port, "" where it has none."""
    try:
        host = urlsplit(address[:_LONGEST].strip()).hostname or ""
    except ValueError:
        return ""
    return host.lower().removeprefix("www.")


def is_address(text: str) -> bool:
    """Does a text look like an address rather than a name."""
    return text.startswith(("http:", "https:", "//", "www.", "/", "mailto:")) or (
        "/" in text and "." in text and " " not in text
    )
