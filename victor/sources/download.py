"""The only client for web pages: from checked addresses, within limits, whoever asks for them.

A host is looked up once for every request, and the connection is made to the very address that was
checked. Redirects are new requests with the same checks. Proxies of the environment are ignored.
The URLs are named by a person, so robots.txt, which speaks to robots that follow links, is not
read. Import this module where a page is really fetched: it loads HTTP and TLS.
"""

from __future__ import annotations

import re
import socket
import ssl
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from threading import Timer
from typing import Final, NamedTuple
from urllib.parse import SplitResult, quote, urldefrag, urljoin, urlsplit

from victor.base.errors import PageError
from victor.sources.codings import undo

_SIZE: Final = 10_000_000
_SECONDS: Final = 30.0
_REDIRECTS: Final = 5
_HEADERS: Final = {
    "User-Agent": "victor (pages named by a person)",
    "Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1",
    "Accept-Encoding": "gzip, deflate",
    "Connection": "close",
}
_FORBIDDEN: Final = re.compile(r"[\x00-\x20\x7f\\\\]")
"""Browsers, resolvers and servers disagree about URLs that hold one of these."""
_SAFE: Final = "/%:=&?~#+!$,;'@()*[]"
_PAGE: Final = re.compile(r"(text/(html|plain|xml)|application/(xhtml\+)?xml)?")
_TRANSLATED: Final = IPv6Network("64:ff9b::/96")
"""Where a network without IPv4 finds servers that have nothing else (NAT64, RFC 6052)."""


class Fetched(NamedTuple):
    """A page as a server sent it, content encoding undone; charset and type are as declared."""

    content: bytes
    url: str
    charset: str | None
    media_type: str


def fetch(
    url: str, *, limit: int = _SIZE, seconds: float = _SECONDS, private: str = "named"
) -> Fetched:
    """One page that a person named, with content encoding undone, and its final address.

    Args:
        url: http or https.
        limit: bytes, as sent and as unpacked.
        seconds: for all of it.
        private: the user's own machine and networks are ``allowed``, or ``refused``, or those
            ``named``: the host in the URL itself may be one, but no other that a redirect names.

    Raises:
        PageError: why there is none: ``bad-url`` ``private-address`` ``unknown-host``
            ``unreachable`` ``timeout`` ``too-large`` ``too-many-redirects`` ``http-error``.
    """
    deadline, address = time.monotonic() + seconds, url.strip()
    named = _target(address).hostname if private == "named" else None
    for _ in range(_REDIRECTS + 1):
        target = _target(address)
        is_allowed = private == "allowed" or target.hostname == named
        connection = _Connection(target, is_allowed, deadline)
        answer = _answer(connection, target, limit)
        # No redirect leads back to it.
        named = named if connection.is_private and target.hostname == named else None
        if isinstance(answer, Fetched):
            return answer._replace(url=address)
        address = urldefrag(urljoin(address, answer)).url
    raise PageError("too-many-redirects", f"more than {_REDIRECTS} redirects")


def download(
    urls: Iterable[str],
    *,
    allow_private: bool = False,
    limit: int = _SIZE,
    seconds: float = _SECONDS,
    delay: float = 1.0,
) -> Iterator[tuple[str, Fetched | PageError]]:
    """URLs with their pages, one after the other, or why there is none: `fetch`, ``not-html``.

    A host is asked again after `delay` seconds.
    """
    private, asked = "allowed" if allow_private else "refused", dict[str | None, float]()
    for url in urls:
        try:
            host = _target(url.strip()).hostname
            if (pause := asked.get(host, 0.0) + delay - time.monotonic()) > 0 and host in asked:
                time.sleep(pause)
            asked[host] = time.monotonic()
            page = fetch(url, limit=limit, seconds=seconds, private=private)
            if not _PAGE.fullmatch(page.media_type):
                raise PageError("not-html", f"it is {page.media_type}, no page")
            yield url, page
        except PageError as error:
            yield url, error


def _target(url: str) -> SplitResult:
    """The parts of a URL.

    Raises:
        PageError: ``bad-url``.
    """
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
        name = host if ":" in host else host.encode("idna").decode()
    except ValueError as error:
        raise PageError("bad-url", f"no URL: {error}") from None
    if parts.scheme not in ("http", "https"):
        raise PageError("bad-url", "only http and https are downloaded")
    if not name or _FORBIDDEN.search(url) or "%" in name or "@" in parts.netloc:
        raise PageError("bad-url", "no URL of a page: host missing, or forbidden characters")
    return parts


