"""The client for web pages: servers of our own behind a resolver and an internet of our own."""

import gzip
import socket
import ssl
import zlib
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest

from tests.rows import tables
from victor import PageError
from victor.sources.download import fetch

ROWS = tables(__file__)
HTML = {"Content-Type": "text/html; charset=ISO-8859-2"}
PAGE = "<p>Žluťoučký kůň</p>".encode("iso-8859-2")
QUICK = {"limit": 10_000, "seconds": 5, "private": "refused"}
PUBLIC = "93.184.216.34"
OTHER = "2606:4700:4700::1111"


def begin(handler, *headers):
    handler.send_response(200)
    for name, value in headers:
        handler.send_header(name, value)
    handler.end_headers()


def drip(handler):
    """Byte after byte as long as somebody listens."""
    begin(handler)
    while True:
        handler.wfile.write(b"a")
        handler.wfile.flush()


def stop(handler):
    """A few bytes, and then nothing until the client leaves."""
    short(handler)
    handler.wfile.flush()
    handler.rfile.read(1)


def go_on(handler):
    """Ask the client to go on, for ever."""
    while True:
        handler.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")


def long_header(handler):
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100_000 + b"\r\n\r\n<p>x")


def short(handler):
    begin(handler, ("Content-Length", "100"))
    handler.wfile.write(b"too short")


def host(handler):
    """The host that the client names."""
    begin(handler)
    handler.wfile.write(handler.headers["Host"].encode())


def garbage(handler):
    handler.wfile.write(b"this is no HTTP\r\n\r\n")


def raw_deflate(body):
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(body) + packer.flush()


BODIES = {
    "page": PAGE,
    "largest": b"x" * 10_000,
    "too large": b"x" * 10_001,
    "bomb": b"x" * 50_000_000,
}
CODINGS = {
    "gzip": ("gzip", gzip.compress),
    "deflate": ("deflate", zlib.compress),
    "raw": ("deflate", raw_deflate),
    "cut": ("gzip", lambda body: gzip.compress(body)[:-9]),
    "none": ("gzip", bytes),
    "members": ("gzip", lambda body: gzip.compress(body[:9]) + gzip.compress(body[9:])),
}


def answer(written):
    """The answer that a row tells: where to go, by what status, or a body and how it is packed."""
    if "to" in written:
        return written.get("status", 302), {"Location": written["to"]}, b""
    body, headers = written.get("body", ""), written.get("headers", HTML)
    body = BODIES.get(body, body.encode())
    if "packed" in written:
        coding, pack = CODINGS[written["packed"]]
        body, headers = pack(body), {"Content-Encoding": coding, **HTML}
    return written.get("status", 200), headers, body


ROUTES = {
    **{path: answer(written) for path, written in ROWS["routes"].items()},
    **{f"/{path.__name__.replace('_', '-')}": path
       for path in (drip, stop, go_on, long_header, short, host, garbage)},
}  # fmt: skip


@pytest.fixture(scope="module")
def server(serve):
    with serve(ROUTES) as (address, asked):
        yield urlsplit(address).port, asked


@pytest.fixture
def internet(server, monkeypatch):
    """Connections to public addresses reach our server; all are noted, others fail."""
    port, _ = server
    connected, connect = [], socket.socket.connect

    def to_server(self, address):
        connected.append(address[0])
        if address[0] not in (PUBLIC, OTHER):
            raise ConnectionRefusedError("nobody there")
        connect(self, ("127.0.0.1", port))

    monkeypatch.setattr(socket.socket, "connect", to_server)
    return connected


@pytest.fixture(autouse=True)
def names(monkeypatch):
    """What the internet knows: names to their addresses, or to one answer after the other."""
    known, resolve = dict(ROWS["names"]), socket.getaddrinfo

    def look_up(host, port, **options):
        numbers = known.get(host)
        if numbers is None and (host[:1].isdigit() or ":" in host):
            return resolve(host, port, **options)
        if not numbers:
            raise OSError("nobody knows it")
        numbers = numbers.pop(0) if isinstance(numbers[0], list) else numbers
        return [(socket.AF_INET, 1, 6, "", (number, port)) for number in numbers]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    return known


def one(url, **options):
    """What became of a URL; the page is None where there is none."""
    try:
        result = fetch(url, **QUICK | options)
    except PageError as error:
        return SimpleNamespace(outcome=error.reason, page=None)
    return SimpleNamespace(
        outcome="downloaded", page=result.content, charset=result.charset, address=result.url
    )


