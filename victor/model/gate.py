"""The gate of a model of experts: of which type is a page, by the columns that the model reads.

A comment goes below an article and is the text of a thread, so potentials differ by the type of a
page. The gate is a logistic regression over the page means of the codes of all columns and of their
squares, which ``core/model/gate.c`` computes. These are sums of small integers: they are exact, and
those of a page are the same alone and in any batch.

Source: Jacobs, Jordan, Nowlan and Hinton (1991), Adaptive mixtures of local experts.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Final

import numpy as np
from msgspec import Struct

from victor.base.arrays import Floats
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
"""Of so many, one weighs enough to be asked; the compiled core knows the number, too."""


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
    """What says how much each of E experts has to say of a page, given the codes of C columns.

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
