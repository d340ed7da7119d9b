"""Measures of a cleaned page against its gold standard: words, blocks and word order.

Pure functions of texts and label arrays; averaging and printing are separate steps.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike, NDArray

from victor.errors import ConfigError
from victor.labels import LABEL_NAMES, UNLABELLED, Label

_WORD = re.compile(r"\w+")
_LABELS = len(Label)


def words(text: str) -> list[str]:
    r"""Lower-cased runs of ``\w``, the words that WCXB counts."""
    return _WORD.findall(text.lower())


@dataclass(frozen=True, slots=True)
class Score:
    """Precision, recall and their harmonic mean, each in 0..1; a ratio of nothing is 0."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class WordScore(Score):
    """Overlap of the bags of words of one page."""


@dataclass(frozen=True, slots=True)
class EditScore:
    """Agreement of one page in words and their order, each in 0..1.

    Attributes:
        lcs: 2 * longest common subsequence / (predicted + gold words).
        levenshtein: 1 - edit distance / words of the longer text.
    """

    lcs: float
    levenshtein: float


def word_score(predicted: str, gold: str) -> WordScore:
    """Bag-of-words score of one page, as WCXB's ``evaluate.py`` computes it.

    Empty gold scores 1 for an empty prediction and 0 for any other.

    Source: Foley (2026), WCXB.
    """
    found, wanted = words(predicted), words(gold)
    if not wanted:
        value = float(not found)
        return WordScore(value, value, value)
    overlap = (Counter(found) & Counter(wanted)).total()
    return WordScore(*_ratios(overlap, len(found), len(wanted)))


def edit_score(predicted: str, gold: str) -> EditScore:
    """Word-edit score of one page in both forms that the CleanEval literature reports.

    Two empty texts score 1.

    Raises:
        ConfigError: the optional package rapidfuzz is not installed.

    Source: Baroni et al. (2008), CleanEval; Evert's ``cleaneval.py`` for the LCS form.
    """
    try:
        from rapidfuzz.distance import LCSseq, Levenshtein  # noqa: PLC0415  (optional package)
    except ImportError as error:
        raise ConfigError(
            "the word-edit score needs the package rapidfuzz: run 'pip install rapidfuzz'"
        ) from error
    numbers: dict[str, int] = {}
    found, wanted = (
        [numbers.setdefault(word, len(numbers)) for word in words(text)]
        for text in (predicted, gold)
    )
    total = len(found) + len(wanted)
    if not total:
        return EditScore(1.0, 1.0)
    lcs = 2 * LCSseq.similarity(found, wanted) / total
    return EditScore(lcs, Levenshtein.normalized_similarity(found, wanted))


@dataclass(frozen=True, slots=True, eq=False)
class BlockScores:
    """Counts of labelled blocks; add two to pool their pages.

    Attributes:
        confusion: (3, 3) int64, rows are gold labels, columns predicted ones, in the order of
            `Label`. Blocks without a gold label are not in it.
    """

    confusion: NDArray[np.int64]

    def __add__(self, other: BlockScores) -> BlockScores:
        return BlockScores(self.confusion + other.confusion)

    @property
    def blocks(self) -> int:
        """Number of scored blocks."""
        return int(self.confusion.sum())

    @property
    def accuracy(self) -> float:
        """Share of blocks with the right one of three labels; nan without blocks."""
        return _share(int(np.trace(self.confusion)), self.blocks)

    @property
    def unlabelled_accuracy(self) -> float:
        """Share of blocks rightly kept or dropped, header and text being one; nan without any."""
        return _share(int(np.trace(self._kept_or_not())), self.blocks)

    @property
    def kept(self) -> Score:
        """Score of keeping: header or text against other."""
        return _label_score(self._kept_or_not(), 0)

    def of(self, label: Label) -> Score:
        """Score of one label."""
        return _label_score(self.confusion, label)

    def _kept_or_not(self) -> NDArray[np.int64]:
        """(2, 2) confusion with header and text merged into the first row and column."""
        edges = [Label.HEADER, Label.OTHER]
        rows = np.add.reduceat(self.confusion, edges, axis=0)
        return np.asarray(np.add.reduceat(rows, edges, axis=1), dtype=np.int64)


def block_scores(gold: ArrayLike, predicted: ArrayLike) -> BlockScores:
    """Count blocks by gold and predicted label.

    Args:
        gold: (n,) labels; blocks marked `UNLABELLED` are left out.
        predicted: (n,) labels 0..2, anything at the places that are left out.

    Raises:
        ConfigError: the arrays differ in length or hold something that is not a label.
    """
    wanted, found = np.asarray(gold, dtype=np.int64), np.asarray(predicted, dtype=np.int64)
    if wanted.shape != found.shape:
        raise ConfigError(
            f"gold has shape {wanted.shape} but the prediction {found.shape}: "
            "give both labels for the same blocks"
        )
    scored = wanted != UNLABELLED
    wanted, found = wanted[scored], found[scored]
    for name, labels in (("gold", wanted), ("predicted", found)):
        if labels.size and not 0 <= labels.min() <= labels.max() < _LABELS:
            raise ConfigError(f"{name} labels must be 0..{_LABELS - 1} ({', '.join(LABEL_NAMES)})")
    counts = np.bincount(wanted * _LABELS + found, minlength=_LABELS * _LABELS)
    return BlockScores(counts.astype(np.int64).reshape(_LABELS, _LABELS))


