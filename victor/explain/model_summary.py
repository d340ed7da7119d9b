"""What a model has learnt: its strongest weights, its most important inputs, its edges."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from victor.arrays import Floats
from victor.explain.linear_terms import ValueNames, relative
from victor.explain.neighbours import kind_names
from victor.explain.terms import column_name
from victor.features.base import Column
from victor.labels import Label
from victor.model.extractor import FeatureExtractor
from victor.model.model import Model
from victor.model.trees import Trees


class Weight(NamedTuple):
    """The weights of one value of one entry, relative to the weight of *other*."""

    name: str
    value: str
    header: float
    text: float


class Importance(NamedTuple):
    """How much of the output of the trees one of their inputs explains."""

    name: str
    share: float
    """0 to 1; all inputs add up to 1."""


class EdgeKind(NamedTuple):
    """The edges of one kind."""

    name: str
    """The kind in words; empty if all edges are alike."""
    transitions: Floats
    """(3, 3) log potentials of a label (row) being followed by another (column)."""


def strongest(
    model: Model, top: int | None = 20, *, feature_files: Sequence[str | Path] = ()
) -> list[Weight]:
    """The feature values whose weights differ most from those of *other*, strongest first.

    Args:
        model: a trained model.
        top: how many; None for all whose weights are not 0.
        feature_files: Python files that are run if the model names them as feature modules.

    Returns:
        An empty list for a model whose potentials are trees.
    """
    if isinstance(model.potentials, Trees):
        return []
    weights = model.potentials.weights
    tables = [*weights.entries, *(bag.values for bag in weights.bags.values())]
    rows = [relative(table, Label.OTHER)[:, : Label.OTHER] for table in tables]
    values = np.concatenate([np.zeros((0, 2)), *rows])
    strength = np.abs(values).max(axis=1)
    order = np.argsort(-strength, kind="stable")
    chosen = order[strength[order] > 0][:top]
    ends = np.cumsum([len(table) for table in tables])
    owner = np.searchsorted(ends, chosen, side="right")
    within = chosen - (ends - [len(table) for table in tables])[owner]
    named = ValueNames.of(model.potentials, _declared(model, feature_files))
    return [
        Weight(named.names[table], named.value(table, value), *row)
        for table, value, row in zip(
            owner.tolist(), within.tolist(), values[chosen].tolist(), strict=True
        )
    ]


def important(model: Model, top: int | None = 20) -> list[Importance]:
    """The inputs that explain most of the output of the trees, most important first.

    Args:
        model: a trained model.
        top: how many; None for all.

    Returns:
        The shares of `Trees.importance`; an empty list for a model without trees.
    """
    if not isinstance(model.potentials, Trees):
        return []
    importance = model.potentials.importance()
    shares = importance / max(float(importance.sum()), np.finfo(np.float64).tiny)
    order = np.argsort(-shares, kind="stable")[:top]
    names = [column_name(*column) for column in model.potentials.inputs]
    return [Importance(names[index], float(shares[index])) for index in order.tolist()]


def edge_kinds(model: Model, *, feature_files: Sequence[str | Path] = ()) -> list[EdgeKind]:
    """The edges of every kind; the arguments are those of `strongest`."""
    names = kind_names(model.edges, _declared(model, feature_files)) or ("",)
    return [EdgeKind(name, values) for name, values in zip(names, model.edges.values, strict=True)]


def _declared(model: Model, feature_files: Sequence[str | Path]) -> dict[str, Column]:
    """The columns of the model's features by name."""
    extractor = FeatureExtractor(model.config, feature_files=feature_files)
    return {column.name: column for column in extractor.features.columns}
