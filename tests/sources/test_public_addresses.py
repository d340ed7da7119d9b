"""Which addresses are public, and which spellings of numbers are refused."""

import socket
from ipaddress import ip_address
from threading import Event

import pytest

from victor.errors import PageError
from victor.sources.public_addresses import is_disguised, is_public, resolve

PRIVATE = (
    "0.0.0.0 0.1.2.3 10.1.2.3 100.64.0.1 127.0.0.1 127.255.255.254 169.254.169.254 172.16.0.1 "
    "172.31.255.255 192.0.0.8 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.51.100.1 "
    "203.0.113.1 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255 "
    ":: ::1 ::127.0.0.1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:0:127.0.0.1 "
    "64:ff9b::127.0.0.1 64:ff9b::10.0.0.1 64:ff9b::255.255.255.255 64:ff9b:1::8.8.8.8 "
    "100::1 2001::1 2001:0:7f00:1::1 "
    "2001:db8::1 2002:7f00:1::1 2002:808:808::1 3fff::1 4000::1 5f00::1 fc00::1 fd12::1 fe80::1 "
    "fec0::1 ff02::1"
).split()
PUBLIC = (
    "1.1.1.1 8.8.8.8 93.184.216.34 100.63.255.255 100.128.0.1 172.15.0.1 172.32.0.1 192.169.0.1 "
    "223.255.255.255 2606:4700:4700::1111 2a00:1450::1 2001:4860:4860::8888 64:ff9b::8.8.8.8"
).split()


def answering(*numbers):
    """A resolver that knows one answer."""

    def look_up(_host, port):
        return [
            (socket.AF_INET6 if ":" in one else socket.AF_INET, 1, 6, "", (one, port))
            for one in numbers
        ]

    return look_up


@pytest.mark.parametrize("number", PRIVATE)
def test_addresses_that_are_not_public_are_refused(number):
    assert not is_public(ip_address(number))
    with pytest.raises(PageError) as caught:
        resolve(
            "name.example", 80, allow_private=False, seconds=9, lookup=answering("8.8.8.8", number)
        )
    assert caught.value.reason == "private-address"
    assert resolve("name.example", 80, allow_private=True, seconds=9, lookup=answering(number))


@pytest.mark.parametrize("number", PUBLIC)
def test_public_addresses_are_not(number):
    assert is_public(ip_address(number))
    endpoints = resolve(
        "name.example", 443, allow_private=False, seconds=9, lookup=answering(number)
    )
    assert [endpoint.address for endpoint in endpoints] == [(number, 443)]


@pytest.mark.parametrize(
    "host",
    ["2130706433", "0x7f000001", "017700000001", "0x7f.1", "127.1", "127.0.1", "0177.0.0.1",
     "127.0.0.01", "127.0.0.0x1", "8.8.2056", "127.1.", "00000127.0.0.1", "1.2.3",
     "1.2.3.4.5", "1.2.x.4"],
)  # fmt: skip
def test_numbers_in_other_spellings_are_refused_before_they_are_looked_up(host):
    assert is_disguised(host)
    with pytest.raises(PageError, match="number written"):
        resolve(host, 80, allow_private=False, seconds=9, lookup=answering("8.8.8.8"))


@pytest.mark.parametrize(
    "host",
    ["8.8.8.8", "1.2.3.4.", "0.0.0.0", "a.org", "1a.example", "0x7f.example", "::1", ""],
)
def test_other_hosts_are_not(host):
    assert not is_disguised(host)


@pytest.mark.parametrize("host", ["localhost", "localhost.", "127.0.0.1", "::1", "0.0.0.0", "::"])
def test_the_own_machine_is_refused_whatever_the_resolver_of_the_system_says(host):
    with pytest.raises(PageError) as caught:
        resolve(host, 80, allow_private=False, seconds=9)
    assert caught.value.reason in ("private-address", "unknown-host")


def test_a_scope_does_not_hide_an_address():
    with pytest.raises(PageError):
        resolve("x", 80, allow_private=False, seconds=9, lookup=answering("fe80::1%eth0"))


@pytest.mark.parametrize("error", [socket.gaierror("no"), UnicodeError("label")])
def test_a_name_that_nobody_knows_is_told(error):
    def look_up(_host, _port):
        raise error

    for resolver in (look_up, answering()):
        with pytest.raises(PageError) as caught:
            resolve("none.example", 80, allow_private=False, seconds=9, lookup=resolver)
        assert caught.value.reason == "unknown-host"


@pytest.mark.parametrize("seconds", [0.05, 0, -1])
def test_a_resolver_that_does_not_answer_is_left(seconds):
    answered = Event()
    with pytest.raises(PageError, match="not found within") as caught:
        resolve(
            "x.example", 80, allow_private=False, seconds=seconds,
            lookup=lambda *_: answered.wait(9) and [],
        )  # fmt: skip
    answered.set()
    assert caught.value.reason == "timeout"


def test_all_addresses_of_a_name_have_to_be_public():
    for numbers in (["8.8.8.8", "10.0.0.1"], ["10.0.0.1", "8.8.8.8"]):
        with pytest.raises(PageError, match="no public address"):
            resolve("x", 80, allow_private=False, seconds=9, lookup=answering(*numbers))
        allowed = resolve("x", 80, allow_private=True, seconds=9, lookup=answering(*numbers))
        assert [one.number for one in allowed] == numbers
    assert resolve("0x7f.1", 80, allow_private=True, seconds=9, lookup=answering("127.0.0.1"))
