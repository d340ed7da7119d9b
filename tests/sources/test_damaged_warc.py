"""Damaged WARC files: what is damaged is reported, and nothing else is lost."""

import gzip
import io
import random
import tracemalloc
import zlib

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.sources import Input, ReadOptions, read
from victor.sources.decompress import ZSTD, gzip_chunks
from victor.sources.record import Damage


def url(i):
    return f"http://example.org/{i}"


def all_but(n, *lost):
    return [url(i) for i in range(n) if i not in lost]


def suffix(pack):
    return ".gz" if pack is gzip.compress else ""


def pages_of(found):
    return [one.url for one in found if not isinstance(one, Damage)]


def damages_of(found):
    return [one for one in found if isinstance(one, Damage)]


def marked(found):
    """Numbers of the pages that say that something is wrong."""
    return [one.number for one in found if "damaged" in getattr(one, "metadata", {})]


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.99])
def test_a_truncated_member_costs_itself(warc, read_bytes, share):
    records = [*map(gzip.compress, warc.pages(9, 300))]
    whole = records[4]
    records[4] = whole[: int(len(whole) * share)]
    found = read_bytes(b"".join(records))
    assert pages_of(found) == all_but(9, 4)
    (damage,) = damages_of(found)
    assert damage.number == 4
    assert damage.reason == "damaged-warc"
    assert f"byte {sum(map(len, records[:4]))}" in damage.message
    assert damage.url in {url(4), None}
    assert [one.number for one in found] == list(range(9))


LENGTHS = [0, 5, 500, 100_000, 10**17, "many", "-1", None, "9" * 30]


def with_a_bad_length(warc, length):
    pages = warc.pages(9, 300)
    pages[4] = warc.record(warc.http(b"<p>bees" * 200), url(4), Content_Length=length)
    return pages


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize(
    "packed",
    [
        b"".join,
        lambda pages: gzip.compress(b"".join(pages)),
        lambda pages: b"".join(map(gzip.compress, pages)),
        lambda pages: b"".join(map(zstandard.compress, pages)),
    ],
    ids=["plain", "one-member", "members", "frames"],
)
def test_a_record_with_a_bad_length_ends_where_the_next_begins(warc, read_bytes, length, packed):
    content = packed(with_a_bad_length(warc, length))
    found = read_bytes(content, "a" if content.startswith(ZSTD) else "a.warc", max_bytes=50_000)
    assert [one.url for one in found] == all_but(9)
    assert found[4].body == b"<p>bees" * 200
    assert marked(found) == [4]


@pytest.mark.parametrize("more", [-40, -1, 1, 10, 500])
@pytest.mark.parametrize("number", [0, 4, 8])
def test_a_length_that_is_a_little_wrong(warc, read_bytes, number, more):
    pages, block = warc.pages(9, 300), warc.http(b"<p>bees" * 200)
    pages[number] = warc.record(block, url(number), Content_Length=len(block) + more)
    found = read_bytes(b"".join(pages))
    assert [one.url for one in found] == all_but(9)
    assert found[number].body.rstrip() == b"<p>bees" * 200
    assert marked(found) == ([] if more == 1 else [number])  # one of the empty lines is no damage


def test_a_wrong_length_of_what_is_no_page_is_a_damage(warc, read_bytes):
    image = warc.record(
        b"GIF89a" * 99, url(1), kind="resource", media="image/gif", Content_Length=5
    )
    found = read_bytes(warc.page(b"<p>", 0) + image + warc.page(b"<p>", 2))
    assert [one.url for one in found] == all_but(3)
    assert [damage.number for damage in damages_of(found)] == [1]


