"""Borders of ranges, and files that have none."""

import gzip
import random

import pytest

from victor.sources import Input, ReadOptions, ranges

OPTIONS = ReadOptions()
SIZE = 1000


def of_size(warc, size):
    """A record of so many bytes."""
    block = warc.http(b"<p>filler")
    return warc.record(block, X_Pad="a" * (size - len(warc.record(block, X_Pad=""))))


def planned(path, head, monkeypatch, start=0):
    monkeypatch.setattr(ranges, "RANGE_BYTES", SIZE)
    found = list(ranges.ranges(Input(str(path), "warc"), head, start))
    return [(one.start, one.end) for one in found]


@pytest.mark.parametrize("first", [SIZE - 1, SIZE, SIZE + 1])
def test_the_first_record_from_a_border_on(warc, tmp_path, monkeypatch, first):
    record = warc.page(b"<p>x")
    filler = of_size(warc, first)
    path = tmp_path / "a.warc"
    path.write_bytes(filler + record * 2)
    expected = first if first >= SIZE else first + len(record)
    assert planned(path, b"WARC/", monkeypatch) == [(0, expected), (expected, None)]
    assert planned(path, b"WARC/", monkeypatch, expected) == [(expected, None)]
    path.write_bytes(filler + record)
    size = [] if first < SIZE else [(0, first), (first, None)]
    assert planned(path, b"WARC/", monkeypatch) == (size or [(0, None)])


@pytest.mark.parametrize("first", [SIZE - 1, SIZE, SIZE + 1])
def test_the_first_member_from_a_border_on(warc, tmp_path, monkeypatch, first):
    member = gzip.compress(warc.page(b"<p>x"), mtime=0)
    path = tmp_path / "a.warc.gz"
    path.write_bytes(member + bytes(first - len(member)) + member * 2)
    expected = first if first >= SIZE else first + len(member)
    assert planned(path, b"\x1f\x8b", monkeypatch) == [(0, expected), (expected, None)]


@pytest.mark.parametrize("n", range(-14, 3))
def test_a_line_across_what_is_read_at_once(warc, tmp_path, monkeypatch, n):
    monkeypatch.setattr(ranges, "_STEP", 500)
    record = warc.page(b"<p>x").replace(b"WARC/1.0", b"WARC/0.18")
    size = SIZE + 499 + n
    filler = of_size(warc, size)
    path = tmp_path / "a.warc"
    path.write_bytes(filler + record)
    assert planned(path, b"WARC/", monkeypatch) == [(0, size), (size, None)]


def head_of(path, data):
    path.write_bytes(data)
    return ranges.head_of(Input(str(path), "warc"), OPTIONS)


def test_what_a_head_is(warc, tmp_path):
    record = warc.page(b"<p>x")
    assert head_of(tmp_path / "a.warc", record) == b"WARC/"
    assert head_of(tmp_path / "a.warc", b"garbage" + record) == b"WARC/"
    packed = gzip.compress(record, mtime=0)
    assert head_of(tmp_path / "a.warc.gz", packed) == packed[:5]
    assert ranges.head_of(Input("http://a.org/a.warc", "warc"), OPTIONS) is None
    assert ranges.head_of(Input(str(tmp_path), "warc"), OPTIONS) is None


@pytest.mark.parametrize(("longest", "is_split"), [(0, False), (1, True)])
@pytest.mark.parametrize("more", [-1, 1])
def test_a_file_is_split_unless_its_first_member_is_too_long(
    warc, tmp_path, monkeypatch, longest, is_split, more
):
    noise = random.Random(5).randbytes(2 * SIZE)
    members = [gzip.compress(warc.page(noise, n), mtime=0) for n in range(2)]
    data = b"".join(members)
    monkeypatch.setattr(ranges, "RANGE_BYTES", len(data) + min(more, 0))
    monkeypatch.setattr(ranges, "_LONGEST_MEMBER", len(members[0]) + longest)
    # One that is no longer than a range is one range.
    is_small = more > 0
    assert (head_of(tmp_path / "a.warc.gz", data) is not None) is (is_small or is_split)


def test_the_end_of_a_range_is_told(warc, tmp_path):
    records = warc.pages(3)
    path = tmp_path / "a.warc"
    path.write_bytes(b"".join(records))
    second = len(records[0])
    for end, n in ((second, 1), (second + 1, 2), (second - 1, 1), (None, 3)):
        reader = ranges.RangeReader(
            Input(str(path), "warc"), OPTIONS, ranges.Range(b"WARC/", 0, end)
        )
        assert [page.number for page in reader] == list(range(n))
        assert reader.met == (None if end is None else sum(map(len, records[:n])))
