"""The paragraphs of the text of a page: p(other) of each, and those in other languages."""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate, repeat
from typing import Final

import numpy as np

from victor.api import Result
from victor.base.arrays import Bools
from victor.base.labels import Label
from victor.documents.page_filter import LanguageGuess, PageFilter
from victor.documents.row import Paragraph
from victor.page.table.blocks import BlockTable
from victor.page.verdict.verdict import Verdict
from victor.render.text import parts

_KINDS: Final = ("heading", "code", "cell", "quote", "item", "")
_SCALE: Final = 10_000
"""p(other) has 4 digits: thresholds of up to 4 digits cut rounded values as exact ones."""


def kept_paragraphs(verdict: Verdict, page: int) -> tuple[Paragraph, ...]:
    """The paragraphs of the text of a page; headings are those that Markdown shows as such.

    Of a paragraph of several blocks p(other) is the highest, so that a threshold below it never
    keeps what cleaning with that threshold drops.
    """
    pieces = parts(verdict, page)
    ends = accumulate(map(len, pieces))
    places = [end - len(piece.lstrip()) for piece, end in zip(pieces, ends, strict=True)][::2]
    shown = verdict.paragraphs
    rows = shown.page(page)
    if rows.start == rows.stop:
        return ()
    starts = shown.starts[rows.start : rows.stop + 1]
    first, blocks = shown.blocks[starts[:-1]], shown.blocks[starts[0] : starts[-1]]
    starts = starts[:-1] - starts[0]
    # The highest value of the blocks of a paragraph, rounded down to 4 digits.
    highest = np.maximum.reduceat(verdict.p_other[blocks], starts)
    scaled = np.rint(highest * _SCALE)
    scores = ((scaled - (scaled / _SCALE > highest)) / _SCALE).tolist()
    if verdict.by_scope is not None:
        given = np.logical_or.reduceat(verdict.by_scope[blocks], starts).tolist()
        scores = [None if each else score for score, each in zip(scores, given, strict=True)]
    heading = (verdict.labels[first] == Label.HEADER) | (verdict.table.heading_level[first] > 0)
    is_kind = (  # the first that holds
        heading,
        shown.pre[rows] >= 0,
        shown.cells.table[rows] >= 0,
        _quoted(shown.table)[first],
        shown.item[rows] >= 0,
        np.ones(len(first), bool),
    )
    kinds = map(_KINDS.__getitem__, np.argmax(is_kind, axis=0).tolist())
    columns = (shown.texts(page), heading.tolist(), scores, repeat(None), kinds, places)
    return tuple(map(Paragraph, *columns))


@lru_cache(maxsize=1)
def _quoted(table: BlockTable) -> Bools:
    """(n,) bool; which blocks of a batch stand in a quotation."""
    return np.asarray(table.words_inside("blockquote") > 0)


def without_foreign(
    page_filter: PageFilter, result: Result, guess: LanguageGuess
) -> tuple[Result, int]:
    """A page without its paragraphs in other languages, if these go, and how many these are.

    Data tables and code stay whole. `guess` is the language of all of its kept text.
    """
    wanted = page_filter.wanted(guess, result.text)
    if not wanted:
        return result, 0
    assert result.in_batch is not None, "a page that was cleaned has a verdict"
    verdict, page = result.in_batch
    shown = verdict.paragraphs
    rows, told = shown.page(page), languages(page_filter, verdict, page)
    is_foreign = np.array([each is not None and each not in wanted for each in told], dtype=bool)
    foreign = rows.start + np.flatnonzero(is_foreign & (shown.cells.table[rows] < 0))
    if not len(foreign):
        return result, 0
    blocks = np.zeros(len(verdict.table), dtype=bool)
    for paragraph in foreign.tolist():
        blocks[shown.blocks[slice(*shown.starts[paragraph : paragraph + 2])]] = True
    return result.without(blocks), len(foreign)


def languages(page_filter: PageFilter, verdict: Verdict, page: int) -> list[str | None]:
    """The language of every kept paragraph of a page; None where nothing tells it, and of code."""
    shown = verdict.paragraphs
    is_code = (shown.pre[shown.page(page)] >= 0).tolist()
    told = page_filter.paragraph_languages(shown.texts(page))
    return [None if code else language for code, language in zip(is_code, told, strict=True)]
