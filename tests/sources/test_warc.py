"""WARC files: the pages in them, with HTTP undone."""

import gzip
import random

import pytest
import zstandard

from tests.rows import seen, tables
from victor.sources.record import Damage

ROWS = tables(__file__)


def written(warc, block=None, body="", version="1.0", newlines=False, **said):
    """The record that a row tells."""
    headers = said.pop("headers", [])
    of_http = {"content_type": said.pop("content_type")} if "content_type" in said else {}
    content = warc.http(body.encode(), *headers, **of_http) if block is None else block.encode()
    if newlines:
        content = content.replace(b"\r\n", b"\n")
    record = warc.record(content, **said).replace(b"WARC/1.0", f"WARC/{version}".encode(), 1)
    return record.replace(b"\r\n", b"\n") if newlines else record


@pytest.mark.parametrize("case", ROWS["records"].values(), ids=ROWS["records"])
def test_records(warc, pack, read_bytes, case):
    records = (written(warc, **said) for said in case["records"])
    found = read_bytes(b"".join(map(pack, records)))
    fields = [{name: getattr(one, name) for name in one.__slots__} for one in found]
    fields = [known | {"body": known["body"].decode()} for known in fields]
    assert seen(fields, case["found"]) == case["found"]


LONG = b"<p>" + random.Random(0).randbytes(99_000).hex().encode()


def test_a_packed_body_is_taken_up_to_its_damage_and_marked(warc, read_bytes):
    packed = gzip.compress(LONG)
    for content, is_whole in ((packed, True), (packed[:66_000], False)):
        (found,) = read_bytes(warc.record(warc.http(content, "Content-Encoding: gzip")))
        assert LONG.startswith(found.body)
        assert (found.body == LONG, "damaged" in found.metadata) == (is_whole, not is_whole)
    assert "body" in found.metadata["damaged"]


def test_a_packed_body_that_gives_nothing_is_a_damage(warc, read_bytes):
    cut = zstandard.compress(LONG)[:500]
    (found,) = read_bytes(warc.record(warc.http(cut, "Content-Encoding: zstd")))
    assert isinstance(found, Damage)
    assert "zstd" in found.message


def test_a_huge_body_that_cannot_be_cut_is_a_damage(warc, pack, read_bytes):
    packed = gzip.compress(random.Random(0).randbytes(300_000))
    chunks = b"".join(b"1\r\n%c\r\n" % byte for byte in packed) + b"0\r\n\r\n"
    huge = warc.record(chunks, "http://huge", media="text/html")
    head = warc.http(chunks, "Transfer-Encoding: chunked")
    found = read_bytes(b"".join(map(pack, [warc.record(head), huge])), max_bytes=100_000)
    assert isinstance(found[0], Damage)
    assert found[0].reason == "too-many-bytes"
    assert len(found[1].body) == 100_001


def test_one_gzip_member_may_hold_all_records(warc, read_bytes, urls):
    pages = warc.pages(20, 50)
    assert urls(read_bytes(gzip.compress(b"".join(pages)))) == urls(read_bytes(b"".join(pages)))


def test_gzip_members_may_cut_records(warc, read_bytes, urls):
    content = b"".join(warc.pages(20, 50))
    blocks = [gzip.compress(content[i : i + 700]) for i in range(0, len(content), 700)]
    assert urls(read_bytes(b"".join(blocks))) == [f"http://example.org/{i}" for i in range(20)]
