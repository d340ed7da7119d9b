"""Attributes of elements in bundles; what the parser's events become are rows of test_rows.py."""

import pytest

from victor.page.markup.full_record import record_full
from victor.page.parsing.events import ATTRIBUTES, LENGTH, record
from victor.page.parsing.tags import DROPPED

from .conftest import streams


@pytest.mark.parametrize("name", sorted(DROPPED - {"param"}))
def test_dropped_elements_vanish_with_their_content(name):
    (stream,) = streams(f"<div>a<{name}>b<p>c</p></{name}>d</div>")
    assert stream == "<html><body><div>ad</div></body></html>"


def bundle(**values):
    return tuple(values.get(name) for name in ATTRIBUTES)


ALL = {name: f"v-{name}" for name in ATTRIBUTES}


@pytest.mark.parametrize(
    ("pages", "bundles"),
    [
        (["<p" + "".join(f' {name}="{value}"' for name, value in ALL.items()) + ">a"], [ALL]),
        (["<p hidden>b", "<p class=''>c"], [{"hidden": ""}, {"class": ""}]),
        (["<p class=a>x<p class=b>y<div class=a>z"] * 2, [{"class": "a"}, {"class": "b"}]),
        (
            ["<p class=a>1", "<zzz class=a>2</zzz><p class=a id=b>3<p id=c>4<p class=a>5"],
            [{"class": "a"}, {"class": "a", "id": "b"}, {"id": "c"}],
        ),
        (["<svg class=a><zzz class=b><br></zzz></svg><p class=c>x"], [{"class": "c"}]),
    ],
    ids=["all", "empty values", "shared", "common and rare elements", "dropped elements"],
)
def test_bundles_have_all_values_in_order_and_are_shared(pages, bundles):
    events = record([page.encode() for page in pages])
    assert events.bundles == tuple(bundle(**values) for values in bundles)


def test_the_length_of_all_attributes():
    page = "<p class='a&amp;b' ID=ž hidden>x<p>y<img src=z alt><b 🐝=&hellip;>".encode()
    wanted = tuple(
        (each.get("id"), str(sum(len(name) + len(value) + 4 for name, value in each.items())))
        for each in record_full(page).attributes
        if each
    )
    assert len(wanted) == 3
    assert record([page], attributes=("id", LENGTH)).bundles == wanted


def test_more_bundles_than_codes_are_left_out(monkeypatch):
    monkeypatch.setattr("victor.page.parsing.events.MOST_BUNDLES", 2)
    page = "<p class=a>1<p class=b>2<p class=c>3<p class=a>4<zzz class=d>5"
    body = "<p a>1</p><p b>2</p><p>3</p><p a>4<#unknown>5</#unknown></p>"
    assert streams(page) == [f"<html><body>{body}</body></html>"]
