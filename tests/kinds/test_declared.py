"""What a page declares and shows is kept with its text: ingredients of recipes, answers."""

import json

import pytest
from kinds.unit_verdicts import unit_verdict

from victor.page.table.texts import block_texts

STORY = f"<p>{'The cake was baked on Monday. ' * 4}</p>"
LINES = ["150 g flour", "Salt", "2 eggs &amp; sugar"]
SHOWN = ["150 g flour", "Salt", "2 eggs & sugar"]
LIST = "<div><p>Mix</p>" + "".join(f"<div>{line}</div>" for line in LINES) + "</div>"
MENU = "<ul><li>Home<li>Salt<li>Cakes</ul>"


def verdict_of(page, *, threshold=0.5, sure=0.9):
    """The verdict of a labeler that keeps the story only."""
    return unit_verdict(page, lambda t: 1 - sure if "baked" in t else 0.8, threshold=threshold)


def added(verdict):
    """Short texts that are kept."""
    texts = block_texts(verdict.table)
    return [t for t, kept in zip(texts, verdict.kept, strict=True) if kept and "baked" not in t]


def declaring(kind, **data):
    script = json.dumps({"@context": "https://schema.org", "@type": kind, **data})
    return f'<script type="application/ld+json">{script}</script>'


RECIPE = declaring("Recipe", recipeIngredient=SHOWN)


def test_declared_ingredients_are_kept_with_their_heading():
    verdict = verdict_of(f"{RECIPE}{MENU}{STORY}<div>{LIST}</div>")
    assert added(verdict) == ["Mix", *SHOWN]
    assert verdict.reasons().count("whole") == 4


def test_they_go_with_the_text_of_the_page():
    assert not added(verdict_of(f"{RECIPE}{STORY}{LIST}", threshold=0.05))
    p_other = verdict_of(f"{RECIPE}{STORY}{LIST}").p_other
    assert p_other == pytest.approx([0.1] * 5)


def test_without_a_declaration_nothing_is_added():
    assert not added(verdict_of(f"{MENU}{STORY}{LIST}"))
    assert not added(verdict_of(f"{declaring('Recipe', name='Salt')}{STORY}{LIST}"))


@pytest.mark.parametrize("markup", ['class="wprm-recipe-ingredients"', "itemprop=recipeIngredient"])
def test_elements_named_as_ingredients_need_no_declaration(markup):
    page = f"{STORY}<div {markup}>{LIST}</div>"
    assert added(verdict_of(page)) == ["Mix", *SHOWN]


@pytest.mark.parametrize(
    "page",
    [
        f"<body class='tag-ingredients'>{MENU}{STORY}{LIST}",
        f"{STORY}<ul class=ingredients>{'<li><a href=x>Beans</a>' * 3}</ul>",
        f"{STORY}<ul class=ingredients>{'<li>Beans' * 2}</ul>",
    ],
)
def test_a_page_about_ingredients_a_menu_of_them_and_a_pair_are_no_recipe(page):
    assert not added(verdict_of(page))


@pytest.mark.parametrize(("n", "is_kept"), [(2, True), (3, False)])
def test_most_words_of_an_element_are_declared(n, is_kept):
    """Four of the declared lines' words and so many others."""
    script = declaring("Recipe", recipeIngredient=["a", "b", "c"])
    page = f"{script}{STORY}<div><p>a<p>b<p>c<p>{'x ' * n}</div>"
    assert bool(added(verdict_of(page))) == is_kept


ANSWERS = ["It is sold by the pier.", "Nine crowns, and free for sheep.", "On every Sunday."]


@pytest.mark.parametrize(("kind", "is_kept"), [("FAQPage", True), ("QAPage", False)])
def test_answers_are_kept_where_they_are_no_posts_of_a_thread(kind, is_kept):
    questions = [{"@type": "Question", "acceptedAnswer": {"text": f"<p>{a}"}} for a in ANSWERS]
    shown = "".join(f"<h3>Why?</h3><p>{answer}</p>" for answer in ANSWERS)
    verdict = verdict_of(f"{declaring(kind, mainEntity=questions)}{STORY}<div>{shown}</div>")
    assert (len(added(verdict)) == 6) == is_kept


@pytest.mark.parametrize("data", ["{", "[[[", '{"recipeIngredient": [1, null, {"x": 2}]}'])
def test_damaged_data_declare_nothing(data):
    script = f'<script type="application/ld+json">{data} "recipeIngredient"</script>'
    assert not added(verdict_of(f"{script}{STORY}{LIST}"))
