"""Kimatu: the steps on hand-built areas, each limit from both sides."""

from dataclasses import replace

import numpy as np
import pytest

from victor.labelers.kimatu.steps import beside, choose, far, rescued, sure


def none_of(facts):
    return np.zeros(len(facts.areas), dtype=bool)


def test_sure_areas_are_above_the_limit(evidence, with_):
    facts = evidence([0, 1, 2], [0.32, 0.33, -1.0])
    assert sure(facts, with_()).tolist() == [False, True, False]
    assert sure(facts, with_({"sure": 0.33})).tolist() == [False, False, False]


def test_dispersed_areas_that_look_like_a_kept_one_are_rescued(evidence, with_):
    facts = evidence([0, 1, 0, 1, 0], [0.5, 0.2, 0.1, 0.3, 0.11])
    kept = sure(facts, with_())
    assert rescued(facts, kept, with_()).tolist() == [True, False, False, False, True]
    other = with_({"rescue.relevance": 0.11})
    assert rescued(facts, kept, other).tolist() == [True, False, False, False, False]


@pytest.mark.parametrize(
    ("near", "expected"),
    [(0, [2]), (1, [0, 2]), (2, [0, 2, 5]), (5, [0, 2, 5]), (6, [0, 2, 5, 9])],
)
def test_dispersed_areas_are_near_one_of_their_look(evidence, with_, near, expected):
    # Between the sure area 2 and those of its look are one other element, two, and six.
    facts = evidence([0, 1, 0, 2, 3, 0, 4, 5, 6, 0], [0.2, -1, 0.5, -1, -1, 0.2, -1, -1, -1, 0.2])
    settings = with_({"rescue.near": near})
    are_rescued = rescued(facts, sure(facts, with_()), settings)
    assert np.flatnonzero(are_rescued).tolist() == expected


def test_areas_of_another_page_are_no_references_of_a_look(evidence, with_):
    facts = evidence([0, 1, 2], [0.5, 0.2, 0.2], page=[0, 1, 1])
    assert rescued(facts, sure(facts, with_()), with_()).tolist() == [True, False, False]


def test_rescued_are_those_relevant_beside_the_kept_ones_of_their_look(evidence, with_):
    # 12 characters on a page with an area of 1,000 are few, but not beside the 15 of its look.
    facts = evidence([0, 1, 0, 2], [0.4, 0.1, -0.4, 0.9], characters=[15, 10, 12, 1000])
    punctuation = np.array([1.0, 1.0, 0.2, 1.0])
    facts = replace(facts, ratios=replace(facts.ratios, punctuation=punctuation))
    # Its ratio is 0.5 * 12 / 15 twice, less the lack of punctuation: 0.8 - 0.8.
    kept = np.array([True, False, False, True])
    for limit, expected in ((-0.001, True), (0.001, False)):
        settings = with_({"rescue.relevance": limit})
        assert rescued(facts, kept, settings).tolist()[2] is expected


def test_what_is_deleted_is_not_rescued(evidence, with_):
    facts = evidence([0, 1, 0], [0.5, 0.0, 0.2])
    deleted = np.array([False, False, True])
    assert choose(facts, deleted, with_({"references.reach": 0})).tolist() == [True, False, False]
    assert choose(facts, none_of(facts), with_({"references.reach": 0})).tolist() == [
        True,
        False,
        True,
    ]


def far_page(evidence, last=0.4):
    """Four candidates side by side and one 16 elements after them, on one page."""
    look = [0, 1, 2, 3, *range(5, 20), 4]
    relevance = [0.4] * 4 + [0.0] * 15 + [last]
    return evidence(look, relevance)


@pytest.mark.parametrize(("times", "expected"), [(9.1, True), (9.3, False)])
def test_far_is_beyond_some_times_the_geometric_mean(evidence, with_, times, expected):
    # Distances 1, 1, 1, 1 and 16: the geometric mean is 16 ** 0.2, and 16 is 9.19 times that.
    facts = far_page(evidence)
    gone = far(facts, sure(facts, with_()), with_({"far.times": times}))
    assert gone.tolist() == [False] * 19 + [expected]


@pytest.mark.parametrize(("last", "expected"), [(0.5, True), (0.51, False)])
def test_far_candidates_of_high_relevance_stay(evidence, with_, last, expected):
    facts = far_page(evidence, last)
    assert far(facts, sure(facts, with_()), with_({"far.times": 2.0}))[-1] == expected