@pytest.mark.parametrize(("url", "body", "address"), ROWS["pages"])
def test_pages_arrive_as_they_are(internet, url, body, address):
    found = one(url)
    assert (found.outcome, found.page) == ("downloaded", BODIES.get(body, body.encode()))
    assert address is None or (found.address, found.charset) == (address, "iso-8859-2")


@pytest.mark.parametrize(
    ("outcome", "path"),
    [(each, path) for each, paths in ROWS["outcomes"].items() for path in paths],
)
def test_what_answers_become(internet, outcome, path):
    assert one(f"http://page.example{path}").outcome == outcome
    assert {*internet} == {PUBLIC}


@pytest.mark.parametrize(
    ("outcome", "url"),
    [(each, url) for each, urls in ROWS["not connected"].items() for url in urls],
)
def test_what_is_not_connected_to(internet, outcome, url):
    assert one(url).outcome in outcome.split(" or ")
    assert not internet


@pytest.mark.parametrize("path", ["/drip", "/go-on"])
def test_a_server_that_never_ends_is_left(internet, path):
    """No single answer is late: all of them together are."""
    found = one(f"http://page.example{path}", limit=1 << 24, seconds=1)
    assert found.outcome in ("timeout", "unreachable")


def test_a_server_that_says_nothing_more_is_left(internet):
    assert one("http://page.example/stop", seconds=0.2).outcome == "timeout"


def test_a_name_that_changes_its_answer_is_asked_once(internet, names):
    names["page.example"] = [[PUBLIC], ["127.0.0.1"]]
    assert one("http://page.example/").outcome == "downloaded"
    assert one("http://page.example/").outcome == "private-address"
    assert internet == [PUBLIC]


def test_a_second_address_is_tried_when_the_first_does_not_answer(internet, names):
    names["page.example"] = ["8.8.8.8", PUBLIC]
    assert one("http://page.example/").outcome == "downloaded"
    assert internet == ["8.8.8.8", PUBLIC]


def test_the_certificate_has_to_be_that_of_the_host(internet, monkeypatch):
    asked = []

    class Context:
        def wrap_socket(self, opened, *, server_hostname):
            asked.append(server_hostname)
            return opened

    with monkeypatch.context() as patched:
        patched.setattr(ssl, "create_default_context", Context)
        assert one("https://page.example/host").page == b"page.example"
    assert asked == ["page.example"]
    assert one("https://page.example/").outcome == "unreachable", "our server speaks no TLS"


def test_ports_are_those_of_the_schemes(monkeypatch):
    asked = []

    def note(host, port, **options):
        asked.append((host, port))
        raise OSError("nobody knows it")

    monkeypatch.setattr(socket, "getaddrinfo", note)

    urls = ["http://a.org", "https://a.org/", "http://a.org:8080/", "https://[2606:4700::1]:80/"]
    assert [one(url).outcome for url in urls] == ["unknown-host"] * 4
    assert asked == [("a.org", 80), ("a.org", 443), ("a.org", 8080), ("2606:4700::1", 80)]


# --- one page that a person names ----------------------------------------------------------------


@pytest.fixture(scope="module")
def own(server):
    return f"http://127.0.0.1:{server[0]}"


def test_what_is_named_may_be_of_any_media_type(own):
    assert fetch(f"{own}/image", limit=99).media_type == "image/png"
    assert fetch(f"{own}/untyped", limit=99).media_type == ""


def test_a_private_address_has_to_be_the_named_one(server, own):
    named = f"http://localhost:{server[0]}/moved"
    assert fetch(named, limit=1000).content == PAGE
    for url, private in ((named, "refused"), (f"{own}/inside", "named")):
        with pytest.raises(PageError) as caught:
            fetch(url, limit=1000, private=private)
        assert caught.value.reason in ("private-address", "unknown-host")


def test_a_public_page_does_not_lead_back_to_the_private_host_that_was_named(
    server, names, monkeypatch
):
    """Whoever controls the page in between could choose what is asked there."""
    names |= {"named.example": ["127.0.0.1"], "away.example": [PUBLIC]}
    connect, visited = socket.socket.connect, []

    def to_server(self, address):
        visited.append(address[0])
        connect(self, ("127.0.0.1", server[0]))

    monkeypatch.setattr(socket.socket, "connect", to_server)
    with pytest.raises(PageError, match=r"named\.example is 127\.0\.0\.1"):
        fetch("http://named.example/away", limit=1000)
    assert visited == ["127.0.0.1", PUBLIC]
