"""One figure for one thing: pages show what `docs/reports/results.yaml` holds."""

import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def results():
    sys.path.insert(0, str(ROOT / "docs/_ext"))
    yield import_module("results")
    sys.path.remove(str(ROOT / "docs/_ext"))


def test_the_tables_of_all_pages_are_those_of_the_file(results):
    for name in results.PAGES:
        page = (ROOT / name).read_text(encoding="utf-8")
        assert "<!-- results: " in page
        assert results.updated(page, results.tables()) == page, "run docs/_ext/results.py"


def test_the_best_figure_is_bold_whoever_has_it(results):
    figures = {"Victor": {"F": "0.8", "one by one": "2.0"}, "other": {"F": "0.9", "one by one": ""}}
    page = "<!-- results: x -->\n| old |\n<!-- end -->"
    assert results.updated(page, {"x": figures}).splitlines()[1:-1] == [
        "| | F | one by one |",
        "| --- | --: | --: |",
        "| **Victor** | 0.8 | **2.0** |",
        "| other | **0.9** | |",
    ]
