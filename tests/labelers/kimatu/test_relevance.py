"""Kimatu: counts of text elements, the four ratios of areas, relevance."""

import numpy as np
import pytest

from victor.labelers.kimatu.areas import (
    Counts,
    Ratios,
    count,
    group,
    ratios,
    relevance,
    within_look,
)


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("One, two; three: four.", 4),
        ("Really? Yes! No", 2),
        ("at 12:30 or 3.14 or 1,000 or 1:2:3", 0),
        ("open until 12:30.", 1),
        ("the U.S.A. and Mr. Bell", 1),
        ("J. R. R. Tolkien wrote it.", 1),
        ("write to a.b@example.org now", 0),
        ("Well ... then", 1),
        ("What?! Yes", 1),
        ('"Stop." He left', 1),
        ("plan b.", 0),
        ("ab.", 1),
        ("これは文です。次の文。", 1),
    ],
)
def test_marks_at_phrase_boundaries(table, text, marks):
    assert count(table(f"<p>{text}")).marks.tolist() == [marks]


def test_marks_do_not_reach_into_the_next_block(table):
    counts = count(table("<p>a<p>b.<p>c<p>. So<p>word.<p>Next,<p>", "<p>."))
    assert counts.marks.tolist() == [0, 0, 0, 1, 1, 1, 1]


@pytest.mark.parametrize(
    ("markup", "links"),
    [
        ("<p>a", [0]),
        ("<p><a href=x>a</a> b <a href=y>c</a>", [2]),
        ("<p><a href=x>a <b>b</b> c</a>", [1]),
        ("<p><a href=x>a</a><a href=x>b</a>", [2]),
        ("<a href=x><div>a</div><div>b</div></a>", [1, 1]),
        ("<p>a<p><a href=x><img></a>b", [0, 0]),
    ],
)
def test_links_of_text_elements(table, markup, links):
    assert count(table(markup)).links.tolist() == links


def of(characters, *, words=None, marks=None, links=None, area=None, settings):
    n = len(characters)
    counts = Counts(
        *(np.array(v if v is not None else [1] * n) for v in (characters, words, marks, links))
    )
    look = np.array(area if area is not None else range(n))
    return ratios(counts, group(look, np.zeros(n, dtype=np.int64), n), settings)


def test_length_is_that_of_the_area_over_the_largest(with_):
    measured = of([100, 30, 20], area=[0, 1, 1], settings=with_())
    assert measured.length.tolist() == [1.0, 0.5]


def test_average_is_over_the_highest_up_to_the_cap(with_):
    measured = of([200, 30, 70], area=[0, 1, 1], settings=with_({"ratios.average_cap": 400.0}))
    assert measured.average.tolist() == [1.0, 0.25]
    measured = of([200, 30, 70], area=[0, 1, 1], settings=with_({"ratios.average_cap": 100.0}))
    assert measured.average.tolist() == [1.0, 0.5]


def test_punctuation_is_marks_per_word_over_a_constant(with_):
    measured = of([9] * 3, words=[20, 20, 20], marks=[1, 2, 3], links=[0] * 3,
               settings=with_({"ratios.marks_per_word": 0.1}))  # fmt: skip
    assert measured.punctuation.tolist() == [0.5, 1.0, 1.0]
    assert of([9], words=[0], marks=[0], settings=with_()).punctuation.tolist() == [0.0]


def test_link_density_is_links_per_element_over_a_constant(with_):
    measured = of([9] * 5, links=[1, 2, 3, 0, 2], area=[0, 1, 2, 3, 3],
               settings=with_({"ratios.links_per_element": 2.0}))  # fmt: skip
    assert measured.links.tolist() == [0.5, 1.0, 1.0, 0.5]


def test_ratios_are_of_each_page(with_):
    areas = group(np.array([0, 1, 2]), np.array([0, 1, 1]), 3)
    counts = Counts(*(np.array([10, 40, 20]) for _ in range(4)))
    assert ratios(counts, areas, with_()).length.tolist() == [1.0, 1.0, 0.5]


@pytest.mark.parametrize(
    ("values", "expected"),
    [((1, 1, 1, 0), 1.0), ((1, 0.5, 0.5, 0.25), 0.0), ((0, 0, 0, 1), -2.0), ((0.5, 0, 1, 0), 0.25)],
)
def test_relevance(values, expected, with_):
    of_area = Ratios(*(np.array([value]) for value in values))
    assert relevance(of_area, with_()).tolist() == [expected]


@pytest.mark.parametrize(
    ("key", "value"),
    [("length", 0.5), ("average", 0.5), ("punctuation", -0.5), ("links", -0.25)],
)
def test_every_ratio_has_a_weight(key, value, with_):
    of_area = Ratios(*(np.array([value]) for value in (0.5, 0.5, 0.5, 0.25)))
    base = relevance(of_area, with_({f"weights.{key}": 0.0}))[0]
    other = relevance(of_area, with_({f"weights.{key}": 1.0}))[0]
    assert other - base == pytest.approx(value)


def test_sizes_within_a_look_are_against_its_references(with_):
    areas = group(np.array([0, 1, 0, 0, 2, 1, 1]), np.zeros(7, dtype=np.int64), 0)
    assert areas.look.tolist() == [0, 1, 0, 2, 1]
    characters = np.array([40, 90, 20, 20, 900, 30, 0])
    ones = np.ones(5)
    of_areas = Ratios(ones, ones, ones / 2, ones / 4)
    references = np.array([True, False, False, True, False])
    settings = with_({"ratios.average_cap": 30.0})
    inside = within_look(of_areas, characters, areas, references, settings)
    # Of look 0 the reference has 40 characters in one element, over the cap of 30; the other has
    # 40 in two. Look 1 has no reference.
    assert inside.length.tolist() == [1.0, 0.0, 1.0, 1.0, 0.0]
    assert inside.average.tolist() == [1.0, 0.0, pytest.approx(20 / 30), 1.0, 0.0]
    assert inside.punctuation is of_areas.punctuation
    assert inside.links is of_areas.links
