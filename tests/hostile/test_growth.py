"""Time and what is written grow in proportion to the page, whatever repeats in it.

This is a sample; ``python -m tests.hostile.growth`` takes every step of every page.
"""

import os
import signal

import pytest

from tests.hostile.asked import STEPS, Step
from tests.hostile.growth import exponent, findings, sized
from tests.hostile.zoo import ALL
from tests.rows import tables
from victor.api import load_cleaner

BOUND = 1.5
"""Exponent: 1 is in proportion, 2 quadratic; the room is for a busy machine."""
TIMED = tables(__file__)["timed"]
WIDEST = ("one wide row", "header cells", "rowspans", "lists", "both spans")
FORMS = ("text", "markdown", "html", "article", "cleaneval", "records")
WRITTEN = 1.3
"""Exponent of what is written; what is the same in all pages makes them grow slower than n."""
MOST_TIMES_LONGER = 16
"""What is written, over the page; records say a lot of a block of one word."""

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="is measured in forked processes")


@needs_fork
def test_what_grows_too_fast_is_found():
    steps = {
        "sum": Step(lambda source: sum(range(40 * len(source.page) ** 2))),
        "none": Step(lambda source: None),
        "ends": Step(lambda source: os.kill(os.getpid(), signal.SIGKILL)),
    }
    found = findings(steps, [b"x" * 100, b"x" * 400], BOUND)
    assert found.keys() == {"sum", "ends"}
    assert found["ends"] == "ended by SIGKILL"


@needs_fork
@pytest.mark.parametrize(
    "name", [n if i < 3 else pytest.param(n, marks=pytest.mark.slow) for i, n in enumerate(TIMED)]
)
def test_time_is_in_proportion_to_the_page(name):
    pages = [sized(ALL[name], size) for size in (40_000, 160_000)]
    assert findings({step: STEPS[step] for step in TIMED[name]}, pages, BOUND) == {}


@pytest.mark.parametrize("name", WIDEST)
def test_what_is_written_is_in_proportion_to_the_page(name):
    cleaner = load_cleaner(labeler="none")
    pages = [ALL[f"forms/{name}"].page(n) for n in (300, 1_200)]
    small, large = (cleaner.clean(page) for page in pages)
    ratio = len(pages[1]) / len(pages[0])
    for form in FORMS:
        lengths = [len(result.render(form)) for result in (small, large)]
        assert lengths[1] <= MOST_TIMES_LONGER * len(pages[1]), form
        if lengths[1] > len(pages[1]) / 2:
            assert exponent(*lengths, 0, ratio) <= WRITTEN, form


def test_a_base_address_that_is_too_long_is_none():
    base = "http://a.test/" + "b/" * 1_001
    page = f"<base href='{base}'><p>One <a href=x>link</a> and more."
    cleaned = load_cleaner(labeler="none").clean(page, "https://bees.test/path/")
    assert cleaned.markdown == "One [link](https://bees.test/path/x) and more.\n"


def test_rows_of_a_table_with_few_cells_are_not_filled():
    markdown = load_cleaner(labeler="none").clean(ALL["forms/one wide row"].page(200)).markdown
    assert "| a 7 |\n" in markdown
    assert f"| {'b | ' * 199}b |\n" in markdown
    head = markdown.split("\n| --- |")[0].rpartition("\n")[2]
    assert head.count("|") == 201  # readers want a whole first row
