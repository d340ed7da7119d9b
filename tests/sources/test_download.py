"""The client for web pages: servers of our own behind a resolver and an internet of our own."""

import gzip
import socket
import ssl
import time
import zlib
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest

from victor import PageError
from victor.sources.download import download, fetch

HTML = {"Content-Type": "text/html; charset=ISO-8859-2"}
PAGE = "<p>Žluťoučký kůň</p>".encode("iso-8859-2")
QUICK = {"limit": 10_000, "seconds": 5, "delay": 0}
PUBLIC = "93.184.216.34"
ANSWERS = {
    "page.example": [PUBLIC],
    "other.example": ["2606:4700:4700::1111"],
    "inner.example": ["127.0.0.1"],
    "lan.example": ["192.168.1.1"],
    "six.example": ["::1"],
    "mixed.example": [PUBLIC, "10.0.0.1"],
}


def moved(to, status=302):
    return status, {"Location": to}, b""


def drip(handler):
    """Byte after byte as long as somebody listens."""
    handler.send_response(200)
    handler.end_headers()
    while True:
        handler.wfile.write(b"a")
        handler.wfile.flush()


def stop(handler):
    """A few bytes, and then nothing until the client leaves."""
    handler.send_response(200)
    handler.end_headers()
    handler.wfile.write(b"<p>")
    handler.wfile.flush()
    handler.rfile.read(1)


def go_on(handler):
    """Ask the client to go on, for ever."""
    while True:
        handler.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")


def long_header(handler):
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100_000 + b"\r\n\r\n<p>x")


def many_headers(handler):
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n" + b"X: x\r\n" * 100_000 + b"\r\n<p>x")


def cut_chunks(handler):
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n<p>x")


def short(handler):
    handler.send_response(200)
    handler.send_header("Content-Length", "100")
    handler.end_headers()
    handler.wfile.write(b"too short")


def host(handler):
    """The host that the client names."""
    handler.send_response(200)
    handler.end_headers()
    handler.wfile.write(handler.headers["Host"].encode())


def garbage(handler):
    handler.wfile.write(b"this is no HTTP\r\n\r\n")


def packed(body, name="gzip"):
    return 200, {"Content-Encoding": name, **HTML}, body


def raw_deflate(body):
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(body) + packer.flush()


ROUTES = {
    "/": (200, HTML, PAGE),
    "/%C3%A9?q=%20": (200, HTML, b"<p>escaped"),
    "/untyped": (200, {}, b"<p>untyped"),
    "/moved": moved("/"),
    "/far": moved("http://other.example/", 301),
    **{f"/status{status}": moved("/", status) for status in (300, 301, 303, 307, 308)},
    "/loop": moved("/loop"),
    "/inside": moved("http://inner.example/"),
    "/number": moved("http://127.0.0.1:22/"),
    "/schemeless": moved("//lan.example/"),
    "/file": moved("file:///etc/passwd"),
    "/away": moved("http://away.example/back"),
    "/back": moved("http://named.example/"),
    "/nowhere": (302, {}, b""),
    "/latin": moved("/é?q=%20".encode().decode("latin-1")),
    "/missing": (404, {}, b""),
    "/image": (200, {"Content-Type": "image/png"}, b"x"),
    "/large": (200, HTML, b"x" * 10_001),
    "/largest": (200, HTML, b"x" * 10_000),
    "/packed-large": packed(gzip.compress(b"x" * 10_001)),
    "/packed-largest": packed(gzip.compress(b"x" * 10_000)),
    **{f"/{n}": moved(f"/{n - 1}" if n > 1 else "/untyped") for n in range(1, 7)},
    "/bomb": packed(gzip.compress(b"x" * 50_000_000)),
    "/packed": packed(gzip.compress(PAGE)),
    "/deflate": packed(zlib.compress(PAGE), "deflate"),
    "/raw": packed(raw_deflate(PAGE), "deflate"),
    "/tiny-members": packed(gzip.compress(b"a") * 5000),
    "/damaged": packed(b"no gzip at all"),
    "/drip": drip,
    "/stop": stop,
    "/go-on": go_on,
    "/long-header": long_header,
    "/many-headers": many_headers,
    "/cut-chunks": cut_chunks,
    "/cut-gzip": packed(gzip.compress(PAGE)[:-9]),
    "/cut-deflate": packed(zlib.compress(PAGE)[:-5], "deflate"),
    "/members": packed(gzip.compress(PAGE[:9]) + gzip.compress(PAGE[9:])),
    "/short": short,
    "/garbage": garbage,
    "/host": host,
}


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
        if address[0] not in (PUBLIC, "2606:4700:4700::1111"):
            raise ConnectionRefusedError("nobody there")
        connect(self, ("127.0.0.1", port))

    monkeypatch.setattr(socket.socket, "connect", to_server)
    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    return connected