def test_candidates_of_other_pages_are_no_neighbours(evidence, with_):
    look = [0, 1, *range(5, 30), 2, 3]
    relevance = [0.4, 0.4] + [0.0] * 25 + [0.4, 0.4]
    one = evidence(look, relevance)
    two = evidence(look, relevance, page=[0] * 2 + [1] * 27)
    for facts in (one, two):
        assert not far(facts, sure(facts, with_()), with_({"far.times": 1.1})).any()
    alone = evidence([0, 1, 2], [0.4, 0.0, 0.4], page=[0, 0, 1])
    assert not far(alone, sure(alone, with_()), with_({"far.times": 0.1})).any()


def test_areas_that_overlap_are_side_by_side(evidence, with_):
    facts = evidence([0, 1, 1, 2, 2, 2, 3, 0], [0.4, 0, 0, 0, 0, 0, 0.4, 0.4], near=9)
    kept = sure(facts, with_())
    assert kept.tolist() == [True, False, False, True]
    assert not far(facts, kept, with_({"far.times": 1.0})).any()


def test_what_lies_in_a_wide_area_does_not_end_it(evidence, with_):
    # The first area reaches up to the last but one, so that the last is beside it.
    look = [0, 1, *range(5, 25), 0, 2]
    facts = evidence(look, [0.4, 0.4, *([0.0] * 20), 0.4, 0.4], near=99)
    assert not far(facts, sure(facts, with_()), with_({"far.times": 1.1})).any()


@pytest.mark.parametrize(("limit", "expected"), [(-0.97, True), (-0.96, False)])
def test_areas_near_candidates_are_added_if_relevant(evidence, with_, limit, expected):
    facts = evidence([0, 1, 2], [-0.96, 0.5, -1.4])
    settings = with_({"references.relevance": limit})
    added = beside(facts, sure(facts, with_()), settings)
    assert added.tolist() == [expected, True, False]


@pytest.mark.parametrize(
    ("reach", "expected"),
    [(0, [3]), (1, [2, 3, 4]), (2, [1, 2, 3, 4, 5]), (3, [*range(6)]), (9, [*range(6)])],
)
def test_near_is_so_many_text_elements_on_both_sides(evidence, with_, reach, expected):
    facts = evidence([0, 1, 2, 3, 4, 5], [-0.9, -0.9, -0.9, 0.5, -0.9, -0.9])
    settings = with_({"references.reach": reach})
    assert np.flatnonzero(beside(facts, sure(facts, with_()), settings)).tolist() == expected


def test_an_area_is_near_if_one_of_its_elements_is(evidence, with_):
    facts = evidence([0, 1, 2, 1], [0.5, -0.9, -0.9, -0.9], near=1)
    kept = choose(facts, none_of(facts), with_({"references.reach": 1}))
    assert kept.tolist() == [True, True, False, True]


def test_candidates_of_the_page_before_are_no_references(evidence, with_):
    facts = evidence([0, 1, 2], [0.5, -0.5, -0.5], page=[0, 1, 1])
    assert beside(facts, sure(facts, with_()), with_()).tolist() == [True, False, False]


def test_what_is_added_is_no_reference_itself(evidence, with_):
    facts = evidence([0, 1, 2], [0.5, -0.5, -0.5])
    settings = with_({"references.reach": 1})
    assert choose(facts, none_of(facts), settings).tolist() == [True, True, False]


def test_what_is_deleted_is_neither_reference_nor_added(evidence, with_):
    facts = evidence([0, 1, 2, 3], [0.5, -0.5, 0.2, 0.2])
    settings = with_({"references.reach": 1})
    assert choose(facts, np.array([True, False, False, False]), settings).sum() == 0
    kept = choose(facts, np.array([False, True, False, False]), settings)
    assert kept.tolist() == [True, False, False, False]


def test_deleted_dispersed_candidates_are_no_references(evidence, with_):
    facts = far_page(evidence)
    settings = with_({"far.times": 9.1, "references.reach": 1, "references.relevance": -0.1})
    kept = np.flatnonzero(choose(facts, none_of(facts), settings)).tolist()
    assert kept == [0, 1, 2, 3, 4]


def test_the_steps_in_their_order(evidence, with_):
    look = [0, 1, 0, *range(5, 20), 0, 2]
    relevance = [0.6, 0.2, 0.4, *([-1.0] * 15), 0.2, 0.6]
    facts = evidence(look, relevance)
    settings = with_(
        {"far.times": 1.2, "references.reach": 1, "references.relevance": 0.0, "rescue.near": 15}
    )
    kept = np.flatnonzero(choose(facts, none_of(facts), settings)).tolist()
    # 18 looks like 0 and 2 and is rescued beside 19, so that 0 and 2 are far, but 0 is relevant; 1
    # is near 0, a candidate.
    assert kept == [0, 1, 18, 19]
