"""Selectors select what the XPath of cssselect does; what is none is an error of the call."""

import pytest
from cssselect import HTMLTranslator
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from tests.rows import tables
from victor.base.errors import ConfigError
from victor.page.markup.elements import MarkupElements
from victor.page.markup.full_record import record_full
from victor.page.places.selectors import read

ROWS = tables(__file__)
NAMES, VALUES, ATTRIBUTES = ROWS["names"], ROWS["values"], ROWS["attributes"]
PSEUDO, OF_TYPE, COMBINATORS = ROWS["pseudo"], ROWS["of_type"], ROWS["combinators"]


@st.composite
def markup(draw):
    """Elements that every parser nests alike, each with a number of its own."""
    pieces, opened, number = [], [], 0
    for step in draw(st.lists(st.integers(0, 9), max_size=40)):
        if step < 6:
            name, number = draw(st.sampled_from(NAMES)), number + 1
            pieces.append(f"<{name} n={number}{draw(st.sampled_from(VALUES))}>")
            if name not in ("br", "img"):
                opened.append(name)
        elif step < 8 and opened:
            pieces.append(f"</{opened.pop()}>")
        else:
            pieces.append(draw(st.sampled_from(["one", " ", "<!--one-->", "two &amp; o", "ne"])))
    return "<html n=h><body n=b>" + "".join(pieces) + "".join(f"</{n}>" for n in opened[::-1])


@st.composite
def compounds(draw, levels=2):
    name = draw(st.sampled_from(("", "*", *NAMES)))
    parts = draw(st.lists(st.integers(0, 7), min_size=not name, max_size=3))
    return name + "".join(draw(part(number, name, levels)) for number in parts)


def part(number, name, levels):
    """One part of a compound; the parser has no selectors inside those that are inside."""
    if number == 5 and name not in ("", "*"):
        return st.sampled_from(OF_TYPE).map(":{}".format)
    if number == 6 and levels == 2:
        relation = st.sampled_from(("", "> ", "+ ", "~ "))
        return st.builds(":has({}{})".format, relation, selectors(levels - 1))
    if number == 7 and levels == 2:
        lists = st.lists(compounds(0), min_size=1, max_size=2).map(", ".join)
        return st.one_of(lists.map(":is({})".format), selectors(0).map(":not({})".format))
    if number < 3:
        return st.sampled_from((".a", ".b", ".a-b", ".A", "#x", "#y"))
    return st.sampled_from((*ATTRIBUTES, *map(":{}".format, PSEUDO)))


@st.composite
def selectors(draw, levels=2):
    found = draw(compounds(levels))
    for _ in range(draw(st.integers(0, 2))):
        found += draw(st.sampled_from(COMBINATORS)) + draw(compounds(levels))
    return found


def selected(selector, page):
    """Numbers of the elements that a selector selects."""
    elements = MarkupElements.of(record_full(page.encode()))
    (test,) = read(selector)
    chosen = test(elements)
    return [value for element, value in elements.valued("n") if chosen[element]]


@given(markup(), selectors())
def test_what_xpath_selects_in_the_tree_of_lxml(page, selector):
    root = html.document_fromstring(page)
    wanted = root.xpath(HTMLTranslator().css_to_xpath(selector))
    assert selected(selector, page) == [element.get("n") for element in wanted]


def test_a_shadow_root_is_a_template():
    page = (
        "<div><template n=1 shadowrootmode=open><p n=2>a</template></div><template n=3></template>"
    )
    assert selected("template", page) == ["1", "3"]
    assert selected("template > p", page) == ["2"]


@given(st.text("abp*.#[]()=~^$|!:+>, '\"\\-_01n@\n\t\0é\ud800", max_size=12))
def test_any_text_is_a_selector_or_a_typed_error(text):
    try:
        tests = read(text)
    except ConfigError:
        return
    page = MarkupElements.of(record_full(b"<div class=a>a<p id=b>b<br>c"))
    assert all(test(page).shape == (len(page),) for test in tests)


def test_what_is_written_at_the_bounds_is_read():
    for beyond in ("p" + ".a" * 400, ":is(" * 51 + "a" + ")" * 51, "a " * 1_000):
        with pytest.raises(ConfigError, match="is no CSS selector") as told:
            read(beyond)
        assert len(str(told.value)) < 350
    assert read("p" + ".a" * 99)
    assert read(":is(" * 50 + "a" + ")" * 50)
    assert len(read(", ".join(["a.b"] * 1_500))) == 1_500
