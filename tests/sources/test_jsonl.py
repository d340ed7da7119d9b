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

from tests.rows import tables, written_out
from victor.sources.record import Damage

LINES = tables(__file__)["lines"]
ROWS = [
    {"html": f"<p>page {i} červené 🐝", "url": f"http://example.org/{i}", "id": f"row-{i}",
     "date": "2026-01-02", "language": "cs", "rank": i}
    for i in range(100)
]  # fmt: skip


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


PACKS = (
    *(bytes, gzip.compress, zstandard.compress, bz2.compress, lzma.compress),
    lambda content: gzip.compress(content[:999]) + gzip.compress(content[999:]),
)
OF_ANY_NAME = PACKS[:3]
"""What is known by its bytes."""


@pytest.mark.parametrize(
    ("name", "pack"),
    [*(("a.jsonl", pack) for pack in PACKS), *(("a.unknown", pack) for pack in OF_ANY_NAME)],
)
def test_rows_of_jsonl(read_bytes, name, pack):
    expected(read_bytes(pack(jsonl(ROWS)), name))


@pytest.mark.parametrize("case", LINES.values(), ids=LINES)
def test_lines(read_bytes, case):
    lines = (
        line if isinstance(line, bytes) else written_out(line).encode() for line in case["lines"]
    )
    found = read_bytes(b"\n".join(lines), "a.jsonl", **case.get("options", {}))
    for one, expected in zip(found, case["found"], strict=True):
        if isinstance(expected, str):
            assert one.reason == expected
        else:
            assert {name: getattr(one, name) for name in expected} == expected


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
    for name in ("a.parquet", "a.unknown"):
        expected(read_bytes(content, name))
    (found,) = read_bytes(content, "a.parquet", html_column="markup")
    assert found.reason == "no-html"  # once


def test_bytes_and_dates_of_parquet(read_bytes, tmp_path):
    rows = [{"html": b"<p>\xe8", "date": datetime.date(2026, 1, 2), "links": ["a"]}, {"html": None}]
    found = read_bytes(table(rows, tmp_path), "a.parquet", max_bytes=3)
    assert (found[0].body, found[0].date, found[0].metadata) == (b"<p>\xe8", "2026-01-02", {})
    assert found[1].reason == "no-html"


def test_a_damaged_row_group_costs_itself(read_bytes, tmp_path):
    content = table(ROWS, tmp_path, row_group_size=20, compression="gzip", use_dictionary=False)
    place = parquet.ParquetFile(pyarrow.BufferReader(content)).metadata.row_group(2).column(0)
    start = place.data_page_offset + 40
    found = read_bytes(content[:start] + bytes(100) + content[start + 100 :], "a.parquet")
    (message,) = [one.message for one in found if isinstance(one, Damage)]
    assert message.startswith("rows 40 to 59 cannot be read")
    ids = [one.id for one in found if not isinstance(one, Damage)]
    assert ids == [row["id"] for row in ROWS[:40] + ROWS[60:]]
