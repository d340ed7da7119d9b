"""Learn which expert each page is for, and the gate that says so of pages of an unknown type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from victor.base.arrays import Codes, Floats, Ints
from victor.model.gate import EXPERTS, Gate, expert_of
from victor.training.regression import class_scores, of_both

_FEWEST: Final = 20
"""Pages of a type; an expert of fewer knows too little."""
_STRENGTH: Final = 0.06
"""C of the regression; from 0.02 to 0.1 nothing changes."""


def assigned(codes: Codes, page_starts: Ints, types: Sequence[str]) -> tuple[tuple[str, ...], Ints]:
    """The experts that pages can teach, and the expert of every page.

    Args:
        codes: (C, n) codes of the blocks.
        page_starts: (P + 1,) page p owns blocks ``page_starts[p]:page_starts[p + 1]``.
        types: (P,) type of each page, "" for an unknown one.

    Returns:
        Names of E experts, and (P,) int64 numbers of theirs. Pages of an unknown type go to the
        expert that a gate of the others gives most weight. There is one expert for all where
        fewer than two have enough pages.
    """
    known = np.array([expert_of(name) if name else "" for name in types], dtype=object)
    names = tuple(name for name in EXPERTS if (known == name).sum() >= _FEWEST)
    if len(names) < 2:
        return ("all",), np.zeros(len(types), dtype=np.int64)
    experts = np.array([names.index(name) if name in names else -1 for name in known.tolist()])
    measures, is_known = page_means(codes, page_starts), experts >= 0
    weights = _scores(measures[is_known], experts[is_known])
    said = (measures @ weights[:-1] + weights[-1]).argmax(axis=1)
    return names, np.where(is_known, experts, said)


def fitted(names: tuple[str, ...], codes: Codes, page_starts: Ints, experts: Ints) -> Gate:
    """The gate that weighs these experts, given (C, n) codes and the (P,) experts of pages."""
    return Gate(names, _scores(page_means(codes, page_starts), experts))


def page_means(codes: Codes, page_starts: Ints) -> Floats:
    """(P, 2 C) float64 means of the codes of C columns on each page, and of their squares.

    All are 0 for a page without blocks.
    """
    n_blocks = np.diff(page_starts)
    filled = np.flatnonzero(n_blocks)
    means = np.zeros((len(n_blocks), 2 * len(codes)))
    if len(filled):
        starts, parts = page_starts[filled], (codes, np.square(codes, dtype=np.uint16))
        sums = [np.add.reduceat(part, starts, axis=1, dtype=np.uint64) for part in parts]
        means[filled] = np.concatenate(sums).T / n_blocks[filled, None]
    return means


def _scores(measures: Floats, experts: Ints) -> Floats:
    """(M + 1, E) scores of the experts over (P, M) measures, given the (P,) experts of pages."""
    return of_both(class_scores(measures, experts, _STRENGTH, task="fitting a gate"))