RESOLVE = socket.getaddrinfo


def look_up(host, port, **options):
    numbers = ANSWERS.get(host)
    if numbers is None and (host[:1].isdigit() or ":" in host):
        return RESOLVE(host, port, **options)
    if not numbers:
        raise OSError("nobody knows it")
    return [(socket.AF_INET, 1, 6, "", (number, port)) for number in numbers]


def downloaded(urls, **options):
    """What became of URLs; the page is None where there is none."""
    for url, result in download(urls, **options):
        if isinstance(result, PageError):
            assert str(result)
            yield SimpleNamespace(url=url, outcome=result.reason, page=None)
        else:
            yield SimpleNamespace(
                url=url, outcome="downloaded", page=result.content,
                charset=result.charset, address=result.url,
            )  # fmt: skip


def one(url, **options):
    (result,) = downloaded([url], **QUICK | options)
    assert result.url == url
    return result


@pytest.mark.parametrize("path", ["/", "/moved", "/far", "/packed", "/deflate", "/raw", "/members"])
def test_pages_arrive_as_they_are(internet, path):
    found = one(f"http://page.example{path}")
    assert (found.outcome, found.page, found.charset) == ("downloaded", PAGE, "iso-8859-2")
    moved_to = {"/moved": "http://page.example/", "/far": "http://other.example/"}
    assert found.address == moved_to.get(path, f"http://page.example{path}")


def test_addresses_are_escaped_as_browsers_do(internet):
    assert one("http://page.example/é?q=%20#part").page == b"<p>escaped"
    assert one("http://page.example/latin").page == b"<p>escaped"
    assert one("HTTP://PAGE.example:80/untyped").page == b"<p>untyped"


@pytest.mark.parametrize(
    "path",
    ["/5", "/status301", "/status303", "/status307", "/status308", "/largest", "/packed-largest"],
)
def test_answers_that_are_a_page(internet, path):
    assert one(f"http://page.example{path}").outcome == "downloaded"


@pytest.mark.parametrize(
    ("path", "outcome"),
    [("/missing", "http-error"), ("/nowhere", "http-error"), ("/image", "not-html"),
     ("/status300", "http-error"), ("/6", "too-many-redirects"), ("/packed-large", "too-large"),
     ("/large", "too-large"), ("/bomb", "too-large"), ("/loop", "too-many-redirects"),
     ("/damaged", "downloaded"), ("/short", "unreachable"),
     ("/garbage", "unreachable"), ("/long-header", "unreachable"),
     ("/many-headers", "unreachable"), ("/cut-chunks", "unreachable"),
     ("/cut-gzip", "unreachable"), ("/cut-deflate", "unreachable")],
)  # fmt: skip
def test_answers_that_are_no_page(internet, path, outcome):
    assert one(f"http://page.example{path}").outcome == outcome


@pytest.mark.parametrize("path", ["/drip", "/go-on"])
def test_a_server_that_never_ends_is_left(internet, path):
    """No single answer is late: all of them together are."""
    found = one(f"http://page.example{path}", limit=1 << 24, seconds=1)
    assert found.outcome in ("timeout", "unreachable")


def test_a_server_that_says_nothing_more_is_left(internet):
    assert one("http://page.example/stop", seconds=0.2).outcome == "timeout"


