"""Which network addresses are public; URLs of strangers must not reach into private networks.

Special-purpose networks are those of the IANA registries (RFC 6890), as of 2024.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from threading import Thread
from typing import Any, Final, NamedTuple

from victor.base.errors import PageError

_SPECIAL: Final = tuple(
    map(
        IPv4Network,
        "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 "
        "192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 "
        "224.0.0.0/4 240.0.0.0/4".split(),
    )
)
_UNICAST: Final = IPv6Network("2000::/3")
"""All global unicast addresses; loopback, mapped, local, multicast and unspecified ones are not."""
_SPECIAL_6: Final = tuple(map(IPv6Network, "2001::/23 2001:db8::/32 2002::/16 3fff::/20".split()))
"""Inside `_UNICAST`: protocols (Teredo among them), examples, 6to4. Tunnels carry an address of
IPv4 inside, and no server is reached through them today (RFC 7526)."""
_TRANSLATED: Final = IPv6Network("64:ff9b::/96")
"""Where a network without IPv4 finds servers that have nothing else (NAT64, RFC 6052)."""
_NUMBER: Final = re.compile(r"0x[0-9a-f]*|[0-9]+")
_BYTE: Final = re.compile(r"0|[1-9][0-9]{0,2}")

Lookup = Callable[[str, int], Sequence[tuple[Any, ...]]]
"""Rows as of `socket.getaddrinfo` for a host and a port."""


class Endpoint(NamedTuple):
    """Where to connect to, as numbers: nothing is looked up again.

    Attributes:
        family: of the socket.
        address: what its ``connect`` takes.
    """

    family: int
    address: tuple[str | int, ...]

    @property
    def number(self) -> str:
        """The IP address, without the scope that some of IPv6 have."""
        return str(self.address[0]).partition("%")[0]

    @property
    def is_public(self) -> bool:
        """Does it belong to the public internet."""
        return is_public(ip_address(self.number))


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Does an address belong to the public internet."""
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _SPECIAL)
    if address in _TRANSLATED:
        return is_public(IPv4Address(int(address) & 0xFFFFFFFF))
    return address in _UNICAST and not any(address in network for network in _SPECIAL_6)


def is_disguised(host: str) -> bool:
    """Is a host a number in a spelling other than four decimals, e.g. ``0x7f.1``."""
    parts = host.lower().removesuffix(".").split(".")
    if not _NUMBER.fullmatch(parts[-1]):
        return False
    return len(parts) != 4 or not all(map(_BYTE.fullmatch, parts))


def resolve(
    host: str,
    port: int,
    *,
    allow_private: bool,
    seconds: float,
    lookup: Lookup | None = None,
) -> list[Endpoint]:
    """Where a host can be reached.

    Args:
        host: name or number, without brackets.
        port: TCP port.
        allow_private: addresses of the user's own networks may be connected to.
        seconds: in which the resolver has to answer.
        lookup: instead of the resolver of the system.

    Raises:
        PageError: ``unknown-host``; ``timeout``; ``private-address``: one of its addresses is not
            public, so that a name with public and private addresses is refused as a whole.
    """
    if is_disguised(host) and not allow_private:
        raise PageError("private-address", f"{host} is a number written to look like a name")
    try:
        rows = _within(seconds, lookup or _look_up, host, port)
    except TimeoutError:
        raise PageError("timeout", f"the name {host} was not found within {seconds:g} s") from None
    except (OSError, UnicodeError) as error:
        raise PageError("unknown-host", f"{host} cannot be found: {error}") from None
    endpoints = [Endpoint(row[0], row[4]) for row in rows]
    if not endpoints:
        raise PageError("unknown-host", f"{host} has no address")
    for endpoint in endpoints:
        if not (allow_private or endpoint.is_public):
            raise PageError("private-address", f"{host} is {endpoint.number}, no public address")
    return endpoints


def _within(seconds: float, lookup: Lookup, host: str, port: int) -> Sequence[tuple[Any, ...]]:
    """What a look-up gives. It cannot be ended, so one that is late is left alone in its thread.

    Raises:
        TimeoutError: it is late.
        Exception: of the look-up.
    """
    rows: Future[Sequence[tuple[Any, ...]]] = Future()

    def look() -> None:
        try:
            rows.set_result(lookup(host, port))
        except Exception as error:
            rows.set_exception(error)

    Thread(target=look, daemon=True).start()
    return rows.result(max(seconds, 0))


def _look_up(host: str, port: int) -> Sequence[tuple[Any, ...]]:
    return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
