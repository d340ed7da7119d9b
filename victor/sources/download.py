"""The only client for web pages: from checked addresses, within limits, whoever asks for them.

A host is looked up once for every request, and the connection is made to the very address that
was checked: a name that changes its answer in between changes nothing. Redirects are new requests
with the same checks. Proxies of the environment are ignored. The URLs are named by a person, so
robots.txt, which speaks to robots that follow links, is not read. Import this module where a page
is really fetched: it loads the packages for HTTP and TLS.
"""

from __future__ import annotations

import io
import re
import socket
import ssl
import time
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from typing import Any, Final, Literal, NamedTuple, cast
from urllib.parse import quote, urldefrag, urljoin, urlsplit

from victor.base.errors import PageError
from victor.sources.codings import unpack
from victor.sources.public_addresses import Endpoint, Lookup, resolve

_HEADERS: Final = (
    "User-Agent: victor (pages named by a person)\r\n"
    "Accept: text/html,application/xhtml+xml;q=0.9,*/*;q=0.1\r\n"
    "Accept-Encoding: gzip, deflate\r\n"
    "Connection: close\r\n\r\n"
)
_PORTS: Final = {"http": 80, "https": 443}
_FORBIDDEN: Final = re.compile(r"[\x00-\x20\x7f\\]")
"""Browsers, resolvers and servers disagree about URLs that hold one of these."""
_SAFE: Final = "/%:=&?~#+!$,;'@()*[]"
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_PAGE_TYPES: Final = frozenset(
    {"text/html", "application/xhtml+xml", "text/plain", "text/xml", "application/xml"}
)

_PACKED: Final = ("gzip", "x-gzip", "deflate")
_ENCODINGS: Final = ("", "identity", *_PACKED)

