"""Pages written by code, and the bytes of WARC records that hold them."""

from __future__ import annotations

import gzip
import hashlib
import random
from collections.abc import Iterator
from typing import Final, NamedTuple

_WORDS: Final = (
    "river mill bridge market letter winter garden stone village harbour morning window paper "
    "council teacher engine copper island valley journey summer kitchen lantern orchard tower "
    "the the the of of and and a in to that was is for with on as at by from had not were"
).split()
GAP: Final = b"\r\n\r\n"


class Page(NamedTuple):
    """A page with its place in the file."""

    number: int
    html: bytes

    @property
    def url(self) -> str:
        """Where it is said to come from."""
        return f"http://site{self.number % 17}.example/page/{self.number}"

    @property
    def id(self) -> str:
        """Identifier of its record."""
        return f"urn:hash:{hashlib.sha256(self.url.encode()).hexdigest()[:32]}"


def made_up(n: int, seed: int) -> Iterator[Page]:
    """So many pages of navigation and paragraphs; the same seed gives the same ones."""
    luck = random.Random(seed)
    for number in range(n):
        links = "".join(f'<li><a href="/{word}">{word}</a></li>' for word in _some(luck, 6))
        body = "".join(f"<p>{_sentence(luck)} {_sentence(luck)}</p>" for _ in range(4))
        more = "".join(f"<h2>{' '.join(_some(luck, 3))}</h2><p>{_sentence(luck)}</p>" for _ in "ab")
        html = (
            f"<!doctype html><html lang=en><head><title>Page {number}</title></head><body><nav><ul>"
            f"{links}</ul></nav><h1>Page {number}</h1>{body}{more}<footer>Imprint</footer></body>"
        )
        yield Page(number, html.encode())


def _some(luck: random.Random, n: int) -> list[str]:
    return [luck.choice(_WORDS) for _ in range(n)]


def _sentence(luck: random.Random) -> str:
    return " ".join(_some(luck, luck.randint(12, 40))).capitalize() + "."


def response(body: bytes, *headers: bytes) -> bytes:
    """An HTTP answer."""
    lines = (b"HTTP/1.1 200 OK", b"Content-Type: text/html; charset=utf-8", *headers)
    return b"\r\n".join(lines) + GAP + body


def record(page: Page, block: bytes | None = None, *, length: object = None) -> bytes:
    """A record that is not packed.

    Args:
        page: the page.
        block: what stands in it; an HTTP answer with the page by default.
        length: what is said to be its length; that of the block by default.
    """
    block = response(page.html) if block is None else block
    lines = [
        "WARC/1.0",
        "WARC-Type: response",
        f"WARC-Record-ID: <{page.id}>",
        "WARC-Date: 2026-01-01T00:00:00Z",
        f"WARC-Target-URI: {page.url}",
        "Content-Type: application/http; msgtype=response",
        f"Content-Length: {len(block) if length is None else length}",
    ]
    return "\r\n".join(lines).encode() + GAP + block + GAP


def packed(stored: bytes) -> bytes:
    """A gzip member."""
    return gzip.compress(stored, 6, mtime=0)
