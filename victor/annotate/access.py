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

from starlette.datastructures import MutableHeaders
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
        start: token in the printed start address, and from then on in a cookie.
        post: token in the page, sent with every POST.
    """

    start: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    post: str = field(default_factory=lambda: secrets.token_urlsafe(32))


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server listens: the IP address and the port that it is bound to."""

    host: str
    port: int

    @property
    def names(self) -> list[str]:
        """Hosts that a request may name."""
        is_loopback = ip_address(self.host).is_loopback
        return [self.host, _bracketed(self.host), *(["localhost"] if is_loopback else [])]

    def url(self, token: str) -> str:
        """The start address."""
        return f"http://{_bracketed(self.host)}:{self.port}/?token={token}"

    @property
    def cookie(self) -> str:
        """Name of the cookie; it has the port, because all ports of a host share their cookies."""
        return f"victor-{self.port}"


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def guarded(app: ASGIApp, address: Address, tokens: Secrets) -> ASGIApp:
    """The application behind the checks, with the headers of every answer."""
    checked = TrustedHostMiddleware(_Access(app, address, tokens), address.names, False)

    async def with_headers(scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)  # a page has a policy of its own
            await send(message)

        await checked(scope, receive, sent)

    return with_headers


class _Access:
    """ASGI middleware that rejects whoever does not know the secrets."""

    def __init__(self, app: ASGIApp, address: Address, tokens: Secrets) -> None:
        self._app, self._cookie, self._tokens = app, address.cookie, tokens

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request or pass it on."""
        app = self._app
        if scope["type"] == "http":
            request = Request(scope)
            app = self._refusal(request) or self._login(request) or app
        await app(scope, receive, send)

    def _refusal(self, request: Request) -> Response | None:
        """The refusal of what may change something, None if it is acceptable."""
        headers = request.headers
        if request.method in _SAFE:
            return None
        if headers.getlist("origin") != [f"http://{headers['host']}"]:
            return refused(403, "the request comes from another site")
        if not _same(headers.get("x-victor-token", ""), self._tokens.post):
            return refused(403, "the token is missing or old; reload the page")
        return None

    def _login(self, request: Request) -> Response | None:
        """The answer to a browser without the cookie: the cookie for the token, else a refusal."""
        path, token = request.url.path, request.query_params.get("token")
        if path == "/" and token is not None and _same(token, self._tokens.start):
            response = RedirectResponse("/", 303)
            response.set_cookie(self._cookie, token, httponly=True, samesite="strict")
            return response
        if _same(request.cookies.get(self._cookie, ""), self._tokens.start):
            return None
        if path.startswith("/api/"):
            return refused(403, "not allowed; open the address that the server printed")
        return Response(_REFUSED, 403, media_type="text/html")


def refused(status: int, message: str, more: Mapping[str, object] | None = None) -> Response:
    """An error in the form that the front end reads."""
    body = json.dumps({"error": message, **(more or {})}, ensure_ascii=False)
    return Response(body, status, media_type="application/json")


def _same(given: str, secret: str) -> bool:
    return secrets.compare_digest(given.encode(), secret.encode())
