"""Configuration: the schema, shipped YAML files, files of the user and ``a.b=c`` overrides."""

from victor.config.config import (
    AnySection,
    Config,
    Crf,
    Decide,
    Filter,
    Limits,
    Section,
    Segment,
    Trees,
    expand_discretizers,
    load,
    load_as,
    names,
    resolve_template,
)

__all__ = [
    "AnySection",
    "Config",
    "Crf",
    "Decide",
    "Filter",
    "Limits",
    "Section",
    "Segment",
    "Trees",
    "expand_discretizers",
    "load",
    "load_as",
    "names",
    "resolve_template",
]
