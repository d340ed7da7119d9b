"""WARC files in ranges: range by range they give what they give as a whole."""

import gzip
import io
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from victor.sources import Input, ReadOptions, decompress, expand, http_response, ranges, read
from victor.sources.record import Damage

OPTIONS = ReadOptions()
QUICK = settings(derandomize=True, deadline=None, max_examples=60)


@pytest.fixture(scope="module")
def scratch(tmp_path_factory):
    """A file that every example writes anew."""
    return tmp_path_factory.mktemp("ranges") / "in.warc"


def by_ranges(path, size):
    """All pages and damages of a file, read range by range, and how often a border was wrong."""
    source, pages, met, n_wrong = Input(str(path), "warc"), [], 0, 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ranges, "RANGE_BYTES", size)
        patch.setattr(ranges, "_LONGEST_MEMBER", 1 << 30)
        head = ranges.head_of(source, OPTIONS)
        planned = [*ranges.ranges(source, head)]
    assert planned[-1].end is None
    for one in planned:
        n_wrong += met != one.start
        if met is None or (one.end is not None and met >= one.end):
            continue
        reader = ranges.RangeReader(source, OPTIONS, ranges.Range(head, met, one.end))
        pages += [numbered(page, len(pages)) for page in [*reader]]
        met = reader.met
    return pages, n_wrong


def numbered(page, before):
    """All of a page, with its number in the file."""
    fields = {name: getattr(page, name) for name in page.__slots__}
    return {**fields, "number": page.number + before}


def as_whole(path):
    return [numbered(page, 0) for page in read(Input(str(path), "warc"), OPTIONS)]


BODIES = st.one_of(
    st.binary(max_size=200),
    st.integers(0, 200).map(lambda n: b"<p>bees " * n),
    st.sampled_from([b"text\r\nWARC/1.0\r\nWARC-Type: response\r\n\r\n", b"\x1f\x8b\x08"]),
)


