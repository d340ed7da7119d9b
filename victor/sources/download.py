"""The only client for web pages: from checked addresses, within limits, whoever asks for them.

A host is looked up once for every request, and the connection is made to the very address that was
checked. Redirects are new requests with the same checks. Proxies of the environment are ignored, so
is robots.txt, for a person names the URLs. Import this where pages are fetched: it loads TLS.
"""

from __future__ import annotations

import re
import socket
import ssl
import time
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from threading import Timer
from typing import Any, Final, NamedTuple
from urllib.parse import SplitResult, quote, urldefrag, urljoin, urlsplit

from victor.base.errors import PageError
from victor.sources.unpack import undo

_REDIRECTS: Final = 5
_PORTS: Final = {"http": 80, "https": 443}
_HEADERS: Final = {
    "User-Agent": "victor (pages named by a person)",
    "Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1",
    "Accept-Encoding": "gzip, deflate",
    "Connection": "close",
}
_FORBIDDEN: Final = re.compile(r"[\x00-\x20\x7f\\\\]")
"""Browsers, resolvers and servers disagree about URLs that hold one of these."""
_SAFE: Final = "/%:=&?~#+!$,;'@()*[]"
_TRANSLATED: Final = IPv6Network("64:ff9b::/96")  # IPv4 in networks without it (RFC 6052)


class Fetched(NamedTuple):
    """A page as a server sent it, content encoding undone; charset and type are as declared."""

    content: bytes
    url: str
    charset: str | None
    media_type: str


def fetch(
    url: str, *, limit: int = 10_000_000, seconds: float = 30.0, private: str = "named"
) -> Fetched:
    """One page that a person named, with content encoding undone, and its final address.

    Args:
        url: http or https.
        limit: bytes, as sent and as unpacked.
        seconds: for all of it.
        private: addresses of the user's own machine and networks are ``refused``, or those that
            are not ``named``: the host in the URL itself may be one, but none of a redirect.

    Raises:
        PageError: why there is none: ``bad-url`` ``private-address`` ``unknown-host``
            ``unreachable`` ``timeout`` ``too-large`` ``too-many-redirects`` ``http-error``.
    """
    deadline, address = time.monotonic() + seconds, url.strip()
    named = _target(address).hostname if private == "named" else None
    for _ in range(_REDIRECTS + 1):
        target = _target(address)
        port = target.port or _PORTS[target.scheme]
        try:
            rows = socket.getaddrinfo(target.hostname, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            message = f"{target.hostname} cannot be found: {error}"
            raise PageError("unknown-host", message) from None
        inner = [str(number) for *_, (number, *_) in rows if not _is_public(str(number))]
        if inner and target.hostname != named:
            message = f"{target.hostname} is {inner[0]}, no public address"
            raise PageError("private-address", message)
        named = target.hostname if inner else None  # no redirect leads back to it
        answer = _answer(target, rows, deadline, limit)
        if isinstance(answer, Fetched):
            return answer._replace(url=address)
        address = urldefrag(urljoin(address, answer)).url
    raise PageError("too-many-redirects", f"more than {_REDIRECTS} redirects")


def _target(url: str) -> SplitResult:
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


def _is_public(number: str) -> bool:
    """Does an address belong to the public internet; of one that holds another, that one counts."""
    address = ip_address(number.partition("%")[0])
    if isinstance(address, IPv6Address):
        if address.sixtofour or address.teredo:
            return False
        last = IPv4Address(int(address) & 0xFFFFFFFF)
        address = last if address.ipv4_mapped or address in _TRANSLATED else address
    return address.is_global and not address.is_multicast


def _answer(target: SplitResult, rows: list[Any], deadline: float, most: int) -> Fetched | str:
    """The page, or where it has moved to; the connection is cut when the time is over."""
    connection = HTTPConnection(target.hostname or "", rows[0][4][1])
    connection.default_port = _PORTS[target.scheme]
    query = f"?{quote(target.query, safe=_SAFE)}" if target.query else ""
    try:
        connection.sock = _connected(target, rows, deadline)
        watch = Timer(max(deadline - time.monotonic(), 0), _cut, [connection.sock])
        watch.daemon = True
        watch.start()
        try:
            path = quote(target.path or "/", safe=_SAFE) + query
            connection.request("GET", path, headers=_HEADERS)
            with connection.getresponse() as response:
                answer = _read(response, most)
        finally:
            watch.cancel()
        if time.monotonic() >= deadline:  # it may have been cut
            raise TimeoutError
        return answer
    except (OSError, HTTPException, ValueError, PageError) as error:
        if time.monotonic() >= deadline or isinstance(error, TimeoutError):
            raise PageError("timeout", "no page within the time; the server is slow") from None
        if isinstance(error, PageError):
            raise
        raise PageError("unreachable", f"cannot be fetched: {error!r}") from None
    finally:
        connection.close()


def _connected(target: SplitResult, rows: list[Any], deadline: float) -> socket.socket:
    """A connection to the first address that answers; each gets its share of the time."""
    for n_tried, (family, kind, protocol, _, address) in enumerate(rows):
        opened = socket.socket(family, kind, protocol)
        left = max(deadline - time.monotonic(), 0.01)
        opened.settimeout(left / (len(rows) - n_tried))
        try:
            opened.connect(address)
            break
        except OSError:
            opened.close()
            if n_tried + 1 == len(rows):
                raise
    opened.settimeout(left)
    if target.scheme == "http":
        return opened
    return ssl.create_default_context().wrap_socket(opened, server_hostname=target.hostname)


def _cut(opened: socket.socket) -> None:
    with suppress(OSError):
        opened.shutdown(socket.SHUT_RDWR)


def _read(response: HTTPResponse, most: int) -> Fetched | str:
    headers, location = response.headers, response.headers.get("Location")
    if response.status in (301, 302, 303, 307, 308) and location:
        # Headers are read as Latin-1, and servers write UTF-8.
        return location.encode("latin-1", "replace").decode("utf-8", "replace")
    if response.status != 200:
        raise PageError("http-error", f"the server answered {response.status} {response.reason}")
    body = response.read(most + 1)
    if len(body) <= most:
        coding = headers.get("Content-Encoding", "").strip().lower()
        body, fault = undo(body, [coding], most + 1)
        if fault or response.length:
            raise PageError("unreachable", "the connection ended before the page did")
    if len(body) > most:
        raise PageError("too-large", f"larger than {most} bytes")
    media_type = headers.get_content_type() if headers.get("Content-Type") else ""
    return Fetched(body, "", headers.get_content_charset(), media_type)
