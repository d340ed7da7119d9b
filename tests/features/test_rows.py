"""Rows of `tests/cases/features/*.md`: pages, and the values of their blocks in columns.

A heading ``## name`` begins a case: a module, or all those of a configuration, with a fence
``rows``. There a line is a batch of pages, which ``¶`` parts, and the values of all their blocks in
each of the columns that the first line names; ``⏎``, ``␍`` and ``␉`` stand for ends of lines and
tabs. A page alone has the values that it has among the others of its case.
``--update`` writes what comes out into the files; review the diff.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import yaml

from tests.rows import repeated
from victor import features
from victor.config.layers import load
from victor.page.parsing.events import record
from victor.page.table.segment import segment

CASES = Path(__file__).parents[1] / "cases/features"


class Rows(NamedTuple):
    """Pages and the columns that a module of features, or a configuration, gives them.

    `code` is what stands in the fence, `cut` says how pages are recorded and split.
    """

    path: Path
    name: str
    feature: Callable[[], Any]
    cut: Mapping[str, Any]
    code: str


def rows_of(path: Path) -> Iterator[Rows]:
    """The tables of a file, in its order."""
    for part in path.read_text("utf-8").split("## ")[1:]:
        name, _, rest = part.partition("\n")
        options, _, code = rest.partition("```rows\n")
        given = yaml.safe_load(options)
        if "config" in given:
            config = load(given["config"])
            feature = partial(features.from_config, config.features)
            cut = {"split": config.split, **config.segment.to_data()}
        else:
            feature = partial(features.load, given["module"], **given.get("parameters", {}))
            cut = {"split": given.get("split", "tag"), **given.get("segment", {})}
        yield Rows(path, name, feature, cut, code.partition("```")[0])


def _values(feature: Any, table: Any, names: list[str]) -> list[list[float]]:
    columns = feature(table)
    return [[float(value) for value in columns[name]] for name in names]


ROWS = [rows for path in sorted(CASES.glob("*.md")) for rows in rows_of(path)]


@pytest.mark.parametrize("rows", ROWS, ids=[f"{each.path.stem}: {each.name}" for each in ROWS])
def test_rows(rows: Rows, request: pytest.FixtureRequest):
    feature, cut = rows.feature(), dict(rows.cut)
    split, pre_lines = cut.pop("split"), cut.pop("pre_lines", False)
    head, *lines = rows.code.splitlines()
    names = head.split(" | ")[1:]
    found, batch, expected = [head], [], [[] for _ in names]
    for line in lines:
        written, *values = line.rsplit(" | ", len(names))
        pages = [
            repeated(page).translate({0x23CE: "\n", 0x240D: "\r", 0x2409: "\t"}).encode()
            for page in written.split(" ¶ ")
        ]
        table = segment(record(pages, **cut), split, pre_lines=pre_lines)
        given = _values(feature, table, names)
        found.append(" | ".join([written, *(" ".join(f"{x:.6g}" for x in each) for each in given)]))
        if not request.config.getoption("update"):
            for name, said, each in zip(names, values, given, strict=True):
                assert each == pytest.approx([*map(float, said.split())], rel=1e-4), (written, name)
        batch += pages
        expected = [before + each for before, each in zip(expected, given, strict=True)]
    whole = segment(record(batch, **cut), split, pre_lines=pre_lines)
    assert np.allclose(_values(feature, whole, names), expected, rtol=1e-5), "in one batch"
    if request.config.getoption("update"):
        text = rows.path.read_text("utf-8")
        rows.path.write_text(text.replace(rows.code, "\n".join(found) + "\n", 1), "utf-8")
