"""Pages made to break things: they are cut and measured like any other, in time and memory."""

import numpy as np
import pytest

from tests.hostile.shapes import BY_HAND, by_name
from victor import features
from victor.features.base import FeatureSet
from victor.page.markup.hidden import HIDING, hidden_elements
from victor.page.parsing.events import record
from victor.page.parsing.tags import DEEPEST
from victor.page.table.segment import segment
from victor.page.table.texts import block_texts

CONTEXT = ("words", "links", "ancestors", "regions", "paths", "headings", "center")
SHAPES = (
    "items out of order", "crossed formatting", "starts without ends", "both spans", "tag names",
    "huge class above blocks", "ends without starts", "notes", "code lines", "attributes",
)  # fmt: skip


@pytest.fixture(scope="module")
def measure():
    """Function: a table to all its context columns, checked against their declarations."""
    return FeatureSet([features.load(name) for name in CONTEXT])


@pytest.mark.parametrize("shape", SHAPES)
def test_other_pages_of_the_batch_are_not_touched(measure, shape):
    before = b"<title>One</title><h1>One</h1><p class=lead>Some words <a href=x>and a link</a>."
    after = b"<ul><li>$ 5 each<li hidden>gone</ul><p>One, two and three."
    hostile = by_name(BY_HAND, shape).page(300)
    whole = segment(record([before, hostile, after]), "tag")
    columns = measure(whole)
    for number, page in ((0, before), (2, after)):
        alone = measure(segment(record([page]), "tag"))
        rows = np.arange(*whole.page_starts[number : number + 2])
        for name, expected in alone.items():
            np.testing.assert_allclose(columns[name][rows], expected, err_msg=name)


@pytest.mark.parametrize(
    "page",
    [
        b"",
        b" \n\t ",
        b"\0",
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"<",
        b"</",
        b"<!",
        b"<?",
        b"<!--",
        b"<p",
        b"<p class='",
        b"&#",
        bytes(range(256)) * 200,
        b"PK\x03\x04" + bytes(range(255, -1, -1)) * 100,
        b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj <</Length 5>> stream\n\x00\x01\x02 endstream",
        b"\x89PNG\r\n\x1a\n" + b"\0" * 1000,
        b'{"a": [1, 2, "<p>"]}',
        b"<?xml version='1.0'?><rss><item><![CDATA[<p>a</p>]]></item></rss>",
        b"<frameset cols='*,*'><frame src=a><frame src=b></frameset>",
        b"<html><head><title>x</title></head></html>" * 100,
        b"<plaintext>" + b"</plaintext>" * 100,
        b"<script>" + b"<p>" * 1000,
        b"<p>" * 100 + b"</p>" * 1000,
        b"<table>" * 50 + b"<p>a" * 50 + b"</table>" * 100,
        b"<select><table><tr><td>a</select>b<option>c",
        b"<a><a><b></a></b><p></b>" * 500,
        b"</html></body>" * 500 + b"a",
    ],
    ids=lambda page: page[:12].decode("ascii", "replace") + f" ({len(page)})",
)
@pytest.mark.parametrize("split", ["tag", "block"])
def test_pages_of_another_kind(measure, page, split):
    table = segment(record([page], alt_text=True), split)
    values = measure(table)
    assert {len(column) for column in values.values()} == {len(table)}
    assert block_texts(table) == [text.strip() for text in block_texts(table)]
    assert all(block_texts(table))


def test_fifty_megabytes_of_text():
    words = 10_000_000
    table = segment(record([b"<p>" + b"word " * words]), "block")
    assert len(table) == 1
    assert int(table.end[0]) == 5 * words - 1


def test_five_megabytes_of_text_without_a_space(measure):
    table = segment(record([b"<p>" + b"w" * 5_000_000]), "block")
    assert measure(table)["word.count"].tolist() == [1]


def test_an_attribute_of_five_megabytes(measure):
    value = b"display " * 600_000
    page = b"<p class='" + value + b"' style='" + value + b"' title='" + value + b"'>a"
    table = segment(record([page], attributes=("class", *HIDING)))
    assert not hidden_elements(table).any()
    assert {len(column) for column in measure(table).values()} == {1}


def test_names_of_five_megabytes():
    name = b"x" * 5_000_000
    page = b"<" + name + b">a</" + name + b"><p " + name + b"=1>b"
    assert block_texts(segment(record([page]), "tag")) == ["a", "b"]


def test_text_is_not_lost_with_the_depth():
    table = segment(record([b"<div>" * 100_000 + b"deep" + b"</div>" * 100_000 + b"<p>after"]))
    assert block_texts(table) == ["deep", "after"]
    assert table.elements.depth[table.element].tolist() == [DEEPEST, 3]
