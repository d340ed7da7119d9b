"""Compiled readers of the attributes of elements give what the Python path gives."""

from dataclasses import replace
from functools import partial
from itertools import accumulate, chain
from operator import attrgetter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from victor.base import core
from victor.features import class_groups
from victor.page.markup import hidden
from victor.page.names import name_groups
from victor.page.names.name_groups import NameGroups
from victor.page.parsing import events
from victor.page.parsing.attributes import BundleColumns
from victor.page.parsing.events import record
from victor.page.table.segment import parse_pages

pytestmark = pytest.mark.skipif(core.compiled is None, reason="no compiled core")

NAMES = (
    "comment post-body modal fade related x =fade Comments commentList commentlistX role".split()
)


def by_python(compute):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(core, "compiled", None)
        return compute().tolist()


def is_the_same(table, compute):
    """Does a function of a table give the same on the compiled and on the Python path.

    The bundles are tuples, and columns as the compiled core makes them.
    """
    wanted = by_python(lambda: compute(table))
    of_columns = replace(table, bundles=columns_of(table.bundles, len(table.attributes)))
    return (
        compute(replace(table)).tolist() == wanted
        and compute(replace(of_columns)).tolist() == wanted
        and by_python(lambda: compute(replace(of_columns))) == wanted
    )


def columns_of(bundles, width):
    """As the compiled core has them, but that half of a pair is a question mark."""
    cells = chain.from_iterable(bundle or (None,) * width for bundle in bundles)
    encoded = [b"" if v is None else v.encode("utf-8", "replace") + b" " for v in cells]
    offsets = np.array([0, *accumulate(map(len, encoded))])
    return BundleColumns(np.frombuffer(b"".join(encoded), np.uint8), offsets, width)


def table_of(bundles, attributes):
    return replace(parse_pages([b"<p>a"], attributes=attributes), bundles=tuple(bundles))


VALUES = st.one_of(
    st.none(),
    st.sampled_from(
        (
            "",
            " ",
            "a",
            "a b",
            "a\0b",
            "\0",
            "\u00a0a",
            "\u3000\x85é\u2028a",
            "\U0001f41d \U0001f41d",
            "display:none",
            "x; DISPLAY : None",
            "vIſıbİlİty:hidden",
        )
    ),
    st.text(max_size=8),
    st.text("dDiıİsSſplay vVbt:noneh\u2003\x1c", max_size=24),
)


@given(st.lists(st.one_of(st.none(), st.just(()), st.tuples(VALUES, VALUES, VALUES)), max_size=20))
@hypothesis_settings(max_examples=100)
def test_rows_of_attributes(bundles):
    hiding = table_of(bundles, ("style", "hidden", "aria-hidden"))
    assert is_the_same(hiding, hidden.hiding)
    classes = table_of(bundles, ("id", "class", "role"))
    assert is_the_same(classes, attrgetter("class_numbers"))


@pytest.mark.parametrize("style", ["display:none", "visibility:hidden", "display : none"])
def test_every_character_in_a_style(style):
    bundles = [
        (style[:place] + chr(code) + style[place + 1 :],)
        for place in range(len(style))
        for code in (*range(0x3100), *range(0xFE00, 0x10500))
        if not 0xD800 <= code < 0xE000
    ]
    table = table_of([(style, None, None) for (style,) in bundles], hidden.HIDING)
    assert is_the_same(table, hidden.hiding)
    assert hidden.hiding(table).sum() > len(style)


GROUPS = NameGroups(
    [
        ["comment", "comment-list", "post body main item", "=fade"],
        ["modal =fade", "=x !role=main", "itemprop=Bee", "bees hive !wax", "post body"],
        ["včely", "=ΌΣΟΣ", "Überall hier", "東", "a-b-c"],
    ]
)
PIECES = (
    *"comment comments List LIST Post post body Body main item items fade FADE modal x".split(),
    *"main bee Bee hive wax včely VČELY ΌΣΟΣ όσοσ Überall überall hier 東 京 A B C a b c".split(),
    *"- _ . 7 \u00ad \U0001f41d \ud800 \U00020000 XMLHttp é".split(),
    *(" ", " ", " ", "\n"),
)
NAMED = st.one_of(
    st.none(), st.lists(st.sampled_from(PIECES), max_size=8).map("".join), st.text(max_size=6)
)
ROWS = st.lists(st.tuples(*[NAMED] * 5), max_size=8)


def without_ends(rows):
    """No attribute has a character that ends strings."""
    return [tuple(v and v.replace("\0", "") for v in row) for row in rows]


@given(ROWS)
@hypothesis_settings(max_examples=120)
def test_groups_of_names(rows):
    table = table_of(without_ends(rows), name_groups.ATTRIBUTES)
    assert is_the_same(table, GROUPS.masks)


