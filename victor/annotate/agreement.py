"""Agreement of two annotators on the blocks of pages, and where they differ.

Blocks that one of them calls unlabelled are left out. Two careful readers could disagree on such a
block, so it tells nothing if this pair does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from victor.base.arrays import Bools, Floats, Labels
from victor.base.errors import CorpusError
from victor.base.labels import LABEL_NAMES, UNLABELLED, Label
from victor.corpus.label_letters import UNDECIDED, from_letters

_K: Final = len(Label)


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
    """Agreement on the blocks that both decided; None where a measure is not defined.

    Attributes:
        blocks: number of these.
        observed: share of them with the same label, None without blocks.
        kappa: Cohen's kappa of the three labels.
        weighted: kappa with every block weighted by its words, None if no words were given.
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
        pages: labels of both annotators, a letter per block, and (n,) words of the blocks or
            None, of each page that both have labelled.

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
        a: a letter per block.
        b: those of the other.
        words: (n,) what each block weighs; None for 1.

    Raises:
        CorpusError: the annotations have different lengths.
    """
    return kappa_of(confusion(a, b, words))


def confusion(a: str, b: str, words: Floats | None = None) -> Floats:
    """(3, 3) float64 blocks, or their words, by label of a (rows) and of b (columns)."""
    rows, columns = _pair(a, b)
    both = decided(rows, columns)
    cells = rows[both].astype(np.int64) * _K + columns[both]
    weights = None if words is None else words[both]
    return np.bincount(cells, weights, _K * _K).astype(np.float64).reshape(_K, _K)


def decided(a: Labels, b: Labels) -> Bools:
    """(n,) blocks that both annotators, given by their labels, have decided."""
    return np.asarray((a != UNLABELLED) & (b != UNLABELLED))


def common_labels(a: str, b: str) -> str:
    """The labels of a, but unlabelled where one of the two annotators says so.

    Raises:
        CorpusError: the annotations have different lengths.
    """
    both = decided(*_pair(a, b)).tolist()
    return "".join(letter if known else UNDECIDED for letter, known in zip(a, both, strict=True))


def kappa_of(table: Floats) -> float | None:
    """Cohen's kappa of a table of counts, rows one annotator and columns the other.

    ``(p_o - p_e) / (1 - p_e)``, where p_o is the observed share of agreement and p_e the expected
    one if both chose labels as often as they did, but independently (Cohen 1960). None for an empty
    table, and if both gave the same label to all blocks: then p_e is 1.
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
    """(2, 2) the table with all labels but one merged."""
    groups = [label], [other for other in range(len(table)) if other != label]
    return np.array([[table[np.ix_(rows, columns)].sum() for columns in groups] for rows in groups])


def differences(a: str, b: str) -> list[Difference]:
    """Runs of blocks that two annotators label differently, in the order of the page.

    Raises:
        CorpusError: the annotations have different lengths.
    """
    pair = _pair(a, b)
    cells = pair[0].astype(np.int64) << 8 | pair[1]
    starts = np.flatnonzero(np.diff(cells, prepend=-1))
    ends = np.append(starts[1:], len(cells)) - 1
    differ = (decided(*pair) & (pair[0] != pair[1]))[starts]
    runs = zip(starts[differ].tolist(), ends[differ].tolist(), strict=True)
    return [Difference(first, last, a[first], b[first]) for first, last in runs]


def _pair(a: str, b: str) -> tuple[Labels, Labels]:
    """(n,) labels of both.

    Raises:
        CorpusError: the annotations have different lengths.
    """
    if len(a) != len(b):
        raise CorpusError(
            f"the annotations have {len(a)} and {len(b)} blocks; "
            "`victor annotate check` lists the pages whose labels no longer fit"
        )
    return from_letters(a), from_letters(b)
