"""Linear node potentials: a weight for every value of every entry of a template."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from victor.base.arrays import Codes, Floats, Ints
from victor.base.errors import ModelError
from victor.base.lazy import cached_property
from victor.features.base import ColumnValues
from victor.model.crf.emission import Emission
from victor.model.crf.weights import Weights
from victor.model.discretize import Codebook


@dataclass(frozen=True, eq=False)
class LinearPotentials:
    """Codes to sums of weights.

    Attributes:
        codebook: fitted discretisers of the columns that the template reads.
        weights: trained weights.

    Raises:
        ModelError: the codes do not fit the weights.
    """

    codebook: Codebook
    weights: Weights

    def __post_init__(self) -> None:
        if not self.weights.sizes.items() <= self.codebook.sizes.items():
            raise ModelError("the codes do not fit the weights: train the model again")

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read."""
        return self.codebook.names

    def scorer(self, names: Sequence[str]) -> Callable[[Codes, Ints], Floats]:
        """What gives the same of (C, n) codes of columns of these names."""
        emission = Emission.compile(self.weights, names)
        return lambda codes, page_starts: emission(codes.T, page_starts)

    @cached_property
    def _emission(self) -> Emission:
        return Emission.compile(self.weights, self.codebook.names)

    def __call__(self, columns: Mapping[str, ColumnValues], page_starts: Ints) -> Floats:
        """(n, 3) log potentials of the labels of each block.

        Raises:
            FeatureError: a column is missing.
        """
        return self._emission(self.codebook.codes(columns), page_starts)