@pytest.mark.parametrize("length", range(985, 1006))
def test_names_at_the_end_of_what_is_read(length):
    names = ("comment", "comment comments-list", "post-body", "modal fade", "comment fade x")
    rows = [(("z" * length) + " " + name, name.rjust(length), None, "", None) for name in names]
    rows += [
        (("z" * length) + name.title(), name.rjust(length, "-"), None, "", None) for name in names
    ]
    assert is_the_same(table_of(rows, name_groups.ATTRIBUTES), GROUPS.masks)
    for row in rows:
        alone, among = (
            GROUPS.masks(table_of(some_rows, name_groups.ATTRIBUTES))
            for some_rows in ([row], [("a",) * 5, row])
        )
        assert alone[0] == among[1]


def test_shipped_groups_of_names():
    words = class_groups.build().kernel.inputs
    assert words is not None
    rows = [(f"{a}-{b}", a, b, None, a + b.title()) for a in NAMES for b in NAMES]
    table = table_of(rows, name_groups.ATTRIBUTES)
    assert len([*table.heads]) == 1  # made by the compiled core, which is off for one of the two
    assert is_the_same(table, lambda table: words(table)[0])


def test_many_distinct_classes_take_linear_time():
    bundles = columns_of([(f"a{n} b",) for n in range(100_000)], 1)
    numbers = core.array(core.compiled.class_numbers(bundles, 0), np.int64)
    assert numbers.tolist() == [*range(1, 100_001), 0]


@given(st.lists(st.binary(max_size=12), min_size=1, max_size=8))
@hypothesis_settings(max_examples=200)
def test_any_bytes_as_values(values):
    """Other bytes than those of UTF-8 are read as some characters, and no further."""
    offsets = np.array([0, *accumulate(len(value) + 1 for value in values)])
    text = b" ".join([*values, b""])
    bundles = BundleColumns(np.frombuffer(text, np.uint8), offsets, 1)
    for read in readers(bundles):
        assert read() is not None


def readers(bundles):
    """Calls of all functions that read the first column of some bundles."""
    compiled = core.compiled
    return (
        partial(compiled.class_numbers, bundles, 0),
        partial(compiled.hiding, bundles, 0, 0, 0),
        partial(compiled.name_groups, bundles, (0,) * 5, GROUPS._patterns),
    )


@given(st.lists(st.one_of(st.just(()), st.tuples(VALUES, VALUES)), max_size=12))
def test_columns_are_the_sequence_of_their_tuples(rows):
    # A bundle without any value is the empty one, which stands for what was too many.
    rows = [() if row == (None, None) else row for row in rows]
    columns = columns_of(rows, 2)
    assert columns == rows
    assert columns == tuple(rows)
    assert columns != [*rows, ("a", None)]
    assert [*columns] == rows
    assert len(columns) == len(rows)
    assert columns[1:] == tuple(rows[1:])
    assert [columns[row] for row in range(-len(rows), len(rows))] == rows * 2
    assert columns.column(1) == [row[1] if row else None for row in rows]


def test_bundles_beyond_the_last_number_are_one(monkeypatch):
    monkeypatch.setattr(events, "_MAX_BUNDLES", 2)
    page = b"<p class=a>a<p class=b>b<p class=c>c<p class=d>d"
    ours = record([page], attributes=("class", "id"))
    assert ours.bundles == (("a", None), ("b", None), ())
    monkeypatch.setattr(core, "compiled", None)
    wanted = record([page], attributes=("class", "id"))
    assert ours.bundles == wanted.bundles
    assert ours.codes.tolist() == wanted.codes.tolist()


def test_a_batch_of_very_many_bundles():
    pages = [
        "".join(
            f"<p class='a{n} é' id={'' if n % 3 else n}>" for n in range(a, a + 25_000)
        ).encode()
        for a in range(0, 100_000, 25_000)
    ]
    bundles = record(pages, attributes=("class", "id")).bundles
    assert len(bundles) == 100_000
    assert bundles[99_998] == ("a99998 é", "")
    numbers = core.array(core.compiled.class_numbers(bundles, 0), np.int64)
    assert numbers.tolist() == [*range(1, 100_001), 0]


def test_bundles_are_chosen_by_row_and_searched_without_making_strings():
    pages = ["<div class=a id=bee><p class=c><p id=been>", "<p class='x y'>"]
    bundles = parse_pages(pages, attributes=("class", "id")).bundles
    assert bundles.rows_with(b"bee", b"y").tolist() == [0, 2, 3]
    assert bundles.rows_with(b"wasp").tolist() == []
    assert bundles.only(np.array([3, 0])) == (bundles[3], bundles[0])
    assert [bundles.value(row, 0) for row in range(4)] == ["a", "c", None, "x y"]
