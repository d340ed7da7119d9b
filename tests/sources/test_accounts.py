"""Whatever happens to a file, each of its records is accounted for, and few sound ones are lost."""

import random
from collections import Counter
from itertools import pairwise

import pytest
from sources.containers import CONTAINERS, DAMAGES, GOES_ON, PAGES, N

from victor.sources.inputs import ReadOptions, expand
from victor.sources.reading import read, splits_at_bytes
from victor.sources.record import Damage, Record


@pytest.fixture
def found(tmp_path):
    """Function: what is read of a file, as a whole and in stretches."""

    def run(name, content):
        path = tmp_path / name
        path.write_bytes(content)
        (source,) = expand([str(path)])
        whole = [*read(source, ReadOptions())]
        size = len(content) // 7 + 1 if splits_at_bytes(source, ReadOptions()) else 9
        last = len(content) if splits_at_bytes(source, ReadOptions()) else N + 9
        borders = [*range(0, last, size), None] if last else [0, None]
        pieces = [
            page
            for start, end in pairwise(borders)
            for page in read(source, ReadOptions(), start, end)
        ]
        return whole, pieces

    return run


def bodies(pages):
    found = (page.body for page in pages if isinstance(page, Record))
    return [body if isinstance(body, bytes) else body.encode() for body in found]


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", CONTAINERS)
def test_what_is_lost_is_little_and_told(found, name, damage):
    for seed in range(3):
        content = DAMAGES[damage](CONTAINERS[name], random.Random(f"{name} {seed}"))
        whole, pieces = found(name, content)
        assert Counter(bodies(whole)) == Counter(bodies(pieces))
        lost = N - len({*PAGES} & {*bodies(whole)})
        told = [page for page in whole if isinstance(page, Damage)]
        noted = [page for page in whole if isinstance(page, Record) and page.metadata]
        if damage in ("none", "zeros behind", "garbage behind") and name in GOES_ON:
            assert lost == 0
        elif (name, damage) == ("dictionary.warc.zst", "garbage before"):
            assert lost == N  # without its dictionary
        elif damage not in ("only a beginning", "empty", "the end cut off") and name in GOES_ON:
            assert lost <= 4  # two that are hit at most, and two sound ones
        if len(bodies(whole)) < N and content:
            assert told or noted


@pytest.mark.parametrize("name", CONTAINERS)
def test_a_longer_body_is_cut_one_byte_after_the_limit(read_bytes, name):
    limit = len(PAGES[50])
    found = read_bytes(CONTAINERS[name], name, max_bytes=limit)
    cut = [len(page.body) for page in found if isinstance(page, Record)]
    assert cut == [min(len(page), limit + 1) for page in PAGES]


def test_numbers_are_the_same_in_stretches(found):
    for name, content in CONTAINERS.items():
        whole, pieces = found(name, content)
        assert pieces == whole


def test_records_of_an_arc_have_dates(read_bytes):
    dates = {page.date for page in read_bytes(CONTAINERS["old.arc"], "old.arc")}
    assert dates == {"2006-07-08T09:10:11Z"}