@st.composite
def archives(draw, warc):
    """The bytes of a WARC, packed or not, with damages and WARCs inside."""
    packed, records = draw(st.booleans()), []
    for number in range(draw(st.integers(1, 8))):
        body = draw(BODIES)
        if draw(st.integers(0, 3)) == 0:
            inner = [warc.page(draw(BODIES), 100 + each) for each in range(3)]
            body = b"".join(gzip.compress(each, mtime=0) for each in inner)
        length = draw(st.sampled_from([False] * 6 + [None, 0, -1, 40, 300, 10**9, 10**17]))
        changes = {} if length is False else {"Content_Length": length}
        record = warc.record(warc.http(body), f"http://example.org/{number}", **changes)
        if packed:
            record = gzip.compress(record, draw(st.sampled_from([0, 6])), mtime=0)
            record = record[: draw(st.sampled_from([len(record)] * 6 + [len(record) // 2]))]
        records.append(record + draw(st.sampled_from([b""] * 6 + [bytes(9), b"garbage"])))
    data = bytearray(b"".join(records))
    for _ in range(draw(st.sampled_from([0, 0, 1, 3]))):
        data[draw(st.integers(0, len(data) - 1))] = draw(st.integers(0, 255))
    return bytes(data)


@QUICK
@given(drawn=st.data(), size=st.sampled_from([50, 300, 2000]))
def test_ranges_give_what_the_whole_gives(warc, scratch, drawn, size):
    data = drawn.draw(archives(warc))
    path = scratch.with_suffix(".warc.gz" if data.startswith(b"\x1f\x8b") else ".warc")
    path.write_bytes(data)
    if ranges.head_of(Input(str(path), "warc"), OPTIONS) is not None:
        assert by_ranges(path, size)[0] == as_whole(path)


def test_borders_inside_a_record_are_noticed(warc, scratch):
    inner = b"".join(gzip.compress(page, mtime=0) for page in warc.pages(30))
    pages = [warc.page(b"<p>first"), warc.page(inner, 1), warc.page(b"<p>last", 2)]
    for pack in (bytes, lambda page: gzip.compress(page, 0, mtime=0)):
        path = scratch.with_suffix(".warc" if pack is bytes else ".warc.gz")
        body = inner if pack is not bytes else b"".join(warc.pages(30))
        pages[1] = warc.page(body, 1)
        path.write_bytes(b"".join(map(pack, pages)))
        found, n_wrong = by_ranges(path, 400)
        assert n_wrong > 3
        assert [page["url"][-1] for page in found] == ["0", "1", "2"]


def test_borders_are_records_and_apart(warc, scratch):
    path = scratch.with_suffix(".warc.gz")
    records = [gzip.compress(page, mtime=0) for page in warc.pages(50, 40)]
    path.write_bytes(b"".join(records))
    starts = {sum(map(len, records[:n])) for n in range(50)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ranges, "RANGE_BYTES", 1000)
        planned = [*ranges.ranges(Input(str(path), "warc"), b"\x1f\x8b")]
        again = [*ranges.ranges(Input(str(path), "warc"), b"\x1f\x8b", planned[3].start)]
    assert len(planned) > 5
    assert {each.start for each in planned} <= starts
    assert [each.end for each in planned[:-1]] == [each.start for each in planned[1:]]
    assert again == planned[3:]  # a run that goes on plans the same ranges


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.jsonl", b"{}"),
        ("a.html", b"WARC/1.0\r\nA"),
        ("unknown", b"<p>bees"),
    ],
)
def test_other_inputs_are_not_split(tmp_path, name, data):
    (tmp_path / name).write_bytes(data)
    (source,) = expanded(tmp_path / name)
    assert ranges.head_of(source, OPTIONS) is None


def test_a_file_that_is_one_member_is_not_split(warc, tmp_path, monkeypatch):
    monkeypatch.setattr(ranges, "RANGE_BYTES", 100)
    monkeypatch.setattr(ranges, "_LONGEST_MEMBER", 800)
    path = tmp_path / "a.warc.gz"
    noise = random.Random(1).randbytes(900)
    path.write_bytes(gzip.compress(b"".join(warc.page(noise, n) for n in range(3)), mtime=0))
    (source,) = expanded(path)
    assert ranges.head_of(source, OPTIONS) is None
    path.write_bytes(b"".join(gzip.compress(page, mtime=0) for page in warc.pages(3)))
    assert ranges.head_of(source, OPTIONS) is not None


def test_names_that_are_no_local_files_are_not_split(tmp_path):
    for name in ("s3://bucket/a.warc.gz", "-", str(tmp_path), str(tmp_path / "gone.warc")):
        assert ranges.head_of(Input(name, "warc"), OPTIONS) is None


def test_a_file_that_is_gone_is_one_damage(tmp_path):
    source = Input(str(tmp_path / "gone.warc.gz"), "warc")
    (one,) = ranges.ranges(source, b"\x1f\x8b")
    (page,) = ranges.RangeReader(source, OPTIONS, one)
    assert isinstance(page, Damage)
    assert page.reason == "unreadable"


def expanded(path):
    return expand([str(path)])


def chunks_of(data, monkeypatched):
    with pytest.MonkeyPatch.context() as patch:
        if monkeypatched:
            patch.setattr(decompress, "_whole_member", lambda window, start: None)
        joined = {}
        for chunk in decompress.gzip_chunks(io.BytesIO(data), b"WARC/"):
            key = chunk.offset
            before = joined.get(key, (b"", chunk.starts, ""))
            joined[key] = (before[0] + chunk.data, before[1], chunk.fault)
        return joined


@QUICK
@given(drawn=st.data())
def test_members_in_one_go_are_the_same(warc, drawn):
    data = drawn.draw(archives(warc))
    assert chunks_of(data, False) == chunks_of(data, True)


LINES = st.sampled_from(
    ["Content-Type: text/html", "content-type:x; charset=y", "Content-Length: 3", "Vary: Encoding",
     "Content-Encoding: gzip", "Transfer-Encoding: chunked", " folded", "X-A:\xe9", ":", ""]
)  # fmt: skip


@settings(derandomize=True, deadline=None, max_examples=300)
@given(
    status=st.sampled_from(["HTTP/1.1 200 OK", "HTTP/1.0 404", "HTTP/2 abc", "HTTP/"]),
    lines=st.lists(LINES, max_size=4),
    newline=st.sampled_from(["\r\n", "\r\n", "\n", "\r\r\n"]),
    gap=st.sampled_from(["\r\n\r\n", "\n\n", "\n\r\n\r\n", "\r\n", ""]),
    body=st.sampled_from([b"", b"<p>bees", b"3\r\nabc\r\n0\r\n\r\n", b"\r\n\r\nabc"]),
    limit=st.sampled_from([2, 1000]),
)
def test_a_header_that_is_parsed_alone_tells_the_same(status, lines, newline, gap, body, limit):
    block = (newline.join([status, *lines]) + gap).encode("latin-1") + body
    found = http_response.parse_response(block, "", limit)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(http_response, "_HEAD_BYTES", 0)  # so that the whole block is parsed
        assert found == http_response.parse_response(block, "", limit)
