"""Sections between headings and what the heading above is like."""

import numpy as np
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

from victor import features
from victor.page.parsing.events import record
from victor.page.table.segment import segment


def test_a_section_reaches_to_the_next_heading(measured):
    page = "<p>a<h2>b c</h2><p>d <a>e</a><p>f<h3>g</h3>"
    values = measured("sections", page, "<p>h", split="block")
    assert values["section-text.blocks"].tolist() == [1, 3, 3, 3, 1, 1]
    assert values["section-text.share"].tolist() == pytest.approx([1 / 7, *[5 / 7] * 3, 1 / 7, 1])
    assert values["section-text.link"].tolist() == pytest.approx([0, 0.2, 0.2, 0.2, 0, 0])
    assert values["section-text.density"].tolist() == pytest.approx([1, *[4 / 3] * 3, 1, 1])


def test_the_heading_above(measured):
    page = "<p>a<div><h2>b <a>c</a></h2></div><p>d"
    values = measured("sections", page, "<p>e", split="block")
    assert values["heading.words"].tolist() == [-1, 2, 2, -1]
    assert values["heading.link"].tolist() == [-1, 0.5, 0.5, -1]
    # #page, html, body, div around it.
    assert values["heading.depth"].tolist() == [-1, 4, 4, -1]


def test_after_the_first_heading_of_all(measured):
    values = measured("sections", "<h2>a</h2><p>b<h1>c</h1><p>d<h2>e</h2>", "<p>f")
    assert values["heading.after-h1"].tolist() == [False, False, True, True, True, False]


@pytest.mark.parametrize(
    ("page", "alike"),
    [
        ("<h2>a</h2><h2>b</h2><h2>c</h2>", [3, 3, 3]),
        ("<h2>a</h2><h3>b</h3>", [1, 1]),
        ("<h2 class=x>a</h2><h2>b</h2><h2 class='x y'>c</h2>", [2, 1, 2]),
        ("<div><h2>a</h2></div><h2>b</h2>", [1, 1]),
        ("<div class=x><div><h2>a</h2></div></div><div><div><h2>b</h2></div></div>", [1, 1]),
        ("<h2>a</h2><p>b<p>c", [1, 1, 1]),
        ("<p>a", [-1]),
    ],
)
def test_headings_alike(measured, page, alike):
    assert measured("sections", page, page)["heading.alike"].tolist() == alike * 2


@pytest.mark.slow
@pytest.mark.parametrize("split", ["tag", "block"])
@settings(max_examples=20, deadline=None, derandomize=True)
@given(data=st.data())
def test_against_walking(split, data):
    table = segment(record(data.draw(strategies.batch())), split)
    values = features.load("sections")(table)
    for rows in sections(table):
        words, links = sum(table.words[rows]), sum(table.link_words[rows])
        on_page = max(sum(table.words[table.page == table.page[rows[0]]]), 1)
        heads = table.heading_level[rows[0]] > 0
        wanted = {
            "section-text.share": words / on_page,
            "section-text.link": links / max(words, 1),
            "section-text.density": (words - links) / len(rows),
            "section-text.blocks": len(rows),
            "heading.words": table.words[rows[0]] if heads else -1,
        }
        for name, value in wanted.items():
            np.testing.assert_allclose(values[name][rows], value, atol=1e-9, err_msg=name)


def sections(table):
    """Blocks of every section."""
    found = []
    for block in range(len(table)):
        new_page = block == 0 or table.page[block] != table.page[block - 1]
        if new_page or table.heading_level[block]:
            found.append([])
        found[-1].append(block)
    return found
