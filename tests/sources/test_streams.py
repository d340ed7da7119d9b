"""What kind of input the first bytes are, and reading them again."""

import gzip
import io
from functools import partial

import pytest

from victor.sources import Input, ReadOptions
from victor.sources.streams import (
    HEAD_BYTES,
    Peeked,
    compression_magic,
    kind_of_stream,
    read_up_to,
    seekable,
)

TAR = bytes(257) + b"ustar"
OPTIONS = ReadOptions()
gzipped = partial(gzip.compress, mtime=0)


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"PK\3\4", "zip"),
        (b"PAR1", "parquet"),
        (b"BZh9", "tar"),
        (b"\xfd7zXZ\0", "tar"),
        (b"WARC/1.0", "warc"),
        (gzipped(b"WARC/1.0"), "warc"),
        (TAR, "tar"),
        (gzipped(TAR), "tar"),
        (bytes(256) + b"ustar", "html"),
        (bytes(258) + b"ustar", "html"),
        (b"\x28\xb5\x2f\xfd", "jsonl"),
        (b' \n{"html"', "jsonl"),
        (gzipped(b"{}"), "jsonl"),
        (b"<p>{", "html"),
        (b"\x1f\x8b and no gzip", "html"),
        (b"", "html"),
    ],
)
def test_kinds(head, kind):
    for source in (Input("a", "unknown"), Input("-", "stdin")):
        assert kind_of_stream(source, head, OPTIONS) == kind
        assert kind_of_stream(source, head, ReadOptions(kind="zip")) == "zip"
    assert kind_of_stream(Input("a.tar", "tar"), head, ReadOptions(kind="zip")) == "tar"


@pytest.mark.parametrize(
    ("name", "head", "magic"),
    [
        ("a.warc", b"garbage", b"WARC/"),
        ("a.WARC.GZ", b"garbage", b"\x1f\x8b"),
        ("a.warc.gz", b"WARC/1.0", b"WARC/1.0"),
        ("a.warc", gzipped(b"WARC/1.0"), gzipped(b"WARC/1.0")),
        ("a.jsonl", b"garbage", b"garbage"),
    ],
)
def test_a_warc_that_begins_with_garbage(name, head, magic):
    kind = "warc" if "warc" in name.lower() else "jsonl"
    assert compression_magic(Input(name, kind), head) == magic


class Slow(io.BytesIO):
    """Gives two bytes at a time."""

    def read(self, n=-1):
        return super().read(min(n, 2))


@pytest.mark.parametrize("n", [0, 1, 2, 3, 6, 7])
def test_streams_that_give_less_than_they_are_asked_for(n):
    assert read_up_to(Slow(b"abcdef"), n) == b"abcdef"[:n]


def test_a_stream_is_read_again():
    data = bytes(range(256)) * 20
    stream = Peeked(io.BytesIO(data))
    assert stream.head == data[:HEAD_BYTES] == data[:4096]
    assert stream.tell() == 0
    assert stream.read(10) == data[:10]
    assert stream.tell() == 10
    assert io.BufferedReader(stream).read() == data[10:]
    stream.seek(3)
    assert stream.read(4) == data[3:7]
    assert stream.tell() == 7
    assert stream.readable()
    assert stream.seekable()


def test_a_stream_that_only_goes_forward_is_copied():
    class Pipe(io.BytesIO):
        def seekable(self):
            return False

    for stream in (io.BytesIO(b"abc"), Pipe(b"abc")):
        with seekable(stream) as file:
            assert (file is stream) is stream.seekable()
            assert (file.read(), file.seek(1), file.read()) == (b"abc", 1, b"bc")
