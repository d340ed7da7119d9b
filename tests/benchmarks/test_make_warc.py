"""The WARC of the benchmark: the same bytes each time, and no record lost that is not damaged."""

from pathlib import Path

import pytest
from make_warc import make

from victor.sources import Input, ReadOptions, read
from victor.sources.record import Damage

ROOT = Path(__file__).parents[2]
N = 60


@pytest.fixture
def made(tmp_path):
    """Function: name of a file and a seed to the file and the counts of its damages."""

    def run(name, seed=1):
        counts = make(ROOT / "annotations" / "pages", tmp_path / name, N, 0.2, seed)
        return tmp_path / name, counts

    return run


def test_records_that_are_not_damaged_are_read(made):
    path, counts = made("a.warc.gz")
    pages = [one for one in read(Input(str(path), "warc"), ReadOptions())
             if not isinstance(one, Damage)]  # fmt: skip
    assert counts.total() == 12
    assert len({page.url for page in pages}) >= N - counts.total()


def test_the_same_bytes_come_each_time(made):
    paths = [made("a.warc.gz")[0], made("b.warc.gz")[0], made("c.warc.gz", seed=2)[0]]
    contents = [path.read_bytes() for path in paths]
    assert contents[0] == contents[1] != contents[2]
