"""The paragraphs of a page: p(other) of each, kept and dropped, and those in other languages."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import accumulate, pairwise, repeat
from typing import Final

import numpy as np
from msgspec.structs import replace

from victor.api import Result
from victor.base.arrays import Bools
from victor.base.labels import Label
from victor.config.schema import Scope
from victor.documents.page_filter import LanguageGuess, PageFilter
from victor.documents.row import Dropped, Paragraph
from victor.kinds.scope import finish
from victor.page.table.blocks import BlockTable, one_page
from victor.page.verdict.paragraphs import Paragraphs
from victor.page.verdict.verdict import Verdict
from victor.render.text import parts

_SCALE: Final = 10_000
"""p(other) has 4 digits: thresholds of up to 4 digits cut rounded values as exact ones."""


def kept_paragraphs(verdict: Verdict, page: int, *, placed: bool) -> tuple[Paragraph, ...]:
    """The paragraphs of the text of a page; headings are those that Markdown shows as such.

    Of a paragraph of several blocks p(other) is the highest, so that a threshold below it never
    keeps what cleaning with that threshold drops. `placed` ones say where in plain text they begin.
    """
    starts: Iterable[int | None] = repeat(None)
    if placed:
        pieces = parts(verdict, page)
        ends = accumulate(map(len, pieces))
        starts = [end - len(piece.lstrip()) for piece, end in zip(pieces, ends, strict=True)][::2]
    return _scored(verdict, verdict.paragraphs, page, starts)


def dropped_paragraphs(
    verdict: Verdict, page: int, markup: bytes, scope: Scope
) -> tuple[Dropped, ...]:
    """The other paragraphs of a page; a data table is one, as plain text shows it."""
    alone = _as_if_all_were_kept(verdict, page, markup, scope)
    others = np.where(alone.kept, Label.OTHER, Label.TEXT).astype(np.uint8)
    rest = alone.with_labels(others, alone.method)
    shown, pieces, scored = rest.paragraphs, parts(rest, 0), _scored(rest, rest.paragraphs, 0)
    before = np.searchsorted(alone.paragraphs.first_block, shown.first_block).tolist()
    table = shown.cells.table
    starts = np.flatnonzero((table < 0) | (np.diff(table, prepend=-1) != 0)).tolist()
    return tuple(
        Dropped(
            before[start], scored[start]._replace(text="".join(pieces[2 * start : 2 * end - 1]))
        )
        for start, end in pairwise((*starts, len(scored)))
        if scored[start].text.strip()
    )


def _as_if_all_were_kept(verdict: Verdict, page: int, markup: bytes, scope: Scope) -> Verdict:
    """The verdict on one page, with what tables and scope would say of what is dropped, too."""
    blocks, table = verdict.page(page), one_page(verdict.reduced, page)
    marginals = verdict.marginals[blocks]
    labels = np.argmax(marginals[:, : Label.OTHER], axis=1).astype(np.uint8)
    alone = Verdict(table, labels, marginals, verdict.method, by_model=verdict.by_model)
    ((finished, _),) = finish(alone, [markup], scope)
    by_scope = ~finished.kept & ~_last_headings(table, finished.kept)
    if verdict.by_scope is not None:
        by_scope |= verdict.by_scope[blocks] & ~_last_headings(table, verdict.kept[blocks])
    return replace(finished, labels=verdict.labels[blocks], by_scope=by_scope)


def _last_headings(table: BlockTable, kept: Bools) -> Bools:
    """(n,) headings behind all that is kept: a threshold may add the text that they want."""
    n_kept = np.cumsum(kept)
    return np.asarray((table.heading_level > 0) & ~kept & (n_kept == kept.sum()))


def _scored(
    verdict: Verdict, shown: Paragraphs, page: int, places: Iterable[int | None] = repeat(None)
) -> tuple[Paragraph, ...]:
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
    is_kind = {  # the first that holds
        "heading": heading,
        "code": shown.pre[rows] >= 0,
        "cell": shown.cells.table[rows] >= 0,
        "quote": _quoted(shown.table)[first],
        "item": shown.item[rows] >= 0,
    }
    kinds = map(str, np.select([*is_kind.values()], [*is_kind], "").tolist())
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