@pytest.mark.parametrize(
    "url",
    ["http://inner.example/", "http://lan.example/", "http://six.example/", "http://127.0.0.1/",
     "http://mixed.example/", "http://2130706433/", "http://0x7f.1/", "http://0177.0.0.1/",
     "http://[::1]/", "http://[::ffff:127.0.0.1]/", "http://[::]/", "http://0.0.0.0/",
     "http://169.254.169.254/latest/meta-data", "http://１２７.0.0.1/", "https://10.0.0.1:443/"],
)  # fmt: skip
def test_own_networks_are_not_connected_to(internet, url):
    assert one(url).outcome in ("private-address", "unknown-host")
    assert not internet


@pytest.mark.parametrize(
    ("path", "outcome"),
    [("/inside", "private-address"), ("/number", "private-address"),
     ("/schemeless", "private-address"), ("/file", "bad-url")],
)  # fmt: skip
def test_redirects_are_checked_like_addresses(internet, path, outcome):
    assert one(f"http://page.example{path}").outcome == outcome
    assert internet == [PUBLIC]


def test_a_name_that_changes_its_answer_is_asked_once(internet, monkeypatch):
    answers = iter([PUBLIC, "127.0.0.1"])

    def changing(_host, port, **options):
        return [(socket.AF_INET, 1, 6, "", (next(answers), port))]

    monkeypatch.setattr(socket, "getaddrinfo", changing)
    assert one("http://page.example/").outcome == "downloaded"
    assert internet == [PUBLIC]
    assert one("http://page.example/").outcome == "private-address"
    assert internet == [PUBLIC]


@pytest.mark.parametrize(
    "url",
    ["file:///etc/passwd", "ftp://page.example/", "javascript:x", "data:text/html,x", "", "x",
     "//page.example/", "http://", "http:///x", "http://[::1/", "http://a b/", "http://a:b/",
     "http://page.example\\@inner.example/", "http://user:secret@page.example/",
     "http://page.example/\r\nHost: x", "http://[fe80::1%25eth0]/", "http://" + "a" * 70 + ".b/"],
)  # fmt: skip
def test_what_is_no_address_of_a_page(internet, url):
    assert one(url).outcome == "bad-url"
    assert not internet


def test_a_name_that_nobody_knows(internet):
    assert one("http://none.example/").outcome == "unknown-host"


def test_a_second_address_is_tried_when_the_first_does_not_answer(internet, monkeypatch):
    def two(_host, port, **options):
        return [(socket.AF_INET, 1, 6, "", (number, port)) for number in ("8.8.8.8", PUBLIC)]

    monkeypatch.setattr(socket, "getaddrinfo", two)
    assert one("http://page.example/").outcome == "downloaded"
    assert internet == ["8.8.8.8", PUBLIC]


def test_own_networks_are_asked_when_that_is_allowed(server):
    port, _ = server
    for host in ("127.0.0.1", "2130706433", "localhost"):
        found = one(f"http://{host}:{port}/moved", allow_private=True)
        assert found.page == PAGE
    assert one(f"http://127.0.0.1:{port}/").outcome == "private-address"


def test_proxies_of_the_environment_are_not_used(internet, monkeypatch):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    assert one("http://page.example/").outcome == "downloaded"


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


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://page.example/host", "page.example"),
        ("http://page.example:80/host", "page.example"),
        ("http://page.example:8080/host", "page.example:8080"),
        ("http://page.example:443/host", "page.example:443"),
    ],
)
def test_the_host_is_named_with_a_port_that_is_not_the_usual(internet, url, host):
    assert one(url).page == host.encode()


def test_one_host_is_asked_slowly_and_others_in_between(internet, monkeypatch):
    pauses = []
    monkeypatch.setattr(time, "sleep", pauses.append)
    urls = ["http://page.example/", "http://other.example/", "http://page.example/moved"]
    found = [*downloaded(urls, delay=50)]
    assert [one.outcome for one in found] == ["downloaded"] * 3
    (pause,) = pauses
    assert 40 < pause <= 50


def test_outcomes_come_in_the_order_of_the_list(internet):
    urls = ["http://lan.example/", "http://page.example/", "x", "http://page.example/missing"]
    found = downloaded(urls, **QUICK)
    outcomes = ["private-address", "downloaded", "bad-url", "http-error"]
    assert [(one.url, one.outcome) for one in found] == [*zip(urls, outcomes, strict=True)]


