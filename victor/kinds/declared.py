"""What a page declares as data and shows: the ingredients of a recipe, the answers to questions.

Search engines want these as JSON-LD (https://schema.org: Recipe, FAQPage), and the page shows the
same words; makers of recipe cards name the elements, too. An element of which most words are
declared is content, though its blocks are as short as those of menus.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from victor.base.arrays import Bools, Floats, Ints, window_sums
from victor.kinds.units import Raised, Units, parts_of_pages, raised_with_pages
from victor.page.names.shared_words import Words, shared_words
from victor.page.parsing.attributes import rows_with
from victor.page.parsing.heads import Head
from victor.page.table.blocks import BlockTable
from victor.page.verdict.expected_words import expected_words

MARKS: Final = ("recipeIngredient", "FAQPage")
"""What is in a script that declares such texts. Answers of other pages are posts of threads."""
_KEYS: Final = ("recipeIngredient", "acceptedAnswer")
_TEXTS: Final = ("text", "name")
_MOST: Final = 0.6  # share of the words of an element that are declared, at least
_FEWEST: Final = 3  # blocks of it that are declared, at least
NAME: Final = b"ngredient"
_LARGEST: Final = 0.7
"""Words of an element named so, as a share of what its page is expected to keep, at most."""
_LINKED: Final = 0.5  # share of its words that are linked, at most
_TAG: Final = re.compile(r"<[^<>]*+>")


def declared_units(table: BlockTable, p_other: Floats) -> Raised | None:
    """Elements that show what their page declares, none in another; None if there are none.

    Each goes with the block that stands for its page.
    """
    texts = ["\n".join(_declared(head)) for head in table.heads]
    named = rows_with(table.bundles, NAME)
    if not (any(texts) or len(named)):
        return None
    (n_shared,) = shared_words(table, Words.of_texts(texts))
    is_shown = (n_shared == table.words) | _in_named(table, p_other, named)
    units = _units(table, p_other, is_shown & (table.words > 0))
    if not len(units):
        return None
    return raised_with_pages(units)


def _in_named(table: BlockTable, p_other: Floats, named: Ints) -> Bools:
    """(n,) which blocks are in an element that is named as the ingredients of a recipe.

    The name of a body may say what its page is about, and menus lead to recipes by ingredient.
    """
    elements, expected = table.elements, expected_words(table.words, p_other)
    largest = parts_of_pages(table, expected, _LARGEST)[table.page_of_element]
    is_named = np.isin(elements.bundle, named) & (table.element_words <= largest)
    is_named &= table.element_link_words <= _LINKED * table.element_words
    return elements.gathered(is_named)[table.element]


def _declared(head: Head) -> Iterator[str]:
    if not any(mark in script for script in head.json_ld for mark in MARKS):
        return
    from html import unescape  # as below: few pages declare such texts

    from victor.metadata.schema_org import nested, objects

    for thing in nested(objects(head)):
        for text in (text for key in _KEYS for text in _strings(thing.get(key))):
            yield _TAG.sub(" ", unescape(text))


def _strings(value: Any) -> Iterator[str]:  # noqa: ANN401 - any JSON
    from victor.metadata.schema_org import nested

    yield from (
        text for text in (value if isinstance(value, list) else [value]) if isinstance(text, str)
    )
    for thing in nested(value):
        yield from (text for key in _TEXTS if isinstance(text := thing.get(key), str))


def _units(table: BlockTable, p_other: Floats, is_shown: Bools) -> Units:
    """The outermost elements of which most words are declared."""
    n_shown = window_sums(is_shown, table.page_starts)
    units = Units.of(table, p_other, (n_shown >= _FEWEST)[table.page_of_element])
    chosen = units.sums(is_shown) >= _FEWEST
    chosen &= units.sums(np.where(is_shown, table.words, 0)) >= _MOST * units.words
    return units.outermost(chosen)
