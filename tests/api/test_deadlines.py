"""A page that takes too long ends inside whatever is made of it, and costs no other page."""

import time

import pytest

from victor import Cleaner, PageError
from victor.config.schema import Limits
from victor.kitten.normalize import normalize
from victor.labelers.labeler import build_labeler
from victor.page.allowance import Allowance, Allowances
from victor.render.forms import FORMS

SHORT = b"<p>Bees live in <b>colonies</b>, mostly.</p>"
SHAPES = {
    "paragraphs": SHORT * 3_000,
    "one list": b"<ul>" + b"<li>Bees live in colonies, mostly." * 3_000,
    "one paragraph": b"<p>" + b"<i>Bees</i> live <b>in colonies</b>, mostly. " * 2_000,
    "cells": b"<table>" + b"<tr><td>bees<td>live" * 1_500,
    "formulas": b"<p>" + b"<span class=katex><annotation>x_1</annotation>x</span> is " * 2_000,
    "notes": b"<p>" + b"bees<sup>*</sup> " * 2_000 + b"<p><sup>*</sup> a note " * 2_000,
}
BY_THE_CORE = {"text", "native"}
"""Forms that the core writes, or that are such; it takes less than a second for any page."""
OF_BLOCKS = {"cleaneval", "records"}
"""Forms that have little to do where blocks are few."""
MOST = 10_000
"""Rows of all shapes; forms ask for each of them a few times, and look at the clock rarely."""


class Clock:
    """Says how often it was asked; from then on it is late."""

    def __init__(self, late=10**9):
        self.asked, self.late = 0, late

    def __call__(self):
        self.asked += 1
        return 100.0 if self.asked > self.late else 0.0


@pytest.fixture
def clock(monkeypatch):
    """Function: a clock in place of that of the system, which is late after so many questions."""

    def put(late=10**9):
        clock = Clock(late)
        monkeypatch.setattr("victor.page.allowance.time.monotonic", clock)
        return clock

    return put


def cleaner(name="none", seconds=5.0):
    return Cleaner(build_labeler(name), limits=Limits(seconds=seconds))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("form", sorted({*FORMS} - BY_THE_CORE - {"sentences", "json"}))
def test_a_form_ends_where_its_time_does(form, shape, clock):
    page = SHAPES[shape]
    whole = clock()
    cleaner().clean(page).render(form)
    in_cleaning = clock()
    result = cleaner().clean(page)
    n = whole.asked - in_cleaning.asked
    of_blocks = form in OF_BLOCKS and len(result.labels) < 100
    assert n > 2 or of_blocks, "nothing asks within the form"
    assert n < MOST, "the clock is looked at for every row"
    for late in {min(2, n - 1), n // 2, n - 1}:
        asked = clock(late)
        with pytest.raises(PageError, match=r"raise limits\.seconds") as caught:
            result.render(form)
        assert caught.value.reason == "too-slow"
        assert asked.asked == late + 1, "it goes on"
        result = cleaner().clean(page)


@pytest.mark.parametrize("name", ["density", "dom", "kimatu", "none"])
def test_labelling_ends_where_its_time_does(name, clock):
    whole = clock()
    cleaner(name).clean(SHORT * 500)
    assert whole.asked > 3
    for late in range(1, whole.asked):
        clock(late)
        with pytest.raises(PageError, match=r"raise limits\.seconds"):
            cleaner(name).clean(SHORT * 500)


def test_xhtml_ends_where_its_time_does(clock):
    whole = clock()
    normalize(SHORT * 3_000)
    assert whole.asked > 20
    clock(whole.asked // 2)
    with pytest.raises(PageError, match=r"raise limits\.seconds"):
        normalize(SHORT * 3_000)


def test_a_form_that_is_asked_for_another_has_its_time_alone(clock):
    result = cleaner().clean(SHAPES["paragraphs"])
    clock()
    table = result.in_batch[0].table
    with table.allowances.within(Allowance(seconds=1)) as outer:
        assert table.allowance is outer
        result.render("markdown")
        assert table.allowance is outer
    with pytest.raises(PageError), table.allowances.within(Allowance(seconds=-1)):
        result.render("markdown")
    assert result.render("markdown")  # what is over counts no more


def test_threads_have_times_of_their_own():
    from threading import Thread

    allowances, other = Allowances(), []
    with allowances.within(Allowance(seconds=-1)):
        thread = Thread(target=lambda: other.append(allowances.now.check()))
        thread.start()
        thread.join()
        with pytest.raises(PageError):
            allowances.now.check()
    assert other == [None]


def test_a_page_that_takes_too_long_costs_no_other(monkeypatch):
    slow = b"<p>slow</p>"
    labeler = build_labeler("none")
    label = type(labeler).label

    def labelled(self, table, decision=None):
        if b"slow" in table.chars.tobytes().replace(b"\0", b""):
            now = time.monotonic()
            monkeypatch.setattr("victor.page.allowance.time.monotonic", lambda: now + 100)
            table.allowance.check()
        return label(self, table, decision)

    monkeypatch.setattr(type(labeler), "label", labelled)
    results = Cleaner(labeler, limits=Limits(seconds=5)).clean_many([SHORT, slow, SHORT])
    assert [result.reason for result in results] == ["ok", "too-slow", "ok"]
