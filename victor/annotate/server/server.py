"""The server of the annotation tool: routes, the shell of the front end, and running it."""

from __future__ import annotations

import gc
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager, suppress
from importlib.resources import files
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from victor.annotate.display.safe_page import CSP
from victor.annotate.server.api import Answer, Api
from victor.annotate.server.request_body import parsed
from victor.annotate.server.security import Address, Secrets, TooLarge, Walls, refused
from victor.annotate.store.pages import NoSuchPage
from victor.annotate.store.revisions import Conflict
from victor.errors import ConfigError, PageError, VictorError

FRONT: Final = Path(str(files("victor.annotate") / "front"))
"""The files of the front end."""
_TOKEN_MARK: Final = "{{ token }}"
_HTML: Final = "text/html"
_PAGE_HEADERS: Final = {"Content-Security-Policy": CSP}
_BACKLOG: Final = 64
_COLLECT: Final = (100_000, 20, 20)
_CLIENT_GONE: Final = 499

Endpoint = Callable[[Request], Awaitable[Response]]


def build(api: Api, address: Address, known: Secrets) -> ASGIApp:
    """The whole application: every request passes `victor.annotate.server.security.Walls` first."""
    inner = Starlette(
        routes=_routes(api, known),
        exception_handlers={HTTPException: _http_error, Exception: _failure},
    )
    return Walls(inner, address=address, known=known)


def _routes(api: Api, known: Secrets) -> list[Route | Mount]:
    page = "/api/page/{id}"
    return [
        Route("/", _shell(known)),
        Mount("/static", StaticFiles(directory=FRONT, check_dir=False)),
        Route("/api/session", _get(api, lambda r: api.session(r.query_params))),
        Route("/api/queue", _get(api, lambda r: api.queue(r.query_params))),
        Route(page, _get(api, lambda r: api.page(_id(r), r.query_params))),
        Route(f"{page}/suggestion", _get(api, lambda r: api.suggestion(_id(r)))),
        Route(f"{page}/differences", _get(api, lambda r: api.differences(_id(r), r.query_params))),
        Route(f"{page}/save", _post(api, lambda r, body: api.save(_id(r), body)), methods=["POST"]),
        Route(f"{page}/adjudicate", _post(api, lambda r, body: api.adjudicate(_id(r), body)),
              methods=["POST"]),
        Route("/api/retrain", _get(api, lambda _: api.retraining()), methods=["GET"]),
        Route("/api/retrain", _post(api, lambda _, body: api.retrain(body), status=202),
              methods=["POST"]),
        Route("/page/{id}", _shown(api)),
        Route("/page/{id}/asset/{path:path}", _asset(api)),
    ]  # fmt: skip


def _shell(known: Secrets) -> Endpoint:
    """The page that holds the front end, with the token that its requests need."""

    async def shell(_: Request) -> Response:
        index = (FRONT / "index.html").read_text(encoding="utf-8")
        return Response(index.replace(_TOKEN_MARK, known.post), media_type=_HTML)

    return shell


def _get(api: Api, answer: Callable[[Request], Answer]) -> Endpoint:
    async def get(request: Request) -> Response:
        return await _answered(api, answer, request)

    return get


def _post(
    api: Api, answer: Callable[[Request, dict[str, Any]], Answer], status: int = 200
) -> Endpoint:
    async def post(request: Request) -> Response:
        try:
            body = await request.body()
        except TooLarge:
            return refused(413, "the request is too large")
        except ClientDisconnect:
            return Response(status_code=_CLIENT_GONE)
        return await _answered(api, lambda found: answer(found, parsed(body)), request, status)

    return post


async def _answered(
    api: Api, answer: Callable[[Request], Answer], request: Request, status: int = 200
) -> Response:
    """What a route answers, made in a thread: it reads files and computes."""
    try:
        return JSONResponse(await run_in_threadpool(answer, request), status)
    except Conflict as error:
        return refused(409, str(error), await run_in_threadpool(api.conflict, error))
    except NoSuchPage as error:
        return refused(404, str(error))
    except VictorError as error:
        return refused(400, str(error))


def _shown(api: Api) -> Endpoint:
    """The stored page as a document for the frame; nothing in it runs and nothing is fetched."""

    async def shown(request: Request) -> Response:
        try:
            found = await run_in_threadpool(api.shown, _id(request))
        except NoSuchPage as error:
            return refused(404, str(error))
        except VictorError as error:
            return refused(422, str(error))
        return Response(found.markup, media_type=_HTML, headers=_PAGE_HEADERS)

    return shown


def _asset(api: Api) -> Endpoint:
    """A file beside a saved page."""

    async def asset(request: Request) -> Response:
        path = str(request.path_params["path"])
        try:
            content, media_type = await run_in_threadpool(api.asset, _id(request), path)
        except (NoSuchPage, PageError) as error:
            return refused(404, str(error))
        return Response(content, media_type=media_type, headers=_PAGE_HEADERS)

    return asset


def _id(request: Request) -> str:
    return str(request.path_params["id"])


async def _http_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException), "registered for it"
    return refused(error.status_code, error.detail.lower())


async def _failure(_: Request, error: Exception) -> Response:
    """An error of ours: the server goes on, the trace is in the terminal."""
    return refused(500, f"the server failed ({type(error).__name__}); nothing was stored")


def listen(host: str, port: int) -> socket.socket:
    """A socket that is bound; port 0 takes any that is free.

    Raises:
        ConfigError: the address is none of this machine, or the port is taken.
    """
    try:
        found = ip_address(host)
    except ValueError:
        raise ConfigError(f"{host} is no IP address; --host needs one, e.g. 127.0.0.1") from None
    if found.is_unspecified:  # then any name of the machine would have to be allowed
        raise ConfigError(f"{host} is every address of this machine; --host needs one of them")
    family = socket.AF_INET6 if found.version == 6 else socket.AF_INET
    # Only where the protocol is named does asyncio send small packets at once; else every answer
    # waits for the acknowledgement of its header, 40 ms.
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
        api: what is served.
        listener: of `listen`; it is closed at the end.
        ready: called with the start address once requests are answered.
    """
    import uvicorn  # noqa: PLC0415  (only where a server runs)

    host, port = listener.getsockname()[:2]
    address, known = Address(host, port), Secrets()
    config = uvicorn.Config(
        build(api, address, known), log_level="warning", access_log=False, lifespan="off",
        server_header=False, proxy_headers=False, ws="none", timeout_graceful_shutdown=3,
    )  # fmt: skip
    with closing(listener), _rare_collections(), suppress(KeyboardInterrupt):
        ready(address.url(known.start))
        uvicorn.Server(config).run(sockets=[listener])  # it ends by raising that again


@contextmanager
def _rare_collections() -> Iterator[None]:
    """Look for garbage seldom: a page of 100,000 blocks is a million objects, none of them garbage.

    By default half of the time of showing it goes into looking through them.
    """
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(*_COLLECT)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
