"""Addresses of mail that Cloudflare hides from programs (its setting Email Address Obfuscation)."""

from __future__ import annotations

import re
from typing import Final

PATH: Final = "/cdn-cgi/l/email-protection#"
"""Where its links lead; the code follows."""
_CODE: Final = re.compile(r"(?:[0-9a-f]{2}){4,255}\Z", re.IGNORECASE)
_MAIL: Final = re.compile(r"[^\s@<>\"]+@[^\s@<>\"]+\Z")


def decoded(code: str) -> str:
    """A hidden address, "" if the code is none; the first byte is the key of the others.

    >>> decoded("422320023a6c2d3025")
    'ab@x.org'
    """
    if not _CODE.match(code):
        return ""
    key, *rest = bytes.fromhex(code)
    address = bytes(byte ^ key for byte in rest).decode("utf-8", "replace")
    return address if _MAIL.match(address) else ""
