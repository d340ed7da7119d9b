"""The log-odds of a block's labels as a sum over features and neighbours.

In a linear chain the marginal of label y at block i is proportional to
``exp(e_i(y) + l_i(y) + r_i(y))``: e is the node potential, l and r are the logarithms of the
forward message into the block and of the backward message, which the edges carry (Lafferty,
McCallum and Pereira 2001, section 3). Node potentials are sums of terms, whether they are linear or
of trees. So the log-odds of two labels are exactly the sum of the differences of every term and of
the two messages; pooling adds what it changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

import numpy as np

from victor.base.arrays import Floats, Ints, Labels
from victor.base.errors import ConfigError
from victor.base.labels import LABEL_NAMES, Label
from victor.base.lazy import cached_property
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
from victor.model.chain import messages, shifted
from victor.model.extractor import FeatureExtractor
from victor.model.linear import LinearPotentials
from victor.model.model import Model
from victor.model.template import entry_values
from victor.model.trees import OUTSIDE, Trees, input_codes
from victor.page.table.blocks import BlockTable

BIAS: Final = "bias"  # name of the term that is the same for every block
BEFORE: Final = "blocks before"
AFTER: Final = "blocks after"
POOLING: Final = "blocks of its template path"
OF_NEIGHBOURS: Final = (BEFORE, AFTER, POOLING)

Inputs = tuple[tuple[str, int], ...]
"""The columns that a term is of, each with the offset of its block; none if it is no feature."""


class Summand(NamedTuple):
    """One part of the log-odds of two labels of a block."""

    name: str
    weight: float
    value: Callable[[], Value] = Value
    columns: Inputs = ()


@dataclass(frozen=True, eq=False)
class NodeTerms:
    """The M terms of node potentials at the n blocks of a batch, in double precision.

    Linear potentials have one for every entry of the template, trees one for every input: what the
    answers about it change on the way down (Saabas 2014, `Trees.contributions`). Both have a bias.

    Attributes:
        names: (M,) of the terms, the bias last.
        inputs: (M,) what each term is of.
        by_label: (3, n, M) what each term gives to each label.
        value: gives the value of a term at a block, given the numbers of both; not of the bias.
    """

    names: tuple[str, ...]
    inputs: tuple[Inputs, ...]
    by_label: Floats
    value: Callable[[int, int], Value]

    @cached_property
    def potentials(self) -> Floats:
        """(n, 3) float64 log potentials of the labels: the sums of all terms."""
        return np.asarray(self.by_label.sum(axis=2).T)

    def differences(self, labels: Labels) -> Floats:
        """(n, M) what every term gives to a label of each block more than to other."""
        rows = np.arange(len(labels))
        return np.asarray(self.by_label[labels, rows] - self.by_label[Label.OTHER])

    def summands(self, block: int, row: Floats) -> list[Summand]:
        """The terms of a block, given its row of `differences`."""
        terms = enumerate(zip(self.names, row.tolist(), self.inputs, strict=True))
        return [
            Summand(name, weight, partial(self.value, term, block) if columns else Value, columns)
            for term, (name, weight, columns) in terms
        ]


def _linear_terms(
    potentials: LinearPotentials,
    columns: Mapping[str, ColumnValues],
    page_starts: Ints,
    declared: Mapping[str, Column],
) -> NodeTerms:
    weights, codebook = potentials.weights, potentials.codebook
    names, entries = EntryNames.of(potentials, declared), weights.template.entries
    codes = dict(zip(codebook.names, codebook.codes(columns).T, strict=True))
    values = [
        entry_values(entry, codes, page_starts, template=weights.template, sizes=weights.sizes)
        for entry in entries
    ]
    by_label = np.empty((len(Label), int(page_starts[-1]), len(entries) + 1))
    for term, (table, rows) in enumerate(zip(weights.entries, values, strict=True)):
        by_label[..., term] = table[rows].T
    by_label[..., -1] = weights.bias[:, None]

    def value_at(name: str, offset: int, block: int, code: int) -> Value:
        beyond = names.beyond(name, offset, code)
        if beyond is not None:
            return Value(beyond)
        return names.code_names.value(name, columns[name][block + offset], code)

    def value(term: int, block: int) -> Value:
        entry = entries[term]
        pairs = zip(entry.columns, names.codes(entry, int(values[term][block])), strict=True)
        return Value.joined(value_at(*column, block, code) for column, code in pairs)

    inputs = (*(entry.columns for entry in entries), ())
    return NodeTerms((*map(names.entry, entries), BIAS), inputs, by_label, value)


def _tree_terms(
    trees: Trees,
    columns: Mapping[str, ColumnValues],
    page_starts: Ints,
    declared: Mapping[str, Column],
) -> NodeTerms:
    code_names = CodeNames(trees.codebook, declared)
    codes = input_codes(trees.inputs, trees.codebook, columns, page_starts)

    def value(term: int, block: int) -> Value:
        (name, offset), code = trees.inputs[term], int(codes[term, block])
        if code == OUTSIDE:
            return Value(outside(offset, 0, 1))
        return code_names.value(name, columns[name][block + offset], code)

    names = (*(column_name(*column) for column in trees.inputs), BIAS)
    inputs = (*((column,) for column in trees.inputs), ())
    return NodeTerms(names, inputs, trees.contributions(columns, page_starts), value)


@dataclass(frozen=True, eq=False)
class Neighbours:
    """What other blocks say of the n blocks of a table, and the edges that this comes by."""

    messages: Floats  # (2, n, 3) float64 log messages from the blocks before and from those after
    pooled: Floats  # (n,) what pooling adds to the log-odds of being kept
    page: Ints
    kinds: Ints  # (n,) kind of the edge to the block before
    edge_names: EdgeNames

    def differences(self, labels: Labels) -> Floats:
        """(n, 3) what each of them gives to a label of each block more than to other."""
        sides = self.messages[:, np.arange(len(labels)), labels] - self.messages[..., Label.OTHER]
        return np.column_stack([*sides, self.pooled])

    def summands(self, block: int, row: Floats, label: Label, likely: Labels) -> list[Summand]:
        """Those of a block, given its row of `differences` and (n,) likely labels."""
        before, after, pooled = row.tolist()
        return [
            Summand(BEFORE, before, partial(self._value, -1, block, label, likely)),
            Summand(AFTER, after, partial(self._value, 1, block, label, likely)),
            Summand(POOLING, pooled),
        ]

    def _value(self, step: int, block: int, label: Label, likely: Labels) -> Value:
        other = block + step
        if not (0 <= other < len(self.page) and self.page[other] == self.page[block]):
            return Value("the page begins here" if step < 0 else "the page ends here")
        other_label, second = LABEL_NAMES[likely[other]], LABEL_NAMES[label]
        labels = f"{other_label} → {second}" if step < 0 else f"{second} → {other_label}"
        return Value(labels, self.edge_names.kind(int(self.kinds[max(block, other)])))


@dataclass(frozen=True, eq=False)
class Explanation:
    """The terms that make up the log-odds of the n blocks of a table; see `explain`.

    There are M terms: those of the node potentials, and those of the neighbours.

    Attributes:
        model, table: what is explained.
        columns: raw values by column name.
        nodes: the terms of the node potentials, in double precision where the model's are in
            single.
        neighbours: what the labels of other blocks say.
        features: the modules that give the columns.
    """

    model: Model
    table: BlockTable
    columns: Mapping[str, ColumnValues]
    nodes: NodeTerms
    neighbours: Neighbours
    features: FeatureModules

    @cached_property
    def names(self) -> tuple[str, ...]:
        """(M,) names of the terms."""
        return (*self.nodes.names, *OF_NEIGHBOURS)

    @cached_property
    def inputs(self) -> tuple[Inputs, ...]:
        """(M,) what each term is of."""
        return (*self.nodes.inputs, *(() for _ in OF_NEIGHBOURS))

    @cached_property
    def marginals(self) -> Floats:
        """(n, 3) probability of every label, columns in the order of `Label`."""
        marginals = np.exp(self._potentials - self._potentials.max(axis=1, keepdims=True))
        return np.asarray(marginals / marginals.sum(axis=1, keepdims=True))

    @cached_property
    def content(self) -> Labels:
        """(n,) the more probable of header and text; text if they are equal."""
        is_header = self.marginals[:, Label.HEADER] > self.marginals[:, Label.TEXT]
        return np.where(is_header, Label.HEADER, Label.TEXT).astype(np.uint8)

    def contributions(self) -> Floats:
        """What every term adds to ``log p(label) / p(other)`` of every block, given its `content`.

        Returns:
            (n, M) float64; a row sums to the log-odds of the block.
        """
        return np.hstack([p.differences(self.content) for p in (self.nodes, self.neighbours)])

    def summands(
        self, blocks: Sequence[int] | None = None
    ) -> Iterator[tuple[int, Label, list[Summand]]]:
        """All terms of blocks (None for all): number and content of each, and its summands.

        Raises:
            ConfigError: there is no such block.
        """
        n = len(self.table)
        wanted = list(range(n)) if blocks is None else list(blocks)
        for block in wanted:
            if not 0 <= block < n:
                raise ConfigError(f"no block {block}: the page has {n} blocks, numbered from 0")
        matrix = self.contributions()
        for block in wanted:
            label = Label(int(self.content[block]))
            yield block, label, self._summands(block, matrix[block], label)

    def _summands(self, block: int, row: Floats, label: Label) -> list[Summand]:
        of_nodes, of_neighbours = np.split(row, [len(self.nodes.names)])
        return [
            *self.nodes.summands(block, of_nodes),
            *self.neighbours.summands(block, of_neighbours, label, self._likely),
        ]

    @cached_property
    def _likely(self) -> Labels:
        return np.asarray(self.marginals.argmax(axis=1), dtype=np.uint8)

    @cached_property
    def _potentials(self) -> Floats:
        """(n, 3) log of the marginals of the chain, up to a constant of each block."""
        pooled = shifted(self.nodes.potentials, self.neighbours.pooled)
        return np.asarray(pooled + self.neighbours.messages.sum(axis=0))


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
    if isinstance(potentials, Trees):
        nodes = _tree_terms(potentials, columns, starts, declared)
    else:
        nodes = _linear_terms(potentials, columns, starts, declared)
    kinds = edges.kinds(columns, starts)
    pooled = model.pooling.shift(nodes.potentials, columns, starts)
    sides = messages(shifted(nodes.potentials, pooled), edges.values, kinds, starts)
    neighbours = Neighbours(sides, pooled, table.page, kinds, EdgeNames.of(edges, declared))
    return Explanation(model, table, columns, nodes, neighbours, features)
