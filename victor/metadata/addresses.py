"""Addresses that a page declares, made absolute."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urljoin, urlsplit

from victor.page.parsing.base_address import web_address

_LONGEST: Final = 2_048
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,30}+:")
_SPACE: Final = re.compile(r"\s++")


def absolute(address: str, base: str | None, url: str | None) -> str | None:
    """An http address made absolute against ``<base>`` and the address of the page.

    Args:
        address: as written; it stays relative where neither of the others is absolute.
        base: target of ``<base>``, itself relative to `url`.
        url: address of the page.

    Returns:
        None for what is no address, is of another scheme (``data:``, ``javascript:``) or too long.
    """
    address = _SPACE.sub("%20", address.strip())
    if not address or address.startswith("#") or len(address) > _LONGEST:
        return None
    try:
        root = urljoin(web_address(url), base or "")
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
