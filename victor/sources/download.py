"""Downloads the pages of a list of URLs: politely, within limits, from public addresses only.

A host is looked up once for every request, and the connection is made to the very address that
was checked: a name that changes its answer in between changes nothing. Redirects are new requests
with the same checks. Proxies of the environment are not used. A list is written by a person, so
robots.txt, which speaks to robots that follow links, is not asked.
"""

from __future__ import annotations

import io
import re
import socket
import ssl
import time
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPResponse
from typing import Any, Final, NamedTuple, Self, cast
from urllib.parse import quote, urldefrag, urljoin, urlsplit

from victor.errors import PageError
from victor.sources.public_addresses import Lookup, Place, places

DOWNLOADED: Final = "downloaded"
_AGENT: Final = "victor (annotation of pages listed by a person)"
_HEADERS: Final = {
    "User-Agent": _AGENT,
    "Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1",
    "Accept-Encoding": "gzip, deflate",
    "Connection": "close",
}
_PORTS: Final = {"http": 80, "https": 443}
_FORBIDDEN: Final = re.compile(r"[\x00-\x20\x7f\\]")
"""Browsers, resolvers and servers disagree about URLs that hold one of these."""
_SAFE: Final = "/%:=&?~#+!$,;'@()*[]"
_MOVED: Final = frozenset({301, 302, 303, 307, 308})
_PAGES: Final = frozenset(
    {"text/html", "application/xhtml+xml", "text/plain", "text/xml", "application/xml"}
)
_CHUNK: Final = 1 << 16
_GZIP_OR_ZLIB: Final = 47
"""Window bits for zlib to tell the two apart by their headers."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one page may cost.

    Attributes:
        size: bytes, as sent and as unpacked.
        seconds: from the first connection to the last byte, redirects included.
        redirects: how many are followed.
        delay: seconds between two requests to one host.
    """

    size: int = 10_000_000
    seconds: float = 30.0
    redirects: int = 5
    delay: float = 1.0


@dataclass(frozen=True, slots=True)
class Downloaded:
    """What became of one URL.

    Attributes:
        url: as it was listed.
        outcome: ``downloaded``, or why not: ``bad-url`` ``private-address`` ``unknown-host``
            ``unreachable`` ``timeout`` ``too-large`` ``too-many-redirects`` ``http-error``
            ``not-html``.
        page: the bytes, None if there are none.
        message: what happened, for a person.
        address: where the page was, after redirects.
        charset: encoding that the server declares.
    """

    url: str
    outcome: str
    page: bytes | None
    message: str
    address: str = ""
    charset: str | None = None


def download(
    urls: Iterable[str],
    *,
    allow_private: bool = False,
    limits: Limits | None = None,
    lookup: Lookup | None = None,
) -> Iterator[Downloaded]:
    """Pages one after the other, in the order of their URLs; what fails is told and passed over.

    Args:
        urls: http or https.
        allow_private: also from the user's own machine and networks.
        limits: of every page.
        lookup: instead of the resolver of the system.
    """
    asking = _Asking(allow_private, limits or Limits(), lookup, ssl.create_default_context())
    for url in urls:
        try:
            yield asking.page(url)
        except PageError as error:
            yield Downloaded(url, error.reason, None, str(error))


class _Target(NamedTuple):
    """The parts of a URL that a request needs."""

    scheme: str
    host: str
    port: int
    path: str


@dataclass(slots=True)
class _Asking:
    """Requests of one list; knows when which host was asked last."""

    allow_private: bool
    limits: Limits
    lookup: Lookup | None
    context: ssl.SSLContext
    asked: dict[str, float] = field(default_factory=dict)

    def page(self, url: str) -> Downloaded:
        """One page, through redirects.

        Raises:
            PageError: why there is none.
        """
        address, left = url.strip(), self.limits.seconds
        for _ in range(self.limits.redirects + 1):
            target = _target(address)
            self._wait(target.host)
            began = time.monotonic()
            answer = self._ask(target, began + left)
            left -= time.monotonic() - began
            if isinstance(answer, _Page):
                said = f"{len(answer.content)} bytes"
                return Downloaded(url, DOWNLOADED, answer.content, said, address, answer.charset)
            address = urldefrag(urljoin(address, answer)).url
        raise PageError("too-many-redirects", f"more than {self.limits.redirects} redirects")

    def _wait(self, host: str) -> None:
        """Politeness: a pause since the last request to a host."""
        since = time.monotonic() - self.asked.get(host, -self.limits.delay)
        if host in self.asked and since < self.limits.delay:
            time.sleep(self.limits.delay - since)
        self.asked[host] = time.monotonic()

    def _ask(self, target: _Target, deadline: float) -> _Page | str:
        """The page, or where it has moved to."""
        found = places(
            target.host, target.port, allow_private=self.allow_private, lookup=self.lookup
        )
        try:
            with _Timed(_open(found, deadline), deadline) as stream:
                if target.scheme == "https":
                    stream.secure(self.context, target.host)
                return _asked(target, stream, self.limits.size)
        except TimeoutError:
            raise PageError("timeout", f"no page within {self.limits.seconds:g} s") from None
        except (OSError, HTTPException, ValueError, zlib.error) as error:
            said = str(error) or type(error).__name__
            raise PageError("unreachable", f"cannot be downloaded: {said}") from None


