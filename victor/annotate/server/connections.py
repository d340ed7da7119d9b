"""Connections of the annotation server: what keeps one open without asking anything is closed.

uvicorn limits neither the time in which a request arrives nor the connections that wait for one, so
that whoever reaches the port could take all of them without a token.
"""

from __future__ import annotations

from asyncio import Transport
from typing import ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol


class BoundedConnection(H11Protocol):
    """HTTP/1.1 with a limit of time for every request, and a limit of connections.

    Attributes:
        seconds: in which the whole request has to arrive, from the beginning of the connection or
            the end of the answer before.
        most: connections at a time. One more closes the one that has waited longest for a request,
            or itself if all are being answered.
    """

    seconds: ClassVar[float] = 10.0
    most: ClassVar[int] = 256

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._wait()
        if len(self.connections) > self.most:
            others = [
                connection
                for connection in self.connections
                if isinstance(connection, BoundedConnection)
                and connection.is_waiting
                and connection is not self
            ]
            min(others, key=lambda connection: connection._until.when(), default=self).close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._until.cancel()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        self._until.cancel()
        self._wait()  # first: a request that is here already may be answered by what follows
        super().on_response_complete()

    @property
    def is_waiting(self) -> bool:
        """Has the other side not sent a whole request yet."""
        return self.conn.their_state in (h11.IDLE, h11.SEND_BODY)

    def close(self) -> None:
        """Close it, whatever is still to be sent."""
        self.connections.discard(self)
        self.transport.abort()

    def _wait(self) -> None:
        self._until = self.loop.call_later(self.seconds, self._late)

    def _late(self) -> None:
        if self.is_waiting:
            self.close()
