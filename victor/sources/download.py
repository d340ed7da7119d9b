"""The only client for web pages: from checked addresses, within limits, whoever asks for them.

A host is looked up once for every request, and the connection is made to the very address that
was checked. Redirects are new requests with the same checks. Proxies of the environment are
ignored. The URLs are named by a person, so robots.txt, which speaks to robots that follow links, is
not read. Import this module where a page is really fetched: it loads HTTP and TLS.
"""

from __future__ import annotations

import re
import socket
import ssl
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from threading import Timer
from typing import Final, NamedTuple
from urllib.parse import SplitResult, quote, urldefrag, urljoin, urlsplit

from victor.base.errors import PageError
from victor.sources.codings import unpack

_HEADERS: Final = {
    "User-Agent": "victor (pages named by a person)",
    "Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1",
    "Accept-Encoding": "gzip, deflate",
    "Connection": "close",
}
_FORBIDDEN: Final = re.compile(r"[\x00-\x20\x7f\\\\]")
"""Browsers, resolvers and servers disagree about URLs that hold one of these."""
_SAFE: Final = "/%:=&?~#+!$,;'@()*[]"
_PAGE_TYPES: Final = frozenset(
    {"", "text/html", "application/xhtml+xml", "text/plain", "text/xml", "application/xml"}
)
_PACKED: Final = ("gzip", "x-gzip", "deflate")
_TRANSLATED: Final = IPv6Network("64:ff9b::/96")
"""Where a network without IPv4 finds servers that have nothing else (NAT64, RFC 6052)."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one page may cost: bytes, as sent and as unpacked; seconds; redirects.

    `delay` is the pause in seconds between two requests to one host.
    """

    size: int = 10_000_000
    seconds: float = 30.0
    redirects: int = 5
    delay: float = 1.0


class Fetched(NamedTuple):
    """A page as a server sent it, content encoding undone; charset and type are as declared."""

    content: bytes
    url: str
    charset: str | None
    media_type: str


def fetch(
    url: str, *, limits: Limits | None = None, limit: int | None = None, private: str = "named"
) -> Fetched:
    """One page that a person named.

    Args:
        url: http or https.
        limits: of the page.
        limit: bytes, in place of those of the limits.
        private: the user's own machine and networks are ``allowed``, or ``refused``, or those
            ``named``: the host in the URL itself may be one, but no other that a redirect names.

    Raises:
        PageError: why there is none: ``bad-url`` ``private-address`` ``unknown-host``
            ``unreachable`` ``timeout`` ``too-large`` ``too-many-redirects`` ``http-error``.
    """
    limits = limits or Limits()
    most, deadline = limit or limits.size, time.monotonic() + limits.seconds
    address = url.strip()
    named = _target(address).hostname if private == "named" else None
    for _ in range(limits.redirects + 1):
        target = _target(address)
        named = named if target.hostname == named else None  # no redirect leads back to it
        allowed = private == "allowed" or named is not None
        connection = _Connection(target, allowed, deadline)
        answer = _answer(connection, target, deadline, most)
        named = named if connection.is_private else None
        if not isinstance(answer, str):
            return answer._replace(url=address)
        address = urldefrag(urljoin(address, answer)).url
    raise PageError("too-many-redirects", f"more than {limits.redirects} redirects")


def download(
    urls: Iterable[str], *, allow_private: bool = False, limits: Limits | None = None
) -> Iterator[tuple[str, Fetched | PageError]]:
    """URLs with their pages, one after the other, or why there is none: `fetch`, ``not-html``."""
    limits, asked = limits or Limits(), dict[str | None, float]()
    for url in urls:
        try:
            host = _target(url.strip()).hostname
            pause = asked.get(host, 0.0) + limits.delay - time.monotonic()
            if host in asked and pause > 0:
                time.sleep(pause)
            asked[host] = time.monotonic()
            page = fetch(url, limits=limits, private="allowed" if allow_private else "refused")
            if page.media_type not in _PAGE_TYPES:
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