# --- one page that a person names ----------------------------------------------------------------


@pytest.fixture(scope="module")
def own(server):
    return f"http://127.0.0.1:{server[0]}"


def test_a_page_comes_with_its_charset_and_final_address(own):
    page = fetch(f"{own}/moved", limit=1000)
    assert (page.content, page.url, page.charset) == (PAGE, f"{own}/", "iso-8859-2")
    assert page.media_type == "text/html"


@pytest.mark.parametrize("path", ["/", "/packed", "/deflate", "/raw"])
def test_a_page_above_the_limit_is_refused(own, path):
    assert fetch(own + path, limit=len(PAGE) + 50).content == PAGE
    for large, limit in ((path, len(PAGE) - 1), ("/bomb", 60_000), ("/", 5)):
        with pytest.raises(PageError, match=f"larger than {limit} bytes") as caught:
            fetch(own + large, limit=limit)
        assert caught.value.reason == "too-large"


def test_a_page_in_several_gzip_members(own):
    assert fetch(f"{own}/members", limit=1000).content == PAGE
    assert fetch(f"{own}/tiny-members", limit=200_000).content == b"a" * 5000


def test_what_is_named_may_be_of_any_media_type(own):
    assert fetch(f"{own}/image", limit=99).media_type == "image/png"
    assert fetch(f"{own}/untyped", limit=99).media_type == ""


@pytest.mark.parametrize("url", ["http://[", "http://", "http://a b/", "https://127.0.0.1:x/"])
def test_addresses_that_are_none(url):
    with pytest.raises(PageError) as caught:
        fetch(url, limit=1000)
    assert caught.value.reason == "bad-url"


def test_a_port_where_nobody_answers():
    with socket.socket() as taken:  # bound and not listening
        taken.bind(("127.0.0.1", 0))
        with pytest.raises(PageError, match="cannot be fetched"):
            fetch(f"http://127.0.0.1:{taken.getsockname()[1]}/", limit=1000)


def test_a_private_address_has_to_be_the_named_one(server, own):
    named = f"http://localhost:{server[0]}/moved"
    assert fetch(named, limit=1000).content == PAGE
    for url, private in ((named, "refused"), (f"{own}/inside", "named")):
        with pytest.raises(PageError) as caught:
            fetch(url, limit=1000, private=private)
        assert caught.value.reason in ("private-address", "unknown-host")


@pytest.mark.parametrize("path", ["/inside", "/number", "/schemeless"])
def test_a_public_page_does_not_lead_to_a_private_address(internet, path):
    with pytest.raises(PageError) as caught:
        fetch(f"http://page.example{path}", limit=1000)
    assert caught.value.reason == "private-address"
    assert internet == [PUBLIC]


def test_a_public_name_is_not_trusted_when_its_answer_becomes_private(internet, monkeypatch):
    answers = iter([PUBLIC, "127.0.0.1"])
    changing = lambda _host, port, **options: [(socket.AF_INET, 1, 6, "", (next(answers), port))]  # noqa: E731
    monkeypatch.setattr(socket, "getaddrinfo", changing)
    with pytest.raises(PageError) as caught:
        fetch("http://page.example/moved", limit=1000)
    assert caught.value.reason == "private-address"
    assert internet == [PUBLIC]


def test_a_public_page_does_not_lead_back_to_the_private_host_that_was_named(server, monkeypatch):
    """Whoever controls the page in between could choose what is asked there."""
    port, _ = server
    numbers = {"named.example": "127.0.0.1", "away.example": PUBLIC}
    connect, visited = socket.socket.connect, []

    def to_server(self, address):
        visited.append(address[0])
        connect(self, ("127.0.0.1", port))

    monkeypatch.setattr(socket.socket, "connect", to_server)
    monkeypatch.setattr(
        socket,
        "getaddrinfo",
        lambda host, port, **options: [(socket.AF_INET, 1, 6, "", (numbers[host], port))],
    )
    with pytest.raises(PageError, match=r"named\.example is 127\.0\.0\.1"):
        fetch("http://named.example/away", limit=1000)
    assert visited == ["127.0.0.1", PUBLIC]
