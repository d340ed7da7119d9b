"""Paragraphs in another language than their page: the page without them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from victor.api import Result
from victor.base.arrays import Bools
from victor.page.verdict.verdict import Verdict

if TYPE_CHECKING:
    from victor.documents.page_filter import LanguageGuess, PageFilter


def without_foreign(
    page_filter: PageFilter, result: Result, guess: LanguageGuess
) -> tuple[Result, int]:
    """A page without its paragraphs in other languages, and how many these are.

    Data tables and code stay whole.

    Args:
        page_filter: says whether such paragraphs are dropped, and which languages stay.
        result: of a page that was cleaned.
        guess: language of all of its kept text.
    """
    wanted = page_filter.wanted(guess, result.text) if page_filter.drops_paragraphs else None
    if not wanted:
        return result, 0
    assert result.in_batch is not None, "a page that was cleaned has a verdict"
    verdict, page = result.in_batch
    shown = verdict.paragraphs
    told = languages(page_filter, verdict, page)
    foreign = np.zeros(len(shown.starts) - 1, dtype=bool)
    foreign[shown.page(page)] = [each is not None and each not in wanted for each in told]
    foreign &= shown.cells.table < 0
    n_foreign = int(np.count_nonzero(foreign))
    return (result.without(_blocks(verdict, foreign)), n_foreign) if n_foreign else (result, 0)


def languages(page_filter: PageFilter, verdict: Verdict, page: int) -> list[str | None]:
    """The language of every kept paragraph of a page; None where nothing tells it, and of code."""
    shown = verdict.paragraphs
    is_code = (shown.pre[shown.page(page)] >= 0).tolist()
    told = page_filter.paragraph_languages(shown.texts(page))
    return [None if code else language for code, language in zip(is_code, told, strict=True)]


def _blocks(verdict: Verdict, paragraphs: Bools) -> Bools:
    """(n,) bool; which blocks of a batch are in some of its paragraphs."""
    shown = verdict.paragraphs
    blocks = np.zeros(len(verdict.table), dtype=bool)
    blocks[shown.blocks] = np.repeat(paragraphs, np.diff(shown.starts))
    return blocks
