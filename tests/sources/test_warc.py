"""WARC files: the pages in them, with HTTP undone."""

import gzip
import random

import pytest
import zstandard

from victor.sources.record import Damage, Record

BODY = b"<html><body><p>Bees." + b" The bees left." * 100 + b"</body></html>"


def test_a_response_gives_a_page_with_all_that_is_said_of_it(warc, pack, read_bytes):
    block = warc.http(BODY, content_type="Text/HTML; charset=windows-1250")
    (found,) = read_bytes(pack(warc.record(block, "http://a.org/ž")))
    assert found == Record(
        source=found.source,
        number=0,
        body=BODY,
        url="http://a.org/ž",
        id="urn:uuid:http://a.org/ž",
        charset="windows-1250",
        media_type="text/html",
        date="2026-01-02T03:04:05Z",
        metadata={"http_status": 200},
    )
    assert found.source.endswith("crawl.warc")


@pytest.mark.parametrize(
    "header",
    [
        *(f"Content-Encoding: {name}" for name in ("gzip", "br", "deflate", "unheard-of")),
        "Transfer-Encoding: chunked",
    ],
)
def test_a_body_that_was_undone_already_is_taken_as_it_stands(warc, read_bytes, header):
    (found,) = read_bytes(warc.record(warc.http(BODY, header)))
    assert found.body == BODY


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


def test_only_pages_are_read(warc, pack, read_bytes, urls):
    block = warc.http(BODY)
    records = [
        warc.record(b"software: x\r\n", "http://info", kind="warcinfo", media="text/plain"),
        warc.record(b"GET / HTTP/1.1\r\n\r\n", "http://request", kind="request"),
        warc.record(block, "http://page"),
        warc.record(b"", "http://revisit", kind="revisit"),
        warc.record(b"a: b\r\n", "http://metadata", kind="metadata", media="text/plain"),
        warc.record(BODY, "http://resource", kind="resource", media="text/html"),
        warc.record(b"\x89PNG", "http://picture", kind="resource", media="image/png"),
        warc.record(b"20260101 1.2.3.4", "dns:a.org", media="text/dns"),
        warc.record(BODY, "http://text", kind="conversion", media="text/plain"),
    ]
    found = read_bytes(b"".join(map(pack, records)))
    assert urls(found) == ["http://page", "http://resource", "http://text"]
    assert [one.is_text for one in found] == [False, False, True]
    assert found[1].body == found[2].body == BODY
    assert found[1].media_type == "text/html"


def test_an_answer_without_status_line_is_marked(warc, read_bytes):
    (found,) = read_bytes(warc.record(b"Content-Type: text/html\r\n\r\n<p>bees"))
    assert found.body.endswith(b"<p>bees")
    assert "status line" in found.metadata["damaged"]


@pytest.mark.parametrize("version", [b"0.17", b"0.18", b"1.1"])
def test_other_versions_are_read(warc, pack, read_bytes, urls, version):
    pages = [page.replace(b"WARC/1.0", b"WARC/" + version, 1) for page in warc.pages(3)]
    found = read_bytes(b"".join(map(pack, pages)))
    assert urls(found) == [f"http://example.org/{n}" for n in range(3)]


@pytest.mark.parametrize("media", ["text/html", None])
def test_a_response_without_http_is_its_body(warc, read_bytes, media):
    (found,) = read_bytes(warc.record(BODY, media=media))
    assert found.body == BODY
    assert found.media_type == media


def test_lines_may_end_in_newlines_alone(warc, pack, read_bytes):
    block = warc.http(BODY).replace(b"\r\n", b"\n")
    records = [warc.record(block, f"http://{i}").replace(b"\r\n", b"\n") for i in range(3)]
    found = read_bytes(b"".join(map(pack, records)))
    assert [one.body for one in found] == [BODY] * 3


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
