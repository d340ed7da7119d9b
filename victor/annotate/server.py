"""The server of the annotation tool: who gets in, its routes, and how it runs.

Only a browser that knows the token gets in, and only our own page may change anything. Every
request passes three checks. Its host has to be the bound one, which stops names that an attacker
makes resolve to this machine (DNS rebinding). The browser needs the cookie that it gets at the
start address. Whatever changes something is a POST, and needs the token of the page and the origin
of this server, which no other site can send.
"""

from __future__ import annotations

import json
import secrets
import socket
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Final

import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from victor.annotate.api import Answer, Api
from victor.annotate.database import Unwritable
from victor.annotate.revisions import Conflict, Save
from victor.annotate.store import NoSuchPage
from victor.base.errors import ConfigError, CorpusError, PageError, VictorError
from victor.base.files import package_folder
from victor.page.safe_page import policy

FRONT: Final = package_folder("victor.annotate") / "front"  # the files of the front end
MOST_BYTES: Final = 4 << 20
"""Largest body of a request: changing 200,000 blocks one by one takes all of it."""
_TOKEN_MARK: Final = "{{ token }}"
_HTML: Final = "text/html"
_BACKLOG: Final = 64
_CONNECTIONS: Final = 256  # with more, answers are 503, and the front end tries again
_CLIENT_GONE: Final = 499
_LOCK: Final = "-server"
"""What the name of the file has behind that of the store; the file is locked, and stays."""
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


# --- Access ---------------------------------------------------------------------------------------


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


# --- Routes ---------------------------------------------------------------------------------------


def build(api: Api, address: Address, tokens: Secrets) -> ASGIApp:
    """The whole application; every request passes the checks first."""

    def conflict(_: Request, error: Exception) -> Response:
        assert isinstance(error, Conflict), "registered for it"
        return refused(409, str(error), api.conflict(error))

    inner = Starlette(
        routes=_routes(api, tokens),
        exception_handlers={
            HTTPException: _http_error,
            Conflict: conflict,
            NoSuchPage: _refused_with(404),
            Unwritable: _refused_with(503),  # the front end tries again
            VictorError: _refused_with(400),
            ClientDisconnect: lambda _request, _error: Response(status_code=_CLIENT_GONE),
            Exception: _failure,
        },
    )
    return guarded(inner, address, tokens)


def _routes(api: Api, tokens: Secrets) -> list[Route | Mount]:
    """All routes. Endpoints that are not coroutines run in threads: they read files and compute."""

    def shell(_: Request) -> Response:
        index = (FRONT / "index.html").read_text(encoding="utf-8")
        return Response(index.replace(_TOKEN_MARK, tokens.post), media_type=_HTML)

    def safe_page(request: Request) -> Response:
        try:
            content = api.shown(_id(request))
        except NoSuchPage:
            raise
        except VictorError as error:
            return refused(422, str(error))
        return Response(content, media_type=_HTML, headers=_page_headers(request))

    def asset(request: Request) -> Response:
        try:
            content, media_type = api.asset(_id(request), str(request.path_params["path"]))
        except PageError as error:
            return refused(404, str(error))
        return Response(content, media_type=media_type, headers=_page_headers(request))

    async def save(request: Request) -> Response:
        body, page_id = await _body(request), _id(request)
        return _json(await run_in_threadpool(lambda: api.save(page_id, _decoded(body))))

    page = "/api/page/{id}"
    return [
        Route("/", shell),
        Mount("/static", StaticFiles(directory=FRONT, check_dir=False)),
        _get("/api/session", lambda _: api.session()),
        _get("/api/guidelines", lambda _: api.guidelines()),
        _get("/api/queue", lambda r: api.queue(r.query_params)),
        _get(page, lambda r: api.page(_id(r), r.query_params)),
        _get(f"{page}/suggestion", lambda r: api.suggestion(_id(r))),
        Route(f"{page}/save", save, methods=["POST"]),
        _get("/api/adapt", lambda _: api.adapted()),
        Route("/api/adapt", lambda _: _json(api.adapt(), 202), methods=["POST"]),
        Route("/page/{id}", safe_page),
        Route("/page/{id}/asset/{path:path}", asset),
    ]


