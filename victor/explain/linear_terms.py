"""Linear potentials as terms: one for every entry of the template, every bag, and the bias."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Floats, Ints, Labels
from victor.base.cached import cached_property
from victor.base.errors import FeatureError
from victor.base.labels import Label
from victor.explain.columns import CodeNames
from victor.explain.entries import EntryValues, entry_name
from victor.explain.terms import BIAS, Summand
from victor.features.base import Bag, Column, ColumnValues
from victor.model.crf.attributes import entry_values
from victor.model.crf.linear import LinearPotentials
from victor.model.crf.weights import BagWeights, Weights


@dataclass(frozen=True, eq=False)
class ValueNames:
    """Names of the E entries and the bags of linear potentials, and of their values.

    Attributes:
        weights: of the potentials.
        entry_values: values of entries in words.
    """

    weights: Weights
    entry_values: EntryValues

    @classmethod
    def of(cls, potentials: LinearPotentials, declared: Mapping[str, Column]) -> ValueNames:
        """The names, given the declared columns."""
        weights, code_names = potentials.weights, CodeNames(potentials.codebook, declared)
        return cls(weights, EntryValues(weights.template, weights.sizes, code_names))

    @property
    def names(self) -> tuple[str, ...]:
        """Entries first, then bags."""
        return (*map(entry_name, self.weights.column_entries), *self.weights.bags)

    def columns(self, term: int) -> tuple[tuple[str, int], ...]:
        """The columns of an entry or bag, each with its offset."""
        entries = self.weights.column_entries
        if term < len(entries):
            return entries[term].columns
        return (([*self.weights.bags][term - len(entries)], 0),)

    def value(self, term: int, value: int) -> str:
        """A value of an entry or bag."""
        entries = self.weights.column_entries
        if term >= len(entries):
            return [*self.weights.bags.values()][term - len(entries)].vocabulary[value]
        return self.entry_values.name(entries[term], value)


@dataclass(frozen=True, eq=False)
class LinearTerms:
    """See `victor.explain.terms.NodeTerms`; the potentials are in double precision.

    Attributes:
        weights: of the potentials.
        value_names: entries and values in words.
        columns: raw values by column name.
        values: (E, n) int32 value of every entry at every block.
        bags: bag column to (n, 3) float64 sums of the weights of the tokens of each block.
    """

    weights: Weights
    value_names: ValueNames
    columns: Mapping[str, ColumnValues]
    values: NDArray[np.int32]
    bags: Mapping[str, Floats]

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
        values = np.zeros((len(weights.column_entries), int(page_starts[-1])), dtype=np.int32)
        for row, entry in enumerate(weights.column_entries):
            values[row] = entry_values(
                entry, codes, page_starts, template=weights.template, sizes=weights.sizes
            )
        bags = {name: _bag_sums(name, columns, bag) for name, bag in weights.bags.items()}
        return cls(weights, ValueNames.of(potentials, declared), columns, values, bags)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The entries, the bags, the bias."""
        return (*self.value_names.names, BIAS)

    @cached_property
    def potentials(self) -> Floats:
        """(n, 3) float64 log potentials of the labels: the sums of all terms."""
        sums = np.tile(self.weights.bias.astype(np.float64), (self.values.shape[1], 1))
        for table, values in zip(self.weights.entries, self.values, strict=True):
            sums += table[values]
        for of_bag in self.bags.values():
            sums += of_bag
        return sums

    def potentials_without(self, deleted: Collection[str]) -> Floats:
        """(n, 3) float64 log potentials without the terms that read some columns."""
        sums = self.potentials.copy()
        entries = zip(self.weights.column_entries, self.weights.entries, self.values, strict=True)
        for entry, table, values in entries:
            if any(name in deleted for name, _ in entry.columns):
                sums -= table[values]
        for name, of_bag in self.bags.items():
            if name in deleted:
                sums -= of_bag
        return sums

    def differences(self, labels: Labels, against: Label) -> Floats:
        """(n, M) what every term gives to a label of each block more than to another label."""
        tables = [relative(weights, against) for weights in self.weights.entries]
        terms = [table[values, labels] for table, values in zip(tables, self.values, strict=True)]
        rows = np.arange(len(labels))
        terms += [relative(sums, against)[rows, labels] for sums in self.bags.values()]
        terms.append(relative(self.weights.bias[None], against)[0, labels])
        return np.stack(terms, axis=1)

    def summands(self, block: int, row: Floats, label: Label, against: Label) -> list[Summand]:
        """The terms of a block in words; a bag is divided among its tokens."""
        of_entries = [
            Summand(name, weight, partial(self._value, term, block), entry.columns)
            for term, (name, weight, entry) in enumerate(
                zip(self.names, row.tolist(), self.weights.column_entries, strict=False)
            )
        ]
        of_tokens = [
            summand
            for name in self.bags
            for summand in self._of_tokens(name, block, label, against)
        ]
        return [*of_entries, *of_tokens, Summand(BIAS, float(row[-1]))]

    def _value(self, term: int, block: int) -> str:
        """The values that an entry has at a block, each with its bin."""
        entry = self.weights.column_entries[term]
        entry_values = self.value_names.entry_values
        codes = entry_values.codes(entry, int(self.values[term, block]))
        return " & ".join(
            entry_values.beyond(*column, code) or self._inside(*column, block, code)
            for column, code in zip(entry.columns, codes, strict=True)
        )

    def _inside(self, name: str, offset: int, block: int, code: int) -> str:
        values = self.columns[name]
        assert not isinstance(values, Bag), "entries read no bags"
        return self.value_names.entry_values.code_names.value(name, values[block + offset], code)

    def _of_tokens(self, name: str, block: int, label: Label, against: Label) -> Iterator[Summand]:
        """What the tokens of a bag add to a block, one summand per distinct known token."""
        weights = self.weights.bags[name]
        for token, times in Counter(self._tokens[name][block]).items():
            if token in self._row[name]:
                row = weights.values[self._row[name][token]].astype(np.float64)
                shown = token if times == 1 else f"{token}, {times} times"
                weight = times * float(row[label] - row[against])
                yield Summand(name, weight, partial(str, shown), ((name, 0),))

    @cached_property
    def _tokens(self) -> dict[str, list[list[str]]]:
        """The tokens of every block by bag column."""
        return {name: _bag(name, self.columns).tokens() for name in self.bags}

    @cached_property
    def _row(self) -> dict[str, dict[str, int]]:
        """Token to its row in the weights, by bag column."""
        return {
            name: {token: row for row, token in enumerate(bag.vocabulary)}
            for name, bag in self.weights.bags.items()
        }


def relative(weights: NDArray[np.floating], against: Label) -> Floats:
    """Weights of (m, 3) minus that of one label, in double precision."""
    exact = weights.astype(np.float64)
    return exact - exact[:, against, None]


def _bag(name: str, columns: Mapping[str, ColumnValues]) -> Bag:
    bag = columns.get(name)
    if not isinstance(bag, Bag):
        raise FeatureError(f"the model needs bag {name}: switch its feature on or retrain")
    return bag


def _bag_sums(name: str, columns: Mapping[str, ColumnValues], weights: BagWeights) -> Floats:
    """(n, 3) sums of the weights of the tokens of each block; unknown tokens weigh nothing."""
    bag = _bag(name, columns)
    row = {token: number for number, token in enumerate(weights.vocabulary)}
    rows_of_weights = np.concatenate([weights.values.astype(np.float64), np.zeros((1, len(Label)))])
    rows = [row.get(token, len(row)) for token in bag.vocabulary]
    return bag.sums(rows_of_weights[np.array(rows, dtype=np.int64)])
