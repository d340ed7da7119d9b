"""The terms of the log-odds of a block: what its potentials and the blocks beside it add.

The log potential of a label at a block is a sum. For linear potentials the terms are the weights of
the values of the block: one for every entry of the template, and the bias. For trees they
are what each input adds: what the answers about it change on the way down the trees (Saabas 2014,
`Trees.contributions`). The blocks before and after it add the messages that the edges carry.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Codes, Floats, Ints, Labels
from victor.base.cached import cached_property
from victor.base.labels import LABEL_NAMES, Label
from victor.explain.codes import CodeNames, EdgeNames, EntryNames, Value, column_name, outside
from victor.features.base import Column, ColumnValues
from victor.model.crf.attributes import entry_values
from victor.model.crf.linear import LinearPotentials
from victor.model.crf.weights import Weights
from victor.model.trees import OUTSIDE, Trees, input_codes

BIAS: Final = "bias"
"""Name of the term that is the same for every block."""
BEFORE: Final = "blocks before"
AFTER: Final = "blocks after"
SIDES: Final = (BEFORE, AFTER)


Inputs = tuple[tuple[str, int], ...]
"""The columns that a term is of, each with the offset of its block; none if it is no feature."""


class Summand(NamedTuple):
    """One part of the log-odds of two labels of a block."""

    name: str
    weight: float
    value: Callable[[], Value] = Value
    """Gives the value in words; only the few that are shown need it."""
    columns: Inputs = ()


@dataclass(frozen=True, eq=False)
class LinearTerms:
    """The terms of linear potentials at the n blocks of a batch, in double precision.

    Attributes:
        weights: of the potentials.
        entry_names: entries and their values in words.
        columns: raw values by column name.
        values: (E, n) int32 value of every entry at every block.
    """

    weights: Weights
    entry_names: EntryNames
    columns: Mapping[str, ColumnValues]
    values: NDArray[np.int32]

    @classmethod
    def of(
        cls,
        potentials: LinearPotentials,
        columns: Mapping[str, ColumnValues],
        page_starts: Ints,
        declared: Mapping[str, Column],
    ) -> LinearTerms:
        """The terms of the blocks of a batch.

        Raises:
            FeatureError: a column is missing.
        """
        weights, codebook = potentials.weights, potentials.codebook
        codes = dict(zip(codebook.names, codebook.codes(columns).T, strict=True))
        values = np.zeros((len(weights.template.entries), int(page_starts[-1])), dtype=np.int32)
        for row, entry in enumerate(weights.template.entries):
            values[row] = entry_values(
                entry, codes, page_starts, template=weights.template, sizes=weights.sizes
            )
        return cls(weights, EntryNames.of(potentials, declared), columns, values)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """(M,) the entries, the bias."""
        return (*map(self.entry_names.entry, self.weights.template.entries), BIAS)

    @cached_property
    def inputs(self) -> tuple[Inputs, ...]:
        """(M,) what each term is of."""
        return (*(entry.columns for entry in self.weights.template.entries), ())

    @cached_property
    def potentials(self) -> Floats:
        """(n, 3) float64 log potentials of the labels: the sums of all terms."""
        sums = np.tile(self.weights.bias.astype(np.float64), (self.values.shape[1], 1))
        for table, values in zip(self.weights.entries, self.values, strict=True):
            sums += table[values]
        return sums

    def differences(self, labels: Labels, against: Label) -> Floats:
        """(n, M) what every term gives to a label of each block more than to another label."""
        tables = [relative(weights, against) for weights in self.weights.entries]
        terms = [table[values, labels] for table, values in zip(tables, self.values, strict=True)]
        terms.append(relative(self.weights.bias[None], against)[0, labels])
        return np.stack(terms, axis=1)

    def summands(self, block: int, row: Floats, label: Label, against: Label) -> list[Summand]:
        """The terms of a block.

        Args:
            block: number of the block.
            row: (M,) the row of `differences` of this block.
            label: the label of the block there.
            against: as there.
        """
        entries = self.weights.template.entries
        of_entries = [
            Summand(name, weight, partial(self.value, term, block), entry.columns)
            for term, (name, weight, entry) in enumerate(
                zip(self.names, row.tolist(), entries, strict=False)
            )
        ]
        return [*of_entries, Summand(BIAS, float(row[-1]))]

    def value(self, term: int, block: int) -> Value:
        """The values that the columns of a term have at a block."""
        entries, names = self.weights.template.entries, self.entry_names
        if term >= len(entries):
            return Value()
        entry = entries[term]
        codes = names.codes(entry, int(self.values[term, block]))
        values = [
            _value_at(self.columns, column, block, code, names)
            for column, code in zip(entry.columns, codes, strict=True)
        ]
        return Value.joined(values)


@dataclass(frozen=True, eq=False)
class TreeTerms:
    """The terms of potentials of trees at the n blocks of a batch, in double precision.

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
        """As `LinearTerms.of`."""
        code_names = CodeNames(trees.codebook, declared)
        codes = input_codes(trees.inputs, trees.codebook, columns, page_starts)
        return cls(trees, code_names, columns, codes, trees.contributions(columns, page_starts))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """(M,) the inputs, the bias."""
        return (*(column_name(*column) for column in self.trees.inputs), BIAS)

    @cached_property
    def inputs(self) -> tuple[Inputs, ...]:
        """As `LinearTerms.inputs`."""
        return (*((column,) for column in self.trees.inputs), ())

    @cached_property
    def potentials(self) -> Floats:
        """As `LinearTerms.potentials`."""
        return np.asarray(self.terms.sum(axis=2).T)

    def differences(self, labels: Labels, against: Label) -> Floats:
        """As `LinearTerms.differences`."""
        return np.asarray(self.terms[labels, np.arange(len(labels))] - self.terms[against])

    def summands(self, block: int, row: Floats, label: Label, against: Label) -> list[Summand]:
        """As `LinearTerms.summands`."""
        *weights, bias = row.tolist()
        of_inputs = [
            Summand(name, weight, partial(self.value, term, block), (column,))
            for term, (name, weight, column) in enumerate(
                zip(self.names, weights, self.trees.inputs, strict=False)
            )
        ]
        return [*of_inputs, Summand(BIAS, bias)]

    def value(self, term: int, block: int) -> Value:
        """The value that an input has at a block."""
        (name, offset), code = self.trees.inputs[term], int(self.codes[term, block])
        if code == OUTSIDE:
            return Value(outside(offset, 0, 1))
        values = self.columns[name]
        return self.code_names.value(name, values[block + offset], code)