def _answer(
    connection: _Connection, target: SplitResult, deadline: float, most: int
) -> Fetched | str:
    """The page, or where it has moved to; the connection is cut when the time is over."""
    watch = Timer(max(deadline - time.monotonic(), 0), connection.cut)
    watch.daemon = True
    watch.start()
    try:
        query = f"?{quote(target.query, safe=_SAFE)}" if target.query else ""
        path = quote(target.path or "/", safe=_SAFE) + query
        connection.request("GET", path, headers=_HEADERS)
        with connection.getresponse() as response:
            answer = _read(response, most)
        if time.monotonic() >= deadline:  # it may have been cut
            raise TimeoutError
        return answer
    except (OSError, HTTPException, ValueError) as error:
        if time.monotonic() >= deadline or isinstance(error, TimeoutError):
            raise PageError("timeout", "no page within the time; the server is slow") from None
        message = str(error) or type(error).__name__
        raise PageError("unreachable", f"cannot be fetched: {message}") from None
    finally:
        watch.cancel()
        connection.close()


class _Connection(HTTPConnection):
    """A connection to an address that was checked."""

    def __init__(self, target: SplitResult, allowed: bool, deadline: float) -> None:
        is_tls = target.scheme == "https"
        self.default_port = 443 if is_tls else 80
        super().__init__(target.hostname or "", target.port or self.default_port)
        self._tls, self._allowed, self._deadline = is_tls, allowed, deadline
        self.is_private = False

    def connect(self) -> None:
        """Connect to the first address that answers."""
        try:
            rows = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            raise PageError("unknown-host", f"{self.host} cannot be found: {error}") from None
        for _, _, _, _, (number, *_) in rows:
            self.is_private = not is_public(ip_address(str(number).partition("%")[0]))
            if self.is_private and not self._allowed:
                raise PageError("private-address", f"{self.host} is {number}, no public address")
        failure: OSError = OSError("no address")
        for n_tried, (family, kind, protocol, _, address) in enumerate(rows):
            self._socket = plain = socket.socket(family, kind, protocol)
            left = max(self._deadline - time.monotonic(), 0.01)
            plain.settimeout(left / (len(rows) - n_tried))  # each gets its share
            try:
                plain.connect(address)
                plain.settimeout(max(self._deadline - time.monotonic(), 0.01))
                context = ssl.create_default_context() if self._tls else None
                self.sock = (
                    context.wrap_socket(plain, server_hostname=self.host) if context else plain
                )
                return
            except OSError as error:
                plain.close()
                failure = error
        raise failure

    def cut(self) -> None:
        """End whatever waits for the server."""
        with suppress(OSError, AttributeError):
            self._socket.shutdown(socket.SHUT_RDWR)


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Does an address belong to the public internet; of one that holds another, that one counts."""
    if isinstance(address, IPv6Address):
        teredo = address.teredo and address.teredo[1]
        inner = address.ipv4_mapped or address.sixtofour or teredo
        if address in _TRANSLATED:
            inner = IPv4Address(int(address) & 0xFFFFFFFF)
        if inner:
            return is_public(inner)
    return address.is_global and not address.is_multicast


def _read(response: HTTPResponse, most: int) -> Fetched | str:
    """The page of an answer, or where it has moved to."""
    headers = response.headers
    location = headers.get("Location")
    if response.status in (301, 302, 303, 307, 308) and location:
        # Headers are read as Latin-1, and servers write UTF-8.
        return location.encode("latin-1", "replace").decode("utf-8", "replace")
    if response.status != 200:
        raise PageError("http-error", f"the server answered {response.status} {response.reason}")
    body = response.read(most + 1)
    if len(body) <= most and response.length:
        raise PageError("unreachable", "the connection ended before the page did")
    encoding = headers.get("Content-Encoding", "").strip().lower()
    if encoding not in ("", "identity", *_PACKED):
        raise PageError("http-error", f"packed as {encoding[:40]}, which was not asked for")
    if body and len(body) <= most and encoding in _PACKED:
        unpacked = unpack(body, encoding, most + 1)
        if unpacked is None or unpacked.fault:
            fault = "is none" if unpacked is None else unpacked.fault
            raise PageError(
                "unreachable", f"cannot be fetched: the page packed with {encoding} {fault}"
            )
        body = unpacked.data
    if len(body) > most:
        raise PageError("too-large", f"larger than {most} bytes")
    media_type = headers.get_content_type() if headers.get("Content-Type") else ""
    return Fetched(body, "", headers.get_content_charset(), media_type)
