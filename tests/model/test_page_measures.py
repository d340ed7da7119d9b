"""Measures of whole pages."""

import numpy as np
import pytest

from victor.labelers.load import load_model
from victor.model.extractor import FeatureExtractor
from victor.model.page_measures import measure_names, page_measures, page_rows
from victor.page.parsing.events import record
from victor.page.table.segment import segment

RECIPE = (
    b"<title>Soup</title><body class='single recipe'><h1>Soup</h1><div class=ingredients>"
    b"<ul><li>An onion<li>Two carrots</ul></div><p>Stir well. Stir well."
)
THREAD = (
    b"<title>Topic: bees</title><link rel=canonical href=https://b.example/forum/viewtopic.php?t=12>"
    b"<div class=post><a href=/>Home</a> <p>Do they sleep? <img src=bee.png></div>"
)
PAGES = [RECIPE, b"", THREAD]


@pytest.fixture(scope="module")
def extractor():
    return FeatureExtractor(load_model("default").config)


def measured(extractor, pages, keep=0.75):
    table = extractor.table(pages)
    marginals = np.tile([0.0, keep, 1 - keep], (len(table), 1))
    return [dict(zip(measure_names(), row, strict=True)) for row in page_measures(table, marginals)]


def test_names_are_distinct_and_the_quick_ones_come_first():
    quick = measure_names(quick=True)
    assert measure_names()[: len(quick)] == quick
    assert len({*measure_names()}) == len(measure_names())


def test_what_is_measured(extractor):
    recipe, nothing, thread = measured(extractor, PAGES)
    assert recipe["body.recipe"] == recipe["element.ingredient"] == 1
    assert recipe["element.recipe"] == thread["body.recipe"] == 0
    assert thread["said.forum"] == thread["said.thread"] == thread["element.post"] == 1
    assert recipe["count.li"] == pytest.approx(np.log(5))
    assert thread["count.img"] == pytest.approx(np.log(2))
    assert (thread["link-share"], recipe["link-share"]) == (0.25, 0)
    assert thread["address-digits"] == pytest.approx(np.log(3))
    assert (recipe["addressed"], thread["addressed"]) == (0, 1)
    assert recipe["kept"] == pytest.approx(np.log1p(0.75 * np.expm1(recipe["words"])))
    assert recipe["kept-over-0.7"] == recipe["words"]
    assert recipe["kept-over-0.9"] == 0
    assert nothing["words"] == nothing["kept"] == 0


def test_scripts_say_nothing(extractor):
    said = b'<script type="application/ld+json">{"@type": "Recipe"}</script>'
    (without,), (with_script,) = (
        measured(extractor, [page]) for page in (PAGES[2], PAGES[2] + said)
    )
    assert with_script == without


def test_a_page_is_measured_alike_alone_and_in_a_batch(extractor):
    together = measured(extractor, PAGES)
    assert together == [row for page in PAGES for row in measured(extractor, [page])]
    assert measured(extractor, []) == []


def test_names_that_were_not_recorded_count_as_absent():
    table = segment(record([PAGES[0]], attributes=("class",)), "block")
    (row,) = page_measures(table, np.full((len(table), 3), 1 / 3))
    values = dict(zip(measure_names(), row, strict=True))
    assert (values["element.ingredient"], values["count.li"]) == (0, pytest.approx(np.log(5)))


@pytest.mark.parametrize("pages", [[-1], [3], [2**62]])
def test_pages_that_are_not_there(extractor, pages):
    table = extractor.table(PAGES)
    with pytest.raises((ValueError, IndexError)):
        page_rows(table, np.full((len(table), 3), 1 / 3), np.array(pages))


@pytest.mark.parametrize("head", [np.zeros(0), np.zeros(7), None])
def test_marginals_or_weights_of_another_number(extractor, head):
    table = extractor.table(PAGES)
    marginals = np.full((len(table) - (head is None), 3), 1 / 3)
    with pytest.raises(ValueError, match="page_measures: the arrays do not fit"):
        page_rows(table, marginals, None, head)
