"""The log-odds of a block's labels as a sum over features and neighbours.

In a linear chain the marginal of label y at block i is proportional to
``exp(e_i(y) + l_i(y) + r_i(y))``: e is the node potential, l and r are the logarithms of the
forward message into the block and of the backward message, which the edges carry (Lafferty,
McCallum and Pereira 2001, section 3). Node potentials are sums of terms, whether they are linear or
of trees. So the log-odds of two labels are exactly the sum of the differences of every term and of
the two messages; pooling and a calibration add what they change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from victor.base.arrays import Floats, Labels
from victor.base.cached import cached_property
from victor.base.errors import ConfigError
from victor.base.labels import Label
from victor.explain.codes import EdgeNames
from victor.explain.feature_modules import FeatureModules
from victor.explain.terms import (
    SIDES,
    Inputs,
    LinearTerms,
    Neighbours,
    NodeTerms,
    Summand,
    TreeTerms,
)
from victor.features.base import ColumnValues
from victor.model.crf.marginals import messages
from victor.model.crf.pooling import shifted
from victor.model.extractor import FeatureExtractor
from victor.model.model import Model
from victor.model.trees import Trees
from victor.page.table.blocks import BlockTable

POOLING: Final = "blocks of its template path"
CALIBRATION: Final = "calibration"


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
            yield block, of_block, self._summands(block, matrix[block], of_block, against)

    def _summands(self, block: int, row: Floats, label: Label, against: Label) -> list[Summand]:
        """The terms of a block, given the row of `contributions`."""
        n_nodes = len(self.nodes.names)
        of_nodes, sides, shifts = np.split(row, [n_nodes, n_nodes + len(SIDES)])
        return [
            *self.nodes.summands(block, of_nodes, label, against),
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
