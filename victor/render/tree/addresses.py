"""Addresses of links and images: absolute, and without those that run programs."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urljoin

from victor.page.allowance import check_added
from victor.page.parsing.heads import LONGEST

_CONTROLS: Final = re.compile(r"[\x00-\x20\x7f]+")
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*+:", re.IGNORECASE)
_ABSOLUTE: Final = re.compile(r"https?://[A-Za-z0-9.:@_-]+(?:/[^\s?#;]*)?(?:\?[^\s#]+)?(?:#\S+)?\Z")
"""Addresses that stay as they are, whatever the base."""
_ROOTED: Final = re.compile(r"/(?![/.])(?:[^\s?#;/]|/(?!\.))*(?:\?[^\s#]+)?(?:#\S+)?\Z")
"""Paths from the root without ``.`` and ``..``, which stay as they are below the site."""
_SITE: Final = re.compile(r"https?://[A-Za-z0-9.:@_-]+(?=[/?#]|\Z)")
_TRACKED: Final = re.compile(
    r"(?:utm_\w+|(?:fb|g|dc|ms|y|tt|tw)clid|[gw]braid|mc_[ce]id|igshid|mkt_tok|_hs(?:enc|mi)|"
    r"oly_(?:anon|enc)_id|vero_id)=",
    re.IGNORECASE,
)
"""Parameters of Google, Facebook, Microsoft, Yandex, Mailchimp, Marketo, HubSpot and others."""
_TRACKING: Final = re.compile(f"[?&]{_TRACKED.pattern}", re.IGNORECASE)
_LINKED: Final = frozenset({"http:", "https:", "mailto:", "tel:", "ftp:", "ftps:", "sms:", "xmpp:"})
_SHOWN: Final = frozenset({"http:", "https:"})


def can_be_linked(address: str) -> bool:
    """Is an address written in full, and none that runs a program."""
    return _scheme(address) in _LINKED


def can_be_shown(address: str) -> bool:
    """Is an address written in full, and one that an image can be fetched from."""
    return _scheme(address) in _SHOWN


def _scheme(address: str) -> str:
    match = _SCHEME.match(address)
    return match[0].lower() if match else ""


class Addresses:
    """Makes the addresses of a page absolute.

    Args:
        url: of the page, if it is known.
        base: the page's own base for addresses, as written.
    """

    def __init__(self, url: str | None, base: str | None) -> None:
        self._page = (url or "").partition("#")[0]
        self._base = _joined(url or "", base) if base else url or ""
        site = _SITE.match(self._base)
        self._site = site[0] if site else ""
        self._added = 0

    def is_page(self, written: str) -> bool:
        """Is an address, without its fragment, that of the page."""
        return bool(self._page) and _joined(self._base, written) == self._page

    def link(self, written: str) -> str:
        """Address of a link, without what only counts visitors; "" if it leads nowhere.

        Addresses that run a program lead nowhere.

        Raises:
            PageError: all addresses so far are too long together.
        """
        address = self._absolute(written, _LINKED)
        return self._counted(written, _untracked(address) if "?" in address else address)

    def image(self, written: str) -> str:
        """Address of an image; "" if it is none that can be fetched; as `link`."""
        return self._counted(written, self._absolute(written, _SHOWN))

    def is_place(self, written: str) -> bool:
        """Does an address, as written, lead to a place on the page itself."""
        page, sign, _ = written.strip().partition("#")
        return bool(sign) and (not page or self.is_page(page))

    def _counted(self, written: str, address: str) -> str:
        """An address that is counted, before a million of them take the memory."""
        self._added += max(len(address) - len(written), 0)
        check_added(self._added)
        return address

    def _absolute(self, written: str, schemes: frozenset[str]) -> str:
        if len(written) > LONGEST:
            return ""
        if _ABSOLUTE.match(written):
            return written
        if self._site and _ROOTED.match(written):
            return self._site + written
        # Browsers drop line ends and tabs anywhere in an address.
        address = _joined(self._base, re.sub(r"[\t\n\r]", "", written).strip())
        scheme = _scheme(_CONTROLS.sub("", address))
        return address if not scheme or scheme in schemes else ""


def _untracked(address: str) -> str:
    if not _TRACKING.search(address):
        return address
    page, sign, fragment = address.partition("#")
    page, _, query = page.partition("?")
    query = "&".join(part for part in query.split("&") if not _TRACKED.match(part))
    return f"{page}{'?' if query else ''}{query}{sign}{fragment}"


def _joined(base: str, address: str) -> str:
    try:
        return urljoin(base, address)
    except ValueError:  # no address at all, such as http://[
        return address
