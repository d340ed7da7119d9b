"""Damaged archives are read: every record that is not damaged is there, byte by byte."""

import random

import pytest
from hostile.archives import damages, records

from victor.sources import Input, ReadOptions, ranges, read
from victor.sources.record import Damage

N = 12
DAMAGED = (3, 8)


@pytest.fixture(scope="module")
def pages():
    return [*records.made_up(N, 1)]


@pytest.fixture(autouse=True)
def small_bombs(monkeypatch):
    monkeypatch.setattr(damages, "_BOMB_BYTES", 1_000_000)


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


@pytest.mark.parametrize("name", damages.RECORDS)
def test_a_damaged_record_costs_no_other(pages, tmp_path, monkeypatch, name):
    luck = random.Random(name)
    stored = [
        damages.RECORDS[name](page, luck)
        if page.number in DAMAGED
        else records.packed(records.record(page))
        for page in pages
    ]
    check(b"".join(stored), tmp_path / "in.warc.gz", pages, DAMAGED, monkeypatch)


@pytest.mark.parametrize("name", damages.FILES)
def test_a_damaged_file_costs_its_end_at_most(pages, tmp_path, monkeypatch, name):
    stored = [records.packed(records.record(page)) for page in pages]
    content = damages.FILES[name](stored, random.Random(1))
    check(content, tmp_path / "in.warc.gz", pages, (N - 1,), monkeypatch)


def test_there_are_more_than_twenty_kinds():
    assert len(damages.RECORDS) > 20
