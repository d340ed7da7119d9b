"""Damaged archives are read: every record that is not damaged is there, byte by byte."""

import random
from itertools import pairwise

import pytest
from hostile import damages

from victor.sources.inputs import Input, ReadOptions
from victor.sources.reading import read
from victor.sources.record import Damage, Record

N = 12
DAMAGED = (3, 8)


@pytest.fixture(scope="module")
def pages():
    return damages.made_up(N)


def without_number(pages):
    return [
        {name: getattr(one, name) for name in one.__slots__ if name != "number"} for one in pages
    ]


def check(content, path, pages, damaged):
    path.write_bytes(content)
    source = Input(str(path), "warc")
    found = [*read(source, ReadOptions())]
    bodies = {one.url: one.body for one in found if isinstance(one, Record)}
    for page in pages:
        if page.number not in damaged:
            assert bodies[page.url] == page.html
    n_told = sum(isinstance(one, Damage) for one in found)
    missing = [number for number in damaged if pages[number].url not in bodies]
    assert n_told >= len(missing)
    borders = [*range(0, len(content), 1_500), None]
    pieces = [page for part in pairwise(borders) for page in read(source, ReadOptions(), *part)]
    return found, pieces


@pytest.mark.parametrize("name", damages.RECORDS)
def test_a_damaged_record_costs_no_other(pages, tmp_path, name):
    luck = random.Random(name)
    stored = [
        damages.RECORDS[name](page, luck)
        if page.number in DAMAGED
        else damages.packed(damages.record(page))
        for page in pages
    ]
    found, pieces = check(b"".join(stored), tmp_path / "in.warc.gz", pages, DAMAGED)
    if name == "a WARC in the body":  # a stretch that begins there takes it for its own
        assert {page.url for page in found} == {page.url for page in pieces}
    else:
        assert without_number(pieces) == without_number(found)


@pytest.mark.parametrize("name", damages.FILES)
def test_a_damaged_file_costs_its_end_at_most(pages, tmp_path, name):
    stored = [damages.packed(damages.record(page)) for page in pages]
    content = damages.FILES[name](stored, random.Random(1))
    found, pieces = check(content, tmp_path / "in.warc.gz", pages, (N - 1,))
    assert without_number(pieces) == without_number(found)
