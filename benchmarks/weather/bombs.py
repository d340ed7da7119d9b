"""Small inputs that unpack to very much: eight codings of a body in seven containers, and more."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import shutil
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cache, partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, Final, NamedTuple

import brotli
import pyarrow as arrow
import zstandard
from hostile.archives.records import Page, packed, record, response
from pyarrow import parquet

from weather.runs import Peaks, Runs, watched

_MB: Final = b"a" * 1_000_000
"""A piece of a page; bzip2 packs it quickly."""
_ROWS: Final = 20
"""Rows of Parquet that share one value by a dictionary."""


class Bomb(NamedTuple):
    """A body, and how it is coded.

    Attributes:
        body: with all its codings.
        headers: lines of HTTP that name them.
    """

    body: bytes
    headers: Sequence[str]


Container = Callable[
    [Path, Sequence[Page], Any], AbstractContextManager[tuple[Sequence[Path | str], int]]
]
"""Puts pages into inputs, with a bomb among them if there is one; the inputs, and their bytes."""


class Case(NamedTuple):
    """A bomb, made when it is called, in a container."""

    name: str
    container: Container
    bomb: Callable[[], Bomb]


class Blasted(NamedTuple):
    """What a run gave.

    Attributes:
        rows: lines of documents.
        told: reasons of what was dropped or failed.
        peaks: of its processes.
    """

    rows: Sequence[bytes]
    told: Sequence[str]
    peaks: Peaks


def blasted(runs: Runs, out: Path) -> Blasted:
    """The result of a run in an empty folder."""
    shutil.rmtree(out, ignore_errors=True)
    with runs.start(out) as running:
        peaks = watched(running)
    lines = [line for part in sorted(out.glob("data/part-*")) for line in _lines(part)]
    ends = [line for name in ("dropped", "failed") for line in _lines(out / f"{name}.jsonl")]
    return Blasted(lines, [json.loads(line)["reason"] for line in ends], peaks)


def _lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines() if path.exists() else []


def bombs(megabytes: int) -> Iterator[Case]:
    """Every bomb in every container."""
    for coding, make in _CODINGS.items():
        bomb = cache(partial(make, megabytes))
        for name, container in _CONTAINERS.items():
            yield Case(f"bomb: {coding} in {name}", container, bomb)
    plain = cache(lambda: Bomb(_MB * megabytes, []))
    for name, container in _PACKED.items():
        yield Case(f"bomb: packed by {name}", container, plain)
    for name, container in _TABLES.items():
        yield Case(f"bomb: packed by {name}", container, plain)


# --- Codings -------------------------------------------------------------------------------------


def _gzip(megabytes: int) -> bytes:
    return _compressed(zlib.compressobj(9, wbits=31), megabytes)


def _compressed(compressor: Any, megabytes: int) -> bytes:
    add = compressor.process if hasattr(compressor, "process") else compressor.compress
    end = compressor.finish if hasattr(compressor, "finish") else compressor.flush
    return b"".join(add(_MB) for _ in range(megabytes)) + end()


def _times(coding: str, times: int, megabytes: int) -> Bomb:
    body = _gzip(megabytes)
    for _ in range(times - 1):
        body = gzip.compress(body, mtime=0)
    return Bomb(body, [f"Content-Encoding: {', '.join([coding] * times)}"])


def _once(coding: str, start: Callable[[], Any], megabytes: int) -> Bomb:
    return Bomb(_compressed(start(), megabytes), [f"Content-Encoding: {coding}"])


def _chunked(megabytes: int) -> Bomb:
    body = _gzip(megabytes)
    chunks = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
    return Bomb(chunks, ["Content-Encoding: gzip", "Transfer-Encoding: chunked"])


_CODINGS: Final[dict[str, Callable[[int], Bomb]]] = {
    "gzip": partial(_times, "gzip", 1),
    "deflate": partial(_once, "deflate", zlib.compressobj),
    "br": partial(_once, "br", lambda: brotli.Compressor(quality=2)),
    "zstd": partial(_once, "zstd", lambda: zstandard.ZstdCompressor().compressobj()),
    "x-gzip": partial(_times, "x-gzip", 1),
    "gzip twice": partial(_times, "gzip", 2),
    "gzip 60 times": partial(_times, "gzip", 60),
    "chunked gzip": _chunked,
}


# --- Containers ----------------------------------------------------------------------------------


def _bodies(pages: Sequence[Page], bomb: Bomb | None) -> Iterator[tuple[str, bytes]]:
    """Names and bodies, with the bomb in the middle."""
    half = len(pages) // 2
    yield from ((f"{page.number}.html", page.html) for page in pages[:half])
    if bomb is not None:
        yield "bomb.html", bomb.body
    yield from ((f"{page.number}.html", page.html) for page in pages[half:])


@contextmanager
def _file(
    name: str, content: Callable[[Sequence[Page], Bomb | None], bytes],
    folder: Path, pages: Sequence[Page], bomb: Bomb | None,
) -> Iterator[tuple[Sequence[Path], int]]:  # fmt: skip
    path = folder / name
    path.write_bytes(content(pages, bomb))
    yield [path], path.stat().st_size


def _warc(pack: Callable[[bytes], bytes], pages: Sequence[Page], bomb: Bomb | None) -> bytes:
    records = [pack(record(page)) for page in pages]
    if bomb is not None:
        block = response(bomb.body, *map(str.encode, bomb.headers))
        records.insert(len(records) // 2, pack(record(Page(999, b""), block)))
    return b"".join(records)


def _zip(method: int, pages: Sequence[Page], bomb: Bomb | None) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, body in _bodies(pages, bomb):
            archive.writestr(zipfile.ZipInfo(name), body, method)
    return stream.getvalue()


def _tar(pack: Callable[[bytes], bytes], pages: Sequence[Page], bomb: Bomb | None) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name, body in _bodies(pages, bomb):
            member = tarfile.TarInfo(name)
            member.size = len(body)
            archive.addfile(member, io.BytesIO(body))
    return pack(stream.getvalue())


def _jsonl(pack: Callable[[bytes], bytes], pages: Sequence[Page], bomb: Bomb | None) -> bytes:
    rows = ({"id": name, "html": body.decode("latin-1")} for name, body in _bodies(pages, bomb))
    return pack("".join(f"{json.dumps(row)}\n" for row in rows).encode())


def _parquet(compression: str, times: int, pages: Sequence[Page], bomb: Bomb | None) -> bytes:
    """A file with the bomb in a row group of its own; `times` rows hold it, by a dictionary."""
    stream = io.BytesIO()
    schema = arrow.schema([("id", arrow.string()), ("html", arrow.binary())])
    is_shared = times > 1
    options = {"compression": compression, "use_dictionary": ["html"] if is_shared else False}
    if is_shared:
        options["dictionary_pagesize_limit"] = 1 << 30
        schema = schema.set(1, arrow.field("html", arrow.dictionary(arrow.int32(), arrow.binary())))
    with parquet.ParquetWriter(stream, schema, store_schema=False, **options) as writer:
        for name, body in _bodies(pages, bomb):
            is_bomb = name.startswith("bomb")
            ids = [f"{name}{row}" for row in range(times if is_bomb else 1)]
            values = arrow.array([body], arrow.binary())
            if is_shared:
                rows = arrow.array([0] * len(ids), arrow.int32())
                values = arrow.DictionaryArray.from_arrays(rows, values)
            writer.write_table(arrow.table([ids, values], schema=schema), row_group_size=len(ids))
    return stream.getvalue()


class _Answers(BaseHTTPRequestHandler):
    answers: dict[str, Bomb]

    def do_GET(self) -> None:
        """Send a page with its own header lines."""
        body, headers = self.answers[self.path]
        is_chunked = any("chunked" in line for line in headers)
        length = [] if is_chunked else [f"Content-Length: {len(body)}"]
        lines = ["HTTP/1.1 200 OK", "Content-Type: text/html", *headers, *length, "", ""]
        self.wfile.write("\r\n".join(lines).encode() + body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def _served(
    folder: Path, pages: Sequence[Page], bomb: Bomb | None
) -> Iterator[tuple[Sequence[str], int]]:
    bodies = dict(_bodies(pages, bomb))
    answers = {f"/{name}": Bomb(body, []) for name, body in bodies.items()}
    if bomb is not None:
        answers["/bomb.html"] = bomb
    handler = type("Answers", (_Answers,), {"answers": answers})
    with ThreadingHTTPServer(("127.0.0.1", _PORT), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        urls = [f"http://127.0.0.1:{_PORT}{path}" for path in answers]
        yield urls, sum(map(len, bodies.values()))
        server.shutdown()


_PORT: Final = 18_731
"""Always the same, for it stands in the rows."""
_CONTAINERS: Final[dict[str, Container]] = {
    "WARC": partial(_file, "in.warc", partial(_warc, bytes)),
    "WARC, packed": partial(_file, "in.warc.gz", partial(_warc, packed)),
    "zip": partial(_file, "in.zip", partial(_zip, zipfile.ZIP_DEFLATED)),
    "tar": partial(_file, "in.tar", partial(_tar, bytes)),
    "JSONL": partial(_file, "in.jsonl", partial(_jsonl, bytes)),
    "Parquet": partial(_file, "in.parquet", partial(_parquet, "snappy", 1)),
    "HTTP": _served,
}
_PACKED: Final[dict[str, Container]] = {
    "WARC, packed": _CONTAINERS["WARC, packed"],
    "zip": _CONTAINERS["zip"],
    "zip with bzip2": partial(_file, "in.zip", partial(_zip, zipfile.ZIP_BZIP2)),
    "zip with LZMA": partial(_file, "in.zip", partial(_zip, zipfile.ZIP_LZMA)),
    "tar.gz": partial(_file, "in.tar.gz", partial(_tar, gzip.compress)),
    "tar.bz2": partial(_file, "in.tar.bz2", partial(_tar, bz2.compress)),
    "tar.xz": partial(_file, "in.tar.xz", partial(_tar, lzma.compress)),
    "tar.zst": partial(_file, "in.tar.zst", partial(_tar, zstandard.compress)),
    "JSONL.gz": partial(_file, "in.jsonl.gz", partial(_jsonl, gzip.compress)),
    "JSONL.zst": partial(_file, "in.jsonl.zst", partial(_jsonl, zstandard.compress)),
}
_TABLES: Final[dict[str, Container]] = {
    "Parquet with zstandard": partial(_file, "in.parquet", partial(_parquet, "zstd", 1)),
    "Parquet with gzip": partial(_file, "in.parquet", partial(_parquet, "gzip", 1)),
    f"Parquet, {_ROWS} rows of a dictionary": partial(
        _file, "in.parquet", partial(_parquet, "zstd", _ROWS)
    ),
}
