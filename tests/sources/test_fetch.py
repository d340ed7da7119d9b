"""Fetching a page from a server of our own."""

import socket
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from victor import PageError
from victor.sources.fetch import fetch, is_url

PAGE = "<p>Žluťoučký kůň</p>".encode("iso-8859-2")


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/moved":
            self.send_response(302)
            self.send_header("Location", "/page")
            self.end_headers()
            return
        if self.path == "/garbage":
            self.wfile.write(b"this is no HTTP\r\n\r\n")
            return
        found = self.path == "/page"
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", "text/html; charset=ISO-8859-2")
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *_):
        """The tests stay quiet."""


@pytest.fixture(scope="module")
def server():
    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_a_page_comes_with_its_charset_and_final_address(server):
    assert fetch(f"{server}/moved", limit=1000) == (PAGE, f"{server}/page", "iso-8859-2")


def test_no_more_is_read_than_the_limit(server):
    assert fetch(f"{server}/page", limit=5).page == PAGE[:5]


@pytest.mark.parametrize(("path", "reason"), [("/none", "http-error"), ("/garbage", "unreachable")])
def test_bad_answers(server, path, reason):
    with pytest.raises(PageError) as caught:
        fetch(server + path, limit=1000)
    assert caught.value.reason == reason


@pytest.mark.parametrize("url", ["http://[", "http://", "http://a b/", "https://127.0.0.1:x/"])
def test_addresses_that_are_none(url):
    with pytest.raises(PageError) as caught:
        fetch(url, limit=1000)
    assert caught.value.reason == "unreachable"


def test_a_port_where_nobody_answers():
    with socket.socket() as taken:  # bound and not listening
        taken.bind(("127.0.0.1", 0))
        with pytest.raises(PageError, match="cannot be fetched"):
            fetch(f"http://127.0.0.1:{taken.getsockname()[1]}/", limit=1000)


def test_what_is_a_url():
    assert is_url("HTTPS://example.org")
    assert not is_url("http.html")
