"""The feature modules of a model: the columns that they give, and which module gives which."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath
from typing import Final, Self

from victor.config.own_modules import module_name
from victor.explain.code_names import plain_meaning
from victor.features.base import Column
from victor.model.extractor import FeatureExtractor

NAMES: Final[Mapping[str, str]] = {
    "ancestors": "elements around it",
    "center": "element with most free text",
    "characters": "characters",
    "class_groups": "what the markup calls it",
    "containers": "tags it stands in",
    "declared": "what the page declares",
    "document": "size of the page",
    "duplicates": "repeated text",
    "freetext": "long texts of the page",
    "groups": "text of its div or cell",
    "headings": "distance to headings",
    "landmarks": "article and main part",
    "langid": "language",
    "lexicon": "words of class names",
    "links": "links",
    "page": "kind of page, and where it stands",
    "paths": "blocks with the same tags",
    "records": "similar siblings",
    "regexps": "patterns in the text",
    "regions": "regions around it",
    "relations": "the block before it",
    "sections": "its section and heading",
    "sentences": "sentences",
    "shape": "layout of its text",
    "splits": "tags since the block before",
    "surroundings": "images, dates and prices near it",
    "title": "likeness to the title",
    "tokens": "tokens",
    "words": "words",
}
"""Shipped module to what it measures, for people; a user's own is named by its file."""


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
        modules = [*map(module_name, extractor.config.features)]
        pairs = [
            (column, module)
            for module, feature in zip(modules, extractor.features.features, strict=True)
            for column in feature.columns
        ]
        return cls(
            {column.name: column for column, _ in pairs},
            {column.name: module for column, module in pairs},
        )

    @cached_property
    def meanings(self) -> dict[str, str]:
        """Name of a column to its meaning, without the names of its values."""
        return {name: plain_meaning(column.meaning) for name, column in self.declared.items()}

    def module(self, columns: Iterable[str]) -> str | None:
        """The one that gives all of some columns; None if several do."""
        modules = {self.by_column[column] for column in columns}
        return modules.pop() if len(modules) == 1 else None


def module_title(module: str) -> str:
    """What a module measures, given its name or path.

    >>> module_title("links"), module_title("./my_features/reading_ease.py")
    ('links', 'reading ease')
    """
    return NAMES.get(module) or PurePath(module).stem.replace("_", " ")
