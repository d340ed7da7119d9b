"""Write a WARC of any size from the pages of a corpus, a part of it damaged, and check a reader.

    python benchmarks/make_warc.py CORPUS OUT.warc.gz [--records 20000] [--damaged 0.02] [--seed 1]
    python benchmarks/make_warc.py --check OUT.warc.gz

CORPUS is an annotated corpus (`victor align`), or a folder with pages in `html`. Its pages are
repeated with changed URLs until there are enough; the same arguments write the same bytes. Damages
are spread over the records in equal numbers of each kind; OUT.warc.gz.json says which record has
which:

    truncated   the gzip member ends before its time
    length      the Content-Length of the record is too large or too small
    charset     the HTTP header declares a charset that is not that of the page
    non-html    the body is no markup, whatever the header says
    garbage     bytes that belong to nothing stand before the record

Of these, `truncated` costs its record; the others cost none, for a gzip member bounds its record,
and `garbage` gives one damage more. With --check the file is read, and what comes is compared with
what was planted.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import random
import time
from collections import Counter
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple

from victor.corpus.pages import read_corpus
from victor.sources import Input, ReadOptions, read
from victor.sources.record import Damage

KINDS = ("truncated", "length", "charset", "non-html", "garbage")
COSTLY = ("truncated",)
DATE = "2026-01-01T00:00:00Z"


class StoredPage(NamedTuple):
    """A page that records are made of."""

    id: str
    url: str | None
    html: bytes


def main() -> None:
    """Write, or check."""
    arguments = _arguments()
    if arguments.check:
        check(arguments.check)
    else:
        make(arguments)


def make(arguments: argparse.Namespace) -> None:
    """Write the WARC and what was planted in it."""
    luck = random.Random(arguments.seed)
    planted = _plan(arguments.records, arguments.damaged, luck)
    pages = cycle(_pages(arguments.corpus))
    urls = []
    with arguments.out.open("wb") as out:
        out.write(
            _packed(_record("warcinfo", None, "application/warc-fields", b"format: WARC\r\n"))
        )
        for number, page in enumerate(islice(pages, arguments.records)):
            urls.append(_url(page, number))
            out.write(_stored(page, urls[-1], planted.get(number), luck))
    known = {"records": arguments.records, "planted": planted, "urls": urls}
    _side(arguments.out).write_text(json.dumps(known, indent=1), encoding="utf-8")
    print(f"{arguments.out}: {arguments.records} responses, {Counter(planted.values())}")


def check(path: Path) -> None:
    """Read the WARC and say whether every record is accounted for.

    Raises:
        SystemExit: it is not.
    """
    known = json.loads(_side(path).read_text(encoding="utf-8"))
    planted = {int(number): kind for number, kind in known["planted"].items()}
    started, urls, damages, size = time.process_time(), [], [], 0
    for one in read(Input(str(path), "warc"), ReadOptions()):
        if isinstance(one, Damage):
            damages.append(one)
        else:
            urls.append(one.url)
            size += len(one.body)
    seconds = time.process_time() - started
    counts = Counter(planted.values())
    wanted = [url for i, url in enumerate(known["urls"]) if planted.get(i) not in COSTLY]
    n_damages = sum(counts[kind] for kind in (*COSTLY, "garbage"))
    print(f"planted {dict(counts)}")
    print(
        f"pages {len(urls)} of {len(wanted)} not destroyed, damages {len(damages)} of {n_damages}"
    )
    speed = f"{len(urls) / seconds:,.0f} pages, {size / seconds / 1e6:,.0f} MB of markup"
    print(f"{speed} per second of processor time")
    if urls != wanted or len(damages) != n_damages:
        raise SystemExit("not every record is accounted for")


def _pages(corpus: Path) -> list[StoredPage]:
    """The pages of a corpus, in the order of their names where it is not annotated."""
    if (corpus / "pages.jsonl").exists():
        return [StoredPage(page.id, page.url, page.html) for page in read_corpus(corpus)]
    files = sorted((corpus / "html").glob("*.html"))
    return [StoredPage(file.stem, None, file.read_bytes()) for file in files]


def _plan(n: int, share: float, luck: random.Random) -> dict[int, str]:
    """Kind of damage by number of the record; never of neighbours, which would be one damage."""
    numbers = sorted(2 * number for number in luck.sample(range(n // 2), round(n * share)))
    kinds = list(islice(cycle(KINDS), len(numbers)))
    luck.shuffle(kinds)
    return dict(zip(numbers, kinds, strict=True))


def _stored(page: StoredPage, url: str, kind: str | None, luck: random.Random) -> bytes:
    """A record as it stands in the file."""
    body, declared = page.html, "text/html; charset=utf-8"
    if kind == "charset":
        declared = f"text/html; charset={luck.choice(('utf-16', 'iso-2022-jp', 'no-such-charset'))}"
    elif kind == "non-html":
        body = luck.choice((b"%PDF-1.7\n", b"\x89PNG\r\n\x1a\n", b"PK\x03\x04")) + luck.randbytes(
            9000
        )
    elif kind == "length":  # what is cut off must not be empty lines, which nobody would miss
        body += b"<!-- the end -->"
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {declared}\r\n\r\n".encode()
    change = luck.choice((-9, -5, 9, 5000)) if kind == "length" else 0
    packed = _packed(
        _record("response", url, "application/http; msgtype=response", head + body, change)
    )
    if kind == "truncated":
        return packed[: luck.randint(len(packed) // 4, len(packed) * 3 // 4)]
    garbage = luck.randbytes(luck.randint(1, 5000)) if kind == "garbage" else b""
    return garbage + packed


def _record(kind: str, url: str | None, media: str, block: bytes, change: int = 0) -> bytes:
    identity = hashlib.sha256(f"{kind} {url}".encode()).hexdigest()[:32]
    lines = [
        "WARC/1.0",
        f"WARC-Type: {kind}",
        f"WARC-Record-ID: <urn:hash:{identity}>",
        f"WARC-Date: {DATE}",
        *([f"WARC-Target-URI: {url}"] if url else []),
        f"Content-Type: {media}",
        f"Content-Length: {max(len(block) + change, 0)}",
    ]
    return "\r\n".join([*lines, "", ""]).encode() + block + b"\r\n\r\n"


def _packed(record: bytes) -> bytes:
    return gzip.compress(record, compresslevel=3, mtime=0)


def _url(page: StoredPage, number: int) -> str:
    url = page.url or f"http://example.org/{page.id}"
    return f"{url}{'&' if '?' in url else '?'}copy={number}"


def _side(path: Path) -> Path:
    return path.with_name(f"{path.name}.json")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path, nargs="?")
    parser.add_argument("out", type=Path, nargs="?")
    parser.add_argument("--records", type=int, default=20_000)
    parser.add_argument("--damaged", type=float, default=0.02)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--check", type=Path)
    arguments = parser.parse_args()
    if not (arguments.check or arguments.out):
        parser.error("name a corpus and a file to write, or --check a file")
    return arguments


if __name__ == "__main__":
    main()
