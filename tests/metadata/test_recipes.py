"""Recipes that pages declare."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from victor.metadata.recipes import Recipe, recipe
from victor.page.parsing.events import record
from victor.page.parsing.heads import Head


def recipe_of(*things):
    return recipe(Head(json_ld=tuple(map(json.dumps, things))), b"")


def steps_of(instructions):
    return recipe_of({"@type": "Recipe", "recipeInstructions": instructions}).steps


SOUP = {
    "@context": "https://schema.org",
    "@type": ["Recipe"],
    "name": "Leek &amp; oat soup",
    "recipeIngredient": ["2 leeks", "50&nbsp;g <b>oats</b>", "", None],
    "recipeInstructions": [{"@type": "HowToStep", "text": "Wash the leeks."}, "Boil all."],
    "recipeYield": ["4", "4 bowls"],
    "prepTime": "PT10M",
    "cookTime": "PT25M",
    "totalTime": "PT35M",
    "nutrition": {"@type": "NutritionInformation", "calories": "210 kcal", "fatContent": " "},
}
EXPECTED = Recipe(
    "Leek & oat soup", ("2 leeks", "50 g oats"), ("Wash the leeks.", "Boil all."), "4 bowls",
    "PT10M", "PT25M", "PT35M", {"calories": "210 kcal"}, "json-ld",
)  # fmt: skip


def test_a_recipe_of_json_ld():
    assert recipe_of(SOUP) == EXPECTED
    assert recipe_of({"@graph": [{"@type": "WebPage", "mainEntity": SOUP}]}) == EXPECTED


def test_what_is_not_declared():
    bare = recipe_of({"@type": "Recipe", "ingredients": "1 egg\n1 pan"})
    assert bare == Recipe(None, ("1 egg", "1 pan"), (), None, None, None, None, {}, "json-ld")


def test_a_recipe_without_ingredients_and_steps_is_none():
    assert recipe_of({"@type": "Recipe", "name": "Soup"}) is None
    assert recipe_of({"@type": "HowTo", "recipeIngredient": ["a"]}) is None


def test_of_several_the_fullest():
    teaser = {"@type": "Recipe", "name": "Tart", "recipeIngredient": ["1 tart"]}
    assert recipe_of([teaser, SOUP]).name == "Leek & oat soup"
    assert recipe_of([SOUP, {**SOUP, "name": "Other"}]).name == "Leek & oat soup"


@pytest.mark.parametrize(
    "instructions",
    [
        "Cut.\nBoil.",
        "<ol><li>Cut.</li><li>Boil.</li></ol>",
        "&lt;p&gt;Cut.&lt;/p&gt;&lt;p&gt;Boil.&lt;/p&gt;",
        "Cut.<br/>Boil.",
        ["Cut.", {"name": "Boil."}],
        {"@type": "ItemList", "itemListElement": ["Cut.", {"text": "Boil."}]},
        [{"@type": "HowToSection", "name": "All", "itemListElement": [{"text": "Cut."}]},
         {"@type": "HowToStep", "itemListElement": {"@type": "HowToDirection", "text": "Boil."}}],
        {"@list": ["Cut.", "Boil."]},
    ],
)  # fmt: skip
def test_steps_however_they_are_written(instructions):
    assert steps_of(instructions) == ("Cut.", "Boil.")


def test_steps_that_refer_to_one_another():
    section = {"@id": "#a", "itemListElement": [{"@id": "#a"}, {"text": "Cut."}]}
    assert recipe_of({"@type": "Recipe", "recipeInstructions": {"@id": "#a"}}, section).steps == (
        "Cut.",
    )


def test_how_many_recipes_are_read():
    teasers = [{"@type": "Recipe", "name": f"Tart {n}"} for n in range(20)]
    assert recipe_of([*teasers[:19], SOUP]).name == "Leek & oat soup"
    assert recipe_of([*teasers, SOUP]) is None


def test_how_many_steps_are_read():
    sections = [{"itemListElement": ["Cut."] * 600}, {"itemListElement": ["Boil."] * 600}]
    assert len(steps_of(sections)) == 1_000


MICRODATA = """<div itemscope itemtype="https://schema.org/Recipe"><h1 itemprop=name>Soup</h1>
<meta itemprop=totalTime content=PT35M><ul><li itemprop=recipeIngredient>2 leeks<li
itemprop=recipeIngredient>50 g <b>oats</b></ul><div itemprop=recipeInstructions>{}</div>
<p itemprop=nutrition itemscope itemtype=https://schema.org/NutritionInformation>
<i itemprop=calories>210 kcal</i></div>"""


def test_a_recipe_of_microdata():
    markup = MICRODATA.format("<p>Cut <b>all</b>.<p>Boil.").encode()
    found = recipe(record([markup]).heads[0], markup)
    assert (found.name, found.ingredients) == ("Soup", ("2 leeks", "50 g oats"))
    assert (found.steps, found.total_time) == (("Cut all.", "Boil."), "PT35M")
    assert (found.nutrition, found.source) == ({"calories": "210 kcal"}, "microdata")


def test_long_steps_of_microdata_are_whole():
    step = "Stir the soup. " * 100
    markup = MICRODATA.format(step).encode()
    assert recipe(record([markup]).heads[0], markup).steps == (step.strip(),)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["@type", "@id", "text", "itemListElement"]), inner)
    ),
    max_leaves=15,
)


@given(VALUES)
def test_any_json_gives_texts_or_none(value):
    keys = ("name", "recipeIngredient", "recipeInstructions", "recipeYield", "nutrition")
    found = recipe_of({"@type": "Recipe"} | dict.fromkeys(keys, value))
    if found is not None:
        assert all(found.ingredients + found.steps)
        assert all(isinstance(text, str) for text in found.nutrition.values())
