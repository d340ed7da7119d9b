"""The pages on which a system loses most, block by block."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

import numpy as np
from numpy.typing import NDArray

from victor.base.labels import LABEL_NAMES, UNLABELLED, Label
from victor.evaluation.predictions import Predictions, page_slices
from victor.evaluation.report.scored import BlockOutcome, ScoredSystem
from victor.measures.words import WordScore
from victor.training.dataset import PageInfo

MOST_PAGES: Final = 30
MOST_CHARACTERS: Final = 2_000
"""Of a block; the rest is cut off."""
SHORTEST_FOLD: Final = 4
"""Rightly dropped blocks in a row that are folded into one line."""
_MOST_ROWS: Final = 500
_MOST_CHARACTERS_OF_PAGE: Final = 100_000


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
        words: of the whole block.
        gold: name of the gold label, ``""`` without one.
        path, css_class: where the block is.
        cells: what each system made of it.
    """

    number: int
    text: str
    words: int
    gold: str
    path: str
    css_class: str
    cells: tuple[Cell, ...]

    @property
    def is_dropped(self) -> bool:
        """Do all systems rightly drop it."""
        return all(cell.outcome == BlockOutcome.DROPPED for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Run:
    """Blocks in a row; folded are long runs that every system rightly dropped."""

    rows: tuple[Row, ...]
    is_folded: bool

    @property
    def words(self) -> int:
        """Words of all its blocks."""
        return sum(row.words for row in self.rows)


@dataclass(frozen=True, slots=True)
class WorstPage:
    """A page on which the first system loses most.

    Attributes:
        info: what the corpus says of the page.
        title: the first header of the gold standard, or its first text.
        score: of the first system.
        reachable: F of keeping by the gold labels.
        lost, wrongly_kept: words of the blocks with such an error.
        systems: names, one for each cell of a row.
        runs: the page in order.
        omitted: blocks at its end that are not shown.
    """

    info: PageInfo
    title: str
    score: WordScore
    reachable: float
    lost: int
    wrongly_kept: int
    systems: tuple[str, ...]
    runs: tuple[Run, ...]
    omitted: int


def worst_pages(systems: Sequence[ScoredSystem]) -> list[WorstPage]:
    """The pages on which the first system is furthest below what its blocks allow.

    Ranked by the word F of keeping by the gold labels minus that of the system, so that pages whose
    gold text is not on the page come last. Another system has a column where it cuts the page into
    the same blocks.
    """
    first = systems[0]
    scores = zip(first.reachable, first.scores, strict=True)
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
    first = systems[0]
    info = first.predictions.pages[page]
    own = page_slices(first.predictions.page_starts)[page]
    texts = first.predictions.texts[own]
    columns = [(first, own)]
    for system, by_id in zip(systems[1:], blocks[1:], strict=True):
        if info.id in by_id and system.predictions.texts[by_id[info.id]] == texts:
            columns.append((system, by_id[info.id]))
    shown = _blocks_shown(texts)
    words, outcomes = first.predictions.words[own], first.outcomes[own]
    return WorstPage(
        info=info,
        title=_title(texts, first.predictions.labels[own]),
        score=first.scores[page],
        reachable=first.reachable[page].f1,
        lost=int(words[outcomes == BlockOutcome.LOST].sum()),
        wrongly_kept=int(words[outcomes == BlockOutcome.WRONGLY_KEPT].sum()),
        systems=tuple(system.predictions.system for system, _ in columns),
        runs=_runs([_row(columns, block) for block in range(shown)]),
        omitted=len(texts) - shown,
    )


def _title(texts: Sequence[str], labels: NDArray[np.uint8]) -> str:
    gold = [*np.flatnonzero(labels == Label.HEADER), *np.flatnonzero(labels == Label.TEXT)]
    return texts[gold[0]] if gold else ""


def _blocks_shown(texts: Sequence[str]) -> int:
    """How many blocks of a page a report can hold."""
    characters = np.cumsum([min(len(text), MOST_CHARACTERS) for text in texts[:_MOST_ROWS]])
    return min(int(np.searchsorted(characters, _MOST_CHARACTERS_OF_PAGE)) + 1, len(characters))


def _runs(rows: Sequence[Row]) -> tuple[Run, ...]:
    """Rows in order; runs of rightly dropped ones that are long are folded."""
    runs = [(dropped, (*run,)) for dropped, run in groupby(rows, lambda row: row.is_dropped)]
    return tuple(Run(run, dropped and len(run) >= SHORTEST_FOLD) for dropped, run in runs)


def _row(columns: Sequence[tuple[ScoredSystem, slice]], block: int) -> Row:
    predictions, row = columns[0][0].predictions, columns[0][1].start + block
    label = int(predictions.labels[row])
    return Row(
        number=block,
        text=predictions.texts[row][:MOST_CHARACTERS],
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
