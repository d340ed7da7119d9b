"""What a report shows beside its drawings: scores by group, operating points, the worst pages."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import groupby
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Bools
from victor.base.cached import cached_property
from victor.base.labels import LABEL_NAMES, UNLABELLED, Label
from victor.evaluation.predictions import Predictions, page_slices
from victor.evaluation.report.drawings import DECISION, TITLES, cut
from victor.evaluation.thresholds import (
    Curve,
    OperatingPoint,
    area,
    best_f,
    best_precision,
    best_recall,
    configured_points,
    preset_points,
)
from victor.measures.averages import EVERY, Summary, summarize
from victor.measures.blocks import block_scores
from victor.measures.words import WordScore, word_score
from victor.training.dataset import PageInfo

MOST_SITES: Final = 20
_LEAST: Final = (0.9, 0.95)
"""Precision, or recall, that a threshold is to give."""
_DIGITS: Final = 16
MOST_PAGES: Final = 30
MOST_CHARACTERS: Final = 2_000
"""Of a block; the rest is cut off."""
SHORTEST_FOLD: Final = 4
"""Rightly dropped blocks in a row that are folded into one line."""
_MOST_ROWS: Final = 500
_MOST_CHARACTERS_OF_PAGE: Final = 100_000


class BlockOutcome(IntEnum):
    """Gold label and decision of a block together; header and text are one."""

    KEPT = 0
    DROPPED = 1
    LOST = 2
    WRONGLY_KEPT = 3
    UNLABELLED = 4


@dataclass(frozen=True, eq=False)
class ScoredSystem:
    """A system's decision beside the gold standard: n blocks on P pages."""

    predictions: Predictions

    @cached_property
    def kept(self) -> Bools:
        """(n,) blocks that the system keeps."""
        return np.asarray(self.predictions.decided != Label.OTHER)

    @cached_property
    def outcomes(self) -> NDArray[np.uint8]:
        """(n,) `BlockOutcome` of each block."""
        gold = self.predictions.labels
        content = np.where(self.kept, BlockOutcome.KEPT, BlockOutcome.LOST)
        other = np.where(self.kept, BlockOutcome.WRONGLY_KEPT, BlockOutcome.DROPPED)
        outcomes = np.where(gold == Label.OTHER, other, content)
        return np.where(gold == UNLABELLED, BlockOutcome.UNLABELLED, outcomes).astype(np.uint8)

    @cached_property
    def gold_texts(self) -> list[str]:
        """(P) gold texts; for a page that has none, the text of its blocks with a gold label."""
        pages = zip(self.predictions.pages, self._texts(self._is_gold), strict=True)
        return [text if page.gold is None else page.gold for page, text in pages]

    @cached_property
    def scores(self) -> list[WordScore]:
        """(P) word score of the kept blocks; unlabelled blocks count as dropped."""
        return self._scores(self.kept & (self.predictions.labels != UNLABELLED))

    @cached_property
    def reachable(self) -> list[WordScore]:
        """(P) word score that keeping by the gold labels would give."""
        return self._scores(self._is_gold)

    @property
    def _is_gold(self) -> Bools:
        return np.isin(self.predictions.labels, (Label.HEADER, Label.TEXT))

    def _scores(self, kept: Bools) -> list[WordScore]:
        texts = zip(self._texts(kept), self.gold_texts, strict=True)
        return [word_score(text, gold) for text, gold in texts]

    def _texts(self, kept: Bools) -> list[str]:
        """Text of the given blocks, page by page."""
        texts = self.predictions.texts
        return [
            "\n".join([texts[page.start + row] for row in np.flatnonzero(kept[page]).tolist()])
            for page in page_slices(self.predictions.page_starts)
        ]


@dataclass(frozen=True, slots=True)
class GroupRow:
    """Word scores of one group of pages: one summary per system, None where it has no such page."""

    group: str
    pages: int
    summaries: tuple[Summary | None, ...]