def _page_headers(request: Request) -> dict[str, str]:
    """The policy of a page: what it shows comes from beside it. No policy can name IPv6 hosts."""
    host = request.headers["host"]
    assets = "'self'" if host.startswith("[") else f"http://{host}/page/"
    return {"Content-Security-Policy": policy(assets)}


def _get(path: str, answer: Callable[[Request], Answer]) -> Route:
    return Route(path, lambda request: _json(answer(request)))


def _json(answer: Answer, status: int = 200) -> Response:
    """An answer in JSON; labels of very many blocks are encoded in a few milliseconds."""
    return Response(msgspec.json.encode(answer), status, media_type="application/json")


async def _body(request: Request) -> bytes:
    """The body of a request, refused if it is too large, whatever its header declares."""
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > MOST_BYTES:
            raise HTTPException(413, f"a request may have {MOST_BYTES} bytes")
    return bytes(body)


def _decoded(body: bytes) -> Save:
    """What an annotator saves, if the body is that."""
    try:
        return msgspec.json.decode(body, type=Save)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise CorpusError(f"the request is not valid: {error}") from None


def _id(request: Request) -> str:
    return str(request.path_params["id"])


def _refused_with(status: int) -> Callable[[Request, Exception], Response]:
    return lambda _, error: refused(status, str(error))


def _http_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException), "registered for it"
    return refused(error.status_code, error.detail.lower())


def _failure(_: Request, error: Exception) -> Response:
    """The answer to an internal error: the server goes on, the trace is in the terminal."""
    return refused(500, f"the server failed ({type(error).__name__}); nothing was stored")


@contextmanager
def only_server(store: Path) -> Iterator[None]:
    """Be the only server of a store; the lock ends with the process, however that ends.

    Two servers would train into one file and make every suggestion twice.

    Raises:
        ConfigError: another process serves the store, or no file can be made beside it.
    """
    path = store.with_name(store.name + _LOCK)
    try:
        lock = sqlite3.connect(path, timeout=0, isolation_level=None)
    except sqlite3.Error as error:
        raise ConfigError(f"{path} cannot be written: {error}; it has to be") from None
    with closing(lock):
        try:
            lock.execute("PRAGMA journal_mode = MEMORY")
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error:
            raise ConfigError(
                f"another server serves {store}; open the address that it printed, which any "
                "number of annotators can share, or end it first"
            ) from None
        yield


def listen(host: str, port: int) -> socket.socket:
    """A bound socket; port 0 takes any free port.

    Raises:
        ConfigError: the address is not one of this machine, or the port is taken.
    """
    try:
        address = ip_address(host)
    except ValueError:
        raise ConfigError(f"{host} is not an IP address; write e.g. --host 127.0.0.1") from None
    if address.is_unspecified:  # then any name of the machine would have to be allowed
        raise ConfigError(f"{host} is every address of this machine; --host needs one of them")
    family = socket.AF_INET6 if address.version == 6 else socket.AF_INET
    # asyncio sends small packets at once only if the protocol is named. Otherwise every answer
    # waits 40 ms for the acknowledgement of its header.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        raise ConfigError(f"cannot listen at {host}, port {port}: {error}; try --port 0") from None
    return listener


def run(api: Api, listener: socket.socket, ready: Callable[[str], None]) -> None:
    """Serve until the process is interrupted; `ready` takes the start address at the beginning."""
    import uvicorn  # only where a server runs

    host, port = listener.getsockname()[:2]
    address, tokens = Address(host, port), Secrets()
    config = uvicorn.Config(
        build(api, address, tokens), log_level="warning", access_log=False, lifespan="off",
        server_header=False, proxy_headers=False, ws="none", http="h11",
        limit_concurrency=_CONNECTIONS, timeout_graceful_shutdown=3,
    )  # fmt: skip
    with closing(listener), suppress(KeyboardInterrupt):
        ready(address.url(tokens.start))
        uvicorn.Server(config).run(sockets=[listener])  # it ends by raising that again
