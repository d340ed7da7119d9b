"""What a model has learnt: what it makes of the columns of each feature module, and its edges."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Literal, NamedTuple

import numpy as np
from msgspec import Struct

from victor.base.labels import LABEL_NAMES, OTHER, Label
from victor.explain.codes import EdgeNames, EntryNames, column_name
from victor.explain.feature_modules import FeatureModules, module_title
from victor.explain.groups import TOGETHER, in_words, meaning_of
from victor.explain.terms import Inputs, relative
from victor.model.crf.edges import Edges
from victor.model.crf.linear import LinearPotentials
from victor.model.extractor import FeatureExtractor
from victor.model.model import Model
from victor.model.trees import Trees


class Row(Struct, frozen=True):
    """What a model makes of an input of trees, or of a value of an entry."""

    name: str
    meaning: str
    where: str
    value: str
    """Empty for an input of trees."""
    numbers: dict[str, float]
    """The ``share`` of the output of trees, 0 to 1, or the weights of ``header`` and ``text`` less
    that of other."""

    @property
    def words(self) -> str:
        """All but the numbers."""
        return in_words(self.meaning, self.where, self.value)


class Module(Struct, frozen=True):
    """What a model has learnt of the columns of a feature module."""

    name: str
    """For people."""
    module: str | None
    """As the configuration names it; None for conjunctions of columns of several modules."""
    size: float
    """The share of all inputs together, or the strongest of the weights."""
    rows: tuple[Row, ...]
    """The strongest, strongest first."""
    n_more: int
    """Rows beside these that are not 0."""


class Edge(Struct, frozen=True):
    """The edges at one value of an entry; those of all entries of an edge add up."""

    kind: str
    """The value in words; empty if all edges are alike."""
    transitions: dict[str, dict[str, float]]
    """Log potentials of a label being followed by another."""


class Learnt(Struct, frozen=True):
    """What a model has learnt."""

    potentials: Literal["trees", "linear"]
    bias: dict[str, float]
    """Weights of every block, as of rows; empty for trees."""
    modules: tuple[Module, ...]
    """Most important first; the shares of all modules add up to 1."""
    reads: tuple[str, ...]
    """The entries that the edges read."""
    edges: tuple[Edge, ...]


def learnt(model: Model, top: int | None = 3, *, trust_code: bool = False) -> Learnt:
    """What a model has learnt of each feature module, and of the order of labels.

    Args:
        model: a trained model.
        top: rows of each module; None for all.
        trust_code: run the code that the model brings: feature modules that are files.
    """
    features = FeatureModules.of(FeatureExtractor(model.config, trust_code=trust_code))
    potentials, edges = model.potentials, model.edges
    if isinstance(potentials, Trees):
        rows, bias = [*_of_trees(potentials)], {}
    else:
        names = EntryNames.of(potentials, features.declared)
        rows = [*_of_weights(potentials, names)]
        bias = _numbers(relative(potentials.weights.bias[None], Label.OTHER)[0].tolist())
    by_module: dict[str | None, list[_Row]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: -row.strength):
        by_module[features.module(row.columns)].append(row)
    modules = [_module(name, members, features, top) for name, members in by_module.items()]
    return Learnt(
        potentials="trees" if isinstance(potentials, Trees) else "linear",
        bias=bias,
        modules=tuple(sorted(modules, key=lambda module: -module.size)),
        reads=tuple(map(EntryNames.entry, edges.entries)),
        edges=_edges(edges, EdgeNames.of(edges, features.declared)),
    )


class _Row(NamedTuple):
    """A row before it is put into words."""

    name: str
    columns: Inputs
    numbers: dict[str, float]
    value: Callable[[], str] = str

    @property
    def strength(self) -> float:
        return max(map(abs, self.numbers.values()))


def _of_trees(trees: Trees) -> Iterator[_Row]:
    """The inputs of trees with their shares (`Trees.importance`)."""
    importance = trees.importance()
    shares = importance / max(float(importance.sum()), np.finfo(np.float64).tiny)
    for column, share in zip(trees.inputs, shares.tolist(), strict=True):
        yield _Row(column_name(*column), (column,), {"share": share})


def _of_weights(potentials: LinearPotentials, names: EntryNames) -> Iterator[_Row]:
    """The values of entries whose weights differ from that of other."""
    weights = potentials.weights
    for entry, table in zip(weights.template.entries, weights.entries, strict=True):
        rows = relative(table, Label.OTHER)
        for value in np.flatnonzero(rows.any(axis=1)).tolist():
            shown = partial(names.value, entry, value)
            yield _Row(names.entry(entry), entry.columns, _numbers(rows[value].tolist()), shown)


def _numbers(relative_weights: Sequence[float]) -> dict[str, float]:
    """The weights of header and text by name."""
    return dict(zip(LABEL_NAMES[:OTHER], relative_weights, strict=False))


def _module(
    module: str | None, rows: Sequence[_Row], features: FeatureModules, top: int | None
) -> Module:
    """A module, given its rows in order."""
    strengths = [row.strength for row in rows]
    return Module(
        name=TOGETHER if module is None else module_title(module),
        module=module,
        size=sum(strengths) if "share" in rows[0].numbers else strengths[0],
        rows=tuple(
            Row(row.name, *meaning_of(row.columns, features), row.value(), row.numbers)
            for row in rows[:top]
        ),
        n_more=sum(1 for strength in strengths[len(rows[:top]) :] if strength > 0),
    )


def _edges(edges: Edges, names: EdgeNames) -> tuple[Edge, ...]:
    """The edges at every value of every entry."""
    return tuple(
        Edge(kind, {first: dict(zip(LABEL_NAMES, row, strict=True))
                    for first, row in zip(LABEL_NAMES, table.tolist(), strict=True)})
        for kind, table in zip(names.rows(), edges.tables, strict=True)
    )  # fmt: skip
