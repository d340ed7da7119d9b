"""What a model has learnt: its strongest weights, its most important inputs, its edges."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from victor.base.arrays import Floats
from victor.base.labels import Label
from victor.explain.columns import FeatureModules, module_title
from victor.explain.entries import EdgeNames, column_name
from victor.explain.groups import TOGETHER, in_words
from victor.explain.linear_terms import ValueNames, relative
from victor.features.base import Column
from victor.model.extractor import FeatureExtractor
from victor.model.model import Model
from victor.model.trees import Trees


class Weight(NamedTuple):
    """The weights of one value of one entry, relative to the weight of *other*."""

    name: str
    value: str
    header: float
    text: float
    columns: tuple[tuple[str, int], ...] = ()
    """The columns of the entry, each with its offset."""


class Importance(NamedTuple):
    """How much of the output of the trees one of their inputs explains."""

    name: str
    share: float
    """0 to 1; all inputs add up to 1."""
    columns: tuple[tuple[str, int], ...] = ()
    """The one column of the input, with its offset."""


class Learnt(NamedTuple):
    """What a model has learnt of the columns of a feature module."""

    name: str
    """For people."""
    module: str
    """As the configuration names it; empty for conjunctions of columns of several modules."""
    size: float
    """The share of all inputs together, or the strongest of the weights."""
    rows: tuple[LearntRow, ...]
    """The strongest, strongest first."""
    n_more: int
    """Rows beside these that are not 0."""


class LearntRow(NamedTuple):
    """An input of trees, or a value with its weights; see `Importance` and `Weight`."""

    name: str
    meaning: str
    where: str
    value: str
    numbers: tuple[float, ...]
    """The share, or the weights of header and of text relative to other."""


class EdgeKind(NamedTuple):
    """The edges at one value of an entry; those of all entries of an edge add up."""

    name: str
    """The value in words; empty if all edges are alike."""
    transitions: Floats
    """(3, 3) log potentials of a label (row) being followed by another (column)."""


def strongest(model: Model, top: int | None = 20, *, trust_code: bool = False) -> list[Weight]:
    """The feature values whose weights differ most from those of *other*, strongest first.

    Args:
        model: a trained model.
        top: how many; None for all whose weights are not 0.
        trust_code: run the code that the model brings: feature modules that are files.

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
    words = ValueNames.of(model.potentials, _declared(model, trust_code))
    return [
        Weight(words.names[table], words.value(table, value), header, text, words.columns(table))
        for table, value, (header, text) in zip(
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
    inputs = model.potentials.inputs
    return [
        Importance(column_name(*inputs[index]), float(shares[index]), (inputs[index],))
        for index in order.tolist()
    ]


def learnt(model: Model, top: int = 3, *, trust_code: bool = False) -> list[Learnt]:
    """What a model has learnt by feature module, the most important first.

    Of trees that is how much of their output the inputs explain; the modules add up to 1. Of
    linear potentials it is the strongest weight.

    Args:
        model: a trained model.
        top: rows of each module.
        trust_code: as for `strongest`.
    """
    features = FeatureModules.of(_extractor(model, trust_code))
    trees = isinstance(model.potentials, Trees)
    rows: list[Importance] | list[Weight] = (
        important(model, None) if trees else strongest(model, None, trust_code=trust_code)
    )
    by_module: dict[str, list[Importance | Weight]] = defaultdict(list)
    for row in rows:
        by_module[features.module(name for name, _ in row.columns) or ""].append(row)
    groups = [_learnt(module, group, features, top) for module, group in by_module.items()]
    return sorted(groups, key=lambda group: -group.size)


def _learnt(
    module: str, rows: Sequence[Importance | Weight], features: FeatureModules, top: int
) -> Learnt:
    """The rows of a module, which are in order."""
    strength = [
        row.share if isinstance(row, Importance) else max(abs(row.header), abs(row.text))
        for row in rows
    ]
    is_share = isinstance(rows[0], Importance)
    return Learnt(
        name=module_title(module) if module else TOGETHER,
        module=module,
        size=sum(strength) if is_share else max(strength),
        rows=tuple(_learnt_row(row, features) for row in rows[:top]),
        n_more=sum(1 for value in strength[top:] if value > 0),
    )


def _learnt_row(row: Importance | Weight, features: FeatureModules) -> LearntRow:
    meaning, whose = in_words(row.columns, features.meanings)
    if isinstance(row, Importance):
        return LearntRow(row.name, meaning, whose, "", (row.share,))
    return LearntRow(row.name, meaning, whose, row.value, (row.header, row.text))


def edge_kinds(model: Model, *, trust_code: bool = False) -> list[EdgeKind]:
    """The edges at every value of every entry; the arguments are those of `strongest`."""
    names = EdgeNames.of(model.edges, _declared(model, trust_code)).rows()
    return [EdgeKind(name, table) for name, table in zip(names, model.edges.tables, strict=True)]


def _declared(model: Model, trust_code: bool) -> dict[str, Column]:
    """The columns of the model's features by name."""
    columns = _extractor(model, trust_code).features.columns
    return {column.name: column for column in columns}


def _extractor(model: Model, trust_code: bool) -> FeatureExtractor:
    return FeatureExtractor(model.config, trust_code=trust_code)
