"""The terms of the log-odds of a block: what potentials of trees and the blocks beside it add.

The log potential of a label at a block is a sum. For linear potentials the terms are the weights of
the values of the block (`victor.explain.linear_terms`). For trees they are what each input adds:
what the answers about it change on the way down the trees (Saabas 2014, `Trees.contributions`). The
blocks before and after it add the messages that the edges carry.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple, Protocol

import numpy as np

from victor.base.arrays import Codes, Floats, Ints, Labels
from victor.base.cached import cached_property
from victor.base.labels import LABEL_NAMES, Label
from victor.explain.columns import CodeNames, outside
from victor.explain.entries import EdgeNames, column_name
from victor.features.base import Bag, Column, ColumnValues
from victor.model.trees import OUTSIDE, Trees, input_codes

BIAS: Final = "bias"
"""Name of the term that is the same for every block."""


class Summand(NamedTuple):
    """One part of the log-odds of two labels of a block."""

    name: str
    weight: float
    value: Callable[[], str] = str
    """Gives the value in words, "" if there is none; only the few that are shown need it."""
    columns: tuple[tuple[str, int], ...] = ()
    """The columns that it is of, each with the offset of its block; none if it is no feature."""


class NodeTerms(Protocol):
    """The M terms of the log potentials of the n blocks of a table."""

    @property
    def names(self) -> tuple[str, ...]:
        """(M,) names."""
        ...

    @property
    def potentials(self) -> Floats:
        """(n, 3) float64 log potentials of the labels: the sums of all terms."""
        ...

    def differences(self, labels: Labels, against: Label) -> Floats:
        """(n, M) what every term gives to a label of each block more than to another label."""
        ...

    def summands(self, block: int, row: Floats, label: Label, against: Label) -> list[Summand]:
        """The terms of a block in words; a bag is divided among its tokens.

        Args:
            block: number of the block.
            row: (M,) the row of `differences` of this block.
            label: the label of the block there.
            against: as there.
        """
        ...


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
            Summand(name, weight, partial(self._value, term, block), (column,))
            for term, (name, weight, column) in enumerate(
                zip(self.names, weights, self.trees.inputs, strict=False)
            )
        ]
        return [*of_inputs, Summand(BIAS, bias)]

    def _value(self, term: int, block: int) -> str:
        """The value that an input has at a block, with its bin."""
        (name, offset), code = self.trees.inputs[term], int(self.codes[term, block])
        if code == OUTSIDE:
            return outside(offset, 0, 1)
        values = self.columns[name]
        assert not isinstance(values, Bag), "trees read no bags"
        return self.code_names.value(name, values[block + offset], code)


BEFORE: Final = "blocks before"
AFTER: Final = "blocks after"
SIDES: Final = (BEFORE, AFTER)


@dataclass(frozen=True, eq=False)
class Neighbours:
    """Messages to the n blocks of a table, and the edges that they come by.

    Attributes:
        messages: (2, n, 3) float64 log messages from the blocks before and from those after.
        page: (n,) page of each block.
        kinds: (n,) kind of the edge to the block before.
        edge_names: the kinds in words.
    """

    messages: Floats
    page: Ints
    kinds: Ints
    edge_names: EdgeNames

    def differences(self, labels: Labels, against: Label) -> Floats:
        """(n, 2) what either message gives to a label of each block more than to another label."""
        rows = np.arange(len(labels))
        return np.asarray((self.messages[:, rows, labels] - self.messages[..., against]).T)

    def summands(self, block: int, row: Floats, label: Label, likely: Labels) -> list[Summand]:
        """Both sides of a block in words.

        Args:
            block: number of the block.
            row: (2,) the row of `differences` of this block.
            label: the label of the block there.
            likely: (n,) the most probable label of every block.
        """
        return [
            Summand(name, weight, partial(self._value, step, block, label, likely))
            for name, step, weight in zip(SIDES, (-1, 1), row.tolist(), strict=True)
        ]

    def _value(self, step: int, block: int, label: Label, likely: Labels) -> str:
        """The labels of a block and, most probably, of the next one in a direction; their edge."""
        other = block + step
        if not (0 <= other < len(self.page) and self.page[other] == self.page[block]):
            return "the page begins here" if step < 0 else "the page ends here"
        other_label, second = LABEL_NAMES[likely[other]], LABEL_NAMES[label]
        labels = f"{other_label} → {second}" if step < 0 else f"{second} → {other_label}"
        kind = self.edge_names.kind(int(self.kinds[max(block, other)]))
        return f"{labels} ({kind})" if kind else labels
