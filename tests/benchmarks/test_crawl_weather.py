"""The damages of the benchmark, read without a run: every other record is there, byte by byte."""

import json
import random
import sys
from itertools import accumulate
from pathlib import Path

import pytest

from victor.sources import Input, ReadOptions, ranges, read
from victor.sources.record import Damage

FOLDER = Path(__file__).parents[2] / "benchmarks"
N = 12
DAMAGED = (3, 8)


@pytest.fixture(scope="module")
def weather():
    """The package `weather` lies beside the script of the benchmark."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(FOLDER))
        for name in [name for name in sys.modules if name.partition(".")[0] == "weather"]:
            patch.delitem(sys.modules, name)
        from weather import accounts, damages, records

        patch.setattr(damages, "_BOMB_BYTES", 1_000_000)
        yield accounts, damages, records


@pytest.fixture(scope="module")
def pages(weather):
    return [*weather[2].made_up(N, 1)]


def by_ranges(source):
    """All pages and damages of a file, range by range."""
    head, met = ranges.head_of(source, ReadOptions()), 0
    for one in ranges.ranges(source, head):
        if met is None or (one.end is not None and met >= one.end):
            continue
        reader = ranges.RangeReader(source, ReadOptions(), ranges.Range(head, met, one.end))
        yield from reader
        met = reader.met


def without_number(one):
    return {name: getattr(one, name) for name in one.__slots__ if name != "number"}


def names(kind):
    """Names of damages, without importing their module too early."""
    text = (FOLDER / "weather" / "damages.py").read_text()
    table = text.partition(f"{kind}: Final")[2].partition("\n}")[0]
    return [line.partition('"')[2].partition('"')[0] for line in table.splitlines()
            if line.startswith('    "')]  # fmt: skip


def check(content, path, pages, damaged, monkeypatch):
    path.write_bytes(content)
    source = Input(str(path), "warc")
    found = [*read(source, ReadOptions())]
    bodies = {one.url: one.body for one in found if not isinstance(one, Damage)}
    for page in pages:
        if page.number not in damaged:
            assert bodies[page.url] == page.html
    n_told = sum(isinstance(one, Damage) for one in found)
    missing = [number for number in damaged if pages[number].url not in bodies]
    assert n_told >= len(missing)
    monkeypatch.setattr(ranges, "RANGE_BYTES", 1_500)
    monkeypatch.setattr(ranges, "_LONGEST_MEMBER", 1 << 30)
    assert [*map(without_number, by_ranges(source))] == [*map(without_number, found)]


@pytest.mark.parametrize("name", names("RECORDS"))
def test_a_damaged_record_costs_no_other(weather, pages, tmp_path, monkeypatch, name):
    _, damages, records = weather
    luck = random.Random(name)
    stored = [
        damages.RECORDS[name](page, luck)
        if page.number in DAMAGED
        else records.packed(records.record(page))
        for page in pages
    ]
    check(b"".join(stored), tmp_path / "in.warc.gz", pages, DAMAGED, monkeypatch)


@pytest.mark.parametrize("name", names("FILES"))
def test_a_damaged_file_costs_its_end_at_most(weather, pages, tmp_path, monkeypatch, name):
    _, damages, records = weather
    stored = [records.packed(records.record(page)) for page in pages]
    content = damages.FILES[name](stored, random.Random(1))
    check(content, tmp_path / "in.warc.gz", pages, (N - 1,), monkeypatch)


def test_there_are_more_than_twenty_kinds(weather):
    assert names("RECORDS") == [*weather[1].RECORDS]
    assert names("FILES") == [*weather[1].FILES]
    assert len(names("RECORDS")) > 20


def test_what_is_lost_is_noticed(weather, pages, tmp_path):
    accounts, _, _ = weather
    (tmp_path / "data").mkdir()
    rows = [json.dumps({"url": page.url, "metadata": {"more": None}}) for page in pages]
    wanted = {page.url: row.encode() for page, row in zip(pages, rows, strict=True)}
    failed = [
        {"url": pages[3].url, "reason": "damaged-warc", "message": ""},
        {"url": "http://garbled", "reason": "damaged-warc", "message": "the record at byte 45 is"},
    ]
    (tmp_path / "failed.jsonl").write_text("".join(json.dumps(row) + "\n" for row in failed))

    def lost(*missing):
        kept = [row for number, row in enumerate(rows) if number not in missing]
        (tmp_path / "data/part-00000.jsonl").write_text("\n".join(kept))
        starts = [*accumulate([0] + [10] * (N - 1))]
        return accounts.account(tmp_path, pages, starts, {3, 4, 5}, wanted)

    assert lost().lost == []
    assert lost(3, 4).outcomes == {"same": 1, "damaged-warc": 2}
    assert lost(5).lost == ["5 damaged, nothing tells of it"]
    assert lost(6).lost == ["6 undamaged, no row"]
    assert lost(3, 4).whole == N - 3
