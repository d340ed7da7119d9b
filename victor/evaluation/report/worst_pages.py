"""The pages on which a system loses most, block by block."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

import numpy as np

from victor.base.labels import LABEL_NAMES, UNLABELLED
from victor.evaluation.predictions import Predictions, page_slices
from victor.evaluation.report.block_outcomes import BlockOutcome, ScoredSystem
from victor.measures.words import WordScore
from victor.training.dataset import PageInfo

MOST_PAGES: Final = 30
MOST_CHARACTERS: Final = 2_000
"""Of a block; the rest is cut off."""
SHORTEST_FOLD: Final = 4
"""Rightly dropped blocks in a row that are folded into one line."""
_MOST_ROWS: Final = 500
_MOST_CHARACTERS_OF_PAGE: Final = 100_000
_FOLD_LINES: Final = 50
_FOLD_CHARACTERS: Final = 120


@dataclass(frozen=True, slots=True)
class Cell:
    """One system on a block: its outcome, and its marginals in the order of `Label`."""

    outcome: BlockOutcome
    kept: bool
    marginals: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Row:
    """A block as it is shown.

    Attributes:
        number: of the block on its page, from 0.
        text: at most `MOST_CHARACTERS` of it.
        missing: characters cut off.
        words: of the whole block.
        gold: name of the gold label, ``""`` without one.
        path, css_class: where the block is.
        cells: what each system made of it.
    """

    number: int
    text: str
    missing: int
    words: int
    gold: str
    path: str
    css_class: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Fold:
    """A run of blocks that every system rightly dropped.

    Attributes:
        blocks, words: how many.
        lines: beginnings of the first blocks.
    """

    blocks: int
    words: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WorstPage:
    """A page on which the first system loses most.

    Attributes:
        info: what the corpus says of the page.
        score: of the first system.
        reachable: F of keeping by the gold labels.
        lost, wrongly_kept: words of the blocks with such an error.
        systems: names, one for each cell of a row.
        items: the page in order.
        omitted: blocks at its end that are not shown.
    """

    info: PageInfo
    score: WordScore
    reachable: float
    lost: int
    wrongly_kept: int
    systems: tuple[str, ...]
    items: tuple[Row | Fold, ...]
    omitted: int

    @property
    def loss(self) -> float:
        """F that the first system's wrong decisions cost."""
        return self.reachable - self.score.f1


def worst_pages(systems: Sequence[ScoredSystem]) -> list[WorstPage]:
    """The pages on which the first system is furthest below what its blocks allow.

    Ranked by the word F of keeping by the gold labels minus that of the system, so that pages whose
    gold text is not on the page come last. Another system has a column where it cuts the page into
    the same blocks.
    """
    main_system = systems[0]
    scores = zip(main_system.reachable, main_system.scores, strict=True)
    losses = np.array([reachable.f1 - score.f1 for reachable, score in scores])
    ranked = np.argsort(-losses, kind="stable")[:MOST_PAGES]
    blocks = [_blocks_by_id(system.predictions) for system in systems]
    return [_worst_page(systems, blocks, page) for page in ranked.tolist() if losses[page] > 0]


def _blocks_by_id(predictions: Predictions) -> dict[str, slice]:
    """The blocks of each page by its id."""
    ids = [page.id for page in predictions.pages]
    return dict(zip(ids, page_slices(predictions.page_starts), strict=True))


def _worst_page(
    systems: Sequence[ScoredSystem], blocks: Sequence[dict[str, slice]], page: int
) -> WorstPage:
    """One page with the columns of all systems that have the same blocks."""
    main_system = systems[0]
    info = main_system.predictions.pages[page]
    rows = page_slices(main_system.predictions.page_starts)[page]
    texts = main_system.predictions.texts[rows]
    others = [
        (system, by_id[info.id])
        for system, by_id in zip(systems[1:], blocks[1:], strict=True)
        if info.id in by_id and system.predictions.texts[by_id[info.id]] == texts
    ]
    columns = [(main_system, rows), *others]
    items, shown = _within_bounds(_items(columns))
    words, outcomes = main_system.predictions.words[rows], main_system.outcomes[rows]
    return WorstPage(
        info=info,
        score=main_system.scores[page],
        reachable=main_system.reachable[page].f1,
        lost=int(words[outcomes == BlockOutcome.LOST].sum()),
        wrongly_kept=int(words[outcomes == BlockOutcome.WRONGLY_KEPT].sum()),
        systems=tuple(system.predictions.system for system, _ in columns),
        items=items,
        omitted=len(texts) - shown,
    )


def _items(columns: Sequence[tuple[ScoredSystem, slice]]) -> Iterator[Row | Fold]:
    """Blocks of a page in order, long runs of rightly dropped ones folded."""
    dropped = np.all(
        [system.outcomes[rows] == BlockOutcome.DROPPED for system, rows in columns], axis=0
    )
    for is_dropped, run in groupby(range(len(dropped)), key=dropped.tolist().__getitem__):
        blocks = [*run]
        if is_dropped and len(blocks) >= SHORTEST_FOLD:
            yield _fold(columns[0], blocks)
        else:
            yield from (_row(columns, block) for block in blocks)


def _fold(column: tuple[ScoredSystem, slice], blocks: Sequence[int]) -> Fold:
    predictions, start = column[0].predictions, column[1].start
    rows = [start + block for block in blocks]
    texts = [predictions.texts[row] for row in rows[:_FOLD_LINES]]
    lines = [
        f"{text[:_FOLD_CHARACTERS]} …" if len(text) > _FOLD_CHARACTERS else text for text in texts
    ]
    return Fold(len(blocks), int(predictions.words[rows].sum()), tuple(lines))


def _row(columns: Sequence[tuple[ScoredSystem, slice]], block: int) -> Row:
    predictions, row = columns[0][0].predictions, columns[0][1].start + block
    text, label = predictions.texts[row], int(predictions.labels[row])
    return Row(
        number=block,
        text=text[:MOST_CHARACTERS],
        missing=max(len(text) - MOST_CHARACTERS, 0),
        words=int(predictions.words[row]),
        gold="" if label == UNLABELLED else LABEL_NAMES[label],
        path=predictions.paths[predictions.path[row]],
        css_class=predictions.css_classes[predictions.css_class[row]],
        cells=tuple(_cell(system, rows.start + block) for system, rows in columns),
    )


def _cell(system: ScoredSystem, row: int) -> Cell:
    header, text, other = system.predictions.marginals[row].tolist()
    outcome = BlockOutcome(int(system.outcomes[row]))
    return Cell(outcome, bool(system.kept[row]), (header, text, other))


def _within_bounds(items: Iterator[Row | Fold]) -> tuple[tuple[Row | Fold, ...], int]:
    """As much of a page as a report can hold, and the number of its blocks."""
    shown: list[Row | Fold] = []
    blocks = characters = 0
    for item in items:
        if len(shown) == _MOST_ROWS or characters > _MOST_CHARACTERS_OF_PAGE:
            break
        shown.append(item)
        blocks += item.blocks if isinstance(item, Fold) else 1
        characters += sum(map(len, item.lines)) if isinstance(item, Fold) else len(item.text)
    return tuple(shown), blocks
