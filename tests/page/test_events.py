"""What the parser's events become: text, tags, bundles of attributes, and the head of a page."""

import pytest

from victor.page.markup.full_record import record_full
from victor.page.parsing.events import ATTRIBUTES, LENGTH, record
from victor.page.parsing.tags import DROPPED


@pytest.mark.parametrize("name", sorted(DROPPED - {"param"}))
def test_dropped_elements_vanish_with_their_content(streams, name):
    (stream,) = streams(f"<div>a<{name}>b<p>c</p></{name}>d</div>")
    assert stream == "<html><body><div>ad</div></body></html>"


class TestAttributes:
    def test_a_bundle_has_all_values_in_order(self):
        page = "".join(f' {name}="v-{name}"' for name in ATTRIBUTES)
        events = record([f"<p{page}>a".encode(), b"<p hidden>b", b"<p class=''>c"])
        empty = (None,) * len(ATTRIBUTES)
        hidden, unnamed = list(empty), list(empty)
        hidden[ATTRIBUTES.index("hidden")] = ""
        unnamed[ATTRIBUTES.index("class")] = ""
        assert events.bundles == (
            tuple(f"v-{name}" for name in ATTRIBUTES),
            tuple(hidden),
            tuple(unnamed),
        )

    def test_equal_attributes_share_a_bundle(self):
        page = b"<p class=a>x<p class=b>y<div class=a>z"
        assert len(record([page, page]).bundles) == 2

    def test_the_first_one_alone_is_in_the_same_bundle_in_common_and_in_rare_elements(self):
        pages = [b"<p class=a>1", b"<zzz class=a>2</zzz><p class=a id=b>3<p id=c>4<p class=a>5"]
        absent = (None,) * (len(ATTRIBUTES) - 2)
        assert record(pages).bundles == (
            ("a", None, *absent),
            ("a", "b", *absent),
            (None, "c", *absent),
        )

    def test_those_inside_dropped_elements_are_not_kept(self):
        page = b"<svg class=a><zzz class=b><br></zzz></svg><p class=c>x"
        assert [bundle[0] for bundle in record([page]).bundles] == ["c"]


def test_the_length_of_all_attributes():
    page = "<p class='a&amp;b' ID=ž hidden>x<p>y<img src=z alt><b 🐝=&hellip;>".encode()
    wanted = tuple(
        (each.get("id"), str(sum(len(name) + len(value) + 4 for name, value in each.items())))
        for each in record_full(page).attributes
        if each
    )
    assert len(wanted) == 3
    assert record([page], attributes=("id", LENGTH)).bundles == wanted


def test_more_bundles_than_codes_are_left_out(monkeypatch, streams):
    monkeypatch.setattr("victor.page.parsing.events.MOST_BUNDLES", 2)
    page = "<p class=a>1<p class=b>2<p class=c>3<p class=a>4<zzz class=d>5"
    body = "<p a>1</p><p b>2</p><p>3</p><p a>4<#unknown>5</#unknown></p>"
    assert streams(page) == [f"<html><body>{body}</body></html>"]