def _answer(connection: _Connection, target: SplitResult, most: int) -> Fetched | str:
    """The page, or where it has moved to; the connection is cut when the time is over."""
    watch = Timer(max(connection.left(), 0), connection.cut)
    watch.daemon = True
    watch.start()
    try:
        query = f"?{quote(target.query, safe=_SAFE)}" if target.query else ""
        connection.request("GET", quote(target.path or "/", safe=_SAFE) + query, headers=_HEADERS)
        with connection.getresponse() as response:
            answer = _read(response, most)
        if connection.left() <= 0:  # it may have been cut
            raise TimeoutError
        return answer
    except (OSError, HTTPException, ValueError) as error:
        if connection.left() <= 0 or isinstance(error, TimeoutError):
            raise PageError("timeout", "no page within the time; the server is slow") from None
        message = str(error) or type(error).__name__
        raise PageError("unreachable", f"cannot be fetched: {message}") from None
    finally:
        watch.cancel()
        connection.close()


class _Connection(HTTPConnection):
    """A connection to an address that was checked."""

    def __init__(self, target: SplitResult, is_allowed: bool, deadline: float) -> None:
        self._tls = ssl.create_default_context() if target.scheme == "https" else None
        self.default_port = 443 if self._tls else 80
        super().__init__(target.hostname or "", target.port or self.default_port)
        self._is_allowed, self._deadline, self.is_private = is_allowed, deadline, False

    def left(self) -> float:
        return self._deadline - time.monotonic()

    def connect(self) -> None:
        """Connect to the first address that answers; each gets its share of the time."""
        try:
            rows = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            raise PageError("unknown-host", f"{self.host} cannot be found: {error}") from None
        for *_, (number, *_) in rows:
            self.is_private = not _is_public(ip_address(str(number).partition("%")[0]))
            if self.is_private and not self._is_allowed:
                raise PageError("private-address", f"{self.host} is {number}, no public address")
        failure: OSError = OSError("no address")
        for n_tried, (family, kind, protocol, _, address) in enumerate(rows):
            left = max(self.left(), 0.01)
            self._opened = opened = socket.socket(family, kind, protocol)
            opened.settimeout(left / (len(rows) - n_tried))
            try:
                opened.connect(address)
                opened.settimeout(left)
                tls = self._tls
                self.sock = tls.wrap_socket(opened, server_hostname=self.host) if tls else opened
                return
            except OSError as error:
                opened.close()
                failure = error
        raise failure

    def cut(self) -> None:
        """End what waits for the server; the response has taken `sock` by then."""
        with suppress(OSError, AttributeError):
            self._opened.shutdown(socket.SHUT_RDWR)


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    """Does an address belong to the public internet; of one that holds another, that one counts."""
    if isinstance(address, IPv6Address):
        teredo = address.teredo and address.teredo[1]
        inner = address.ipv4_mapped or address.sixtofour or teredo
        inner = IPv4Address(int(address) & 0xFFFFFFFF) if address in _TRANSLATED else inner
        address = inner or address
    return address.is_global and not address.is_multicast


def _read(response: HTTPResponse, most: int) -> Fetched | str:
    headers, location = response.headers, response.headers.get("Location")
    if response.status in (301, 302, 303, 307, 308) and location:
        # Headers are read as Latin-1, and servers write UTF-8.
        return location.encode("latin-1", "replace").decode("utf-8", "replace")
    if response.status != 200:
        raise PageError("http-error", f"the server answered {response.status} {response.reason}")
    body = response.read(most + 1)
    if len(body) <= most and response.length:
        raise PageError("unreachable", "the connection ended before the page did")
    if len(body) <= most:
        coding = headers.get("Content-Encoding", "").strip().lower()
        body, fault = undo(body, [coding], most + 1)
        if fault:
            raise PageError("unreachable", f"{fault}: the connection ended, or a server is broken")
    if len(body) > most:
        raise PageError("too-large", f"larger than {most} bytes")
    media_type = headers.get_content_type() if headers.get("Content-Type") else ""
    return Fetched(body, "", headers.get_content_charset(), media_type)
