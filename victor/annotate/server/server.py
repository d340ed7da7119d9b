"""The server of the annotation tool: its routes, and how it runs."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Callable
from contextlib import closing, suppress
from ipaddress import ip_address
from typing import Final

import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from victor.annotate.server.api import Answer, Api
from victor.annotate.server.security import AccessMiddleware, Address, Secrets, TooLarge, refused
from victor.annotate.store.database import Unwritable
from victor.annotate.store.pages import NoSuchPage
from victor.annotate.store.revisions import Conflict, Save
from victor.base.errors import ConfigError, CorpusError, PageError, VictorError
from victor.base.files import package_folder
from victor.page.display.safe_page import CSP

FRONT: Final = package_folder("victor.annotate") / "front"
"""The files of the front end."""
_TOKEN_MARK: Final = "{{ token }}"
_HTML: Final = "text/html"
_PAGE_HEADERS: Final = {"Content-Security-Policy": CSP}
_BACKLOG: Final = 64
_SLICE: Final = 1 << 18
"""Bytes that are sent at a time."""
_CONNECTIONS: Final = 256
"""With more, answers are 503, and the front end tries again."""
_CLIENT_GONE: Final = 499


def build(api: Api, address: Address, tokens: Secrets) -> ASGIApp:
    """The whole application. Every request passes `AccessMiddleware` first."""

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
            TooLarge: _refused_with(413),
            ClientDisconnect: lambda _request, _error: Response(status_code=_CLIENT_GONE),
            Exception: _failure,
        },
    )
    return AccessMiddleware(inner, address=address, tokens=tokens)


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
        return _in_slices(content, _HTML)

    def asset(request: Request) -> Response:
        try:
            content, media_type = api.asset(_id(request), str(request.path_params["path"]))
        except PageError as error:
            return refused(404, str(error))
        return _in_slices(content, media_type)

    async def save(request: Request) -> Response:
        body, page_id = await request.body(), _id(request)
        return _json(await run_in_threadpool(lambda: api.save(page_id, _decoded(body))))

    def export(_: Request) -> Response:
        content, pages, left_out = api.export()
        answer = _in_slices(content, "application/zip")
        answer.headers["X-Victor-Pages"] = str(pages)
        answer.headers["X-Victor-Left-Out"] = str(left_out)
        return answer

    page = "/api/page/{id}"
    return [
        Route("/", shell),
        Mount("/static", StaticFiles(directory=FRONT, check_dir=False)),
        _get("/api/session", lambda r: api.session(r.query_params)),
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


def _in_slices(content: bytes, media_type: str) -> Response:
    """An answer that is sent piece by piece: one write of all of it would keep others waiting."""

    async def slices() -> AsyncIterator[bytes]:
        for first in range(0, len(content), _SLICE):
            yield content[first : first + _SLICE]

    headers = {**_PAGE_HEADERS, "Content-Length": str(len(content))}
    return StreamingResponse(slices(), media_type=media_type, headers=headers)


def _get(path: str, answer: Callable[[Request], Answer]) -> Route:
    """A route that answers in JSON."""
    return Route(path, lambda request: _json(answer(request)))


def _json(answer: Answer, status: int = 200) -> Response:
    """An answer in JSON; labels of very many blocks are encoded in a few milliseconds."""
    return Response(msgspec.json.encode(answer), status, media_type="application/json")


def _decoded(body: bytes) -> Save:
    """What an annotator saves.

    Raises:
        CorpusError: it is something else, or a field is missing or wrong.
    """
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
    """Serve until the process is interrupted.

    Args:
        api: the answers.
        listener: of `listen`; it is closed at the end.
        ready: called with the start address once requests are answered.
    """
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
