"""Bodies of HTTP and their codings: where they end, and what is wrong with them."""

import gzip
import random
import tracemalloc
import zlib
from functools import partial

import brotli
import pytest
import zstandard

from victor.base.errors import PageError
from victor.sources.unpack import MOST_CODINGS, undo, unpack
from victor.sources.warc import parse_response

NOISE = random.Random(3).randbytes(9000)
gzipped = partial(gzip.compress, mtime=0)


def answer(body, *headers):
    lines = ["HTTP/1.1 203 Fine", "Content-Type: text/html", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


# --- Answers -------------------------------------------------------------------------------------


CHUNKS = b"4\r\n<p>a\r\nA;x=1\r\n0123456789\r\n"


@pytest.mark.parametrize(
    ("body", "data", "fault"),
    [
        (CHUNKS + b"0\r\n\r\n", b"<p>a0123456789", ""),
        (CHUNKS, b"<p>a0123456789", "the chunked body breaks off"),
        (CHUNKS + b"zz\r\n", b"<p>a0123456789", "the chunked body breaks off"),
        (CHUNKS[:-2] + b"0\r\n\r\n", b"<p>a0123456789", ""),
        (CHUNKS + b"9 \t\r\n<p>", b"<p>a0123456789<p>", "the chunked body breaks off"),
        (b"zz", b"zz", ""),
    ],
)
def test_chunks_of_a_body_that_cannot_be_unpacked(body, data, fault):
    # Its coding is gzip, which it is not: then what is stored is looked at here.
    headers = ("Transfer-Encoding: chunked", "Content-Encoding: gzip")
    assert parse_response(answer(body, *headers), 99) == (data, "text/html", 203, fault)


# --- Codings -------------------------------------------------------------------------------------


def raw_deflate(body):
    compressor = zlib.compressobj(wbits=-15)
    return compressor.compress(body) + compressor.flush()


@pytest.mark.parametrize(
    ("body", "encoding", "most", "expected"),
    [
        (gzipped(b"abc"), "gzip", 3, (b"abc", "")),
        (gzipped(b"abc"), "x-gzip", 2, (b"ab", "")),
        (gzipped(b"abc")[:-1], "gzip", 4, (b"abc", "breaks off")),
        (gzipped(b"abc")[:-1], "gzip", 3, (b"abc", "")),
        (gzipped(b"abc") * 2, "gzip", 9, (b"abcabc", "")),
        (gzipped(b"abc") + b"garbage", "gzip", 9, (b"abc", "")),
        (gzipped(b"") * 9 + gzipped(b"abc"), "gzip", 9, (b"abc", "")),
        (zlib.compress(b"abc"), "deflate", 9, (b"abc", "")),
        (raw_deflate(b"abc"), "deflate", 9, (b"abc", "")),
        (raw_deflate(bytes(1 << 20)), "deflate", 1 << 21, (bytes(1 << 20), "")),
        (b"3\r\nabc\r\n0\r\n\r\n", "chunked", 9, (b"abc", "")),
        (b"3\r\nabc\r\n0\r\n\r\n", "chunked", 2, (b"ab", "")),
        (b"3\r\nabc\r\n", "chunked", 9, (b"abc", "breaks off")),
        (b"0\r\n\r\n", "chunked", 9, (b"", "")),
        (b"<p>no", "chunked", 9, None),
        (b"<p>no", "gzip", 9, None),
        (b"<p>no", "deflate", 9, None),
    ],
)
def test_codings_that_are_undone(body, encoding, most, expected):
    assert unpack(body, encoding, most) == expected


CODED = {
    "gzip": gzipped,
    "x-gzip": gzipped,
    "deflate": zlib.compress,
    "br": brotli.compress,
    "zstd": zstandard.compress,
    "chunked": lambda body: b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body),
}


def coded(body, *names):
    for name in names:
        body = CODED[name](body)
    return body


LISTS = [
    *[(name,) for name in CODED],
    *[("gzip", name) for name in CODED],
    ("raw",) * 2 + ("br", "identity", "gzip", "utf-8"),
    ("gzip",) * MOST_CODINGS,
]


@pytest.mark.parametrize("names", LISTS)
@pytest.mark.parametrize("extra", [-1, 0, 1])
def test_both_sides_of_the_limit(names, extra):
    body = coded(NOISE, *(name for name in names if name in CODED))
    limit = len(NOISE) + extra
    headers = "Content-Encoding: " + ", ".join(names)
    found = parse_response(answer(body, headers), limit)
    assert found == (NOISE[: limit + 1], "text/html", 203, "")


BOMBS = [
    *[("gzip",), ("deflate",), ("br",), ("zstd",), ("gzip", "chunked"), ("gzip", "gzip")],
    *[("br", "zstd"), ("gzip",) * 60],
]


@pytest.mark.parametrize("names", BOMBS)
def test_a_bomb_takes_little_more_than_the_limit(names):
    bomb, limit = coded(bytes(60_000_000), *names), 1_000_000
    block = answer(bomb, "Content-Encoding: " + ",".join(names))
    tracemalloc.start()
    found = parse_response(block, limit)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found.body == bytes(limit + 1)
    assert peak < 10 * limit


def test_a_bomb_inside_which_nothing_is_takes_little():
    bomb = coded(gzipped(b"") * 1_000_000, "gzip", "gzip")
    with pytest.raises(PageError, match="still packed") as error:
        undo(bomb, ("gzip",) * 3, 100_000)
    assert error.value.reason == "too-many-bytes"


def test_codings_are_counted():
    assert undo(b"\0abc", ["no"] * MOST_CODINGS + ["identity"], 9) == (b"\0abc", "")
    with pytest.raises(PageError, match="65 codings") as error:
        undo(b"\0abc", ["no"] * (MOST_CODINGS + 1), 9)
    assert error.value.reason == "too-many-bytes"


PACKED = gzipped(NOISE)


@pytest.mark.parametrize(
    ("body", "encoding", "most", "expected"),
    [
        (PACKED, "gzip", 8999, (NOISE[:8999], "")),
        (PACKED, "gzip", 9000, (NOISE, "")),
        (PACKED, "gzip", 9001, (NOISE, "")),
        (PACKED[:-9], "gzip", 9000, None),
        (PACKED + PACKED, "gzip", 99999, (NOISE * 2, "")),
        (PACKED + b"garbage", "gzip", 99999, (NOISE, "")),
        (PACKED[:-8] + bytes(8), "gzip", 9001, None),
        (PACKED[:-8] + bytes(8), "gzip", 8000, (NOISE[:8000], "")),
        (PACKED[:12], "gzip", 99, (b"", "breaks off")),
        (zlib.compress(NOISE)[2:-4], "deflate", 9999, (NOISE, "")),
        (PACKED, "compress", 9, None),
        (b"a" * 256 + b"\1", "gzip", 9, None),
        (b"\xff\xfe\1\2", "gzip", 9, None),
        (b"\xfe\xff\1\2", "gzip", 9, None),
        (b"\t\n\f\r\x1b", "br", 9, None),
    ],
)
def test_damaged_contents(body, encoding, most, expected):
    found = unpack(body, encoding, most)
    if expected is None and found is not None:
        assert NOISE.startswith(found.data)
        assert (len(found.data) > 8700, found.fault[:10]) in [
            (True, "breaks off"),
            (True, "is damaged"),
        ]
    else:
        assert found == expected
