"""Sections of comments lose their names, and what is dropped of them is counted."""

import grafts
import numpy as np
import pytest

from victor.base.labels import Label
from victor.corpus.pages import AnnotatedPage

ARTICLE = b"<p class=text>bees fly home"
SECTION = b"<div class='a b' id=c data-x><p aria-label=\"d\">so they do</div>"


@pytest.fixture
def page():
    marks = {"markups": ["x"], "bytes": [len(ARTICLE), len(ARTICLE + SECTION)], "span": [1, 2]}
    labels = np.array([Label.TEXT, Label.OTHER], dtype=np.uint8)
    kinds = ["", "comment"]
    return AnnotatedPage(
        id="p",
        html=ARTICLE + SECTION,
        labels=labels,
        hashes=(),
        gold="bees fly home",
        metadata={"graft": marks, "kinds": kinds},
    )


def test_only_the_section_loses_its_names(page):
    bare = grafts.nameless(page)
    assert bare.html == ARTICLE + b"<div><p>so they do</div>"
    start, stop = bare.metadata["graft"]["bytes"]
    assert bare.html[start:stop] == b"<div><p>so they do</div>"


def test_parts_are_those_of_segments(page):
    assert grafts.parts_of(page).tolist() == [grafts.BASE, grafts.COMMENT]


def test_shares_are_of_all_words_and_means_of_pages():
    assert grafts.share([1, 3, 0], [2, 3, 0]) == "0.800 (0.750)"
