"""Bodies of HTTP and their codings: where they end, and what is wrong with them."""

import gzip
import random
import tracemalloc
import zlib
from functools import partial

import brotli
import pytest
import zstandard

from tests.rows import tables
from victor.base.errors import PageError
from victor.sources.unpack import MOST_CODINGS, undo, unpack
from victor.sources.warc import parse_response

ROWS = tables(__file__)
NOISE = random.Random(3).randbytes(9000)
gzipped = partial(gzip.compress, mtime=0)


def answer(body, *headers):
    lines = ["HTTP/1.1 203 Fine", "Content-Type: text/html", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


CODED = {
    "gzip": gzipped,
    "x-gzip": gzipped,
    "deflate": zlib.compress,
    "raw": lambda body: zlib.compress(body)[2:-4],
    "br": brotli.compress,
    "zstd": zstandard.compress,
    "chunked": lambda body: b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body),
}


def coded(body, *names):
    for name in names:
        body = CODED[name](body)
    return body


def made(written):
    """The body that a row tells."""
    first, *steps = written.split(" ")
    known = {"NOISE": NOISE, "HEX": NOISE.hex().encode(), "empty": b""}
    body = known.get(first, first.encode("latin-1"))
    for step in steps:
        kind, value = step[0], step[1:]
        if step in CODED:
            body = CODED[step](body)
        elif kind == "+":
            body += value.encode()
        else:
            body = body * int(value) if kind == "*" else body[: int(value)]
    return body


@pytest.mark.parametrize(("body", "data", "breaks_off"), ROWS["chunks"])
def test_chunks_of_a_body_that_cannot_be_unpacked(body, data, breaks_off):
    headers = ("Transfer-Encoding: chunked", "Content-Encoding: gzip")
    fault = "the chunked body breaks off" if breaks_off else ""
    assert parse_response(answer(body, *headers), 99) == (data, "text/html", 203, fault)


@pytest.mark.parametrize(("written", "coding", "most", "expected", "fault"), ROWS["codings"])
def test_codings_that_are_undone(written, coding, most, expected, fault):
    found = unpack(made(written), coding, most)
    if expected is None:
        assert found is None
    elif expected == "some":
        assert len(found.data) > 0.9 * len(made(written))
        assert found.fault.startswith(fault or ("breaks off", "is damaged"))
        whole = made(written.partition(" ")[0])
        assert whole.startswith(found.data if fault else found.data[:3000])
    else:
        assert found == (made(expected), fault)


PACKED = [name for name in CODED if name != "raw"]
LISTS = [
    *[(name,) for name in PACKED],
    *[("gzip", name) for name in PACKED],
    ("unknown",) * 2 + ("br", "identity", "gzip", "utf-8"),
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
