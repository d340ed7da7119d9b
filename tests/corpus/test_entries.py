"""Lists of similar siblings: what makes one, and what its entries are like."""

import pytest

from tests.rows import tables
from victor.corpus.policy import entries
from victor.page.table.segment import parse_pages

ROWS = tables(__file__)


def lists_of(*pages, split="block"):
    pages = [page.encode() for page in pages]
    return entries(parse_pages(pages, split, attributes=("class",)))


def test_siblings_are_a_list():
    inner, outer = lists_of("<ul><li>one<li><a>two</a> and three<li>four five</ul><p>six seven")
    assert inner.size.tolist() == [3, 3, 3, 0]
    assert inner.words.tolist() == [2, 2, 2, 0]
    assert inner.link.tolist() == pytest.approx([1 / 6, 1 / 6, 1 / 6, 0])
    assert outer.size.tolist() == [0] * 4


@pytest.mark.parametrize(("page", "size"), ROWS["what_makes_a_list"])
def test_what_makes_a_list(page, size):
    assert lists_of(page, split="tag")[0].size.max() == size


def test_a_card_holds_several_blocks():
    card = "<div class=c><h3>a</h3><ul><li>b<li>c<li>d</ul></div>"
    inner, outer = lists_of(card * 3 + "<p>e")
    assert inner.words.tolist() == [4, 1, 1, 1] * 3 + [0]
    assert outer.words.tolist() == [4] * 12 + [0]


@pytest.mark.parametrize(("depth", "size"), [(9, 3), (10, 0)])
def test_only_the_nearest_ten_elements_are_looked_at(depth, size):
    around = "<div>" * depth, "</div>" * depth
    page = "".join(f"<section>{around[0]}{word}{around[1]}</section>" for word in "abc")
    assert lists_of(page)[0].size.tolist() == [size] * 3
