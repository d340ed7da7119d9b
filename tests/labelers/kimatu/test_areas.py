"""Kimatu: which text elements look alike, and which of them make an area."""

import numpy as np
import pytest

from victor.labelers.kimatu.areas import group, looks
from victor.page.table.texts import block_texts


def alike(table, markup):
    """Texts of blocks that look alike, one string for each appearance, by first block."""
    blocks = table(markup)
    groups = {}
    for look, text in zip(looks(blocks).tolist(), block_texts(blocks), strict=True):
        groups.setdefault(look, []).append(text)
    return [" ".join(texts) for texts in groups.values()]


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>a<p>b", ["a b"]),
        ("<div>a</div><p>b", ["a b"]),
        ("<p>a<h2>b</h2><p>c", ["a c", "b"]),
        ("<p>a<p><b>b</b><p>c <b>d</b>", ["a c d", "b"]),
        ("<p>a<p><a href=x>b</a>", ["a", "b"]),
        # The paper: the same class or the same look.
        ("<div class=x>a</div><div class=x><b>b</b></div><div class=x>c</div>", ["a b c"]),
        ("<div class=x><p>a</div><div class=x><p><b>b</b></div>", ["a", "b"]),
        ("<p>a<p align=right>b<p align=right>c", ["a", "b c"]),
        ("<font color=red><p>a</font><p>b", ["a", "b"]),
        ("<p><font size=1>a</font><p><font size=2>b</font>", ["a", "b"]),
        ("<p class=x>a<p class=y>b<p class=x>c<p>d", ["a c", "b", "d"]),
        ("<blockquote><p class=x>a</blockquote><p class=x>b", ["a b"]),
        ("<div class=x><p>a</p><p style='b:1'>b</p></div>", ["a", "b"]),
        ("<p class='post n12'>a<p class=' post  n7 '>b<p class=post>c", ["a b", "c"]),
        ("<p class='x' align=left>a<p class=x align=right>b", ["a b"]),
        ("<p class=' '>a<p>b<p title=c>c", ["a", "b c"]),
    ],
)
def test_what_looks_alike(table, markup, expected):
    assert alike(table, markup) == expected


def test_looks_of_two_pages_differ(table):
    numbers = looks(table("<p class=x>a<p>b<p>c", "<p class=x>a<p>b"))
    assert sorted(set(numbers.tolist())) == [0, 1, 2, 3]
    assert numbers[1] == numbers[2]


def test_a_deep_page_looks_as_a_flat_one(table):
    deep = "<div>" * 100 + "<h1>a</h1><p>b" + "</div>" * 100 + "<h1>c</h1><p>d"
    assert alike(table, deep) == ["a c", "b d"]


@pytest.mark.parametrize(
    ("near", "areas"),
    [(0, [0, 1, 2, 3, 3, 4]), (1, [0, 1, 0, 2, 2, 3]), (2, [0, 1, 0, 2, 2, 3]),
     (3, [0, 1, 0, 2, 2, 1])],
)  # fmt: skip
def test_near_is_how_many_others_lie_between(near, areas):
    look = np.array([0, 1, 0, 2, 2, 1])
    grouped = group(look, np.zeros(6, dtype=np.int64), near)
    assert grouped.area.tolist() == areas
    assert grouped.look[grouped.area].tolist() == look.tolist()
    assert [int(np.flatnonzero(grouped.area == a)[0]) for a in range(len(grouped))] == [
        *grouped.first
    ]
    assert [int(np.flatnonzero(grouped.area == a)[-1]) for a in range(len(grouped))] == [
        *grouped.last
    ]


def test_no_blocks_no_areas():
    none = np.zeros(0, dtype=np.int64)
    assert len(group(none, none, 3)) == 0
