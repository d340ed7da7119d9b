"""The address on the web that other addresses of a page are relative to."""

from __future__ import annotations

from typing import Final

from victor.page.parsing.heads import Head

_SCHEMES = ("http://", "https://")
LONGEST: Final = 4_000
"""Characters of an address; longer ones hold data and lead nowhere."""
_LONGEST_BASE: Final = 2_000


def web_address(address: str | None) -> str:
    """An address that is on the web, "" for all others: too long, or the path of a file, say.

    >>> web_address("pages/a.html"), web_address("https://example.org/a")
    ('', 'https://example.org/a')
    """
    if not address or len(address) > LONGEST:
        return ""
    return address if address.lower().startswith(_SCHEMES) else ""


def page_address(head: Head, url: str | None) -> str:
    """Where a page is on the web: as given, else as it declares; "" if that is not known."""
    return web_address(url) or web_address(head.canonical) or web_address(head.meta.get("og:url"))


def base_address(head: Head) -> str:
    """What a page names as the base of its addresses, as written; "" for none.

    One that is too long is none: every address of the page would be as long.
    """
    return head.base if head.base and len(head.base) <= _LONGEST_BASE else ""
