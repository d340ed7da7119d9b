"""Addresses as TEI allows them: URI references."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote, urlsplit

_PERCENT: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
_SAFE: Final = "%!#$&'()*+,/:;=?@~-._"
_AUTHORITY: Final = re.compile(r"[A-Za-z0-9._~%!$&'()*+,;=:@-]*\Z")


def pointer(address: str) -> str:
    """An address with all that no URI holds in percent signs; "" if it cannot be one."""
    encoded = quote(_PERCENT.sub("%25", address.strip()), safe=_SAFE, errors="replace")
    before, mark, fragment = encoded.partition("#")
    encoded = before + mark + fragment.replace("#", "%23")
    try:
        parts = urlsplit(encoded)
        is_port = parts.port is None or parts.port >= 0
    except ValueError:
        return ""
    return encoded if is_port and _AUTHORITY.match(parts.netloc) else ""
