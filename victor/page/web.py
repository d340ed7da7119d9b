"""The address on the web that other addresses of a page are relative to."""

from __future__ import annotations

from victor.page.heads import Head

_SCHEMES = ("http://", "https://")


def web_address(address: str | None) -> str:
    """An address that is on the web, "" for all others, such as the path of a file.

    >>> web_address("pages/a.html"), web_address("https://example.org/a")
    ('', 'https://example.org/a')
    """
    return address if address and address.lower().startswith(_SCHEMES) else ""


def page_address(head: Head, url: str | None) -> str:
    """Where a page is on the web: as given, else as it declares; "" if that is not known."""
    return web_address(url) or web_address(head.canonical) or web_address(head.meta.get("og:url"))
