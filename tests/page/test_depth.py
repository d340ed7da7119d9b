"""At most 512 elements are open in one another; what is deeper is a sibling."""

import pytest

from victor.page.markup.full_record import Kind, record_full
from victor.page.parsing.tags import DEEPEST, NAMES
from victor.page.places.outline import Outline
from victor.page.table.segment import parse_pages
from victor.page.table.texts import block_texts

IN_BODY = DEEPEST - 2
"""Elements in a body above the bound."""


def innermost(markup):
    """Name and depth of the innermost element of every block."""
    table = parse_pages([markup])
    elements = table.elements
    return [(NAMES[elements.tag[e]], int(elements.depth[e])) for e in table.element]


@pytest.mark.parametrize("levels", [IN_BODY - 1, IN_BODY, IN_BODY + 1, 3 * DEEPEST])
def test_every_reader_sees_the_bound(levels):
    markup = "<body>" + "<div>" * levels + "a" + "</div>" * levels
    deepest = min(levels + 2, DEEPEST)
    assert innermost(markup) == [("div", deepest)]
    table = parse_pages([markup])
    assert table.elements.depth.max() == deepest
    assert len(Outline.of_page(table, 0, markup.encode()).name) >= levels + 2
    depth = deepest_of_record = 0
    for item in record_full(markup.encode()).items:
        depth += {Kind.START: 1, Kind.END: -1}.get(item.kind, 0)
        deepest_of_record = max(depth, deepest_of_record)
    assert (depth, deepest_of_record) == (0, deepest)


def test_what_is_deeper_is_a_sibling_and_its_text_stays_in_order():
    page = "<div>" * IN_BODY + "a<p>b<i>c</i>d<br>e</p>f" + "</div>" * IN_BODY + "g"
    assert block_texts(parse_pages([page])) == [*"abcdefg"]
    deep = [(name, DEEPEST) for name in ("div", "p", "i", "p", "p", "div")]
    assert innermost(page) == [*deep, ("body", 2)]


@pytest.mark.parametrize("levels", [IN_BODY - 2, IN_BODY, 100_000])
def test_end_tags_pair_with_their_starts(levels):
    page = f"<body><main>{'<div>' * levels}a{'</div>' * levels}<p>b</p></main><footer>c"
    assert innermost(page)[1:] == [("p", 4), ("footer", 3)]


def test_an_end_tag_ends_all_that_is_inside_above_and_below_the_bound():
    page = f"<body><div>{'<b>' * IN_BODY}<i>a</div>b<p>c"
    assert innermost(page)[1:] == [("body", 2), ("p", 3)]


@pytest.mark.parametrize("levels", [IN_BODY - 1, IN_BODY, IN_BODY + 9])
@pytest.mark.parametrize("name", ["svg", "template", "video", "canvas"])
def test_what_is_dropped_stays_dropped_whatever_it_holds(levels, name):
    hidden = f"<{name}>x<g>y<p>z</p></g><{name}>w</{name}></{name}>"
    assert "".join(block_texts(parse_pages(["<div>" * levels + f"a{hidden}b"]))) == "ab"
