"""Checksums of what was read: each change of an item is noticed, its number is none."""

import pytest
from msgspec.structs import replace

from victor.crawl.workers.readings import Reading, checksum, first_change, readings
from victor.sources.record import Damage, Record

RECORD = Record("a", 0, b"<p>bees", "http://a", "id", "utf-8", "text/html", "2026", {"k": 1})
DAMAGE = Damage("a", 1, "damaged-warc", "at byte 9", "http://b")
ITEMS = [replace(RECORD, number=n, body=b"<p>%d" % n) for n in range(9)]


@pytest.mark.parametrize(
    "change",
    [{"body": b"<p>beer"}, {"body": "<p>bees!"}, {"url": None}, {"id": "x"}, {"charset": None},
     {"media_type": "x"}, {"date": None}, {"metadata": {}}],
)  # fmt: skip
def test_a_change_of_a_record_is_noticed(change):
    assert checksum([replace(RECORD, **change)]) != checksum([RECORD])
    assert checksum([replace(RECORD, number=5, source="b")]) == checksum([RECORD])


@pytest.mark.parametrize("change", [{"reason": "x"}, {"message": "x"}, {"url": None}])
def test_a_change_of_a_damage_is_noticed(change):
    assert checksum([replace(DAMAGE, **change)]) != checksum([DAMAGE])
    assert checksum([RECORD, DAMAGE]) != checksum([DAMAGE, RECORD])


def test_lone_surrogates_have_a_checksum():
    assert checksum([replace(RECORD, body="\ud800", url="\udcff")])


def test_readings_are_those_of_each_input():
    found = readings([*ITEMS[3:5], *ITEMS[:2]], [4, 4, 5, 5])
    assert found == [Reading(4, 3, 5, checksum(ITEMS[3:5])), Reading(5, 0, 2, checksum(ITEMS[:2]))]
    assert checksum(ITEMS[4:5], checksum(ITEMS[3:4])) == checksum(ITEMS[3:5])


def test_the_first_stretch_that_changed_is_found_whatever_lies_between():
    known = [Reading(0, 0, 2, checksum(ITEMS[:2])), Reading(0, 5, 7, checksum(ITEMS[5:7]))]
    assert first_change(iter(ITEMS), known) is None
    others = [*ITEMS[:2], RECORD, RECORD, RECORD, *ITEMS[5:7]]  # behind and between: not read
    assert first_change(iter(others), known) is None
    assert first_change(iter([*ITEMS[:6], RECORD]), known) == known[1]
    assert first_change(iter(ITEMS[:6]), known) == known[1]
    assert first_change(iter([]), known) == known[0]
