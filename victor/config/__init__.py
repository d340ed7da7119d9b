"""Configuration: the schema, shipped YAML files, files of the user and ``a.b=c`` overrides."""

from victor.config.braces import expand_discretizers
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
]
