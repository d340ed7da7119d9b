"""What a configuration reads of its feature modules once some were switched on or off.

A module goes with everything that reads one of its columns: entries of the template, conjunctions
among them, codes, scales, the edges and pooling. One that was added is read at offset 0 unless
something reads a column of it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from victor.base.errors import ConfigError
from victor.config.schema import Config
from victor.config.templates import without_columns
from victor.features.base import Column, Kind
from victor.model.crf.pooling import COLUMNS as POOLED
from victor.model.template import Template

Modules = Sequence[tuple[str, Sequence[Column]]]
"""Names of feature modules, each with its columns; one may stand several times."""


def reading(
    config: Config, modules: Modules, *, added: Collection[str] = (), off: Collection[str] = ()
) -> Config:
    """The configuration, fitted to its modules.

    Args:
        config: with the entries of its template, as `victor.config.layers.load` gives it.
        modules: those that are on.
        added: names of those to be read in any case.
        off: columns of the others.

    Raises:
        ConfigError: nothing is left to read.
        TemplateError: the template is malformed or names an unknown column.
    """
    if off:
        config = _without(config, modules, off)
    if not added:
        return config
    template = Template.of(config, _kinds(modules))
    read = {*template.names, *template.edge_names}
    unread = [
        (name, columns)
        for name, columns in modules
        if name in added and not read & {column.name for column in columns}
    ]
    entries = [{"column": column.name} for _, columns in unread for column in columns]
    return config.replace(template=(*config.template, *entries)) if entries else config


def n_entries(config: Config, modules: Modules) -> int:
    """How many entries of a template its potentials have, those of edges among them."""
    template = Template.of(config, _kinds(modules))
    return len(template.entries) + len(template.edges)


def _without(config: Config, modules: Modules, off: Collection[str]) -> Config:
    """The configuration without what reads one of some columns."""
    kinds: dict[str, Kind] = {**_kinds(modules), **dict.fromkeys(off, "number")}
    listed = config.replace(crf=config.crf.replace(edges=None))  # entries of the list alone
    template = Template.of(listed, kinds).without(off)
    if not template.entries:
        raise ConfigError("every entry of the template uses these columns: no model is left")
    crf = config.crf.replace(
        scale={name: value for name, value in config.crf.scale.items() if name not in off},
        edges=None if config.crf.edges in off else config.crf.edges,
        pooling=config.crf.pooling if {*off}.isdisjoint(POOLED) else 0.0,
    )
    discretize = without_columns(config.discretize, off)
    return config.replace(template=tuple(template.structure), crf=crf, discretize=discretize)


def _kinds(modules: Modules) -> dict[str, Kind]:
    """Kind of every column of some modules."""
    return {column.name: column.kind for _, columns in modules for column in columns}