def _target(url: str) -> _Target:
    """What a URL asks for.

    Raises:
        PageError: ``bad-url``.
    """
    try:
        parts = urlsplit(url)
        scheme, host, port = parts.scheme.lower(), parts.hostname, parts.port
        name = host if host is None or ":" in host else host.encode("idna").decode()
    except ValueError as error:
        raise PageError("bad-url", f"no URL: {error}") from None
    if scheme not in _PORTS:
        raise PageError("bad-url", "only http and https are downloaded")
    if not name or _FORBIDDEN.search(url) or "%" in name or "@" in parts.netloc:
        raise PageError("bad-url", "no URL of a page: host missing, or characters that none has")
    path = quote(parts.path or "/", safe=_SAFE)
    query = f"?{quote(parts.query, safe=_SAFE)}" if parts.query else ""
    return _Target(scheme, name, _PORTS[scheme] if port is None else port, path + query)


def _open(found: list[Place], deadline: float) -> socket.socket:
    """A socket connected to the first place that answers; each gets its share of the time."""
    failed: OSError = OSError("no address")
    for tried, place in enumerate(found):
        opened = socket.socket(place.family, socket.SOCK_STREAM)
        try:
            opened.settimeout(_left(deadline) / (len(found) - tried))
            opened.connect(place.address)
        except OSError as error:
            opened.close()
            failed = error
        else:
            return opened
    raise failed


def _asked(target: _Target, stream: _Timed, size: int) -> _Page | str:
    """The page, or where it has moved to, over a connection that is open."""
    connection = HTTPConnection(target.host, target.port)
    connection.default_port = _PORTS[target.scheme]
    # It never looks up or connects by itself.
    connection.auto_open = 0
    connection.sock = cast("socket.socket", stream)
    connection.request("GET", target.path, headers=_HEADERS)
    with connection.getresponse() as response:
        return _read(response, size)


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


class _Timed:
    """What `HTTPConnection` needs of a socket, with one deadline for all that it does."""

    def __init__(self, opened: socket.socket, deadline: float) -> None:
        self._socket = opened
        self._deadline = deadline

    def secure(self, context: ssl.SSLContext, host: str) -> None:
        """Speak TLS, with a certificate for the host."""
        self._socket.settimeout(_left(self._deadline))
        self._socket = context.wrap_socket(self._socket, server_hostname=host)

    def sendall(self, data: bytes) -> None:
        """Send all."""
        self._socket.settimeout(_left(self._deadline))
        self._socket.sendall(data)

    def makefile(self, _mode: str) -> io.BufferedReader:
        """A file to read the answer from."""
        return io.BufferedReader(_Received(self._socket, self._deadline))

    def close(self) -> None:
        """Nothing: `HTTPConnection` lets go of its socket before the answer is read."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()


class _Received(io.RawIOBase):
    """What arrives at a socket until the deadline."""

    def __init__(self, source: socket.socket, deadline: float) -> None:
        self._source = source
        self._deadline = deadline

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401  (any buffer)
        """Read what there is."""
        self._source.settimeout(_left(self._deadline))
        return self._source.recv_into(buffer)


class _Page(NamedTuple):
    content: bytes
    charset: str | None


def _read(response: HTTPResponse, size: int) -> _Page | str:
    """The page of an answer, or where it has moved to."""
    moved = response.headers.get("Location")
    if response.status in _MOVED and moved:
        # Headers are read as Latin-1, and servers write UTF-8.
        return moved.encode("latin-1", "replace").decode("utf-8", "replace")
    if response.status != 200:
        raise PageError("http-error", f"the server answered {response.status} {response.reason}")
    if response.headers.get("Content-Type") and response.headers.get_content_type() not in _PAGES:
        raise PageError("not-html", f"it is {response.headers.get_content_type()}, no page")
    body = _unpacked(response, size)
    return _Page(body, response.headers.get_content_charset())


def _unpacked(response: HTTPResponse, size: int) -> bytes:
    """The body, with what packed it undone; as much memory as the limit at most."""
    unpack = _Unpacker(response.headers.get("Content-Encoding", "identity").strip().lower())
    body = bytearray()
    n_sent = 0
    while part := response.read(_CHUNK):
        n_sent += len(part)
        body += unpack(part, size + 1 - len(body))
        if max(len(body), n_sent) > size:
            raise PageError("too-large", f"larger than {size} bytes")
    if response.length:
        raise PageError("unreachable", "the connection ended before the page did")
    return bytes(body)


class _Unpacker:
    """Undoes a content encoding piece by piece."""

    def __init__(self, encoding: str) -> None:
        if encoding not in ("identity", "", "gzip", "x-gzip", "deflate"):
            raise PageError("http-error", f"packed as {encoding[:40]}, which was not asked for")
        self._packed = encoding not in ("identity", "")
        self._raw_too = encoding == "deflate"
        self._state = zlib.decompressobj(_GZIP_OR_ZLIB)

    def __call__(self, part: bytes, most: int) -> bytes:
        """At most so many bytes of what a part unpacks to."""
        if not self._packed:
            return part
        try:
            unpacked = self._state.decompress(part, most)
        except zlib.error:
            if not self._raw_too:
                raise
            # Some servers send what RFC 9110 calls deflate without its header.
            self._state = zlib.decompressobj(-zlib.MAX_WBITS)
            unpacked = self._state.decompress(part, most)
        self._raw_too = False
        return unpacked
