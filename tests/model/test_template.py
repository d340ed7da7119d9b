"""Templates: what they expand to, what is refused, and the value of an entry at every block."""

import json
from pathlib import Path

import numpy as np
import pytest
import yaml

from victor.errors import TemplateError
from victor.model.template import Entry, Template, entry_values, n_values

ROWS = yaml.safe_load(Path(__file__).with_name("rows.yaml").read_text("utf-8"))
COLUMNS = ["char.alpha-rel", "char.num-rel", "split.inline", "split.block", "twins"]


def parse(structure, **options):
    return Template.from_config(structure, columns=COLUMNS, **options)


def written(template):
    return [str(entry) for entry in template.entries]


@pytest.mark.parametrize(("item", "entries"), ROWS["entries"])
def test_entries(item, entries):
    assert written(parse([item])) == entries


@pytest.mark.parametrize(("structure", "message"), ROWS["no templates"])
def test_refusals(structure, message):
    with pytest.raises(TemplateError, match=message):
        parse(structure)


def test_the_largest_offsets_and_the_most_entries():
    assert len(parse([{"column": "twins", "offset": [-100, 100]}]).entries) == 2
    places = [{"column": name, "offset": "{-70..70}"} for name in ("twins", "split.block")]
    most = [places, {"column": "twins", "offset": "{-59..59}"}]  # 141 squared, and 119
    assert len(parse(most).entries) == 20_000
    with pytest.raises(TemplateError, match="more than 20,000 entries"):
        parse([*most, {"column": "split.block"}])


@pytest.mark.parametrize(
    ("page_edge", "counts"), [("one", [1, 1, 0, 1, 1]), ("distance", [3, 1, 0, 1, 3])]
)
def test_codes_outside_the_page(page_edge, counts):
    template = parse([{"column": "twins"}], page_edge=page_edge)
    assert [template.outside(offset) for offset in (-3, -1, 0, 1, 3)] == counts


def test_json_round_trip():
    template = parse(
        [{"column": "twins", "offset": "{-2..2}"}, {"columns": ["twins", "split.block"]}],
        page_edge="one",
    )
    assert Template.from_json(json.loads(json.dumps(template.to_json()))) == template


STARTS = np.array([0, 3, 3, 4, 6])  # pages of 3, 0, 1 and 2 blocks
CODES = {
    "x": np.array([0, 1, 2, 1, 2, 0], dtype=np.uint8),
    "y": np.array([1, 0, 1, 0, 1, 1], dtype=np.uint8),
}
SIZES = {"x": 3, "y": 2}


@pytest.mark.parametrize(("places", "page_edge", "expected"), ROWS["values"])
def test_values_of_an_entry(places, page_edge, expected):
    """In a conjunction the places outside count as one more value."""
    entry = Entry(tuple(map(tuple, places)))
    template = Template((entry,), page_edge)
    found = entry_values(entry, CODES, STARTS, template=template, sizes=SIZES)
    assert found.max() < n_values(entry, template, SIZES)
    assert found.tolist() == expected
