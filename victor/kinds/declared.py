"""What a page declares as data and shows: the ingredients of a recipe, the answers to questions.

Search engines want these as JSON-LD (https://schema.org: Recipe, FAQPage), and the page shows the
same words; makers of recipe cards name the elements, too. An element of which most words are
declared is content, though its blocks are as short as those of menus.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from victor.base.arrays import Bools, Floats, Ints, prefix_sums
from victor.kinds.islands import Islands, Units, parts_of_pages
from victor.page.names.shared_words import Words, shared_words
from victor.page.parsing.attributes import rows_with
from victor.page.parsing.heads import Head
from victor.page.table.blocks import BlockTable
from victor.page.verdict.expected_words import expected_words

_MARKS: Final = ("recipeIngredient", "FAQPage")
"""What is in a script that declares such texts. Answers of other pages are posts of threads."""
_KEYS: Final = ("recipeIngredient", "acceptedAnswer")
_TEXTS: Final = ("text", "name")
_NAME: Final = "ngredient"
_NAMED: Final = ("class", "itemprop", "id")
_LARGEST: Final = 0.7
"""Words of a named element, as a share of what its page is expected to keep, at most: the class of
a body may say what the page is about."""
_LINKED: Final = 0.5
"""Share of its words that are linked, at most: menus lead to recipes by ingredient."""
_MOST: Final = 0.6
"""Share of the words of an element that are declared, at least."""
_FEWEST: Final = 3
"""Blocks of it that are declared, at least."""
_TAG: Final = re.compile(r"<[^<>]*+>")


def declared_units(table: BlockTable, p_other: Floats) -> Islands | None:
    """Elements that show what their page declares, none in another; None if there are none.

    Each goes with a block that stands for the page: half of the words that are expected to be kept
    are in blocks as sure as this one.
    """
    is_declared, named = [*map(_declares, table.heads)], _named_bundles(table)
    if not (any(is_declared) or len(named)):
        return None
    is_shown = np.zeros(len(table), dtype=bool)
    if any(is_declared):
        is_shown |= _shown(table, is_declared)
    if len(named):
        is_shown |= _in_named(table, p_other, named)
    if np.count_nonzero(is_shown) < _FEWEST:
        return None
    units = _units(table, p_other, is_shown)
    if not len(units.elements):
        return None
    pages = table.page[units.starts].tolist()
    middles = {page: _middle(table, p_other, page) for page in {*pages}}
    middle = np.array([middles[page] for page in pages])
    return Islands(units, middle, middle)


def _declares(head: Head) -> bool:
    return any(mark in script for script in head.json_ld for mark in _MARKS)


def _named_bundles(table: BlockTable) -> Ints:
    """The attributes, as rows of `BlockTable.bundles`, that name the ingredients of a recipe."""
    names = [name for name in _NAMED if name in table.attributes]
    rows = [
        row
        for row in rows_with(table.bundles, _NAME.encode()).tolist()
        if any(_NAME in (table.attribute_value(name, row) or "") for name in names)
    ]
    return np.array(rows, dtype=np.int64)


def _in_named(table: BlockTable, p_other: Floats, named: Ints) -> Bools:
    """(n,) which blocks are in an element that is named as the ingredients of a recipe."""
    elements = table.elements
    expected = expected_words(table.words, p_other)
    largest = parts_of_pages(table, expected, _LARGEST)[table.page_of_element]
    is_named = np.isin(elements.bundle, named) & (table.element_words <= largest)
    is_named &= table.element_link_words <= _LINKED * table.element_words
    return elements.gathered(is_named)[table.element] & (table.words > 0)


def _shown(table: BlockTable, is_declared: Sequence[bool]) -> Bools:
    """(n,) which blocks have only words of texts that their page declares."""
    from html import unescape  # as below: few pages declare such texts

    texts = [
        "\n".join(_TAG.sub(" ", unescape(text)) for text in _declared(head)) if declares else ""
        for head, declares in zip(table.heads, is_declared, strict=True)
    ]
    (n_shared,) = shared_words(table, Words.of_texts(texts))
    return np.asarray((n_shared == table.words) & (n_shared > 0))


def _declared(head: Head) -> Iterator[str]:
    """The texts that a page declares under the keys."""
    from victor.metadata.schema_org import nested, objects

    for thing in nested(objects(head)):
        for key in _KEYS:
            if key in thing:
                yield from _strings(thing[key])


def _strings(value: Any) -> Iterator[str]:  # noqa: ANN401 - any JSON
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        yield from (text for text in value if isinstance(text, str))
    from victor.metadata.schema_org import nested

    for thing in nested(value):
        yield from (text for key in _TEXTS if isinstance(text := thing.get(key), str))


def _units(table: BlockTable, p_other: Floats, is_shown: Bools) -> Units:
    """The outermost elements of which most words are declared, or named so."""
    elements, n_shown = table.elements, prefix_sums(is_shown)
    has_enough = np.diff(n_shown[table.page_starts]) >= _FEWEST
    rows = np.flatnonzero(has_enough[table.page_of_element])
    starts = np.searchsorted(table.tag, elements.open[rows])
    stops = np.searchsorted(table.tag, elements.close[rows])
    words, shown = prefix_sums(table.words), prefix_sums(np.where(is_shown, table.words, 0))
    chosen = n_shown[stops] - n_shown[starts] >= _FEWEST
    chosen &= shown[stops] - shown[starts] >= _MOST * (words[stops] - words[starts])
    units = Units(table, p_other, rows, starts, stops).only(chosen)
    return units.outermost(np.ones(len(units.elements), dtype=bool))


def _middle(table: BlockTable, p_other: Floats, page: int) -> int:
    """The block of a page up to which half of its expected words are, by p(other)."""
    start, end = table.page_starts[page : page + 2].tolist()
    probabilities = p_other[start:end]
    order = np.argsort(probabilities, kind="stable")
    gains = expected_words(table.words[start:end], probabilities)[order]
    so_far = np.append(0, np.cumsum(gains))
    place = np.searchsorted(so_far, so_far[-1] // 2, side="right") - 1
    return int(start + order[min(place, len(order) - 1)])
