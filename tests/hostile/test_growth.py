"""Time and what is written grow in proportion to the page, whatever repeats in it.

This is a sample; ``python -m tests.hostile.sweep`` takes every step of every shape.
"""

import os

import pytest

from tests.hostile.growth import PART, exponent
from tests.hostile.shapes import ALONE, BY_HAND, Shape, by_name, generated
from tests.hostile.steps import STEPS, result
from tests.hostile.sweep import measured
from victor.crawl import vertical
from victor.metadata.schema_org import microdata, nested

BOUND = 1.5
"""Exponent: 1 is in proportion, 2 quadratic; the room is for a busy machine."""
TIMED = (
    ("markdown", "one wide row"), ("markdown", "lists"), ("markdown", "items out of order"),
    ("markdown", "sources and images of a picture"), ("text", "formulas in one another"),
    ("metadata", "authors by reference"), ("schema_org", "offers in offers"),
    ("posts", "comments of readers"), ("block xpath", "starts without ends"),
    ("clean default", "classes"), ("drop", "starts without ends"), ("drop", "lists"),
)  # fmt: skip
"""A step, and a shape that is the worst one for it."""
FORMS = ("text", "markdown", "html", "article", "tei", "cleaneval", "records", "native")
WIDEST = ("one wide row", "header cells", "staircase", "rowspans", "lists")
WRITTEN = 1.3
"""Exponent of what is written; what is the same in all pages makes them grow slower than n."""
MOST_TIMES_LONGER = 16
"""What is written, over the page; records say a lot of a block of one word."""

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="is measured in forked processes")


def test_an_exponent_is_that_between_two_pages():
    assert exponent(1.0, 16.0, 16.0, 4) == 2
    assert exponent(1.0, 15.9, 16.0, 4) == 0  # too little to be measured


def test_a_value_that_is_hardly_anything_counts_as_a_part_of_the_least():
    assert exponent(0.0, 16.0, 16.0, 4) == exponent(16.0 / PART, 16.0, 16.0, 4) == 3


def test_shapes_are_made_of_what_the_sources_name():
    names = {name for shape in generated() for name in shape.names}
    assert {"table", "mjx-container", "katex", "note", "itemprop", "byline"} <= names
    halves = [*Shape("tag", "rows", ("a", "b", "c"), lambda *_: "", 1).halves()]
    assert [half.names for half in halves] == [("a",), ("b", "c")]


@needs_fork
def test_what_grows_too_fast_is_found_with_its_names():
    def make(page):
        n = page.count(b"bad")
        return lambda: sum(range(50_000 * n * n))

    def page(names, n):
        return " ".join(names) * n

    shape = Shape(ALONE, "rows", ("good", "better", "bad", "best"), page, 4)
    found = measured(shape, {"sum": make, "none": lambda page: lambda: None}, 1.3).findings
    assert [finding.partition(":")[0] for finding in found] == [f"sum · {ALONE} rows bad"]


@needs_fork
@pytest.mark.parametrize(("step", "name"), TIMED)
def test_time_is_in_proportion_to_the_page(step, name):
    assert measured(by_name(BY_HAND, name), {step: STEPS[step]}, BOUND).findings == []


@pytest.mark.parametrize("name", WIDEST)
def test_what_is_written_is_in_proportion_to_the_page(name):
    small, large = (by_name(BY_HAND, name).page(n) for n in (300, 1_200))
    ratio = len(large) / len(small)
    for form in FORMS:
        lengths = [len(result(page).render(form)) for page in (small, large)]
        assert lengths[1] <= MOST_TIMES_LONGER * len(large), form
        if lengths[1] > len(large) / 2:
            assert exponent(*lengths, 0, ratio) <= WRITTEN, form


def test_a_base_address_that_is_too_long_is_none():
    markup = (
        b"<base href='http://a.test/" + b"b/" * 1_001 + b"'><p>One <a href=x>link</a> and more."
    )
    cleaned = result(markup)
    assert cleaned.markdown == "One [link](https://bees.test/path/x) and more.\n"
    assert cleaned.blocks[0].links[0].address == "https://bees.test/path/x"


def test_a_thing_that_is_many_properties_counts_once():
    things = microdata(by_name(BY_HAND, "offers in offers").page(30))
    assert sum(1 for _ in nested(things)) == 30


def test_rows_of_a_table_with_few_cells_are_not_filled():
    markdown = result(by_name(BY_HAND, "one wide row").page(200)).markdown
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
