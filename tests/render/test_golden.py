"""Golden pages: folders with a page and all that is expected of it; make.py there writes them."""

import runpy
from functools import cache
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parents[1] / "golden"
MAKE = runpy.run_path(str(GOLDEN / "make.py"))
OUTPUTS = cache(MAKE["outputs"])
PAGES = sorted(path.parent for path in GOLDEN.glob("*/page.html"))


@pytest.mark.parametrize("name", MAKE["EXPECTED"])
@pytest.mark.parametrize("folder", PAGES, ids=lambda folder: folder.name)
def test_golden_page(folder, name):
    expected = (folder / name).read_text("utf-8")
    assert OUTPUTS(folder)[name] == expected
