"""Write WARC files that crawls are measured on.

    python benchmarks/crawl_warc.py large.warc.gz --megabytes 1500 [--pages FOLDER...]
    python benchmarks/crawl_warc.py small.warc.gz --records 1000000

The first holds the pages of folders, by default those of `annotations/pages`, again and again until
the file has so many megabytes; the second holds pages of one sentence each.
"""

from __future__ import annotations

import argparse
import gzip
from collections.abc import Iterator, Sequence
from itertools import cycle
from pathlib import Path
from typing import Final

OWN: Final = Path(__file__).parents[1] / "annotations" / "pages"


def record(page: bytes, number: int) -> bytes:
    """A response as a gzip member."""
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page
    head = (
        "WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http;msgtype=response\r\n"
        "WARC-Date: 2026-01-01T00:00:00Z\r\n"
        f"WARC-Target-URI: http://a.example/{number}\r\nWARC-Record-ID: <urn:uuid:{number}>\r\n"
        f"Content-Length: {len(block)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + block + b"\r\n\r\n", 6)


def large(folders: Sequence[Path], n_bytes: int) -> Iterator[bytes]:
    """Records of the pages in folders; each is packed once, which takes longest."""
    paths = [path for folder in folders for path in sorted(folder.rglob("*.html"))]
    packed: dict[int, bytes] = {}
    for number, path in cycle(enumerate(paths)):
        if n_bytes <= 0:
            return
        if number not in packed:
            packed[number] = record(path.read_bytes(), number)
        n_bytes -= len(packed[number])
        yield packed[number]


def small(records: int) -> Iterator[bytes]:
    """Records of a sentence each."""
    for number in range(records):
        page = f"<title>Page {number}</title><p>Bees of hive {number} make wax and honey, as ever."
        yield record(page.encode(), number)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--pages", type=Path, nargs="+", default=[OWN], metavar="FOLDER")
    size = parser.add_mutually_exclusive_group(required=True)
    size.add_argument("--megabytes", type=int)
    size.add_argument("--records", type=int)
    given = parser.parse_args()
    with given.file.open("wb") as file:
        if given.records:
            file.writelines(small(given.records))
        else:
            file.writelines(large(given.pages, given.megabytes * 1_000_000))


if __name__ == "__main__":
    main()
