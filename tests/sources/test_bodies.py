"""Bodies of HTTP and their codings: where they end, and what is wrong with them."""

import gzip
import random
import zlib
from functools import partial

import pytest

from victor.sources.damaged_body import unpack_damaged
from victor.sources.decompress import decode_content
from victor.sources.http_response import parse_response

NOISE = random.Random(3).randbytes(9000)
gzipped = partial(gzip.compress, mtime=0)


def answer(body, *headers):
    lines = ["HTTP/1.1 203 Fine", "Content-Type: text/html", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


# --- Answers -------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [2, 3, 4, 5])
@pytest.mark.parametrize("encode", [bytes, gzipped])
def test_one_byte_more_than_the_limit_is_kept(encode, limit):
    headers = ["Content-Encoding: gzip"] if encode is gzipped else []
    response = parse_response(answer(encode(b"abcd"), *headers), "", limit)
    assert response == (b"abcd"[: limit + 1], "text/html", 203, "")
    assert parse_response(b"abcd", "text/plain", limit) == (
        b"abcd"[: limit + 1],
        "text/plain",
        None,
        "",
    )


@pytest.mark.parametrize("n_members", [1, 2, 3])
@pytest.mark.parametrize("cut", [0, 1, 9])
def test_members_of_a_packed_body(n_members, cut):
    packed = b"".join(gzipped(b"<p>%d" % i) for i in range(n_members))
    found = parse_response(answer(packed[: len(packed) - cut], "Content-Encoding: gzip"), "", 99)
    assert found.body == b"".join(b"<p>%d" % i for i in range(n_members))
    assert found.fault == ("the packed body breaks off" if cut else "")


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
    assert parse_response(answer(body, *headers), "", 99) == (data, "text/html", 203, fault)


def test_of_a_body_that_cannot_be_unpacked_no_more_is_kept():
    found = parse_response(answer(b"<p>abc", "Content-Encoding: gzip"), "", 3)
    assert found == (b"<p>a", "text/html", 203, "")
    cut = parse_response(answer(gzipped(NOISE)[:-9], "Content-Encoding: gzip"), "", 8)
    assert cut == (NOISE[:9], "text/html", 203, "")


# --- Codings -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "encoding", "most", "data", "is_whole"),
    [
        (b"abc", "", 2, b"ab", True),
        (b"abc", "identity", 3, b"abc", True),
        (b"", "gzip", 3, b"", True),
        (gzipped(b"abc"), "gzip", 3, b"abc", True),
        (gzipped(b"abc"), "x-gzip", 2, b"ab", True),
        (gzipped(b"abc")[:-1], "gzip", 4, b"abc", False),
        (gzipped(b"abc")[:-1], "gzip", 3, b"abc", True),
        (gzipped(b"abc") * 2, "gzip", 9, b"abcabc", True),
        (gzipped(b"abc") * 2, "gzip", 6, b"abcabc", True),
        (gzipped(b"abc") + b"garbage", "gzip", 9, b"abc", True),
        (gzipped(b"") * 9 + gzipped(b"abc"), "gzip", 9, b"abc", True),
        (zlib.compress(b"abc"), "deflate", 9, b"abc", True),
        (zlib.compress(b"abc")[2:-4], "deflate", 9, b"abc", True),
        (gzipped(NOISE), "gzip", 9999, NOISE, True),
        (gzipped(NOISE) * 2, "gzip", 99999, NOISE * 2, True),
        (gzipped(NOISE), "gzip", 5000, NOISE[:5000], True),
    ],
)
def test_contents_that_are_undone(body, encoding, most, data, is_whole):
    assert decode_content(body, encoding, most) == (data, is_whole)


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
def test_contents_that_are_not_encoded_so(encoding):
    with pytest.raises(zlib.error):
        decode_content(b"<p>no", encoding, 9)


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
        (PACKED[:-8] + bytes(8), "gzip", 9001, (NOISE, "incorrect data check")),
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
    found = unpack_damaged(body, encoding, most)
    if body == PACKED[:-9]:
        assert NOISE.startswith(found.data)
        assert (len(found.data) > 8900, found.fault) == (True, "breaks off")
    else:
        assert found == expected
