"""A small crawl: two WARCs with good pages, pages to drop, a foreign encoding and a damage."""

import gzip
import json
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"
CZECH = "Příliš žluťoučký kůň úpěl ďábelské ódy, a to celý večer. "


def record(url, body, content_type="text/html; charset=utf-8"):
    block = f"HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\n\r\n".encode() + body
    head = (
        "WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http; msgtype=response\r\n"
        f"WARC-Record-ID: <urn:uuid:{url}>\r\nWARC-Target-URI: {url}\r\n"
        f"WARC-Date: 2026-01-02T03:04:05Z\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + block + b"\r\n\r\n", mtime=0)


@pytest.fixture(scope="session")
def crawled_folder(annotated, tmp_path_factory):
    folder = tmp_path_factory.mktemp("warcs")
    good = [page.html for page in annotated]
    czech = f"<title>Kůň</title><p>{CZECH * 10}</p>".encode("cp1250")
    first = [record(f"http://a.example/{i}", page) for i, page in enumerate(good[:12])]
    first.insert(3, record("http://a.example/cs", czech, "text/html; charset=windows-1250"))
    first.insert(5, record("http://a.example/cut", good[0])[:-90])
    second = [record(f"http://b.example/{i}", page) for i, page in enumerate(good[12:20])]
    second.insert(0, record("http://b.example/pdf", b"%PDF-1.4", "application/pdf"))
    second.append(record("http://b.example/empty", b"<p></p>"))
    (folder / "a.warc.gz").write_bytes(b"".join(first))
    (folder / "b.warc.gz").write_bytes(b"".join(second))
    return folder


@pytest.fixture(scope="session")
def lines():
    """Function: the rows of all numbered JSONL files in a folder, by their ids."""

    def read(folder):
        rows = {}
        for path in sorted(Path(folder).glob("*[0-9].jsonl*")):
            opened = gzip.open if path.suffix == ".gz" else open
            with opened(path, "rt", encoding="utf-8") as file:
                for row in map(json.loads, file):
                    assert rows.setdefault(row["id"], row) is row, "an id names one document"
        return rows

    return read


@pytest.fixture(scope="session")
def example():
    """Function: an example of the documentation as a module."""

    def load(name):
        spec = spec_from_file_location(name, EXAMPLES / f"{name}.py")
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return load