def test_a_record_that_is_cut_is_a_page_up_to_there(warc, read_bytes):
    pages = warc.pages(3, 300)
    whole = pages[1]
    for n in (len(whole) // 2, len(whole) - 5):
        for following in (pages[2], b""):
            found = read_bytes(pages[0] + whole[:n] + following)
            assert pages_of(found) == [url(i) for i in range(3 if following else 2)]
            assert whole[:n].endswith(found[1].body)
            assert marked(found) == [1]


def test_a_record_of_a_wrong_length_is_cut_at_the_limit(warc, read_bytes):
    bad = warc.record(warc.http(b"<p>" + b"x" * 200_000), url(0), Content_Length=9)
    found = read_bytes(gzip.compress(bad) + gzip.compress(warc.page(b"<p>", 1)), max_bytes=50_000)
    assert [len(one.body) for one in found] == [50_001, 3]


@pytest.mark.parametrize("size", [1, 3, 1000, 32_765, 32_766, 32_767, 100_000])
@pytest.mark.parametrize("place", [0, 4, 9])
def test_garbage_between_records_costs_none(warc, pack, read_bytes, size, place):
    records = [*map(pack, warc.pages(9, 300))]
    records.insert(place, b"x" + random.Random(size).randbytes(size))
    found = read_bytes(b"".join(records), f"crawl.warc{suffix(pack)}")
    assert pages_of(found) == all_but(9)
    (damage,) = damages_of(found)
    assert damage.number == place
    assert f"at byte {sum(map(len, records[:place]))}" in damage.message


def test_zeros_between_members_are_padding(warc, read_bytes):
    records = [gzip.compress(page) + bytes(1000) for page in warc.pages(3)]
    found = read_bytes(b"".join(records))
    assert pages_of(found) == all_but(3)
    assert not damages_of(found)


def test_a_wrong_checksum_costs_its_member(warc, read_bytes):
    records = [*map(gzip.compress, warc.pages(9, 300))]
    records[4] = records[4][:-8] + bytes(8)
    found = read_bytes(b"".join(records))
    assert pages_of(found) == all_but(9, 4)
    assert [damage.url for damage in damages_of(found)] == [url(4)]


def test_damaged_neighbours_are_a_damage_each(warc, read_bytes):
    records = [*map(gzip.compress, warc.pages(9, 300))]
    for i in (3, 4, 5):
        records[i] = records[i][: len(records[i]) // 2]
    found = read_bytes(b"".join(records))
    assert pages_of(found) == all_but(9, 3, 4, 5)
    assert len(damages_of(found)) == 3


def test_one_member_for_all_is_read_up_to_its_damage(warc, read_bytes):
    pages = warc.pages(200, 100)
    wild = random.Random(0)
    pages = [warc.page(wild.randbytes(300).hex().encode(), i) for i in range(200)]
    content = gzip.compress(b"".join(pages))
    cut = len(content) // 2
    found = read_bytes(content[:cut])
    whole = zlib.decompressobj(31).decompress(content[:cut])
    complete = whole.count(b"\r\n\r\nWARC/1.0")
    assert pages_of(found)[:complete] == all_but(complete)
    assert len(damages_of(found)) == 1


def test_a_page_about_warcs_is_a_page(warc, pack, read_bytes):
    inner = b"<pre>\r\n\r\n" + warc.page(b"<p>not a page of its own", 99)
    found = read_bytes(b"".join(map(pack, [warc.page(inner, 0), warc.page(b"<p>", 1)])))
    assert [one.body for one in found] == [inner, b"<p>"]


@pytest.mark.parametrize("content", [b"x", b"\x1f\x8b", b"\x1f\x8b\x08", b"WARC/1.0\r\n", bytes(9)])
def test_what_is_no_warc_is_a_damage(read_bytes, content):
    found = read_bytes(content)
    assert not pages_of(found)
    assert len(damages_of(found)) == 1


def test_an_empty_file_holds_nothing(read_bytes):
    assert read_bytes(b"") == []


@pytest.mark.slow
@pytest.mark.parametrize("flood", [b"WARC/1.0\r\nA", b"\x1f\x8b\x08\0\0\0", b"\x1f\x8b\x08" * 2])
def test_floods_of_beginnings_end(warc, pack, read_bytes, flood):
    found = read_bytes(
        b"".join([*map(pack, warc.pages(2)), flood * 5000, pack(warc.page(b"x", 2))])
    )
    assert pages_of(found)[:2] == all_but(2)
    assert pages_of(found)[-1] == url(2)


def test_a_length_that_ends_at_an_empty_line_inside_the_next_record_swallows_nothing(
    warc, read_bytes
):
    whole, following = warc.page(b"x" * 2000, 0), warc.page(b"word " * 300, 1)
    gap = b"\r\n\r\n"
    missing = following.index(gap, following.index(gap) + 1) + len(gap)
    short = whole[: -len(gap) - missing] + gap
    assert pages_of(read_bytes(short + following + warc.page(b"end", 2))) == all_but(3)


def test_a_length_that_ends_with_the_next_record_swallows_nothing(warc, read_bytes):
    whole, following = warc.page(b"x" * 2000, 0), warc.page(b"word " * 300, 1)
    gap = b"\r\n\r\n"
    short = whole[: -len(gap) - len(following) - len(gap)] + gap
    assert pages_of(read_bytes(short + following + warc.page(b"end", 2))) == all_but(3)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return tmp_path_factory.mktemp("warc") / "crawl.warc"


def damaged(data, content):
    """The content with a stretch of it replaced by other bytes, and the bounds of the stretch."""
    start = data.draw(st.integers(0, len(content)))
    end = min(start + data.draw(st.sampled_from((0, 1, 7, 311, 2003))), len(content))
    put = data.draw(
        st.binary(max_size=40)
        | st.integers(0, 99).map(lambda seed: random.Random(seed).randbytes(1500))
        | st.sampled_from((content[:30], content[:700], b"\x1f\x8b\x08\0", b"\r\n\r\n", bytes(99)))
    )
    return content[:start] + put + content[end:], start, end


@pytest.mark.slow
@settings(derandomize=True, deadline=None, max_examples=300)
@given(st.data())
def test_wherever_it_is_damaged_no_other_record_is_lost(warc, pack, file, data):
    records = [*map(pack, warc.pages(12, 150))]
    content, start, end = damaged(data, b"".join(records))
    path = file.with_name(f"crawl.warc{suffix(pack)}")
    path.write_bytes(content)
    source, options = Input(str(path), "warc"), ReadOptions(max_bytes=20_000)
    found = list(read(source, options))
    place, whole = 0, []
    for number, stored in enumerate(records):
        if place + len(stored) <= start or place >= end:
            whole.append(url(number))
        place += len(stored)
    assert set(whole) <= set(pages_of(found))
    assert [one.number for one in found] == list(range(len(found)))
    assert list(read(source, options, skip=4)) == found[4:]


@settings(derandomize=True, deadline=None, max_examples=100)
@given(st.data())
def test_one_member_for_all_is_read_up_to_any_damage(warc, file, data):
    pages = warc.pages(12, 150)
    content, start, _ = damaged(data, gzip.compress(b"".join(pages)))
    file.write_bytes(content)
    found = list(read(Input(str(file), "warc"), ReadOptions()))
    sound = zlib.decompressobj(31).decompress(content[:start])
    complete = sound.count(b"\r\n\r\nWARC/1.0")
    assert pages_of(found)[:complete] == all_but(complete)


def test_memory_stays_flat_over_a_large_file(warc, tmp_path):
    path = tmp_path / "large.warc.gz"
    member = gzip.compress(warc.record(warc.http(b"<p>" + b"word " * 200_000), url(0)))
    with path.open("wb") as out:
        for i in range(60):  # 60 MB of pages; every tenth is damaged
            out.write(member if i % 10 else member[:-20])
    tracemalloc.start()
    found = sum(1 for _ in read(Input(str(path), "warc"), ReadOptions(max_bytes=10_000)))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found == 60
    assert peak < 8_000_000


def test_bytes_read_again_are_bounded():
    class Counted(io.BytesIO):
        n_read = 0

        def read(self, size=-1):
            data = super().read(size)
            self.n_read += len(data)
            return data

    stream = Counted(b"".join(gzip.compress(b"WARC/1.0 %d" % i)[:-1] for i in range(3000)))
    list(gzip_chunks(stream, b"WARC/"))
    assert stream.n_read == len(stream.getvalue())
