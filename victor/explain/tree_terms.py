"""Potentials of trees as terms: one for every input, and the bias.

What an input adds is what the answers about it change on the way down the trees (Saabas 2014,
`Trees.contributions`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from victor.base.arrays import Codes, Floats, Ints, Labels
from victor.base.labels import Label
from victor.explain.code_names import CodeNames, outside
from victor.explain.terms import BIAS, Summand, column_name, nothing
from victor.features.base import Bag, Column, ColumnValues
from victor.model.trees import OUTSIDE, Trees, input_codes


@dataclass(frozen=True, eq=False)
class TreeTerms:
    """See `victor.explain.terms.NodeTerms`; the potentials are in double precision.

    Attributes:
        trees: the potentials.
        code_names: codes in words.
        columns: raw values by column name.
        codes: (I, n) code of every input.
        terms: (3, n, I + 1) float64 by label, the bias last.
    """

    trees: Trees
    code_names: CodeNames
    columns: Mapping[str, ColumnValues]
    codes: Codes
    terms: Floats

    @classmethod
    def of(
        cls,
        trees: Trees,
        columns: Mapping[str, ColumnValues],
        page_starts: Ints,
        declared: Mapping[str, Column],
    ) -> TreeTerms:
        """The terms of the blocks of a batch.

        Raises:
            FeatureError: a column is missing.
        """
        code_names = CodeNames(trees.codebook, declared)
        codes = input_codes(trees.inputs, trees.codebook, columns, page_starts)
        return cls(trees, code_names, columns, codes, trees.contributions(columns, page_starts))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The inputs, the bias."""
        return (*(column_name(*column) for column in self.trees.inputs), BIAS)

    @cached_property
    def potentials(self) -> Floats:
        """(n, 3) float64 log potentials of the labels: the sums of all terms."""
        return np.asarray(self.terms.sum(axis=2).T)

    def differences(self, labels: Labels, against: Label) -> Floats:
        """(n, M) what every term gives to a label of each block more than to another label."""
        return np.asarray(self.terms[labels, np.arange(len(labels))] - self.terms[against])

    def summands(self, block: int, row: Floats, label: Label, against: Label) -> list[Summand]:
        """The terms of a block in words."""
        *weights, bias = row.tolist()
        of_inputs = [
            Summand(name, weight, partial(self._value, number, block), (column,))
            for number, (name, weight, column) in enumerate(
                zip(self.names, weights, self.trees.inputs, strict=False)
            )
        ]
        return [*of_inputs, Summand(BIAS, bias, nothing)]

    def _value(self, number: int, block: int) -> str:
        """The value that an input has at a block, with its bin."""
        (name, offset), code = self.trees.inputs[number], int(self.codes[number, block])
        if code == OUTSIDE:
            return outside(offset, 0, 1)
        values = self.columns[name]
        assert not isinstance(values, Bag), "trees read no bags"
        return self.code_names.value(name, values[block + offset], code)
