"""Measures of whole pages."""

import numpy as np
import pytest

from victor.labelers.crf import load_model
from victor.model.extractor import FeatureExtractor
from victor.model.page_head import measure_names, page_measures

RECIPE = (
    b"<title>Soup</title><body class='single recipe'><h1>Soup</h1><div class=ingredients>"
    b"<ul><li>An onion<li>Two carrots</ul></div><p>Stir well. Stir well."
)
THREAD = (
    b"<title>Topic: bees</title><link rel=canonical href=https://b.example/forum/viewtopic.php?t=12>"
    b"<div class=post><a href=/>Home</a> <p>Do they sleep? <img src=bee.png></div>"
)
FORUM = b"<title>Bees</title><link rel=canonical href=https://b.example/forum><p>Do they sleep?"
PAGES = [RECIPE, b"", THREAD, FORUM]


@pytest.fixture(scope="module")
def extractor():
    return FeatureExtractor(load_model("default").config)


def measured(extractor, pages, keep=0.75):
    table = extractor.table(pages)
    marginals = np.tile([0.0, keep, 1 - keep], (len(table), 1))
    return [dict(zip(measure_names(), row, strict=True)) for row in page_measures(table, marginals)]


def test_what_is_measured(extractor):
    recipe, nothing, thread, forum = measured(extractor, PAGES)
    assert recipe["body.recipe"] == recipe["element.ingredient"] == 1
    assert recipe["element.recipe"] == thread["body.recipe"] == 0
    assert thread["said.forum"] == thread["said.thread"] == thread["element.post"] == 1
    assert forum["said.forum"] == 1, "the address is read to its end"
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
