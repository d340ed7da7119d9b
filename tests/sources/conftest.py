"""Small WARCs, written here record by record."""

import gzip

import pytest

from victor.sources.inputs import ReadOptions, expand
from victor.sources.reading import read
from victor.sources.record import Damage, Skipped

HTTP = "application/http; msgtype=response"


class Warc:
    """Writes the bytes of records."""

    @staticmethod
    def record(block, url="http://example.org/", *, kind="response", media=HTTP, **changes):
        """One record; `changes` are further headers, with _ for -, and replace those made."""
        headers = {
            "WARC-Type": kind,
            "WARC-Record-ID": f"<urn:uuid:{url}>",
            "WARC-Target-URI": url,
            "WARC-Date": "2026-01-02T03:04:05Z",
            "Content-Type": media,
            "Content-Length": len(block),
        } | {name.replace("_", "-"): value for name, value in changes.items()}
        lines = [f"{name}: {value}" for name, value in headers.items() if value is not None]
        return "\r\n".join(["WARC/1.0", *lines, "", ""]).encode() + block + b"\r\n\r\n"

    @staticmethod
    def http(body, *headers, content_type="text/html; charset=utf-8"):
        """An HTTP answer."""
        lines = ["HTTP/1.1 200 OK", f"Content-Type: {content_type}", *headers, "", ""]
        return "\r\n".join(lines).encode() + body

    @classmethod
    def page(cls, body, number=0):
        """A record of a page with a URL of its own."""
        return cls.record(cls.http(body), f"http://example.org/{number}")

    @classmethod
    def pages(cls, n, size=1):
        """Records of n pages, each another."""
        return [cls.page(b"<p>page %d" % i + b" word" * size * (i % 3), i) for i in range(n)]


@pytest.fixture(scope="session")
def warc():
    return Warc


@pytest.fixture(scope="session", params=[False, True], ids=["plain", "gzip"])
def pack(request):
    """How a record is stored: as it is, or as a gzip member."""
    return gzip.compress if request.param else bytes


@pytest.fixture
def read_bytes(tmp_path):
    """Reads a file of given bytes; with `skip` and options as keywords."""

    def run(content, name="crawl.warc", **options):
        path = tmp_path / name
        path.write_bytes(content)
        (source,) = expand([str(path)])
        return [
            page for page in read(source, ReadOptions(**options)) if not isinstance(page, Skipped)
        ]

    return run


@pytest.fixture(scope="session")
def urls():
    """The URLs of records; None for damages."""
    return lambda found: [None if isinstance(one, Damage) else one.url for one in found]
