"""Groups of elements by name, against what a look at each element gives."""

import numpy as np
import pytest

from victor.kinds.threads.anchors import LINKED_ATTRIBUTES
from victor.kinds.threads.element_groups import ElementGroups, around
from victor.page.table.segment import parse_pages

PAGES = [
    "<div class=a><p>x<p class=b>x<div class='a c'><p>x</div></div><div class=a><p>x</div>",
    "<div class=a1><div class=a2><p>x</p></div><div class=a3>x</div></div><div class=a4>x</div>",
    "<ul id=n7><li>x<li>x<ul><li>x</ul></ul><ul id=n8><li><b>x</b></ul><ul id=m><li>x</ul>",
    "<div itemtype=http://x.example/Comment><p class=b>x<i>x</i></div><p class=b>x<i>x</i><i>x</i>",
    "<p>x<div><p>x<b>x</b></div>",
    "<div><b>x</b></div><div class=a><div><div><b>x</b></div></div></div>",
    "<div class=a><div class=b><div class=a><div class=b>x</div></div></div><div class=b>x</div>",
]


@pytest.fixture(params=PAGES)
def table(request):
    return parse_pages([request.param], attributes=LINKED_ATTRIBUTES)


def ancestors(elements, element):
    while elements.depth[element] > 0:
        element = int(elements.parent[element])
        yield element


def test_the_nearest_element_of_the_group(table):
    named = ElementGroups(table).of(np.arange(len(table.elements)))
    place = {(e, g): k for k, (e, g) in enumerate(zip(*map(np.ndarray.tolist, named), strict=True))}
    expected = [
        next((place[a, g] for a in ancestors(table.elements, e) if (a, g) in place), -1)
        for e, g in place
    ]
    assert around(table, named).tolist() == expected


def test_elements_with_and_without_names_are_in_different_groups(table):
    named = ElementGroups(table).of(np.arange(len(table.elements)))
    columns = [[*table.attribute(name), None] for name in ("class", "id", "itemtype")]
    with_name = {row for row in range(len(columns[0])) if any(column[row] for column in columns)}
    has_name = np.isin(table.elements.bundle[named.element], [*with_name])
    assert not {*named.group[has_name]} & {*named.group[~has_name]}


def test_ways_are_those_from_the_nearest_element_with_a_name(table):
    elements, names = table.elements, ElementGroups(table)
    named = names.of(np.arange(len(elements)))
    columns = [[*table.attribute(name), None] for name in ("class", "id", "itemtype")]

    def name_of(element):
        classes, identifier, kind = (column[elements.bundle[element]] for column in columns)
        if kind:
            return "post"
        form = identifier if identifier and identifier[-1:].isdigit() else None
        first = (classes or "").split()[:1] or ([f"#{form[:-1]}"] if form else [None])
        return first[0] and first[0].rstrip("0123456789")

    def way(element):
        chain = [element, *ancestors(elements, element)]
        near = next((a for a in chain if name_of(a)), None)
        depth = elements.depth[element] - (0 if near is None else elements.depth[near])
        name = None if near is None else name_of(near)
        return name, depth, elements.tag[elements.parent[element]], elements.tag[element]

    ways = [way(element) for element in range(len(elements))]
    pairs = set(zip(ways, names.ways.tolist(), strict=True))
    assert len(pairs) == len({*ways}) == len({*names.ways.tolist()})
    assert len(named.element) == len(named.group)
