"""Access to the server: only for a browser that knows the token, and only from our own page.

Every request passes three checks. Its host has to be the bound one, which stops names that an
attacker makes resolve to this machine (DNS rebinding). The browser needs the cookie that it gets at
the start address. Whatever changes something is a POST, and needs the token of the page and the
origin of this server, which no other site can send.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES: Final = 4 << 20
"""Largest body of a request: changing 200,000 blocks one by one takes all of it."""

SHELL_CSP: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'"
)
"""Content-Security-Policy of everything except the annotated pages."""

_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "SAMEORIGIN",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Content-Security-Policy": SHELL_CSP,
}
_SAFE: Final = ("GET", "HEAD")
_REFUSED: Final = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Victor: not allowed</title>
<h1>This address needs its token</h1>
<p>Open the whole address that <code>victor annotate serve</code> printed in the terminal when it
was started; it ends in <code>?token=…</code>. After a restart there is a new one.</p>
</html>
"""


@dataclass(frozen=True, slots=True)
class Secrets:
    """Secrets that a browser has to know; every server makes its own.

    Attributes:
        start: token in the printed start address.
        cookie: value of the cookie that is set at the start address.
        post: token in the page, sent with every POST.
    """

    start: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    cookie: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    post: str = field(default_factory=lambda: secrets.token_urlsafe(32))


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server listens.

    Attributes:
        host: address it is bound to.
        port: port it is bound to.
    """

    host: str
    port: int

    @property
    def names(self) -> frozenset[str]:
        """Allowed Host headers."""
        names = {_bracketed(self.host)}
        if ip_address(self.host).is_loopback:
            names |= {"localhost"}
        return frozenset(f"{name}:{self.port}" for name in names)

    def url(self, token: str) -> str:
        """The start address."""
        return f"http://{_bracketed(self.host)}:{self.port}/?token={token}"

    @property
    def cookie(self) -> str:
        """Name of the cookie; it has the port, because all ports of a host share their cookies."""
        return f"victor-{self.port}"


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


class AccessMiddleware:
    """ASGI middleware that rejects all other requests, and sets the headers of every answer."""

    def __init__(self, app: ASGIApp, *, address: Address, tokens: Secrets) -> None:
        self._app, self._address, self._tokens = app, address, tokens

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request or pass it on."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            request = Request(scope)
            answer = self._refusal(request) or self._login(request)
            app = answer if answer is not None else self._app
            await app(scope, _bounded(receive), _with_headers(send))

    def _refusal(self, request: Request) -> Response | None:
        """The refusal of a request, None if it is acceptable."""
        headers = request.headers
        if headers.getlist("host") not in ([name] for name in self._address.names):
            return refused(421, "this server has another name; open the address it printed")
        if "transfer-encoding" not in headers and _length(headers) > MOST_BYTES:
            return refused(413, f"a request may have {MOST_BYTES} bytes")
        if request.method in _SAFE:
            return None
        if request.method != "POST":
            return refused(405, "this server knows GET and POST")
        if headers.getlist("origin") != [f"http://{headers['host']}"]:
            return refused(403, "the request comes from another site")
        if not _same(headers.get("x-victor-token", ""), self._tokens.post):
            return refused(403, "the token is missing or old; reload the page")
        return None

    def _login(self, request: Request) -> Response | None:
        """The answer to a browser without the cookie: the cookie for the token, else a refusal."""
        token = request.query_params.get("token")
        if request.url.path == "/" and token is not None and _same(token, self._tokens.start):
            return self._welcome()
        if _same(request.cookies.get(self._address.cookie, ""), self._tokens.cookie):
            return None
        if request.url.path.startswith("/api/"):
            return refused(403, "not allowed; open the address that the server printed")
        return Response(_REFUSED, 403, media_type="text/html")

    def _welcome(self) -> Response:
        response = RedirectResponse("/", 303)
        response.set_cookie(
            self._address.cookie, self._tokens.cookie, httponly=True, samesite="strict"
        )
        return response


def refused(status: int, message: str, more: Mapping[str, object] | None = None) -> Response:
    """An error in the form that the front end reads."""
    body = json.dumps({"error": message, **(more or {})}, ensure_ascii=False)
    return Response(body, status, media_type="application/json")


def _same(given: str, secret: str) -> bool:
    return secrets.compare_digest(given.encode(), secret.encode())


def _length(headers: Headers) -> int:
    length = headers.get("content-length", "0")
    return int(length) if length.isdecimal() else MOST_BYTES + 1


class TooLarge(Exception):  # noqa: N818  (a property of the body)
    """A body without a declared length exceeds the limit."""


def _bounded(receive: Receive) -> Receive:
    """Receives a body up to the limit, whatever length its header declares."""
    received = 0

    async def bounded() -> Message:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        if received > MOST_BYTES:
            raise TooLarge("the request is too large")
        return message

    return bounded


def _with_headers(send: Send) -> Send:
    """Adds the headers of every answer; one that is set already stays."""

    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return with_headers
