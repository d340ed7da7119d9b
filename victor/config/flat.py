"""Schemas without tables: `areas.near` and `areas: {near: }` in YAML are the key `areas_near`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from victor.config.section import Section, fields_of


class Flat(Section, frozen=True):
    """A schema in one table, whose keys users may write with dots or as tables.

    What each key means stands beside its default in the shipped YAML file.
    """

    @classmethod
    def written_out(
        cls, layer: Mapping[str, Any], below: Mapping[str, Any], where: str
    ) -> dict[str, Any]:
        """The same keys, parts of their names joined by underscores."""
        return dict(_joined(layer, "", fields_of(cls)))

    @classmethod
    def read_in(cls, layer: Mapping[str, Any], directory: Path, where: str) -> dict[str, Any]:
        """As `written_out`; schemas with paths make them absolute."""
        return cls.written_out(layer, {}, where)


def _joined(
    layer: Mapping[str, Any], above: str, known: Mapping[str, Any]
) -> Iterator[tuple[str, Any]]:
    for key, value in layer.items():
        name = above + str(key).replace(".", "_")
        if isinstance(value, Mapping) and name not in known:
            yield from _joined(value, f"{name}_", known)
        else:
            yield name, value
