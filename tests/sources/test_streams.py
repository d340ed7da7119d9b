"""What kind of input the first bytes are, and reading them again."""

import gzip
import random
from functools import partial

import pytest
import zstandard

from victor.sources import Input, ReadOptions
from victor.sources.streams import (
    compression_magic,
    kind_of_stream,
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
        (zstandard.compress(b"{}"), "jsonl"),
        (zstandard.compress(b"") + zstandard.compress(b"WARC/1.0"), "warc"),
        (zstandard.compress(b"WARC/" + random.Random(0).randbytes(1 << 17)), "warc"),
        (b"\x5d\x2a\x4d\x18", "warc"),
        (b"\x50\x2a\x4d\x18", "html"),
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
        ("a.warc.zst", b"garbage", b"\x28\xb5\x2f\xfd"),
        ("a.warc", b"\x5d\x2a\x4d\x18", b"\x5d\x2a\x4d\x18"),
        ("a.warc", gzipped(b"WARC/1.0"), gzipped(b"WARC/1.0")),
        ("a.jsonl", b"garbage", b"garbage"),
    ],
)
def test_a_warc_that_begins_with_garbage(name, head, magic):
    kind = "warc" if "warc" in name.lower() else "jsonl"
    assert compression_magic(Input(name, kind), head) == magic
