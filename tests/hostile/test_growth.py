"""Time and what is written grow in proportion to the page, whatever repeats in it."""

import math
import os

import pytest
from hostile.growth import LEAST_SECONDS, PART, costs, exponent
from hostile.shapes import SHAPES, page
from hostile.steps import STEPS, result

from victor.crawl.writers import vertical
from victor.metadata.schema_org import microdata, nested

BOUND = 1.5
"""Exponent: 1 is in proportion, 2 quadratic; the room is for a busy machine."""
ATTEMPTS = 3
TIMED = (
    ("markdown", "one wide row", 1_500),
    ("markdown", "header cells", 1_500),
    ("markdown", "nested ul", 2_000),
    ("markdown", "huge base", 2_000),
    ("markdown", "nested comments of readers", 1_000),
    ("markdown", "thread", 1_000),
    ("article", "huge base", 2_000),
    ("tei", "huge base and images", 2_000),
    ("block links", "huge base", 2_000),
    ("block markdown_range by tag", "starred words", 2_000),
    ("metadata", "title of all headings", 4_000),
    ("metadata", "JSON-LD authors by reference", 250),
    ("metadata", "JSON-LD headlines by reference", 250),
    ("metadata", "JSON-LD pictures by reference", 250),
    ("schema_org", "JSON-LD offers by reference", 250),
    ("schema_org", "offers in offers", 8),
    ("schema_org", "nested offers", 2_000),
    ("posts", "nested comments of readers", 1_000),
    ("posts", "thread", 1_000),
    ("text", "nested formulas", 2_000),
    ("block headings", "deepening headings", 2_000),
    ("block xpath", "nested id", 2_000),
    ("block xpath", "starts without ends", 2_000),
    ("block css", "nested div", 2_000),
    ("records by tag", "crossed formatting", 2_000),
    ("annotation", "formatting across blocks", 1_000),
    ("annotation", "nested table", 1_000),
    ("html", "nested closed div", 4_000),
    ("demo", "nested ul", 100),
    ("features", "nested id", 500),
    ("clean default", "nested id", 4_000),
    ("clean kimatu", "rows", 4_000),
    ("clean density", "links", 4_000),
    ("clean dom", "nested closed div", 4_000),
    ("write vertical", "one text", 500),
    ("write vertical", "digits", 1_000),
)  # fmt: skip
"""A step, the shape that is worst for it, and the smaller one of two sizes."""
BRIEF = {
    ("markdown", "header cells"), ("metadata", "JSON-LD authors by reference"),
    ("schema_org", "nested offers"), ("posts", "nested comments of readers"),
    ("block xpath", "nested id"), ("clean default", "nested id"),
}  # fmt: skip
"""Those that are measured at every run of the tests; the others are slow tests."""
FORMS = ("text", "markdown", "html", "article", "tei", "cleaneval", "records", "native")
WIDEST = ("one wide row", "header cells", "staircase", "rowspans", "nested ul", "nested dl")
BASES = {"huge base", "huge base and images"}
"""Bases grow with these until they are too long, and all addresses with them."""
WRITTEN = 1.3
"""Exponent of what is written; what is the same in all pages makes them grow slower than n."""
MOST_TIMES_LONGER = 16
"""What is written, over the page; records say a lot of a block of one word."""

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="is measured in forked processes")


def test_an_exponent_is_that_between_the_two_largest_pages():
    assert exponent([1, 2, 8], [9.0, 1.0, 16.0], 16.0) == 2
    assert exponent([1, 2, 8], [9.0, 1.0, 15.9], 16.0) is None  # too little to be measured
    assert exponent([8], [16.0], 16.0) is None


def test_a_value_that_is_hardly_anything_counts_as_a_part_of_the_least():
    assert exponent([1, 4], [0.0, 16.0], 16.0) == exponent([1, 4], [16.0 / PART, 16.0], 16.0) == 2


def _timed():
    for step, shape, n in TIMED:
        marks = [] if (step, shape) in BRIEF else [pytest.mark.slow]
        yield pytest.param(step, shape, n, marks=marks)


@needs_fork
@pytest.mark.parametrize(("step", "shape", "n"), [*_timed()], ids=str)
def test_time_is_in_proportion_to_the_page(step, shape, n):
    small, large = page(shape, n), page(shape, 4 * n)
    actions = {"small": STEPS[step](small), "large": STEPS[step](large)}
    for _ in range(ATTEMPTS):
        spent = costs(actions, rounds=2)
        assert not spent["large"].error, spent
        seconds = spent["large"].seconds
        if seconds < LEAST_SECONDS:
            return
        grown = math.log(seconds / max(spent["small"].seconds, LEAST_SECONDS / 50))
        if grown <= BOUND * math.log(len(large) / len(small)):
            return
    pytest.fail(f"{step} of {shape}: {spent}")


def longer(shape, n):
    """Characters of every form of a page, and bytes of the page."""
    markup = page(shape, n)
    return {form: len(result(markup).render(form)) for form in FORMS}, len(markup)


def check_lengths(shape, n):
    small, n_small = longer(shape, n)
    large, n_large = longer(shape, 4 * n)
    for form in FORMS:
        assert large[form] <= MOST_TIMES_LONGER * n_large, form
        if large[form] > n_large / 2:
            assert math.log(large[form] / small[form]) <= WRITTEN * math.log(n_large / n_small), (
                form
            )


@pytest.mark.parametrize("shape", WIDEST)
def test_what_is_written_is_in_proportion_to_the_page(shape):
    check_lengths(shape, 300)


@pytest.mark.slow
@pytest.mark.parametrize("shape", sorted({*SHAPES} - {*WIDEST} - BASES))
def test_what_is_written_of_any_shape_is_in_proportion(shape):
    check_lengths(shape, 300)


def test_a_base_address_that_is_too_long_is_none():
    markup = (
        b"<base href='http://a.test/" + b"b/" * 1_001 + b"'><p>One <a href=x>link</a> and more."
    )
    cleaned = result(markup)
    assert cleaned.markdown == "One [link](https://bees.test/path/x) and more.\n"
    assert cleaned.blocks[0].links[0].address == "https://bees.test/path/x"


def test_a_thing_that_is_many_properties_counts_once():
    markup = page("offers in offers", 30)
    things = microdata(markup)
    assert sum(1 for _ in nested(things)) == 30


def test_rows_of_a_table_with_few_cells_are_not_filled():
    markdown = result(page("one wide row", 200)).markdown
    assert "| a 7 |\n" in markdown
    assert f"| {'b | ' * 199}b |\n" in markdown
    lines = markdown.split("\n| --- |")
    assert lines[0].rpartition("\n")[2].count("|") == 201  # readers want a whole first row


@pytest.mark.parametrize("run", ["1-" * 3_000, "x." * 3_000, "a/b" * 2_000 + "é" * 700])
def test_a_run_without_spaces_is_whole_in_the_vertical(run):
    pytest.importorskip("ufal.morphodita")
    tokens = [
        token
        for sentence in vertical.sentences(f"Bees here. {run} and there.", "en")
        for token in sentence
    ]
    words = "".join(word if is_glued else f" {word}" for word, is_glued in tokens)
    assert words.split() == ["Bees", "here.", run, "and", "there."]
