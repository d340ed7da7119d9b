"""Demo pages: their data, and how they act in a browser."""

import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).parents[3]
GOLDEN = sorted((ROOT / "tests" / "golden").glob("*/page.html"))


def data_of(html):
    """What the script of a demo page reads."""
    (data,) = re.findall(r'<script id="data" type="application/json">(.*?)</script>', html, re.S)
    return json.loads(data)


def value_at(runs, width, position):
    """What holds at a position, None if nothing does."""
    rows = [runs[start : start + 2 + width] for start in range(0, len(runs), 2 + width)]
    holding = [row[2:] for row in rows if row[0] <= position <= row[1]]
    assert len(holding) <= 1
    return holding[0] if holding else None


def text_at(data, position):
    """The text of a demo page, as its script joins it."""
    pieces = [value_at(runs, 2, position) or () for runs in data["pieces"]]
    end = value_at(data["ends"], 1, position)
    return "".join(data["texts"][number] for piece in [*pieces, end] for number in piece)


@pytest.fixture(scope="session")
def read():
    return SimpleNamespace(data_of=data_of, value_at=value_at, text_at=text_at)


@pytest.fixture(scope="session")
def golden_pages():
    """Name to markup of the pages that the written forms are tested with."""
    assert GOLDEN
    return {file.parent.name: file.read_bytes() for file in GOLDEN}


@pytest.fixture
def opened(opened_file, tmp_path):
    """Function: a demo to its page in the browser; names are for several pages of a test."""

    def opened(html, name="page", **options):
        path = tmp_path / f"{name}.html"
        path.write_text(html, encoding="utf-8")
        return opened_file(path, **options)

    return opened