def pool(scores: Iterable[BlockScores], groups: Iterable[str]) -> dict[str, BlockScores]:
    """Block counts summed per group of pages (page type, language), and over ``"all"`` first.

    Raises:
        ConfigError: not exactly one group per page.
    """
    pages, names = list(scores), list(groups)
    _same_length(pages, names)
    start = BlockScores(np.zeros((_LABELS, _LABELS), dtype=np.int64))
    return {
        group: sum((pages[position] for position in members), start)
        for group, members in _members(names).items()
    }


@dataclass(frozen=True, slots=True)
class Summary:
    """Page means of a group of pages.

    Attributes:
        group: name, ``"all"`` for every page.
        pages: number of pages.
        means: mean over pages of each measure, by name.
        errors: standard error of each mean; nan for a single page.
    """

    group: str
    pages: int
    means: Mapping[str, float]
    errors: Mapping[str, float]


def summarize(
    scores: Sequence[Score] | Sequence[EditScore], groups: Sequence[str] | None = None
) -> list[Summary]:
    """Means and standard errors over all pages and then over each group.

    Args:
        scores: one score per page, all of one class.
        groups: the page type (or language ...) of each page; None gives the first row only.

    Raises:
        ConfigError: no scores, or not exactly one group per page.
    """
    if not scores:
        raise ConfigError("there are no page scores to average: check that the corpus has pages")
    if groups is not None:
        _same_length(scores, groups)
    names = [field.name for field in fields(scores[0])]
    values = np.array([[getattr(score, name) for name in names] for score in scores])
    members = _members(groups if groups is not None else [])
    members["all"] = list(range(len(scores)))
    return [_summary(group, names, values[rows]) for group, rows in members.items()]


def table(summaries: Sequence[Summary]) -> str:
    """Summaries as lines of text for a terminal: one row each, every mean with its error."""
    if not summaries:
        return ""
    measures = list(summaries[0].means)
    rows = [["", "pages", *(cell for name in measures for cell in (name, "±"))]]
    for summary in summaries:
        numbers = (
            _decimal(source[name])
            for name in measures
            for source in (summary.means, summary.errors)
        )
        rows.append([summary.group, str(summary.pages), *numbers])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(_line(row, widths) for row in rows)


def _ratios(overlap: int, found: int, wanted: int) -> tuple[float, float, float]:
    """Precision, recall and F from counts; a ratio of nothing is 0."""
    precision = overlap / found if found else 0.0
    recall = overlap / wanted if wanted else 0.0
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0


def _label_score(confusion: NDArray[np.int64], label: int) -> Score:
    """Score of one row and column of a square confusion matrix."""
    hits, found, wanted = confusion[label, label], confusion[:, label].sum(), confusion[label].sum()
    return Score(*_ratios(int(hits), int(found), int(wanted)))


def _share(part: int, whole: int) -> float:
    """Ratio of two counts, nan for an empty whole."""
    return part / whole if whole else math.nan


def _same_length(scores: Sequence[object], groups: Sequence[str]) -> None:
    """Refuse scores and groups that cannot belong together."""
    if len(scores) != len(groups):
        raise ConfigError(f"{len(scores)} scores but {len(groups)} groups: give one per page")


def _members(groups: Sequence[str]) -> dict[str, list[int]]:
    """Positions of the pages of every group in alphabetical order, after ``"all"``."""
    members: dict[str, list[int]] = {"all": list(range(len(groups)))}
    for name in sorted(set(groups)):
        members[name] = [position for position, group in enumerate(groups) if group == name]
    return members


def _summary(group: str, names: Sequence[str], values: NDArray[np.float64]) -> Summary:
    """Mean and standard error of every column of (pages, measures) values."""
    pages = len(values)
    means = values.mean(axis=0)
    spread = values.std(axis=0, ddof=1) / math.sqrt(pages) if pages > 1 else means * math.nan
    return Summary(
        group,
        pages,
        dict(zip(names, means.tolist(), strict=True)),
        dict(zip(names, spread.tolist(), strict=True)),
    )


def _decimal(value: float) -> str:
    """Four decimals, or a dash for what is not defined."""
    return "-" if math.isnan(value) else f"{value:.4f}"


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    """One row: names to the left, numbers to the right."""
    first, *rest = (
        cell.ljust(width) if position == 0 else cell.rjust(width)
        for position, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return "  ".join([first, *rest])