Private = Literal["refused", "named", "allowed"]
"""Which addresses of the user's own machine and networks may be connected to.

``refused``: none. ``named``: those of the host in the URL itself, because a person typed it; a
redirect may stay at this host, but not lead to another private one or come from a public address.
``allowed``: all.
"""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one page may cost.

    Attributes:
        size: bytes, as sent and as unpacked.
        seconds: from the look-up of the name to the last byte, redirects included.
        redirects: how many are followed.
        delay: seconds between two requests to one host.
    """

    size: int = 10_000_000
    seconds: float = 30.0
    redirects: int = 5
    delay: float = 1.0


class Fetched(NamedTuple):
    """A page as a server sent it, content encoding undone.

    Attributes:
        content: the bytes of the whole page.
        url: where it was, after redirects.
        charset: encoding that the server declares.
        media_type: lower-case media type that the server declares, empty if it declares none.
    """

    content: bytes
    url: str
    charset: str | None
    media_type: str


def fetch(url: str, *, limit: int, private: Private = "named") -> Fetched:
    """One page that a person named, of at most `limit` bytes, as sent and as unpacked.

    Raises:
        PageError: why there is none: ``bad-url`` ``private-address`` ``unknown-host``
            ``unreachable`` ``timeout`` ``too-large`` ``too-many-redirects`` ``http-error``.
    """
    return _Client(Limits(delay=0), private).fetch(url, limit)


def download(
    urls: Iterable[str],
    *,
    allow_private: bool = False,
    limits: Limits | None = None,
    lookup: Lookup | None = None,
) -> Iterator[tuple[str, Fetched | PageError]]:
    """Pages one after the other, in the order of their URLs.

    Args:
        urls: http or https.
        allow_private: also from the user's own machine and networks.
        limits: of every page.
        lookup: instead of the resolver of the system.

    Yields:
        A URL and its page, or why there is none: the errors of `fetch`, and ``not-html``.
    """
    limits = limits or Limits()
    private: Private = "allowed" if allow_private else "refused"
    client = _Client(limits, private, lookup, media_types=_PAGE_TYPES)
    for url in urls:
        result: Fetched | PageError
        try:
            result = client.fetch(url, limits.size)
        except PageError as error:
            result = error
        yield url, result


class _Client:
    """Requests of one caller; remembers when which host was asked last."""

    def __init__(
        self,
        limits: Limits,
        private: Private,
        lookup: Lookup | None = None,
        media_types: Collection[str] = (),
    ) -> None:
        self._limits, self._private, self._lookup = limits, private, lookup
        self._media_types = media_types
        self._tls = ssl.create_default_context()
        self._asked_at: dict[str, float] = {}

    def fetch(self, url: str, most: int) -> Fetched:
        """One page of at most so many bytes, through redirects.

        Raises:
            PageError: why there is none.
        """
        address, left = url.strip(), self._limits.seconds
        trusted = None if self._private == "named" else ""
        for _ in range(self._limits.redirects + 1):
            target = _target(address)
            self._wait(target.host)
            deadline = time.monotonic() + left
            # The named host, as long as no redirect has left it and all its addresses are private.
            trusted = target.host if trusted in (None, target.host) else ""
            allow = self._private == "allowed" or bool(trusted)
            endpoints = resolve(
                target.host, target.port, allow_private=allow, seconds=left, lookup=self._lookup
            )
            if any(each.is_public for each in endpoints):
                trusted = ""
            answer = self._answer(target, endpoints, deadline, most)
            if not isinstance(answer, str):
                return answer._replace(url=address)
            address = urldefrag(urljoin(address, answer)).url
            left = deadline - time.monotonic()
        raise PageError("too-many-redirects", f"more than {self._limits.redirects} redirects")

    def _wait(self, host: str) -> None:
        """Pause politely after the last request to a host."""
        pause = self._asked_at.get(host, float("-inf")) + self._limits.delay - time.monotonic()
        if pause > 0:
            time.sleep(pause)
        self._asked_at[host] = time.monotonic()

    def _answer(
        self, target: _Target, endpoints: list[Endpoint], deadline: float, most: int
    ) -> Fetched | str:
        """The page, or where it has moved to."""
        try:
            with (
                _connected(endpoints, deadline) as plain,
                self._secured(plain, target) as connection,
            ):
                connection.sendall(target.request)
                received = _Received(connection, deadline)
                with HTTPResponse(cast("socket.socket", received)) as response:
                    response.begin()
                    return _read(response, most, self._media_types)
        except TimeoutError:
            raise PageError("timeout", f"no page within {self._limits.seconds:g} s") from None
        except (OSError, HTTPException, ValueError) as error:
            message = str(error) or type(error).__name__
            raise PageError("unreachable", f"cannot be fetched: {message}") from None

    def _secured(self, connection: socket.socket, target: _Target) -> socket.socket:
        if target.scheme == "http":
            return connection
        return self._tls.wrap_socket(connection, server_hostname=target.host)


class _Target(NamedTuple):
    """The parts of a URL that a request needs."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def request(self) -> bytes:
        """What is sent to the server."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == _PORTS[self.scheme] else f":{self.port}"
        return f"GET {self.path} HTTP/1.1\r\nHost: {host}{port}\r\n{_HEADERS}".encode("ascii")


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
        raise PageError("bad-url", "no URL of a page: host missing, or forbidden characters")
    path = quote(parts.path or "/", safe=_SAFE)
    query = f"?{quote(parts.query, safe=_SAFE)}" if parts.query else ""
    return _Target(scheme, name, _PORTS[scheme] if port is None else port, path + query)


def _connected(endpoints: list[Endpoint], deadline: float) -> socket.socket:
    """A connection to the first endpoint that answers; each gets its share of the time."""
    failure = OSError("no address")
    for n_tried, endpoint in enumerate(endpoints):
        connection = socket.socket(endpoint.family, socket.SOCK_STREAM)
        try:
            connection.settimeout(_left(deadline) / (len(endpoints) - n_tried))
            connection.connect(endpoint.address)
            connection.settimeout(_left(deadline))
        except OSError as error:
            connection.close()
            failure = error
        else:
            return connection
    raise failure


def _left(deadline: float) -> float:
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise TimeoutError
    return seconds


class _Received(io.RawIOBase):
    """What arrives at a socket until the deadline, as a file and as what makes one."""

    def __init__(self, connection: socket.socket, deadline: float) -> None:
        self._connection, self._deadline = connection, deadline

    def makefile(self, _mode: str) -> io.BufferedReader:
        """What `HTTPResponse` asks of a socket."""
        return io.BufferedReader(self)

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401  (any buffer)
        """Read what there is."""
        self._connection.settimeout(_left(self._deadline))
        return self._connection.recv_into(buffer)


def _read(response: HTTPResponse, most: int, media_types: Collection[str]) -> Fetched | str:
    """The page of an answer, or where it has moved to."""
    headers = response.headers
    location = headers.get("Location")
    if response.status in _REDIRECTS and location:
        # Headers are read as Latin-1, and servers write UTF-8.
        return location.encode("latin-1", "replace").decode("utf-8", "replace")
    if response.status != 200:
        raise PageError("http-error", f"the server answered {response.status} {response.reason}")
    media_type = headers.get_content_type() if headers.get("Content-Type") else ""
    if media_type and media_types and media_type not in media_types:
        raise PageError("not-html", f"it is {media_type}, no page")
    encoding = headers.get("Content-Encoding", "").strip().lower()
    if encoding not in _ENCODINGS:
        raise PageError("http-error", f"packed as {encoding[:40]}, which was not asked for")
    content = _content(response, encoding, most)
    return Fetched(content, "", headers.get_content_charset(), media_type)


def _content(response: HTTPResponse, encoding: str, most: int) -> bytes:
    """The body of an answer, its encoding undone; neither is larger than the limit."""
    too_large = PageError("too-large", f"larger than {most} bytes")
    body = response.read(most + 1)
    if len(body) > most:
        raise too_large
    if response.length:
        raise PageError("unreachable", "the connection ended before the page did")
    if not body or encoding not in _PACKED:
        return body
    unpacked = unpack(body, encoding, most + 1)
    if unpacked is None:
        raise PageError("unreachable", f"cannot be fetched: it is not packed with {encoding}")
    if len(unpacked.data) > most:
        raise too_large
    if unpacked.fault:
        raise PageError("unreachable", f"cannot be fetched: the packed page {unpacked.fault}")
    return unpacked.data