def score_tables(systems: Sequence[ScoredSystem]) -> dict[str, list[GroupRow]]:
    """Page means of word scores with 95 % intervals, by title of the table."""
    sites = [_largest_sites(system) for system in systems]
    kinds = [_summaries(system, system.predictions.kinds) for system in systems]
    languages = [
        _summaries(system, [page.language for page in system.predictions.pages])
        for system in systems
    ]
    return {
        "By page type": _rows(kinds),
        "By language": _rows(languages),
        f"The {MOST_SITES} sites with most pages": _rows(sites)[:MOST_SITES],
    }


def _summaries(system: ScoredSystem, groups: Sequence[str]) -> list[Summary]:
    """All pages, then the groups; intervals by drawing sites."""
    return summarize(system.scores, groups, sites=system.predictions.sites)


def _largest_sites(system: ScoredSystem) -> list[Summary]:
    """Sites with several pages, most pages first; intervals by drawing pages of the site."""
    sites = system.predictions.sites
    counts = Counter(sites).most_common(MOST_SITES)
    largest = {site for site, pages in counts if pages > 1}
    pages = [page for page, site in enumerate(sites) if site in largest]
    if not pages:
        return []
    scores: list[WordScore] = [system.scores[page] for page in pages]
    summaries = summarize(scores, [sites[page] for page in pages])
    return sorted(summaries[1:], key=lambda summary: -summary.pages)


def _rows(columns: Sequence[Sequence[Summary]]) -> list[GroupRow]:
    """Groups of the first system, then those that only others have."""
    systems = [{summary.group: summary for summary in column} for column in columns]
    groups = dict.fromkeys(group for system in systems for group in system)
    return [
        GroupRow(
            "all pages" if group == EVERY else group,
            max(system[group].pages for system in systems if group in system),
            tuple(system.get(group) for system in systems),
        )
        for group in groups
    ]


def operating_points(curve: Curve) -> dict[str, list[OperatingPoint]]:
    """Thresholds worth choosing, by title of the measure."""
    rows = {}
    for measure in (name for name in TITLES if name in curve.measures):
        points = [
            *configured_points(curve, measure, DECISION),
            *(replace(p, name=f"preset {p.name}") for p in preset_points(curve, measure)),
            best_f(curve, measure),
            *(best_recall(curve, measure, least) for least in _LEAST),
            *(best_precision(curve, measure, least) for least in _LEAST),
        ]
        rows[TITLES[measure]] = [point for point in points if point is not None]
    return rows


def system_values(system: ScoredSystem, curve: Curve) -> dict[str, Any]:
    """What the template shows of one system beside its scores by group."""
    predictions = system.predictions
    decision = predictions.decision.on_marginals
    return {
        "name": cut(predictions.system),
        "protocol": cut(predictions.protocol),
        "decision": f"keeps blocks with p(other) below {decision.threshold:g}"
        if decision.method == "threshold"
        else f"keeps what maximises expected F, temperature {decision.temperature:g}",
        "overall": summarize(system.scores, sites=predictions.sites)[0],
        "points": operating_points(curve),
        "areas": {TITLES[measure]: area(curve, measure) for measure in curve.measures},
        "confusion": block_scores(predictions.labels, predictions.decided),
        "pages": len(predictions.pages),
        "sites": len(set(predictions.sites)),
        "blocks": len(predictions.labels),
        "unlabelled": int(np.sum(predictions.labels == UNLABELLED)),
        "without_gold": sum(page.gold is None for page in predictions.pages),
        "digest": data_hash(predictions),
    }


def data_hash(predictions: Predictions) -> str:
    """Short hash of page ids, the blocks of each page and their gold labels."""
    digest = hashlib.sha256(predictions.page_starts.astype("<i8").tobytes())
    digest.update(predictions.labels.tobytes())
    for page in predictions.pages:
        digest.update(page.id.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()[:_DIGITS]


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
