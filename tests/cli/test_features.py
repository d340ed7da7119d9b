"""`victor features`: the list, the tables, and text that CRF++ reads."""

import json
import re

import pytest

from victor.config.layers import load
from victor.model.extractor import FeatureExtractor
from victor.page.decoding.decode import decode
from victor.page.table.texts import block_texts


@pytest.fixture
def page(annotated, tmp_path):
    """One of our pages without its marks."""
    path = tmp_path / "page.html"
    path.write_bytes(annotated[0].html)
    return path


# --- the list ------------------------------------------------------------------------------------


def listed(run):
    """Name to (switched on, kind, meaning)."""
    rows = [re.fullmatch(r"([* ]) (\S+) +(\S+) +(.*)", line) for line in run.out.splitlines()]
    assert all(rows)
    return {row[2]: (row[1] == "*", row[3], row[4]) for row in rows}


def test_a_star_marks_what_the_configuration_switches_on(victor):
    columns = listed(victor("features", "--list", "-c", "victor2007"))
    configured = {column.name for column in FeatureExtractor(load("victor2007")).features.columns}
    assert {name for name, (on, _, _) in columns.items() if on} == configured


# --- tables --------------------------------------------------------------------------------------


def columns_of(path, config):
    extractor = FeatureExtractor(config)
    table = extractor.table([decode(path.read_bytes()).text.encode()])
    return extractor.columns(table), table


def test_the_table(victor, page):
    head, *rows = [line.split("\t") for line in victor("features", page).out.splitlines()]
    columns, table = columns_of(page, load("default"))
    assert head == [*columns, "text"]
    assert [row[-1] for row in rows] == [" ".join(text.split()) for text in block_texts(table)]
    counts = columns["word.count"]
    assert [row[head.index("word.count")] for row in rows] == [str(int(n)) for n in counts]
    shares = columns["link.density"].round(4)
    assert [float(row[head.index("link.density")]) for row in rows] == pytest.approx(shares)


def test_codes_of_a_model(victor, page, small_model, small_model_file):
    lines = victor("features", "-f", "jsonl", "-m", small_model_file, page).out.splitlines()
    columns, _ = columns_of(page, small_model.config)
    codes = small_model.potentials.codebook.codes(columns)
    for record, row in zip(map(json.loads, lines), codes.tolist(), strict=True):
        assert [record[name] for name in small_model.potentials.codebook.names] == row
