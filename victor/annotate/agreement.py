"""How far two annotators agree on the blocks of pages, and where they do not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from victor.annotate.suggest import LETTERS, label_values
from victor.errors import CorpusError
from victor.labels import LABEL_NAMES, Label

_K: Final = len(LETTERS)

Floats = NDArray[np.float64]


class Difference(NamedTuple):
    """Adjacent blocks that two annotators label differently, in the same way.

    Attributes:
        first, last: numbers of the first and the last block.
        a, b: letter of each annotator.
    """

    first: int
    last: int
    a: str
    b: str


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement on n blocks; None where a measure is not defined.

    Attributes:
        blocks: how many.
        observed: share of blocks with the same label, None without blocks.
        kappa: Cohen's kappa of the three labels.
        weighted: the same with every block weighing its words, None where no words were given.
        per_label: kappa of each label against the rest, by name of the label.
    """

    blocks: int
    observed: float | None
    kappa: float | None
    weighted: float | None
    per_label: Mapping[str, float | None]


def agreement(pages: Iterable[tuple[str, str, Floats | None]]) -> Agreement:
    """Agreement over the blocks of all pages together.

    Args:
        pages: labels of both annotators, a letter of ``hto`` per block, and (n,) words of the
            blocks or None, of each page that both have labelled.

    Raises:
        CorpusError: the annotators labelled different numbers of blocks of a page.
    """
    plain, weighted = np.zeros((_K, _K)), np.zeros((_K, _K))
    for a, b, words in pages:
        plain += confusion(a, b)
        if words is not None:
            weighted += confusion(a, b, words)
    total = float(plain.sum())
    return Agreement(
        blocks=int(total),
        observed=float(np.trace(plain)) / total if total else None,
        kappa=kappa_of(plain),
        weighted=kappa_of(weighted),
        per_label={LABEL_NAMES[label]: kappa_of(one_against_rest(plain, label)) for label in Label},
    )


def kappa(a: str, b: str, words: Floats | None = None) -> float | None:
    """Cohen's kappa of two annotations of one page; see `kappa_of`.

    Args:
        a: a letter of ``hto`` per block.
        b: those of the other.
        words: (n,) what each block weighs; None for 1.

    Raises:
        CorpusError: the annotations have different lengths.
    """
    return kappa_of(confusion(a, b, words))


def confusion(a: str, b: str, words: Floats | None = None) -> Floats:
    """(3, 3) float64 blocks, or their words, by label of a (rows) and of b (columns)."""
    _check(a, b)
    cells = label_values(a).astype(np.int64) * _K + label_values(b)
    return np.bincount(cells, words, _K * _K).astype(np.float64).reshape(_K, _K)


def kappa_of(table: Floats) -> float | None:
    """Cohen's kappa of a table of counts, rows one annotator and columns the other.

    ``(p_o - p_e) / (1 - p_e)`` with p_o the observed and p_e the expected share of agreement if
    each chose labels as often as they did, but independently (Cohen 1960). None for an empty
    table and where both gave one and the same label to all: nothing else was expected.
    """
    total = table.sum()
    if not total:
        return None
    shares = table / total
    expected = float(shares.sum(axis=1) @ shares.sum(axis=0))
    if 1.0 - expected < np.finfo(np.float64).eps * _K:
        return None
    return (float(np.trace(shares)) - expected) / (1.0 - expected)


def one_against_rest(table: Floats, label: int) -> Floats:
    """(2, 2) the table with all labels but one put together."""
    own = np.arange(len(table)) == label
    return np.array([[table[np.ix_(row, col)].sum() for col in (own, ~own)] for row in (own, ~own)])


def differences(a: str, b: str) -> list[Difference]:
    """Runs of blocks that two annotators label differently, in the order of the page.

    Raises:
        CorpusError: the annotations have different lengths.
    """
    _check(a, b)
    pairs = np.array([label_values(a), label_values(b)], dtype=np.int64).reshape(2, -1)
    cells = pairs[0] * _K + pairs[1]
    starts = np.flatnonzero(np.diff(cells, prepend=-1))
    ends = np.append(starts[1:], len(cells)) - 1
    apart = pairs[0][starts] != pairs[1][starts]
    runs = zip(starts[apart].tolist(), ends[apart].tolist(), strict=True)
    return [Difference(first, last, a[first], b[first]) for first, last in runs]


def _check(a: str, b: str) -> None:
    if len(a) != len(b):
        raise CorpusError(
            f"the annotations have {len(a)} and {len(b)} blocks; "
            "`victor annotate check` lists the pages whose labels no longer fit"
        )
