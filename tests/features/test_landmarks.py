"""The nearest article, main part and section."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from victor import features
from victor.page.parsing.events import record
from victor.page.parsing.tags import NAMES
from victor.page.table.segment import segment


def test_the_innermost_counts(measured):
    page = "<p>a<article>b <a>c</a><article>d</article>e f</article>g h"
    values = measured("landmarks", page, "<p>i", split="block")
    assert values["article.share"].tolist() == pytest.approx([-1, 5 / 8, 1 / 8, 5 / 8, -1, -1])
    assert values["article.link"].tolist() == pytest.approx([-1, 1 / 5, 0, 1 / 5, -1, -1])
    assert set(values["main.share"]) == {-1}


def test_an_element_without_text_hides_none(measured):
    page = "<section></section>a<section><section></section>b c<section></section></section>d"
    values = measured("landmarks", page)
    assert values["section.share"].tolist() == [-1, 0.5, -1]


def test_names_are_apart(measured):
    values = measured("landmarks", "<main>a<section>b</section></main>c d")
    assert values["main.share"].tolist() == [0.5, 0.5, -1]
    assert values["section.share"].tolist() == [-1, 0.25, -1]


def pieces():
    """Markup of nested sections and articles; some are never closed."""
    tags = ["<section>", "</section>", "<article>", "</article>", "<p>", "<a>x</a>", "y ", "z<br>"]
    return st.lists(st.sampled_from(tags), max_size=25).map("".join)


@pytest.mark.parametrize("split", ["tag", "block"])
@settings(max_examples=40, deadline=None, derandomize=True)
@given(pages=st.lists(pieces(), max_size=3))
def test_against_walking_up(split, pages):
    table = segment(record([page.encode() for page in pages]), split)
    values, words = features.load("landmarks")(table), table.element_words
    for name in ("article", "main", "section"):
        share = []
        for block, innermost in enumerate(table.element.tolist()):
            total = max(words[table.page_roots[table.page[block]]], 1)
            found = nearest(table, innermost, name)
            share.append(-1 if found is None else words[found] / total)
        np.testing.assert_allclose(values[f"{name}.share"], share, err_msg=name)


def nearest(table, element, name):
    """The element, or the innermost around it, of a name."""
    while table.elements.depth[element]:
        if NAMES[table.elements.tag[element]] == name:
            return element
        element = table.elements.parent[element]
    return None
