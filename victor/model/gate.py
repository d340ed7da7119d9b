"""The gate of a model of experts: of which type is a page, by the columns that the model reads.

A comment goes below an article and is the text of a thread, so potentials differ by the type of a
page. The gate is a logistic regression over the page means of the codes of all columns and of their
squares. These are sums of small integers: they are exact, and those of a page are the same alone
and in any batch.

Source: Jacobs, Jordan, Nowlan and Hinton (1991), Adaptive mixtures of local experts.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Final

import numpy as np
from msgspec import Struct

from victor.base.arrays import Codes, Floats, Floats32, Ints
from victor.base.errors import ConfigError, hint

EXPERTS: Final[Mapping[str, tuple[str, ...]]] = {
    "article": ("article", "recipe"),
    "forum": ("forum",),
    "other": ("product", "listing", "documentation", "service", "front", "media"),
}
"""Expert to the types of pages that it knows; questions with answers are forums, too."""
TYPES: Final = tuple(chain.from_iterable(EXPERTS.values()))
"""The types of pages that a page head tells apart."""
TOLD: Final = tuple(dict.fromkeys((*EXPERTS, *TYPES)))
"""What a user may call pages: experts and types."""
MOST_EXPERTS: Final = 16
"""Of so many, one weighs more than `_LEAST`; the compiled core knows the number, too."""
_LEAST: Final = 0.05
"""Weight of an expert; one with less is not asked."""
_FEW: Final = 66_000
"""Blocks of a page whose squared codes add up to less than 2^32."""


def expert_of(page_type: str) -> str:
    """The expert of a type of pages; an expert's own name is one, too.

    Raises:
        ConfigError: there is no such type.
    """
    for expert, types in EXPERTS.items():
        if page_type == expert or page_type in types:
            return expert
    raise ConfigError(f"no page type {page_type}{hint(page_type, TOLD)}: {', '.join(TOLD)}")


class Gate(Struct, frozen=True, eq=False):
    """Says how much each of E experts has to say of a page, given the codes of C columns.

    Attributes:
        experts: (E,) their names.
        weights: (2 C + 1, E) float64, of the means of codes, of their squares, and the intercepts.

    Raises:
        ValueError: they do not fit each other.
    """

    experts: tuple[str, ...]
    weights: Floats

    def __post_init__(self) -> None:
        n_experts = len({*self.experts})
        if not 2 <= n_experts == len(self.experts) <= MOST_EXPERTS:
            raise ValueError(f"a gate has 2 to {MOST_EXPERTS} experts of different names")
        if self.weights.ndim != 2 or self.weights.shape[1] != n_experts:
            raise ValueError("the weights of the gate do not fit its experts")

    @classmethod
    def even(cls, experts: tuple[str, ...], n_columns: int) -> Gate | None:
        """A gate that weighs all experts alike, before it has learnt; None for one alone."""
        if len(experts) < 2:
            return None
        return cls(experts, np.zeros((2 * n_columns + 1, len(experts))))

    def __call__(self, codes: Codes, page_starts: Ints) -> Floats32:
        """(P, E) float32 weights of the experts, each page's adding up to 1.

        Args:
            codes: (C, n) codes of the blocks.
            page_starts: (P + 1,) page p owns blocks ``page_starts[p]:page_starts[p + 1]``.
        """
        measures = page_means(codes, page_starts)
        # Page by page: a product of matrices may round otherwise in a batch of another size.
        rows = [row @ self.weights[:-1] for row in measures]
        scores = np.array(rows).reshape(-1, len(self.experts)) + self.weights[-1]
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        shares[shares < _LEAST] = 0.0
        return np.asarray(shares / shares.sum(axis=1, keepdims=True), dtype=np.float32)


def page_means(codes: Codes, page_starts: Ints) -> Floats:
    """(P, 2 C) float64 means of the codes of C columns on each page, and of their squares.

    All are 0 for a page without blocks.
    """
    n_blocks = np.diff(page_starts)
    filled = np.flatnonzero(n_blocks)
    means = np.zeros((len(n_blocks), 2 * len(codes)))
    if len(filled):
        starts, parts = page_starts[filled], (codes, np.square(codes, dtype=np.uint16))
        dtype = np.uint32 if n_blocks.max() <= _FEW else np.uint64  # half the time
        sums = [np.add.reduceat(part, starts, axis=1, dtype=dtype) for part in parts]
        means[filled] = np.concatenate(sums).T / n_blocks[filled, None]
    return means
