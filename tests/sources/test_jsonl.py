"""JSONL and Parquet: a page for every row, a damage for every row that is none."""

import bz2
import datetime
import gzip
import json
import lzma

import pyarrow
import pytest
import zstandard
from pyarrow import parquet

from victor.sources.record import Damage

ROWS = [
    {
        "html": f"<p>page {i} \u010derven\u00e9 \U0001f41d",
        "url": f"http://example.org/{i}",
        "id": f"row-{i}",
        "date": "2026-01-02",
        "language": "cs",
        "rank": i,
    }
    for i in range(100)
]


def jsonl(rows):
    return b"".join(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows)


def table(rows, tmp_path, **options):
    path = tmp_path / "made.parquet"
    parquet.write_table(pyarrow.Table.from_pylist(rows), path, **options)
    return path.read_bytes()


def expected(found):
    numbers = [one.number for one in found]
    assert numbers == sorted({*numbers})
    assert [one.body for one in found] == [row["html"] for row in ROWS]
    assert [one.url for one in found] == [row["url"] for row in ROWS]
    assert [one.id for one in found] == [row["id"] for row in ROWS]
    assert {one.date for one in found} == {"2026-01-02"}
    assert found[7].metadata == {"language": "cs", "rank": 7}


@pytest.mark.parametrize(
    "pack",
    [bytes, gzip.compress, zstandard.compress, bz2.compress, lzma.compress,
     lambda content: gzip.compress(content[:999]) + gzip.compress(content[999:])],
)  # fmt: skip
def test_rows_of_jsonl(read_bytes, pack):
    expected(read_bytes(pack(jsonl(ROWS)), "a.jsonl"))


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstandard.compress])
def test_rows_of_a_file_whose_name_says_nothing(read_bytes, pack):
    expected(read_bytes(pack(jsonl(ROWS)), "a.unknown"))


def test_lines_that_are_no_rows_are_damages(read_bytes):
    lines = [
        b'{"html": "<p>a"}',
        b"{",
        b"",
        b"[1]",
        b'{"text": "b"}',
        b'{"html": null, "url": "u"}',
    ]
    lines += [b"\xff\xfe", b"[" * 100_000, b'{"html": 3}', b'{"html": "<p>\\ud800"}']
    found = read_bytes(b"\n".join(lines), "a.jsonl")
    reasons = [getattr(one, "reason", "page") for one in found]
    bad, none = "damaged-input", "no-html"
    assert reasons == ["page", bad, bad, none, none, bad, bad, none, "page"]
    assert (found[1].number, found[1].message[:22]) == (17, "the line is no JSON in")
    assert found[4].url == "u"
    assert found[-1].body == "<p>\ud800"


def test_columns_can_be_named(read_bytes):
    row = {"markup": "<p>a", "address": "http://a.org", "key": 7, "fetched": "2026", "html": 1}
    (found,) = read_bytes(
        jsonl([row]), "a.jsonl", html_column="markup", url_column="address", id_column="key",
        date_column="fetched",
    )  # fmt: skip
    assert (found.body, found.url, found.id, found.date) == ("<p>a", "http://a.org", "7", "2026")
    assert found.metadata == {"html": 1}


def test_long_bodies_are_cut_and_longer_lines_are_damages(read_bytes):
    rows = [{"html": "x" * 10}, {"html": "x" * 11}, {"html": "x" * 99}, {"html": "x" * 2_000_000}]
    found = read_bytes(jsonl([*rows, rows[0]]), "a.jsonl", max_bytes=10)
    assert [len(one.body) for one in found if not isinstance(one, Damage)] == [10, 11, 11, 10]
    assert found[3].reason == "too-many-bytes"


def test_lines_after_a_damaged_gzip_member_are_read(read_bytes):
    members = [gzip.compress(jsonl(ROWS[i : i + 10])) for i in range(0, 100, 10)]
    members[4] = members[4][:-30]
    found = read_bytes(b"".join(members), "a.jsonl.gz")
    assert any("read on at byte" in one.message for one in found if isinstance(one, Damage))
    ids = [one.id for one in found if not isinstance(one, Damage)]
    whole = [row["id"] for row in ROWS]
    assert ids[:40] == whole[:40]
    assert ids[-49:] == whole[51:]  # one goes with the line that breaks off


def test_rows_of_parquet(read_bytes, tmp_path):
    content = table(ROWS, tmp_path, row_group_size=30)
    found = read_bytes(content, "a.parquet")
    expected(found)
    assert read_bytes(content, "a.unknown") == [
        *(one.__class__(**{**fields(one), "source": one.source[:-7] + "unknown"}) for one in found)
    ]


def fields(record):
    return {name: getattr(record, name) for name in record.__slots__}


def test_bytes_and_dates_of_parquet(read_bytes, tmp_path):
    rows = [{"html": b"<p>\xe8", "date": datetime.date(2026, 1, 2), "links": ["a"]}, {"html": None}]
    found = read_bytes(table(rows, tmp_path), "a.parquet", max_bytes=3)
    assert (found[0].body, found[0].date, found[0].metadata) == (b"<p>\xe8", "2026-01-02", {})
    assert found[1].reason == "no-html"


def test_a_missing_column_is_said_once(read_bytes, tmp_path):
    (found,) = read_bytes(table(ROWS, tmp_path), "a.parquet", html_column="markup")
    assert found.reason == "no-html"
    assert "markup" in found.message


def test_a_damaged_row_group_costs_itself(read_bytes, tmp_path):
    content = table(ROWS, tmp_path, row_group_size=20, compression="gzip", use_dictionary=False)
    place = parquet.ParquetFile(pyarrow.BufferReader(content)).metadata.row_group(2).column(0)
    start = place.data_page_offset + 40
    found = read_bytes(content[:start] + bytes(100) + content[start + 100 :], "a.parquet")
    (message,) = [one.message for one in found if isinstance(one, Damage)]
    assert message.startswith("rows 40 to 59 cannot be read")
    ids = [one.id for one in found if not isinstance(one, Damage)]
    assert ids == [row["id"] for row in ROWS[:40] + ROWS[60:]]


@pytest.mark.parametrize(("more", "n_damages"), [(0, 0), (1, 1)])
def test_the_longest_line(read_bytes, more, n_damages):
    # Six bytes for each of the page, and a MiB beside it.
    size = 3 * 6 + (1 << 20) + more
    line = b'{"html": "<p>"}'.ljust(size)
    found = read_bytes(line, "a.jsonl", max_bytes=3)
    assert [one.reason for one in found if isinstance(one, Damage)] == [
        "too-many-bytes"
    ] * n_damages
    assert len(found) == 1


def test_values_that_are_kept(read_bytes):
    beside = {"a": 1, "b": 1.5, "c": True, "d": "x", "e": [], "f": None}
    row = {"html": "<p>", "id": "", "url": 0, **beside}
    (found,) = read_bytes(jsonl([row]), "a.jsonl")
    assert (found.id, found.url) == (None, "0")
    assert found.metadata == {"a": 1, "b": 1.5, "c": True, "d": "x"}
