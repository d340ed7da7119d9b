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

from victor.base.arrays import Bools, Chars, Floats, Hashes, Ints, window_sums
from victor.kinds.names import Signs, have_named
from victor.kinds.units import Raised, Units, expected_words, parts_of_pages, raised_with_pages
from victor.page.parsing.heads import Head
from victor.page.table.blocks import DECLARES_TEXTS, BlockTable
from victor.page.table.hashes import Known, span_hashes
from victor.page.table.texts import char_codes
from victor.page.table.tokens import Tokens, tokenize

_KEYS: Final = ("recipeIngredient", "acceptedAnswer")
_TEXTS: Final = ("text", "name")
_MOST: Final = 0.6  # share of the words of an element that are declared, at least
_FEWEST: Final = 3  # blocks of it that are declared, at least
_NAMED: Final = "ingredient"
_LARGEST: Final = 0.7
"""Words of an element named so, as a share of what its page is expected to keep, at most."""
_LINKED: Final = 0.5  # share of its words that are linked, at most
_TAG: Final = re.compile(r"<[^<>]*+>")


def declared_units(table: BlockTable, p_other: Floats) -> Raised | None:
    """Elements that show what their page declares, none in another; None if there are none.

    Each goes with the block that stands for its page.
    """
    declares, names = table.head_bits & DECLARES_TEXTS != 0, have_named(table, _NAMED)
    if not (declares.any() or names.any()):
        return None
    texts = [
        "\n".join(_declared(table.heads[page])) if declares[page] else ""
        for page in range(table.n_pages)
    ]
    is_shown = _shared_words(table, texts) == table.words
    if names.any():
        is_shown |= _in_named(table, p_other)
    units = _units(table, p_other, is_shown & (table.words > 0))
    if not len(units):
        return None
    return raised_with_pages(units)


def _shared_words(table: BlockTable, texts: Sequence[str]) -> Ints:
    """(n,) words of each block that the text of its page holds, without case."""
    tokens, is_shared = table.tokens, np.zeros(len(table.tokens.start), dtype=bool)
    starts = tokens.block_offsets[table.page_starts].tolist()
    for page in (page for page, text in enumerate(texts) if text):
        chars, start = char_codes(texts[page]), np.zeros(1, dtype=np.int64)
        declared = tokenize(chars, start, start[:0])
        rows = slice(starts[page], starts[page + 1])
        words = Known.of(_hashes(chars, declared)[declared.word])
        found, _ = words.find(_hashes(table.chars, tokens, rows))
        is_shared[starts[page] + found] = True
    return tokens.per_block(is_shared)


def _hashes(chars: Chars, tokens: Tokens, rows: slice = slice(None)) -> Hashes:
    """(k,) hashes of some tokens in lower case."""
    starts, ends = tokens.start[rows], tokens.end[rows]
    first, end = int(starts[:1].sum()), int(ends[-1:].sum())
    return span_hashes(chars[first:end], starts - first, ends - first)


def _in_named(table: BlockTable, p_other: Floats) -> Bools:
    """(n,) which blocks are in an element that is named as the ingredients of a recipe.

    The name of a body may say what its page is about, and menus lead to recipes by ingredient.
    """
    elements, expected = table.elements, expected_words(table.words, p_other)
    largest = parts_of_pages(table, expected, _LARGEST)[table.page_of_element]
    is_named = Signs(table).is_named(_NAMED) & (table.element_words <= largest)
    is_named &= table.element_link_words <= _LINKED * table.element_words
    return elements.gathered(is_named)[table.element]


def _declared(head: Head) -> Iterator[str]:
    """The texts that a page declares under the keys."""
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
