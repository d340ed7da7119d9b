"""What a block knows beside its text."""

import numpy as np
from hypothesis import given
from strategies import page as pages

from victor.base.labels import Label
from victor.page.parsing.events import record
from victor.page.places.surroundings import Link, Surroundings, block_ids
from victor.page.table.segment import segment
from victor.page.verdict.verdict import Verdict


def surroundings(markup, labels="", url=None):
    """Columns of a page whose blocks are labelled by letters; the others are text."""
    markup = markup.encode() if isinstance(markup, str) else markup
    table = segment(record([b"<p>another page", markup]))
    of_letter = {"h": Label.HEADER, "t": Label.TEXT, "o": Label.OTHER}
    chosen = np.full(len(table), Label.TEXT, dtype=np.uint8)
    chosen[1 : 1 + len(labels)] = [of_letter[letter] for letter in labels]
    marginals = np.zeros((len(table), len(Label)))
    return Surroundings(Verdict(table, chosen, marginals, "threshold"), 1, markup, url)


def test_ids_are_of_letters_and_digits_and_of_the_place_among_equals():
    first, *others = block_ids(["Share: it!", "share it", "Share it 2", "SHARE—IT", "»", "«", ""])
    assert others[0] == f"{first}-2"
    assert others[2] == f"{first}-3"
    assert len({first, *others}) == 7


@given(page=pages())
def test_ids_do_not_depend_on_later_blocks(page):
    alone = surroundings(page).ids
    after = surroundings(page + b"<p>something else").ids
    assert len(set(alone)) == len(alone)
    assert after[: len(alone)] == alone


def test_headings_are_those_above_by_level():
    page = "<h1>a</h1><p>b</p><h3>c</h3><p>d</p><h2>e</h2><p>f</p><h3>g</h3><h1>h</h1>i"
    assert surroundings(page).headings == [
        (), ("a",), ("a",), ("a", "c"), ("a",), ("a", "e"), ("a", "e"), (), ("h",),
    ]  # fmt: skip


def test_a_labelled_header_is_below_those_of_the_page():
    page = "<h2>a</h2><p>b</p><p>c</p><p>d</p><h6>e</h6>f"
    assert surroundings(page, "hhtht").headings[1:] == [
        ("a",), ("a", "b"), ("a",), ("a",), ("a", "e"),
    ]  # fmt: skip


def test_dropped_headings_are_not_above_kept_blocks():
    page = "<h1>a</h1><p>b</p><h2>related</h2><p>c</p><p>d</p>"
    assert surroundings(page, "htoot").headings == [
        (), ("a",), ("a",), ("a", "related"), ("a",),
    ]  # fmt: skip


def test_cells_are_of_the_innermost_table():
    inner = "<table><tr><td>b<tr><td>c<th>d</table>"
    page = f"a<table><thead><tr><th>e</thead><tr><td>f<td>g{inner}<td>h</table><p>i"
    assert surroundings(page).cells == [
        None, (0, 0), (1, 0), (1, 1), (0, 0), (1, 0), (1, 1), (1, 2), None,
    ]  # fmt: skip


def test_cells_outside_of_rows_are_none():
    assert surroundings("<td>a</td><table><caption>b</caption></table>").cells == [None, None]


def test_links_have_addresses_and_their_text_in_the_block():
    page = (
        "<base href='/sub/'><p>a <a href=' b.html '>b <i>i</i></a> <a name=x>c</a> <a href=''>d</a>"
        "<p>e<p><a href='//f.example'>f<br><br>g</a> <a href='http://[h'>h</a><a href=x><img></a>"
    )
    given = surroundings(page, url="http://a.example/dir/page").links
    assert given == [
        (Link("http://a.example/sub/b.html", "b i"), Link("http://a.example/sub/", "d")),
        (),
        (Link("http://f.example", "f"),),
        (Link("http://f.example", "g"), Link("http://[h", "h")),
    ]
    assert surroundings("<a href=b>c</a>").links == [(Link("b", "c"),)]


@given(page=pages())
def test_all_columns_have_all_blocks(page):
    given = surroundings(page, url="http://a.example/")
    columns = (given.ids, given.headings, given.cells, given.links, given.places.xpaths)
    assert {len(column) for column in columns} == {len(given.texts)}