NodeTerms = LinearTerms | TreeTerms


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
        """Both sides of a block.

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

    def _value(self, step: int, block: int, label: Label, likely: Labels) -> Value:
        """The labels of a block and, most probably, of the next one in a direction; their edge."""
        other = block + step
        if not (0 <= other < len(self.page) and self.page[other] == self.page[block]):
            return Value("the page begins here" if step < 0 else "the page ends here")
        other_label, second = LABEL_NAMES[likely[other]], LABEL_NAMES[label]
        labels = f"{other_label} → {second}" if step < 0 else f"{second} → {other_label}"
        return Value(labels, self.edge_names.kind(int(self.kinds[max(block, other)])))


def relative(weights: NDArray[np.floating], against: Label) -> Floats:
    """Weights of (m, 3) minus that of one label, in double precision."""
    exact = weights.astype(np.float64)
    return exact - exact[:, against, None]


def _value_at(
    columns: Mapping[str, ColumnValues],
    column: tuple[str, int],
    block: int,
    code: int,
    names: EntryNames,
) -> Value:
    """The value of a column at an offset from a block."""
    name, offset = column
    beyond = names.beyond(name, offset, code)
    if beyond is not None:
        return Value(beyond)
    values = columns[name]
    return names.code_names.value(name, values[block + offset], code)
