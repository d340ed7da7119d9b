"""Configuration: the schema, shipped YAML files, files of the user and ``a.b=c`` overrides.

The names load when they are first used: a model that is loaded needs the schema alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from victor.base import lazy_names

if TYPE_CHECKING:
    from victor.config.braces import expand_discretizers, without_columns
    from victor.config.layers import load, load_as, load_data, names
    from victor.config.schema import (
        METHODS,
        SCOPES,
        Config,
        Crf,
        Decision,
        Filter,
        Limits,
        Method,
        Scope,
        ScopeName,
        Segment,
        Trees,
        resolve_template,
    )
    from victor.config.section import AnySection, Section, from_data

__all__ = [
    "METHODS",
    "SCOPES",
    "AnySection",
    "Config",
    "Crf",
    "Decision",
    "Filter",
    "Limits",
    "Method",
    "Scope",
    "ScopeName",
    "Section",
    "Segment",
    "Trees",
    "expand_discretizers",
    "from_data",
    "load",
    "load_as",
    "load_data",
    "names",
    "resolve_template",
    "without_columns",
]

__getattr__, __dir__ = lazy_names.loader(
    __name__,
    {
        "victor.config.braces": "expand_discretizers without_columns",
        "victor.config.layers": "load load_as load_data names",
        "victor.config.schema": "METHODS SCOPES Config Crf Decision Filter Limits Method Scope "
        "ScopeName Segment Trees resolve_template",
        "victor.config.section": "AnySection Section from_data",
    },
)
