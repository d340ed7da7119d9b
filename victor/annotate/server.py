"""The server of the annotation tool: its routes, and how it runs."""

from __future__ import annotations

import socket
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Final

import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from victor.annotate.access import Address, Secrets, guarded, refused
from victor.annotate.api import Answer, Api
from victor.annotate.database import Unwritable
from victor.annotate.revisions import Conflict, Save
from victor.annotate.store import NoSuchPage
from victor.base.errors import ConfigError, CorpusError, PageError, VictorError
from victor.base.files import package_folder
from victor.page.display.safe_page import policy

FRONT: Final = package_folder("victor.annotate") / "front"
"""The files of the front end."""
MOST_BYTES: Final = 4 << 20
"""Largest body of a request: changing 200,000 blocks one by one takes all of it."""
_TOKEN_MARK: Final = "{{ token }}"
_HTML: Final = "text/html"
_BACKLOG: Final = 64
_CONNECTIONS: Final = 256
"""With more, answers are 503, and the front end tries again."""
_CLIENT_GONE: Final = 499
_LOCK: Final = "-server"
"""What the name of the file has behind that of the store; the file is locked, and stays."""


def build(api: Api, address: Address, tokens: Secrets) -> ASGIApp:
    """The whole application. Every request passes `victor.annotate.access` first."""

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

    def export(_: Request) -> Response:
        content, pages, left_out = api.export()
        counts = {"X-Victor-Pages": str(pages), "X-Victor-Left-Out": str(left_out)}
        return Response(content, media_type="application/zip", headers=counts)

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
        Route("/api/export", export, methods=["POST"]),
        Route("/page/{id}", safe_page),
        Route("/page/{id}/asset/{path:path}", asset),
    ]


def _page_headers(request: Request) -> dict[str, str]:
    """The policy of a page: what it shows comes from beside it. No policy can name IPv6 hosts."""
    host = request.headers["host"]
    assets = "'self'" if host.startswith("[") else f"http://{host}/page/"
    return {"Content-Security-Policy": policy(assets)}


def _get(path: str, answer: Callable[[Request], Answer]) -> Route:
    """A route that answers in JSON."""
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
    """Answers an error with its message and a status."""
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
