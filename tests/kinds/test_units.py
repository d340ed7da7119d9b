"""Judgments on labels: the less sure side counts, published systems are left alone, less will do.

Single pages of each rule are in tests/cases/kinds.
"""

from pathlib import Path

import pytest
import yaml

from tests.given_labels import P_OTHER, GivenLabels
from victor.api import Cleaner, load_cleaner
from victor.page.parsing.events import ATTRIBUTES

PROSE = "<p>The ferry carried its first passengers on Monday, nine weeks after it had stopped.</p>"
STORY = PROSE * 3
NOTE = f"{STORY}<p>Bees<sup><a href=#fn1>1</a></sup><hr><p id=fn1><sup>1</sup> They rest.<p>Ads"
COMMENT = f"{STORY}<div id=comments><div class=comment>{PROSE}</div></div>"
RECIPE = (
    '<script type="application/ld+json">{"@type": "Recipe", "recipeIngredient": '
    f'["150 g flour", "Salt", "2 eggs"]}}</script>{STORY}'
    "<div><p>150 g flour<p>Salt<p>2 eggs</div>"
)


def cleaned(page, labels, *, by_model=True, attributes=ATTRIBUTES):
    """The result, and p(other) of its blocks."""
    labeler = GivenLabels(labels, by_model=by_model)
    labeler.attributes = attributes
    result = Cleaner(labeler).clean(page)
    return result, result.in_batch[0].p_other.tolist()


@pytest.mark.parametrize(
    ("page", "labels"),
    [
        (f"{STORY}<ul><li>a<li>b</ul>{STORY}", "k*3 0.7*2 k"),
        (f"{STORY}<dl><dt>a<dd>b</dl>{STORY}", "k*3 0.7*2 k"),
        (f"{STORY}<blockquote>a</blockquote>{STORY}", "k*3 0.7 k"),
        (f"{STORY}<details><summary>a</summary>b</details>{STORY}", "k*3 0.7*2 k"),
        (NOTE, "k*4 0.7 0.95"),
        (COMMENT, "k"),
        (f"<title>Bees</title><h1>Bees</h1>{PROSE}<h2>Ads</h2>", "h k h"),
        (RECIPE, "k*3 0.8"),
        ("<h2>Bees <a href=#b>¶</a></h2><p>Ads", "h k"),
    ],
)
def test_published_systems_keep_what_they_keep(page, labels):
    result, p_other = cleaned(page, labels, by_model=False)
    kept = [p < 0.5 for p in p_other]
    assert [block.kept for block in result.blocks] == kept
    assert {block.reason for block in result.blocks} <= {"kept", "below-threshold"}
    assert cleaned(page, labels)[0].text != result.text


@pytest.mark.parametrize(
    ("page", "labels", "expected"),
    [
        (f"{STORY}<p>c</p><blockquote>a</blockquote>{STORY}", "k*3 0.4 0.7 k", {4: 0.4}),
        (NOTE, "k*4 0.7 0.95", {3: 0.1, 4: 0.1, 5: 0.95}),
        (RECIPE, "k*3 0.8", dict.fromkeys(range(6), P_OTHER["k"])),
    ],
)
def test_p_other_is_that_of_the_less_sure_side(page, labels, expected):
    """So a threshold keeps a unit with what it goes with."""
    _, p_other = cleaned(page, labels)
    assert {row: p_other[row] for row in expected} == pytest.approx(expected)


@pytest.mark.parametrize(("page", "labels", "n"), [(NOTE, "k*4 0.7 d", 5), (COMMENT, "k", 4)])
def test_attributes_that_were_not_recorded_are_not_missed(page, labels, n):
    result, _ = cleaned(page, labels, attributes=())
    assert sum(block.kept for block in result.blocks) == n


SHORT = yaml.safe_load(Path(__file__).with_name("short_units.yaml").read_text("utf-8"))
NOUNS = "harbour ferry sheep rope morning island captain letter winter market bridge stone".split()


@pytest.fixture(scope="module")
def cleaner():
    return load_cleaner()


@pytest.mark.parametrize("name", SHORT)
def test_the_shipped_model_keeps_short_units_between_thirteen_paragraphs(cleaner, name):
    nouns = [NOUNS[n:] + NOUNS[:n] for n in range(12)] + [NOUNS[::-1]]
    paragraphs = [
        f"<p>The {a} near the {b} was known to every {c}, and the {d} went with it. So the {e} "
        f"of the {f} stayed where the {g} had been, and the {h} was not seen again.</p>"
        for a, b, c, d, e, f, g, h, *_ in nouns
    ]
    body = "".join([*paragraphs[:6], SHORT[name], *paragraphs[6:]])
    result = cleaner.clean(f"<title>Ferry</title><article><h1>Ferry</h1>{body}</article>")
    assert all(block.kept for block in result.blocks[1:])
