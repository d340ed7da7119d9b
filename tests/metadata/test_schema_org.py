"""schema.org: what pages write of it is read leniently, and the main thing counts."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from victor.metadata.schema_org import by_id, members, nested, nodes, objects, types
from victor.page.parsing.heads import Head

JSON = st.recursive(
    st.none() | st.booleans() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=20,
)


def objects_of(*scripts):
    return objects(Head(json_ld=scripts))


def declared(*things, markup=b""):
    return nodes(Head(json_ld=[json.dumps([*things])]), markup)


def test_numbers_stay_as_written():
    (price,) = objects_of('{"a": 19.90, "b": NaN, "c": ' + "9" * 10_000 + "}")
    assert price == {"a": "19.90", "b": None, "c": "9" * 10_000}


@pytest.mark.parametrize(
    ("given", "names"),
    [
        (["http://schema.org/Product", "schema:Car", 3], ("product", "car")),
        (None, ()),
        (["a" * 199, "b" * 200], ("a" * 199,)),
    ],
)
def test_types_are_plain_names_of_less_than_two_hundred_letters(given, names):
    assert types({} if given is None else {"@type": given}) == names


def test_nodes_stand_in_place_of_references():
    person = {"@id": "#p", "@type": "Person", "name": "Ann", "knows": {"@id": "#a"}}
    article = {"@id": "#a", "author": [{"@id": "#p"}], "publisher": {"@id": "#nobody"}}
    assert declared(article, person) == [
        {**article, "author": [person]},
        {**person, "knows": {**article, "author": [{"@id": "#p"}]}},
    ]


def test_nodes_are_plain_values_of_json_ld_else_of_microdata():
    offer = {"@type": "Offer", "price": "1299.90", "valid": True, "sku": None}
    item = b"<p itemscope itemtype=http://schema.org/Offer><b itemprop=price content=5>"
    assert declared(offer, markup=item) == [offer]
    assert declared(markup=item) == [{"@type": ["http://schema.org/Offer"], "price": "5"}]
    assert declared(markup=b"<p>") == []
    assert declared({"\ud83d": "\ud800x"}) == [{"\ufffd": "\ufffdx"}]


def test_nodes_that_refer_to_much_are_bounded():
    bomb = [{"@id": f"#{n}", "next": [{"@id": f"#{n + 1}"}] * 10} for n in range(10)]
    assert len(json.dumps(declared(*bomb))) < 2_000_000
    deep = "".join('<div itemscope itemtype=a itemprop="a b c d">' for _ in range(500))
    assert len(json.dumps(declared(markup=deep.encode()))) < 2_000_000


def test_what_is_nested_too_deep_or_comes_too_late_is_left_out():
    for n, depths in ((30, 30), (31, 30)):
        deep = "x"
        for _ in range(n):
            deep = {"a": deep}
        assert json.dumps(declared(deep)).count("{") == depths
    thing = {"a": "1"}
    assert len(declared(*[thing] * 50_001)) == 50_000
    assert len(declared({"a": "1", "b": "2"}, *[thing] * 50_000)) == 50_000


def test_answers_are_read_in_full_up_to_a_million_characters():
    answer = b"<p itemscope itemtype=Answer><b itemprop=text>" + b"word " * 140_000 + b"</b></p>"
    lengths = [len(thing["text"]) for thing in declared(markup=answer * 3)]
    assert lengths == [699_999, 300_001, 499]


@pytest.mark.parametrize(
    ("value", "listed"),
    [
        (None, []),
        ("a", ["a"]),
        (["a", None], ["a"]),
        ({"@list": ["a"]}, ["a"]),
        ({"@set": "a"}, ["a"]),
        (["a"] * 1_001, ["a"] * 1_000),
        ([["a"] * 600, ["b"] * 600], ["a"] * 600 + ["b"] * 400),
    ],
)
def test_members_are_lists_of_at_most_a_thousand(value, listed):
    assert members(value) == listed


def test_references_lead_to_the_largest_object():
    person = {"@id": "#p", "name": "Ann"}
    assert by_id([{"author": {"@id": "#p"}}, person, {"@id": ["#p"]}]) == {"#p": person}


def test_nested_objects_come_in_document_order():
    value = {"n": "1", "a": [{"n": "2", "b": {"n": "3"}}], "c": {"n": "4"}}
    assert [one["n"] for one in nested(value)] == ["1", "2", "3", "4"]


@given(JSON)
def test_any_json_is_read_as_it_is(value):
    read_back = objects_of(json.dumps({"v": value}))
    assert read_back[0] == {"v": value}
    for one in nested(read_back):
        types(one)


@given(st.text())
def test_any_text_gives_objects_or_nothing(script):
    assert isinstance(objects_of(script), list)
