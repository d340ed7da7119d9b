"""Kimatu: looks, areas, ratios, repetitions, the steps on hand-built areas, and whole pages."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rows import tables
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

ROWS = tables(__file__)


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


@pytest.mark.parametrize(("near", "areas"), ROWS["near"])
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


@pytest.mark.parametrize(("values", "expected"), ROWS["relevance"])
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


STEPS = {"far": far, "beside": beside, "rescued": rescued}


@pytest.mark.parametrize(
    ("step", "facts", "changes", "expected"), ROWS["steps"].values(), ids=ROWS["steps"]
)
def test_a_step(step, facts, changes, expected):
    """The areas that a step names after the first one, or the blocks that all steps keep."""
    facts, constants = evidence(**facts), dict(changes)
    gone = np.isin(np.arange(len(facts.areas)), constants.pop("deleted", ()))
    constants = with_(**constants)
    if step == "all":
        found = choose(facts, gone, constants)
    elif step == "sure":
        found = sure(facts, constants)
    else:
        found = STEPS[step](facts, sure(facts, with_()), constants)
    assert np.flatnonzero(found).tolist() == expected


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
