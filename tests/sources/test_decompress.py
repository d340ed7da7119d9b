"""Streams that are packed: what comes out, where it stood, and where reading goes on."""

import gzip
import io
import random

import pytest

from victor.sources.decompress import chunks, gzip_chunks, raw_chunks, zstd_chunks

HEAD = b"WARC/"
CHUNK = 1 << 15
NOISE = random.Random(4).randbytes(3 * CHUNK)
A = gzip.compress(HEAD + b"a", mtime=0)


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
