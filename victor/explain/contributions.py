"""The log-odds of a block's labels as a sum over features and neighbours.

In a linear chain the marginal of label y at block i is proportional to
``exp(e_i(y) + l_i(y) + r_i(y))``: e is the node potential, l and r are the logarithms of the
forward message into the block and of the backward message, which the edges carry (Lafferty,
McCallum and Pereira 2001, section 3). Node potentials are sums of terms, whether they are linear or
of trees. So the log-odds of two labels are exactly the sum of the differences of every term and of
the two messages; pooling and a calibration add what they change.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Codes, Floats, Ints, Labels
from victor.base.cached import cached_property
from victor.base.errors import ConfigError
from victor.base.labels import LABEL_NAMES, Label
from victor.explain.wording import (
    CodeNames,
    EdgeNames,
    EntryNames,
    FeatureModules,
    Value,
    column_name,
    outside,
)
from victor.features.base import Column, ColumnValues
from victor.model.crf.attributes import entry_values
from victor.model.crf.linear import LinearPotentials
from victor.model.crf.marginals import messages
from victor.model.crf.pooling import shifted
from victor.model.crf.weights import Weights
from victor.model.extractor import FeatureExtractor
from victor.model.model import Model
from victor.model.trees import OUTSIDE, Trees, input_codes
from victor.page.table.blocks import BlockTable

BIAS: Final = "bias"
"""Name of the term that is the same for every block."""
BEFORE: Final = "blocks before"
AFTER: Final = "blocks after"
SIDES: Final = (BEFORE, AFTER)
POOLING: Final = "blocks of its template path"
CALIBRATION: Final = "calibration"

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
class NodeTerms:
    """The M terms of node potentials at the n blocks of a batch, in double precision.

    Attributes:
        names: (M,) of the terms, the bias last.
        inputs: (M,) what each term is of.
        potentials: (n, 3) float64 log potentials of the labels: the sums of all terms.
        columns: raw values by column name.
    """

    names: tuple[str, ...]
    inputs: tuple[Inputs, ...]
    potentials: Floats
    columns: Mapping[str, ColumnValues]

    @abstractmethod
    def differences(self, labels: Labels, against: Label) -> Floats:
        """(n, M) what every term gives to a label of each block more than to another label."""

    @abstractmethod
    def value(self, term: int, block: int) -> Value:
        """The values that the columns of a term have at a block."""

    def summands(self, block: int, row: Floats) -> list[Summand]:
        """The terms of a block, given its row of `differences`."""
        terms = enumerate(zip(self.names, row.tolist(), self.inputs, strict=True))
        return [
            Summand(name, weight, partial(self.value, term, block), columns)
            for term, (name, weight, columns) in terms
        ]


@dataclass(frozen=True, eq=False)
class LinearTerms(NodeTerms):
    """The terms of linear potentials: one for every entry of the template, and the bias.

    Attributes:
        weights: of the potentials.
        entry_names: entries and their values in words.
        values: (E, n) int32 value of every entry at every block.
    """

    weights: Weights
    entry_names: EntryNames
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
        entries, entry_names = weights.template.entries, EntryNames.of(potentials, declared)
        codes = dict(zip(codebook.names, codebook.codes(columns).T, strict=True))
        values = np.zeros((len(entries), int(page_starts[-1])), dtype=np.int32)
        sums = np.tile(weights.bias.astype(np.float64), (values.shape[1], 1))
        for row, entry in enumerate(entries):
            values[row] = entry_values(
                entry, codes, page_starts, template=weights.template, sizes=weights.sizes
            )
            sums += weights.entries[row][values[row]]
        names = (*map(entry_names.entry, entries), BIAS)
        inputs = (*(entry.columns for entry in entries), ())
        return cls(names, inputs, sums, columns, weights, entry_names, values)

    def differences(self, labels: Labels, against: Label) -> Floats:
        """See `NodeTerms.differences`."""
        tables = [relative(weights, against) for weights in self.weights.entries]
        terms = [table[values, labels] for table, values in zip(tables, self.values, strict=True)]
        terms.append(relative(self.weights.bias[None], against)[0, labels])
        return np.stack(terms, axis=1)

    def value(self, term: int, block: int) -> Value:
        """See `NodeTerms.value`."""
        if not self.inputs[term]:
            return Value()
        entry = self.weights.template.entries[term]
        codes = self.entry_names.codes(entry, int(self.values[term, block]))
        columns = zip(entry.columns, codes, strict=True)
        return Value.joined(self._value_at(*column, block, code) for column, code in columns)

    def _value_at(self, name: str, offset: int, block: int, code: int) -> Value:
        """The value of a column at an offset from a block."""
        beyond = self.entry_names.beyond(name, offset, code)
        if beyond is not None:
            return Value(beyond)
        return self.entry_names.code_names.value(name, self.columns[name][block + offset], code)


@dataclass(frozen=True, eq=False)
class TreeTerms(NodeTerms):
    """The terms of potentials of trees: one for every input, and the bias.

    An input adds what the answers about it change on the way down the trees (Saabas 2014,
    `Trees.contributions`).

    Attributes:
        trees: the potentials.
        code_names: codes in words.
        codes: (I, n) code of every input.
        terms: (3, n, I + 1) float64 by label, the bias last.
    """

    trees: Trees
    code_names: CodeNames
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
        terms = trees.contributions(columns, page_starts)
        names = (*(column_name(*column) for column in trees.inputs), BIAS)
        inputs = (*((column,) for column in trees.inputs), ())
        sums = np.asarray(terms.sum(axis=2).T)
        return cls(names, inputs, sums, columns, trees, code_names, codes, terms)

    def differences(self, labels: Labels, against: Label) -> Floats:
        """See `NodeTerms.differences`."""
        return np.asarray(self.terms[labels, np.arange(len(labels))] - self.terms[against])

    def value(self, term: int, block: int) -> Value:
        """See `NodeTerms.value`."""
        if not self.inputs[term]:
            return Value()
        (name, offset), code = self.trees.inputs[term], int(self.codes[term, block])
        if code == OUTSIDE:
            return Value(outside(offset, 0, 1))
        return self.code_names.value(name, self.columns[name][block + offset], code)


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


@dataclass(frozen=True, eq=False)
class Explanation:
    """The terms that make up the log-odds of the n blocks of a table; see `explain`.

    There are M terms: those of the node potentials, the blocks before, the blocks after, pooling
    and the calibration if the model has them.

    Attributes:
        model, table: what is explained.
        columns: raw values by column name.
        nodes: the terms of the node potentials, in double precision where the model's are in
            single.
        pooled: (n,) what pooling adds to the log-odds of being kept.
        neighbours: what the labels of other blocks say.
        features: the modules that give the columns.
    """

    model: Model
    table: BlockTable
    columns: Mapping[str, ColumnValues]
    nodes: NodeTerms
    pooled: Floats
    neighbours: Neighbours
    features: FeatureModules

    @cached_property
    def names(self) -> tuple[str, ...]:
        """(M,) names of the terms."""
        return (*self.nodes.names, *SIDES, *self._shifts)

    @cached_property
    def inputs(self) -> tuple[Inputs, ...]:
        """(M,) what each term is of."""
        return (*self.nodes.inputs, *(() for _ in (*SIDES, *self._shifts)))

    @cached_property
    def marginals(self) -> Floats:
        """(n, 3) probability of every label, columns in the order of `Label`."""
        marginals = np.exp(self._potentials - self._potentials.max(axis=1, keepdims=True))
        marginals /= marginals.sum(axis=1, keepdims=True)
        calibration = self.model.calibration
        return np.asarray(marginals if calibration is None else calibration(marginals))

    @cached_property
    def content(self) -> Labels:
        """(n,) the more probable of header and text; text if they are equal."""
        is_header = self.marginals[:, Label.HEADER] > self.marginals[:, Label.TEXT]
        return np.where(is_header, Label.HEADER, Label.TEXT).astype(np.uint8)

    def contributions(self, label: Label | None = None, against: Label = Label.OTHER) -> Floats:
        """What every term adds to ``log p(label) / p(against)`` of every block.

        Args:
            label: None takes the more probable of header and text, block by block.
            against: the label to compare with.

        Returns:
            (n, M) float64; a row sums to the log-odds of the block.
        """
        labels = self._labels(label)
        terms = [part.differences(labels, against) for part in (self.nodes, self.neighbours)]
        keeps = (labels != Label.OTHER) * 1.0 - float(against != Label.OTHER)
        terms += [(shift * keeps)[:, None] for shift in self._shifts.values()]
        return np.hstack(terms)

    def log_odds(self, label: Label | None = None, against: Label = Label.OTHER) -> Floats:
        """(n,) ``log p(label) / p(against)``; the arguments are those of `contributions`."""
        return np.asarray(self.contributions(label, against).sum(axis=1))

    def summands(
        self,
        blocks: Sequence[int] | None = None,
        label: Label | None = None,
        against: Label = Label.OTHER,
    ) -> Iterator[tuple[int, Label, list[Summand]]]:
        """All terms of blocks: number and label of each, and what adds to its log-odds.

        Args:
            blocks: numbers of blocks of the table; None for all.
            label: as for `contributions`.
            against: as for `contributions`.

        Raises:
            ConfigError: there is no such block.
        """
        n = len(self.table)
        wanted = list(range(n)) if blocks is None else list(blocks)
        for block in wanted:
            if not 0 <= block < n:
                raise ConfigError(f"no block {block}: the page has {n} blocks, numbered from 0")
        matrix, labels = self.contributions(label, against), self._labels(label)
        for block in wanted:
            of_block = Label(int(labels[block]))
            yield block, of_block, self._summands(block, matrix[block], of_block)

    def _summands(self, block: int, row: Floats, label: Label) -> list[Summand]:
        """The terms of a block, given the row of `contributions`."""
        n_nodes = len(self.nodes.names)
        of_nodes, sides, shifts = np.split(row, [n_nodes, n_nodes + len(SIDES)])
        return [
            *self.nodes.summands(block, of_nodes),
            *self.neighbours.summands(block, sides, label, self._likely),
            *(Summand(*shift) for shift in zip(self._shifts, shifts.tolist(), strict=True)),
        ]

    def _labels(self, label: Label | None) -> Labels:
        if label is None:
            return self.content
        return np.full(len(self.table), label, dtype=np.uint8)

    @cached_property
    def _likely(self) -> Labels:
        """(n,) the most probable label of every block."""
        return np.asarray(self.marginals.argmax(axis=1), dtype=np.uint8)

    @cached_property
    def _potentials(self) -> Floats:
        """(n, 3) log of the marginals of the chain, up to a constant of each block."""
        pooled = shifted(self.nodes.potentials, self.pooled)
        return np.asarray(pooled + self.neighbours.messages.sum(axis=0))

    @cached_property
    def _shifts(self) -> dict[str, Floats]:
        """(n,) what else adds to the log-odds of being kept, by name."""
        shifts = {POOLING: self.pooled} if self.model.pooling.columns else {}
        if self.model.calibration is not None:
            header, text, other = self._potentials.T
            log_odds = np.logaddexp(header, text) - other
            shifts[CALIBRATION] = self.model.calibration.log_odds(log_odds) - log_odds
        return shifts


def explain(
    model: Model,
    table: BlockTable,
    columns: Mapping[str, ColumnValues] | None = None,
    *,
    trust_code: bool = False,
) -> Explanation:
    """Decompose the marginals of the blocks of a batch.

    Args:
        model: a trained model.
        table: pages split as the model's configuration says (`FeatureExtractor.table`).
        columns: the columns of its features, if they are known already.
        trust_code: run the code that the model brings: feature modules that are files.

    Raises:
        ConfigError: the model reads no column, so there is nothing to explain.
        FeatureError: a column that the model reads is missing.
    """
    potentials, edges, starts = model.potentials, model.edges, table.page_starts
    if not potentials.columns:
        raise ConfigError(
            "the model reads no column, so there is nothing to explain; "
            "train it with a template that names some"
        )
    extractor = FeatureExtractor(model.config, trust_code=trust_code)
    if columns is None:
        columns = extractor.columns(table)
    features = FeatureModules.of(extractor)
    declared = features.declared
    nodes: NodeTerms
    if isinstance(potentials, Trees):
        nodes = TreeTerms.of(potentials, columns, starts, declared)
    else:
        nodes = LinearTerms.of(potentials, columns, starts, declared)
    kinds = edges.kinds(columns, starts)
    pooled = model.pooling.shift(nodes.potentials, columns, starts)
    sides = messages(shifted(nodes.potentials, pooled), edges.values, kinds, starts)
    neighbours = Neighbours(sides, table.page, kinds, EdgeNames.of(edges, declared))
    return Explanation(model, table, columns, nodes, pooled, neighbours, features)


def relative(weights: NDArray[np.floating], against: Label) -> Floats:
    """Weights of (m, 3) minus that of one label, in double precision."""
    exact = weights.astype(np.float64)
    return exact - exact[:, against, None]
