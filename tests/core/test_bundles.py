"""What reads the attributes of elements: any bytes, columns as tuples, batches as single rows."""

import re
from itertools import accumulate, chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from victor.page.parsing.events import BundleColumns
from victor.page.parsing.tags import IDS
from victor.page.table.blocks import HIDING, hidden_elements
from victor.page.table.segment import parse_pages

HIDES = re.compile(
    r"(?i:display\s*:\s*none|visibility\s*:\s*hidden)"
    r"|(?:left|right|top|text-indent)\s*:\s*-999"
)
STYLES = ("display:none", "x; DISPLAY : None", "vIſıbİlİty:hidden", "text-indent:-99", "x -999")
VALUES = st.one_of(
    st.none(),
    st.sampled_from((*STYLES, "top:0;left\u2003:\n-9999px", "", " ", "a", "a b", "a\0b", "\0")),
    st.text("a\u00a0\u3000\x85é\u2028\U0001f41d", max_size=8),
    st.text(max_size=8),
    st.text("dDiıİsSſplay vVbt:noneh\u2003\x1c", max_size=24),
)
ROWS_OF_THREE = st.lists(st.one_of(st.none(), st.just(()), st.tuples(*[VALUES] * 3)), max_size=20)


def are_hidden(bundles):
    """Which of some bundles hide, each that of an element of its own."""
    table = parse_pages([b"<p>a" * len(bundles)], attributes=HIDING)
    rows, bundle = np.flatnonzero(table.elements.tag == IDS["p"]), table.elements.bundle.copy()
    bundle[rows] = np.arange(len(bundles))
    elements = table.elements.replace(bundle=bundle)
    return hidden_elements(table.replace(bundles=tuple(bundles), elements=elements))[rows].tolist()


@given(ROWS_OF_THREE)
def test_what_hides(bundles):
    rows = [bundle or (None,) * 3 for bundle in bundles]
    wanted = [
        hidden is not None or aria_hidden == "true" or bool(style and HIDES.search(style))
        for style, hidden, aria_hidden in rows
    ]
    assert are_hidden(bundles) == wanted


@pytest.mark.parametrize("style", ["display : none", "visibility:hidden"])
def test_every_character_in_a_style(style):
    bundles = [
        (style[:place] + chr(code) + style[place + 1 :], None, None)
        for place in (1, 3, style.index(":"), len(style) - 2)
        for code in (*range(0x300), *range(0x2000, 0x2200), *range(0xFE00, 0x10000))
        if not 0xD800 <= code < 0xE000
    ]
    found = are_hidden(bundles)
    assert found == [bool(HIDES.search(style)) for style, *_ in bundles]
    assert sum(found) > 4


@given(ROWS_OF_THREE)
def test_first_classes_are_numbered_by_first_use(bundles):
    number = {"": 0}
    names = [(bundle and bundle[1]) or "" for bundle in bundles]
    wanted = [number.setdefault((name.split() or [""])[0], len(number)) for name in names]
    table = parse_pages([b"<p>a"], attributes=("id", "class", "role"))
    assert table.replace(bundles=tuple(bundles)).class_numbers.tolist() == [*wanted, 0]


@given(st.lists(st.one_of(st.just(()), st.tuples(VALUES, VALUES)), max_size=12))
def test_columns_are_the_sequence_of_their_tuples(rows):
    # A bundle without any value is the empty one, which stands for what was too many.
    rows = [() if row == (None, None) else row for row in rows]
    # As the compiled core has them, but that half of a pair is a question mark.
    cells = chain.from_iterable(row or (None, None) for row in rows)
    encoded = [b"" if v is None else v.encode("utf-8", "replace") + b" " for v in cells]
    offsets = np.array([0, *accumulate(map(len, encoded))])
    columns = BundleColumns(np.frombuffer(b"".join(encoded), np.uint8), offsets, 2)
    assert columns == rows == [*columns]
    assert columns == tuple(rows)
    assert columns != [*rows, ("a", None)]
    assert len(columns) == len(rows)
    assert columns[1:] == tuple(rows[1:])
    assert [columns[row] for row in range(-len(rows), len(rows))] == rows * 2
    assert columns.column(1) == [row[1] if row else None for row in rows]


def test_a_batch_of_very_many_bundles():
    tags = [f"<p class='a{n} é' id={'' if n % 3 else n}>" for n in range(100_000)]
    pages = ["".join(tags[start : start + 25_000]).encode() for start in range(0, 100_000, 25_000)]
    table = parse_pages(pages, attributes=("class", "id"))
    assert len(table.bundles) == 100_000
    assert table.bundles[99_998] == ("a99998 é", "")
    assert table.class_numbers.tolist() == [*range(1, 100_001), 0]


def test_bundles_are_searched_without_making_strings():
    pages = ["<div class=a id=bee><p class=c><p id=been>", "<p class='x y'>"]
    bundles = parse_pages(pages, attributes=("class", "id")).bundles
    assert bundles.rows_with(b"bee").tolist() == [0, 2]
    assert bundles.rows_with(b"wasp").tolist() == []
    assert [bundles.value(row, 0) for row in range(4)] == ["a", "c", None, "x y"]
