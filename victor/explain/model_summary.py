"""What a model has learnt: what it makes of the columns of each feature module, and its edges."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Literal

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from victor.base.arrays import Floats
from victor.base.labels import LABEL_NAMES, OTHER
from victor.explain.contributions import Inputs
from victor.explain.groups import group_of, in_words, meaning_of
from victor.explain.wording import EdgeNames, EntryNames, FeatureModules, column_name
from victor.model.extractor import FeatureExtractor
from victor.model.linear import LinearPotentials
from victor.model.model import Model
from victor.model.trees import Trees


class Row(Struct, frozen=True):
    """What a model makes of an input of trees, or of a value of an entry."""

    name: str
    meaning: str
    where: str
    value: str  # empty for an input of trees
    numbers: dict[str, float]
    """The ``share`` of the output of trees, 0 to 1, or the weights of ``header`` and ``text`` less
    that of other."""

    @property
    def words(self) -> str:
        """All but the numbers."""
        return in_words(self.meaning, self.where, self.value)

    @property
    def strength(self) -> float:
        """The number that is farthest from 0, without its sign."""
        return max(map(abs, self.numbers.values()))


class Module(Struct, frozen=True):
    """What a model has learnt of the columns of a feature module."""

    name: str  # for people
    module: str | None
    """As the configuration names it; None for conjunctions of columns of several modules."""
    size: float  # the share of all inputs together, or the strongest of the weights
    rows: tuple[Row, ...]  # the strongest, strongest first
    n_more: int  # rows beside these that are not 0


class Edge(Struct, frozen=True):
    """The edges at one value of an entry; those of all entries of an edge add up."""

    kind: str  # the value in words; empty if all edges are alike
    transitions: dict[str, dict[str, float]]  # log potentials of a label being followed by another


class Learnt(Struct, frozen=True):
    """What a model has learnt."""

    potentials: Literal["trees", "linear"]
    experts: tuple[str, ...]  # for types of pages; none where one decides about all
    bias: dict[str, float]  # weights of every block, as of rows; empty for trees
    modules: tuple[Module, ...]  # most important first; the shares of all modules add up to 1
    reads: tuple[str, ...]  # the entries that the edges read
    edges: tuple[Edge, ...]


def learnt(model: Model, top: int | None = 3, *, trust_code: bool = False) -> Learnt:
    """What a model has learnt of each feature module (`top` rows, None for all) and of the edges.

    `trust_code` runs the code that the model brings: feature modules that are files.
    """
    features = FeatureModules.of(FeatureExtractor(model.config, trust_code=trust_code))
    potentials, edges = model.potentials, model.edges
    if isinstance(potentials, Trees):
        rows, bias = _of_trees(potentials, features), {}
    else:
        rows = _of_weights(potentials, features)
        bias = _numbers(_relative(potentials.weights.bias[None])[0])
    by_module: dict[tuple[str, str | None], list[Row]] = defaultdict(list)
    for columns, row in rows:
        by_module[group_of(row.name, columns, features)].append(row)
    modules = [_module(*names, members, top) for names, members in by_module.items()]
    return Learnt(
        potentials="trees" if isinstance(potentials, Trees) else "linear",
        experts=model.experts,
        bias=bias,
        modules=tuple(sorted(modules, key=lambda module: -module.size)),
        reads=tuple(map(EntryNames.entry, edges.entries)),
        edges=tuple(map(_edge, EdgeNames.of(edges, features.declared).rows(), edges.tables)),
    )


def _of_trees(trees: Trees, features: FeatureModules) -> Iterator[tuple[Inputs, Row]]:
    importance = trees.importance()
    shares = importance / max(float(importance.sum()), np.finfo(np.float64).tiny)
    for column, share in zip(trees.inputs, shares.tolist(), strict=True):
        meaning = meaning_of((column,), features)
        yield (column,), Row(column_name(*column), *meaning, "", {"share": share})


def _of_weights(
    potentials: LinearPotentials, features: FeatureModules
) -> Iterator[tuple[Inputs, Row]]:
    names, weights = EntryNames.of(potentials, features.declared), potentials.weights
    for entry, table in zip(weights.template.entries, weights.entries, strict=True):
        name, meaning = names.entry(entry), meaning_of(entry.columns, features)
        rows = _relative(table)
        for value in np.flatnonzero(rows.any(axis=1)).tolist():
            numbers = _numbers(rows[value])
            yield entry.columns, Row(name, *meaning, names.value(entry, value), numbers)


def _relative(weights: NDArray[np.floating]) -> Floats:
    """Weights of (m, 3) minus that of other, in double precision."""
    exact = weights.astype(np.float64)
    return exact - exact[:, OTHER, None]


def _numbers(relative_weights: Floats) -> dict[str, float]:
    return dict(zip(LABEL_NAMES[:OTHER], relative_weights.tolist(), strict=False))


def _module(name: str, module: str | None, rows: list[Row], top: int | None) -> Module:
    rows.sort(key=lambda row: -row.strength)
    strengths = [row.strength for row in rows]
    size = sum(strengths) if "share" in rows[0].numbers else strengths[0]
    shown = rows[:top]
    n_more = sum(strength > 0 for strength in strengths[len(shown) :])
    return Module(name, module, size, tuple(shown), n_more)


def _edge(kind: str, table: Floats) -> Edge:
    rows = [dict(zip(LABEL_NAMES, row, strict=True)) for row in table.tolist()]
    return Edge(kind, dict(zip(LABEL_NAMES, rows, strict=True)))
