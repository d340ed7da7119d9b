"""Streams that are packed: what comes out, where it stood, and where reading goes on."""

import gzip
import io
import random

import pytest

from victor.sources.decompress import chunks, find_member, gzip_chunks, raw_chunks, zstd_chunks

HEAD = b"WARC/"
CHUNK = 1 << 15
NOISE = random.Random(4).randbytes(3 * CHUNK)
MAGIC = b"\x1f\x8b\x08"


def member(data):
    return gzip.compress(data, mtime=0)


def summed(found):
    """Data, offset, beginning and fault of chunks; those that continue one another are joined."""
    rows = []
    for chunk in found:
        if rows and not chunk.starts and not rows[-1][3] and rows[-1][1] == chunk.offset:
            rows[-1][0] += chunk.data
            rows[-1][3] = chunk.fault
        else:
            rows.append([chunk.data, chunk.offset, chunk.starts, chunk.fault])
    return rows


def read(packed, head=HEAD, **where):
    return summed(gzip_chunks(io.BytesIO(packed), head, **where))


A, B, C = member(HEAD + b"a"), member(HEAD + b"b" + NOISE), member(b"no head")


@pytest.mark.parametrize("zeros", [0, 1, CHUNK - 1, CHUNK, CHUNK + 1])
def test_members_and_padding(zeros):
    packed = A + bytes(zeros) + B + bytes(zeros) + C + bytes(zeros)
    starts = [0, len(A) + zeros, len(A + B) + 2 * zeros]
    assert read(packed) == [
        [HEAD + b"a", starts[0], True, ""],
        [HEAD + b"b" + NOISE, starts[1], True, ""],
        [b"no head", starts[2], False, ""],
    ]
    assert [row[2] for row in read(packed, b"")] == [False, False, False]


def test_reading_ends_where_a_member_does():
    assert read(A + B + A, end=len(A + B))[2:] == [[b"", len(A + B), True, ""]]
    assert len(read(A + B + A, end=len(A + B) + 1)) == 3
    stream = io.BytesIO(A + B)
    stream.seek(len(A))
    assert summed(gzip_chunks(stream, HEAD, start=len(A)))[0][1] == len(A)


@pytest.mark.parametrize("garbage", [b"x", b"x" * 99, MAGIC, MAGIC[:2], b"x" * CHUNK + MAGIC[:1]])
def test_garbage_between_members(garbage):
    found = read(A + garbage + A)
    at = len(A) + len(garbage)
    assert [row[0] for row in found] == [HEAD + b"a", b"", HEAD + b"a"]
    assert found[1][1:3] == [len(A), True]
    assert found[1][3].endswith(f"read on at byte {at}")
    assert found[2][1:] == [at, True, ""]


@pytest.mark.parametrize("cut", [1, 4, 8, 9])
def test_a_member_that_breaks_off(cut):
    found = read(A + A[:-cut])
    assert found[0] == [HEAD + b"a", 0, True, ""]
    (data, offset, starts, fault) = found[1]
    assert HEAD.startswith(data[:5])
    assert (offset, starts) == (len(A), True)
    assert fault == (
        f"damaged gzip member at byte {len(A)} (it breaks off); read on at byte {2 * len(A) - cut}"
    )


@pytest.mark.parametrize(("n", "starts"), [(5, True), (4, True), (0, True)])
def test_a_damage_before_or_behind_the_beginning(n, starts):
    # Stored bytes come out one by one, so the damage may stand anywhere.
    whole = gzip.compress(HEAD + b"abc", 0, mtime=0)
    packed = whole[: 15 + n]
    assert read(packed) == [
        [
            HEAD[:n],
            0,
            starts,
            f"damaged gzip member at byte 0 (it breaks off); read on at byte {15 + n}",
        ]
    ]


@pytest.mark.parametrize(
    ("packed", "expected"),
    [
        (A, 0),
        (b"x" + A, 1),
        (C + A, len(C)),
        (MAGIC + A, 3),
        (MAGIC * 9, 27),
        (b"x" * (CHUNK - 1) + A, CHUNK - 1),
        (b"x" * (CHUNK - 2) + A, CHUNK - 2),
        (b"x" * (CHUNK - 3) + A, CHUNK - 3),
        (b"x" * CHUNK + A, CHUNK),
        (b"x" * 9, 9),
        (b"", 0),
    ],
)
def test_the_next_member_that_begins_as_it_should(packed, expected):
    assert find_member(io.BytesIO(packed), 0, HEAD) == expected


@pytest.mark.parametrize(("stop", "expected"), [(6, 6), (7, 9), (None, 9)])
def test_members_are_looked_for_up_to_a_byte(stop, expected):
    packed = b"x" * 5 + MAGIC + b"x" + A
    assert find_member(io.BytesIO(packed), 0, HEAD, stop) == expected
    assert find_member(io.BytesIO(packed + A), 10, HEAD) == len(packed)


def test_the_sum_at_the_end_is_that_of_the_data():
    wrong = A[:-8] + bytes(4) + A[-4:]
    found = read(wrong + A)
    assert [row[0] for row in found] == [HEAD + b"a", HEAD + b"a"]
    assert "incorrect data check" in found[0][3]
    assert read(A[:-4] + bytes(4) + A)[0][3].startswith("damaged gzip member at byte 0 (incorrect")


class Broken(io.RawIOBase):
    """A stream that can be read up to a byte."""

    def __init__(self, data):
        self.waiting = data

    def read(self, n=-1):
        if not self.waiting:
            raise OSError("gone")
        data, self.waiting = self.waiting[:n], self.waiting[n:]
        return data


def test_streams_that_break():
    assert summed(gzip_chunks(Broken(A), HEAD))[1:] == [
        [b"", len(A), True, f"cannot be read after byte {len(A)}: gone"]
    ]
    assert summed(raw_chunks(Broken(b"abc"), 5)) == [
        [b"abc", 5, True, ""],
        [b"", 8, False, "cannot be read after byte 8: gone"],
    ]
    assert summed(raw_chunks(Broken(b""), 5)) == [
        [b"", 5, True, "cannot be read after byte 5: gone"]
    ]
    assert summed(raw_chunks(io.BytesIO(b""))) == []


def test_offsets_of_what_is_not_packed():
    found = list(chunks(io.BytesIO(NOISE), b"no magic"))
    assert b"".join(chunk.data for chunk in found) == NOISE
    assert [(chunk.offset, chunk.starts, chunk.is_exact) for chunk in found] == [
        (0, True, True),
        (1 << 16, False, True),
    ]
    assert not next(gzip_chunks(io.BytesIO(A))).is_exact


def test_frames_of_zstandard():
    zstandard = pytest.importorskip("zstandard")
    frame = zstandard.compress(NOISE)
    (whole,) = summed(zstd_chunks(io.BytesIO(frame)))[:1]
    assert whole[1:] == [0, True, ""]

    def unpacked(packed):
        found = list(zstd_chunks(io.BytesIO(packed)))
        return b"".join(chunk.data for chunk in found), [c.fault for c in found if c.fault]

    assert unpacked(frame * 2) == (NOISE * 2, [])
    assert unpacked(b"") == (b"", [])
    data, faults = unpacked(frame[:-1])
    assert (NOISE.startswith(data), faults) == (True, [f"breaks off at byte {len(frame) - 1}"])
    data, faults = unpacked(frame + b"no frame at all")
    assert data == NOISE
    assert faults[0].startswith("is damaged after byte")
    assert all(chunk.starts is (chunk.offset == 0) for chunk in zstd_chunks(io.BytesIO(frame * 2)))
