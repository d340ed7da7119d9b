"""Feature modules for people: which of them gives a column, and what it measures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final, Self

from victor.base.cached import cached_property
from victor.explain.codes import plain_meaning
from victor.features.base import Column
from victor.model.extractor import FeatureExtractor

TITLES: Final[Mapping[str, str]] = {
    "ancestors": "the elements around it",
    "center": "its distance to the element with most text",
    "characters": "its characters",
    "class_groups": "what the markup calls it",
    "containers": "the tags that it stands in",
    "declared": "what the page declares",
    "document": "the size of the page",
    "duplicates": "how often its text occurs",
    "freetext": "the long texts of the page",
    "groups": "the text of its div or cell",
    "headings": "its distance to headings",
    "landmarks": "the article around it",
    "langid": "its language",
    "links": "the links in and around it",
    "page": "its place on the page",
    "paths": "the blocks with the same tags",
    "records": "the siblings like it",
    "regexps": "the patterns in its text",
    "regions": "the regions around it",
    "relations": "the block before it",
    "sections": "its section",
    "sentences": "its sentences",
    "splits": "the tags before it",
    "surroundings": "what stands near it",
    "title": "its likeness to the title",
    "tokens": "its tokens",
    "words": "its words",
}
"""Shipped module to what it measures, as sentences say it; a user's own is named by its file."""


@dataclass(frozen=True, eq=False)
class FeatureModules:
    """Columns and the modules that give them.

    Attributes:
        declared: the columns by name.
        by_column: name of a column to its module, as the configuration names it.
    """

    declared: Mapping[str, Column]
    by_column: Mapping[str, str]

    @classmethod
    def of(cls, extractor: FeatureExtractor) -> Self:
        """Those of a configuration."""
        pairs = [
            (column, module) for module, columns in extractor.modules.items() for column in columns
        ]
        return cls(
            {column.name: column for column, _ in pairs},
            {column.name: module for column, module in pairs},
        )

    @cached_property
    def meanings(self) -> dict[str, str]:
        """Name of a column to its meaning, without the names of its values."""
        return {name: plain_meaning(column.meaning) for name, column in self.declared.items()}

    def module(self, columns: tuple[tuple[str, int], ...]) -> str | None:
        """The one that gives all of some columns, each with an offset; None if several do."""
        if columns not in self._known:
            modules = {self.by_column[column] for column, _ in columns}
            self._known[columns] = modules.pop() if len(modules) == 1 else None
        return self._known[columns]

    @cached_property
    def _known(self) -> dict[tuple[tuple[str, int], ...], str | None]:
        """What `module` has found: it is asked for every term of every block."""
        return {}


def module_title(module: str) -> str:
    """What a module measures, given its name or path.

    >>> module_title("links"), module_title("./my_features/reading_ease.py")
    ('the links in and around it', 'reading ease')
    """
    return TITLES.get(module) or PurePath(module).stem.replace("_", " ")
