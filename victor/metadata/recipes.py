"""The recipe that a page declares: https://schema.org/Recipe in JSON-LD, else in microdata."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final

from victor.metadata.graph import Graph, Node
from victor.metadata.texts import clean, lines
from victor.metadata.things import Place, Things, declared
from victor.page.parsing.heads import Head

_MOST: Final = 1_000
"""Ingredients and steps of one recipe."""
_MOST_RECIPES: Final = 20
"""Recipes of a page of which the fullest is chosen; all may refer to the same steps."""
_MOST_FACTS: Final = 40
_LONGEST_NAME: Final = 60


@dataclass(frozen=True, slots=True)
class Recipe:
    """A recipe as its page declares it; None or nothing for what it does not say.

    Attributes:
        name: of the dish.
        ingredients: a line each, with its amount.
        steps: in order, those of all sections.
        yields: how much it makes, e.g. ``4 servings``.
        prep_time, cook_time, total_time: as declared, mostly ISO 8601 durations such as ``PT20M``.
        nutrition: by the name that schema.org has for it, e.g. ``calories``.
        source: where the page declares it.
    """

    name: str | None
    ingredients: tuple[str, ...]
    steps: tuple[str, ...]
    yields: str | None
    prep_time: str | None
    cook_time: str | None
    total_time: str | None
    nutrition: Mapping[str, str]
    source: Place


def recipe(head: Head, markup: bytes) -> Recipe | None:
    """The recipe of a page, the first that has most of ingredients and steps; None without both.

    Linear in the size of the page.

    Args:
        head: of the page.
        markup: the page as UTF-8 bytes.
    """
    for things in declared(head, markup):
        nodes = islice(things.of_type("recipe"), _MOST_RECIPES)
        recipes = (_recipe(things, node) for node in nodes)
        best = max(recipes, key=_fullness, default=None)
        if best is not None and _fullness(best):
            return best
    return None


def _fullness(recipe: Recipe) -> int:
    return bool(recipe.ingredients) + bool(recipe.steps)


def _recipe(things: Things, node: Node) -> Recipe:
    graph = things.graph
    ingredients = graph.values(node.get("recipeIngredient") or node.get("ingredients"))
    return Recipe(
        name=graph.text(node.get("name")) or graph.text(node.get("headline")) or None,
        ingredients=tuple(islice((line for each in ingredients for line in _texts(each)), _MOST)),
        steps=tuple(islice(_steps(graph, node.get("recipeInstructions")), _MOST)),
        yields=_yields(graph.texts(node.get("recipeYield") or node.get("yield"))),
        prep_time=graph.text(node.get("prepTime")) or None,
        cook_time=graph.text(node.get("cookTime")) or None,
        total_time=graph.text(node.get("totalTime")) or None,
        nutrition=_facts(graph, node.get("nutrition")),
        source=things.place,
    )


def _texts(value: object) -> list[str]:
    """The lines of a text, or of what a thing says."""
    if isinstance(value, Mapping):
        keys = ("text", "@value", "description", "name")
        value = next((text for key in keys if isinstance(text := value.get(key), str)), "")
    return lines(value)


def _steps(graph: Graph, value: object) -> Iterator[str]:
    """The steps in texts, lists, steps and sections of any depth, each thing once."""
    waiting = [*reversed([*graph.values(value)])]
    seen: set[int] = set()
    while waiting:
        here = waiting.pop()
        inner = here.get("itemListElement") if isinstance(here, Mapping) else None
        if isinstance(here, Mapping):
            if id(here) in seen:  # many may refer to one that holds many
                continue
            seen.add(id(here))
        if inner and not isinstance(inner, str):
            waiting += reversed([*graph.values(inner)])
        elif isinstance(here, list):
            waiting += reversed(here)
        else:
            yield from _texts(here if not isinstance(inner, str) else inner)


def _yields(texts: list[str]) -> str | None:
    """The text that says what is made, rather than a bare number."""
    return next((text for text in texts if any(map(str.isalpha, text))), next(iter(texts), None))


def _facts(graph: Graph, value: object) -> dict[str, str]:
    """What a thing says in texts, by name."""
    node = next((each for each in graph.values(value) if isinstance(each, Mapping)), {})
    pairs = [*node.items()][:_MOST_FACTS]
    texts = {key[:_LONGEST_NAME]: clean(text) for key, text in pairs if not key.startswith("@")}
    return {key: text for key, text in texts.items() if text}
