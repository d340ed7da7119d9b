"""Kimatu: looks, areas, ratios, repetitions, the steps on hand-built areas, and whole pages."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from victor.config.layers import load_as
from victor.labelers.kimatu.areas import (
    LOOKS,
    Counts,
    Ratios,
    Settings,
    group,
    looks,
    ratios,
    relevance,
    within_look,
)
from victor.labelers.kimatu.repeats import Words, common_length, quotes
from victor.labelers.kimatu.steps import Evidence, beside, choose, far, rescued, sure
from victor.labelers.labeler import build_labeler
from victor.labelers.rules import RuleLabeler
from victor.render.cleaneval import render
from victor.render.forms import Page


def table(*pages):
    cutter = RuleLabeler("none", lambda blocks: np.zeros(len(blocks)), attributes=LOOKS)
    return cutter.table([page.encode() for page in pages])


def with_(**changes):
    """The shipped constants, some of them changed: ``with_(far_times=2.0)``."""
    overrides = [f"{key}={json.dumps(value)}" for key, value in changes.items()]
    return load_as(Settings, "kimatu", overrides)


# --- Areas ----------------------------------------------------------------------------------------


def test_looks_of_two_pages_differ():
    numbers = looks(table("<p class=x>a<p>b<p>c", "<p class=x>a<p>b"))
    assert sorted(set(numbers.tolist())) == [0, 1, 2, 3]
    assert numbers[1] == numbers[2]


@pytest.mark.parametrize(
    ("near", "areas"),
    [(0, [0, 1, 2, 3, 3, 4]), (1, [0, 1, 0, 2, 2, 3]), (3, [0, 1, 0, 2, 2, 1])],
)
def test_near_is_how_many_others_lie_between(near, areas):
    look = np.array([0, 1, 0, 2, 2, 1])
    grouped = group(look, np.zeros(6, dtype=np.int64), near)
    assert grouped.area.tolist() == areas
    assert grouped.look[grouped.area].tolist() == look.tolist()
    places = [np.flatnonzero(grouped.area == area) for area in range(len(grouped))]
    assert [place[0] for place in places] == [*grouped.first]
    assert [place[-1] for place in places] == [*grouped.last]


# --- Ratios and relevance -------------------------------------------------------------------------


def test_the_four_ratios():
    look = np.array([0, 1, 1, 2])
    areas = group(look, np.array([0, 0, 0, 1]), 3)
    values = ([200, 30, 70, 40], [20, 20, 20, 0], [1, 2, 0, 0], [1, 4, 0, 0])
    counts = Counts(*(np.array(column) for column in values))  # characters, words, marks, links
    settings = with_(ratios_marks_per_word=0.1, ratios_links_per_element=4.0)
    measured = ratios(counts, areas, settings)
    assert measured.length.tolist() == [1.0, 0.5, 1.0]  # the last one is of another page
    assert measured.average.tolist() == [1.0, 0.25, 1.0]
    assert measured.punctuation.tolist() == [0.5, 0.5, 0.0]
    assert measured.links.tolist() == [0.25, 0.5, 0.0]
    capped = ratios(counts, areas, with_(ratios_average_cap=100.0))
    assert capped.average.tolist() == [1.0, 0.5, 1.0]


@pytest.mark.parametrize(
    ("values", "expected"),
    [((1, 1, 1, 0), 1.0), ((1, 0.5, 0.5, 0.25), 0.0), ((0, 0, 0, 1), -2.0), ((0.5, 0, 1, 0), 0.25)],
)
def test_relevance(values, expected):
    of_area = Ratios(*(np.array([value]) for value in values))
    assert relevance(of_area, with_()).tolist() == [expected]
    without = with_(**dict.fromkeys((f"weights_{name}" for name in Ratios.__annotations__), 0.0))
    assert relevance(of_area, without).tolist() == [0]


def test_sizes_within_a_look_are_against_its_references():
    areas = group(np.array([0, 1, 0, 0, 2, 1, 1]), np.zeros(7, dtype=np.int64), 0)
    characters = np.array([40, 90, 20, 20, 900, 30, 0])
    ones = np.ones(5)
    references = np.array([True, False, False, True, False])
    of_areas = Ratios(ones, ones, ones / 2, ones / 4)
    inside = within_look(of_areas, characters, areas, references, with_(ratios_average_cap=30.0))
    # Of look 0 the reference has 40 characters in one element, over the cap of 30; the other has
    # 40 in two. Look 1 has no reference.
    assert inside.length.tolist() == [1.0, 0.0, 1.0, 1.0, 0.0]
    assert inside.average.tolist() == [1.0, 0.0, pytest.approx(20 / 30), 1.0, 0.0]


# --- Function elements and quotes -----------------------------------------------------------------


LONG = "the tide comes in over the flats twice a day and takes the young shells with it"
QUOTED = "twice a day and takes the young shells"


def test_quotes_of_what_comes_later_or_on_another_page_are_none():
    for pages in ([f"<blockquote>{QUOTED}</blockquote><p>{LONG}"], [f"<p>{LONG}", f"<p>{LONG}"]):
        page = table(*pages)
        areas = group(looks(page), page.page, 0)
        assert not quotes(Words.of(page), areas, np.array([len(pages) > 1, True]), with_()).any()


@given(*[st.lists(st.integers(0, 5), max_size=40)] * 2)
def test_common_length_is_that_of_a_reference(a, b):
    reference = pytest.importorskip("rapidfuzz.distance").LCSseq
    assert common_length(a, b) == reference.similarity(a, b)


# --- The steps ------------------------------------------------------------------------------------


def evidence(look, relevant, *, near=0, page=None, characters=10):
    """Look and relevance, one number per block, those of an area equal.

    All blocks are of 10 characters, and what relevance lacks is missing punctuation.
    """
    look, page = np.array(look), np.array(page or [0] * len(look))
    areas = group(look, page, near)
    of_areas = np.array(relevant, dtype=float)[areas.first]
    full = np.ones(len(areas))
    measured = Ratios(length=full, average=full, punctuation=of_areas, links=0 * full)
    return Evidence(areas, measured, of_areas, np.broadcast_to(np.array(characters), look.shape))


def chosen(facts, gone=(), **changes):
    """The blocks that all steps keep, if some areas are deleted."""
    deleted = np.isin(np.arange(len(facts.areas)), gone)
    return np.flatnonzero(choose(facts, deleted, with_(**changes))).tolist()


def numbers(step, facts, **changes):
    """The areas that one step names, after the first one."""
    return np.flatnonzero(step(facts, sure(facts, with_()), with_(**changes))).tolist()


def test_sure_areas_are_above_the_limit():
    facts = evidence([0, 1, 2], [0.32, 0.33, -1.0])
    assert sure(facts, with_()).tolist() == [False, True, False]
    assert sure(facts, with_(sure=0.33)).tolist() == [False, False, False]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [({}, [0, 4]), ({"rescue_relevance": 0.11}, [0]), ({"rescue_near": 0}, [0])],
)
def test_dispersed_areas_that_look_like_a_kept_one_are_rescued(changes, expected):
    facts = evidence([0, 1, 0, 1, 0], [0.5, 0.2, 0.1, 0.3, 0.11])
    assert numbers(rescued, facts, **changes) == expected
    other_page = evidence([0, 1, 2], [0.5, 0.2, 0.2], page=[0, 1, 1])
    assert numbers(rescued, other_page) == [0]
    assert chosen(facts, [4], references_reach=0) == [0]


def test_rescued_are_those_relevant_beside_the_kept_ones_of_their_look():
    # 12 characters on a page with an area of 1,000 are few, but not beside the 15 of its look.
    facts = evidence([0, 1, 0, 2], [0.4, 0.1, 0.2, 0.9], characters=[15, 10, 12, 1000])
    # Its ratio is 0.5 * 12 / 15 twice, less the lack of punctuation: 0.8 - 0.8.
    assert 2 in numbers(rescued, facts, rescue_relevance=-0.001)
    assert 2 not in numbers(rescued, facts, rescue_relevance=0.001)


def far_page(last=0.4):
    """Four candidates side by side and one 16 elements after them, on one page."""
    return evidence([0, 1, 2, 3, *range(5, 20), 4], [0.4] * 4 + [0.0] * 15 + [last])


@pytest.mark.parametrize(
    ("last", "times", "expected"),
    # Distances 1, 1, 1, 1 and 16: the geometric mean is 16 ** 0.2, and 16 is 9.19 times that.
    [(0.4, 9.1, [19]), (0.4, 9.3, []), (0.5, 2.0, [19]), (0.51, 2.0, [])],
)
def test_far_is_beyond_some_times_the_geometric_mean(last, times, expected):
    assert numbers(far, far_page(last), far_times=times) == expected


@pytest.mark.parametrize(
    "facts",
    [
        evidence([0, 1, 2], [0.4, 0.0, 0.4], page=[0, 0, 1]),  # another page has no neighbours
        evidence([0, 1, 1, 2, 2, 2, 3, 0], [0.4, 0, 0, 0, 0, 0, 0.4, 0.4], near=9),
        # The first area reaches up to the last but one, so that the last is beside it.
        evidence([0, 1, *range(5, 25), 0, 2], [0.4, 0.4, *([0.0] * 20), 0.4, 0.4], near=99),
    ],
)
def test_what_overlaps_or_is_alone_is_not_far(facts):
    assert numbers(far, facts, far_times=1.1) == []


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"reach": 0}, [3]),
        ({"reach": 1}, [2, 3, 4]),
        ({"reach": 9}, [*range(6)]),
        ({"reach": 9, "relevance": -0.89}, [3]),
    ],
)
def test_areas_near_candidates_are_kept_on_both_sides(changes, expected):
    facts = evidence([0, 1, 2, 3, 4, 5], [-0.9, -0.9, -0.9, 0.5, -0.9, -0.9])
    changes = {f"references_{key}": value for key, value in changes.items()}
    assert numbers(beside, facts, **changes) == expected
    other_page = evidence([0, 1, 2], [0.5, -0.5, -0.5], page=[0, 1, 1])
    assert numbers(beside, other_page) == [0]


def test_what_is_added_is_no_reference_and_what_is_deleted_comes_back_by_no_step():
    facts = evidence([0, 1, 2], [0.5, -0.5, -0.5])
    assert chosen(facts, references_reach=1) == [0, 1]
    assert chosen(facts, [0], references_reach=1) == []
    assert chosen(facts, [1], references_reach=1) == [0]
    changes = {"far_times": 9.1, "references_reach": 1, "references_relevance": -0.1}
    assert chosen(far_page(), **changes) == [0, 1, 2, 3, 4]
    wide = evidence([0, 1, 2, 1], [0.5, -0.9, -0.9, -0.9], near=1)
    assert chosen(wide, references_reach=1) == [0, 1, 3]


def test_the_steps_in_their_order():
    relevant = [0.6, 0.2, 0.4, *([-1.0] * 15), 0.2, 0.6]
    facts = evidence([0, 1, 0, *range(5, 20), 0, 2], relevant)
    changes = {"far_times": 1.2, "references_reach": 1, "references_relevance": 0.0}
    # 18 looks like 0 and 2 and is rescued beside 19, so that 0 and 2 are far, but 0 is relevant; 1
    # is near 0, a candidate.
    assert chosen(facts, rescue_near=15, **changes) == [0, 1, 18, 19]


# --- Whole pages ----------------------------------------------------------------------------------


def clean(page, *overrides):
    system = build_labeler("kimatu", overrides=overrides)
    return render(Page(system.label(system.table([page]))))


def test_quotes_function_lines_and_menus_of_a_forum_go(forum):
    assert [line[:25] for line in clean(forum).splitlines()] == [
        "<h>Leaking skylight after",
        "<p>Since last autumn our ",
        "<p>An hour is a long time",
        "<p>Before you climb up th",
        "<p>Thank you both. The ca",
        "<p>Rules Contact All post",  # beside the last post, with a mark, and few links
    ]
    assert clean(forum, "quotes.similarity=1").count("always at the same corner") == 2
    easy = ["sure=-1", "far.times=99", "quotes.similarity=1"]
    assert "Posted by" not in clean(forum, *easy)
    assert "Posted by" in clean(forum, *easy, "functions.words=0")
