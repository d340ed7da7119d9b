"""Connections that ask nothing are closed, and never keep others from being answered."""

import asyncio
import socket
import time
from contextlib import contextmanager, suppress
from threading import Event, Thread

import pytest
import uvicorn

from victor.annotate.server.connections import BoundedConnection
from victor.annotate.server.server import listen

QUICK = 0.2
GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
HALF = {
    "nothing": b"",
    "a line": b"GET / HTTP/1.1\r\n",
    "a header": b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: ",
    "half a body": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf",
    "an open chunk": b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n",
    "the next request": GET + b"GET",
}


async def answers(scope, receive, send):
    """An application that reads the whole request."""
    while (await receive()).get("more_body"):
        pass
    headers = [(b"content-length", b"2")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"ok"})


@contextmanager
def serving(app=answers, **limits):
    """The address of a server with other limits."""
    protocol = type("Quick", (BoundedConnection,), {"seconds": QUICK, **limits})
    server = uvicorn.Server(
        uvicorn.Config(app, http=protocol, lifespan="off", log_level="critical", ws="none",
                       timeout_graceful_shutdown=1)
    )  # fmt: skip
    with listen("127.0.0.1", 0) as listener:
        thread = Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield listener.getsockname()
        finally:
            server.should_exit = True
            thread.join()


def opened(address, sent=b""):
    connection = socket.create_connection(address, timeout=20)
    connection.sendall(sent)
    return connection


def is_answered(connection):
    """Read one whole answer, which may arrive in pieces; is it one?"""
    received = b""
    while not received.endswith(b"ok"):
        received += (more := connection.recv(1 << 16))
        if not more:
            return False
    return received.startswith(b"HTTP/1.1 200")


def everything(connection):
    """What arrives until the server closes the connection."""
    received = b""
    try:
        while more := connection.recv(1 << 16):
            received += more
    except ConnectionResetError:
        pass
    connection.close()
    return received


@pytest.mark.parametrize("sent", HALF.values(), ids=HALF)
def test_what_sends_no_whole_request_is_closed(sent):
    with serving() as address:
        received = everything(opened(address, sent))
    assert received.count(b"200 OK") == sent.count(GET)


def test_a_request_that_drips_is_closed_in_the_same_time():
    with serving() as address, opened(address) as connection:
        with suppress(OSError):
            for byte in GET:
                connection.sendall(bytes([byte]))
                time.sleep(QUICK / 4)
        assert b"200 OK" not in everything(connection)


def test_an_answer_may_take_longer_and_the_next_request_has_its_own_time():
    async def slow(scope, receive, send):
        await asyncio.sleep(2 * QUICK)
        await answers(scope, receive, send)

    with serving(slow) as address, opened(address, GET) as connection:
        for _ in range(2):
            assert is_answered(connection)
            connection.sendall(GET)
        assert everything(connection).count(b"200 OK") == 1


def test_half_open_connections_do_not_keep_others_out():
    with serving(most=20, seconds=60.0) as address:
        waiting = [opened(address, b"GET /") for _ in range(60)]
        for _ in range(3):
            with opened(address, GET) as connection:
                assert is_answered(connection)
        oldest, newest = waiting[0], waiting[-1]
        assert everything(oldest) == b""
        newest.sendall(GET[len(b"GET /") :])
        assert is_answered(newest)
        for connection in waiting:
            connection.close()


def test_one_too_many_is_closed_itself_if_all_others_are_being_answered():
    release = Event()

    async def held(scope, receive, send):
        while not release.is_set():
            await asyncio.sleep(QUICK / 10)
        await answers(scope, receive, send)

    with serving(held, most=2, seconds=60.0) as address:
        busy = [opened(address, GET) for _ in range(2)]
        time.sleep(QUICK)  # they have been read
        assert everything(opened(address)) == b""
        release.set()
        for connection in busy:
            assert is_answered(connection)
            connection.close()


def test_the_limits_of_the_tool():
    assert (BoundedConnection.seconds, BoundedConnection.most) == (10, 256)
