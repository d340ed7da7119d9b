"""Template expansion, refusals."""

import json

import pytest

from victor.errors import TemplateError
from victor.model.template import Template

COLUMNS = ["char.alpha-rel", "char.num-rel", "split.inline", "split.block", "twins"]


def parse(structure, **options):
    return Template.from_config(structure, columns=COLUMNS, **options)


def written(template):
    return [str(entry) for entry in template.entries]


@pytest.mark.parametrize(
    ("item", "entries"),
    [
        ({"column": "twins"}, ["twins"]),
        ({"column": "twins", "offset": -2}, ["twins[-2]"]),
        ({"column": "twins", "offset": [-1, 1]}, ["twins[-1]", "twins[+1]"]),
        ({"column": "twins", "offset": "{-1..1}"}, ["twins[-1]", "twins", "twins[+1]"]),
        ({"column": "twins", "offset": "2"}, ["twins[+2]"]),
        ({"column": "twins", "offset": ["{-3..-2}", 0]}, ["twins[-3]", "twins[-2]", "twins"]),
        (
            {"column": "char.{alpha,num}-rel", "offset": [0, 1]},
            ["char.alpha-rel", "char.alpha-rel[+1]", "char.num-rel", "char.num-rel[+1]"],
        ),
        (
            {"columns": ["split.inline", "split.block"], "offset": "{-1..0}"},
            ["split.inline[-1] & split.block[-1]", "split.inline & split.block"],
        ),
        (
            [{"column": "twins", "offset": "{0..1}"}, {"column": "split.block", "offset": -1}],
            ["twins & split.block[-1]", "twins[+1] & split.block[-1]"],
        ),
        ([{"column": "twins"}, {"column": "twins", "offset": 1}], ["twins & twins[+1]"]),
    ],
)
def test_entries(item, entries):
    assert written(parse([item])) == entries


@pytest.mark.parametrize(
    ("structure", "message"),
    [
        ("twins", "a list of entries"),
        ([], "a list of entries"),
        ([{"column": "twin"}], "unknown column twin, did you mean twins"),
        ([{"column": "nothing at all"}], "unknown column nothing at all; known are"),
        ([{"column": "twins", "ofset": 1}], "unknown key 'ofset'"),
        ([{"column": "twins", "offset": 1.5}], "an offset is an integer"),
        ([{"column": "twins", "offset": True}], "an offset is an integer"),
        ([{"column": "twins", "offset": []}], "an offset is an integer"),
        ([{"column": "twins", "offset": "one"}], "an offset is an integer"),
        ([{"column": "twins", "offset": 101}], "from -100 to 100"),
        ([{"column": "twins", "offset": -101}], "from -100 to 100"),
        ([{"column": 3}], "named by a string"),
        ([{"column": ""}], "named by a string"),
        ([{"offset": 1}], "this needs the form"),
        ([[{"offset": 1}]], "this needs the form"),
        ([{"columns": []}], "two or more names"),
        ([{"columns": ["twins"]}], "two or more names"),
        ([["twins", "split.block"]], "this needs the form"),
        (["twins"], "an entry is"),
        ([[]], "an entry is"),
        ([{"column": "twins"}, {"column": "twins", "offset": "{-1..1}"}], "twins occurs twice"),
        (
            [
                {"columns": ["twins", "split.block"]},
                [{"column": "split.block"}, {"column": "twins"}],
            ],
            "occurs twice",
        ),
        ([{"columns": ["twins", "twins"]}], "joins a column with itself"),
    ],
)
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
