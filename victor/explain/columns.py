"""Columns and codes in words: which module gives a column, what a code or a value stands for."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Final, Self

import numpy as np

from victor.base.cached import cached_property
from victor.features.base import Column
from victor.model.discretize import Bool, Category, Codebook, Discretizer, Edges, Scale
from victor.model.extractor import FeatureExtractor

_CODE_NAMES: Final = re.compile(r"0 [^,]+(?:, \d+ [^,]+)+")
"""``0 word, 1 sentence end`` behind the last colon of the meaning of a column names its codes."""
_NONE: Final = re.compile(r",? (-?\d+) (?:if (?:there is )?)?(none|outside|unknown)$")
"""``, 255 if none`` at the end of the meaning of a column names one value."""
_ABOUT_ZERO: Final = 1e-4


@dataclass(frozen=True, eq=False)
class CodeNames:
    """Names of the codes of a model's columns.

    Attributes:
        codebook: how values became codes.
        columns: the declared columns by name; the codes of others are shown as numbers.
    """

    codebook: Codebook
    columns: Mapping[str, Column]

    def name(self, column: str, code: int) -> str:
        """A code in words: ``yes``, ``0.25 to 0.4`` (upper end excluded), ``4 to 7``, ``li``."""
        discretizer = self.codebook.discretizers[column]
        declared = self.columns.get(column)
        kind = declared.kind if declared else ""
        if isinstance(discretizer, Category):
            return category_name(code, discretizer.levels, declared.meaning if declared else "")
        if isinstance(discretizer, Bool) or (kind == "bool" and discretizer.size == 2):
            return ("no", "yes")[code]
        low, high = _bounds(discretizer, code)
        return _whole(low, high) if kind in ("count", "category") else _interval(low, high)

    def value(self, column: str, value: Any, code: int) -> str:  # noqa: ANN401  (a scalar of numpy)
        """A value with its bin, or only one of them where both say the same."""
        is_category = isinstance(self.codebook.discretizers[column], Category)
        special = None if is_category else self._special.get(column, {}).get(float(value))
        if special is not None:
            return special
        name, shown = self.name(column, code), number(float(value))
        return name if is_category or name in ("no", "yes", shown) else f"{shown} ({name})"

    @cached_property
    def _special(self) -> dict[str, dict[float, str]]:
        """By column, the values that its meaning names."""
        return {name: _special(column.meaning) for name, column in self.columns.items()}


def plain_meaning(meaning: str) -> str:
    """The meaning of a column without the names of its values, which stand for these.

    >>> plain_meaning("last character: 0 word, 1 sentence end")
    'last character'
    >>> plain_meaning("blocks since the last heading, 255 if none")
    'blocks since the last heading'
    """
    names = _code_names(meaning)
    plain = meaning[: -len(names)].removesuffix(": ") if names else meaning
    return _NONE.sub("", plain) or meaning


def _special(meaning: str) -> dict[float, str]:
    """The values that the meaning of a column names."""
    none = _NONE.search(meaning)
    return _codes(meaning) | ({float(none[1]): none[2]} if none else {})


def _codes(meaning: str) -> dict[float, str]:
    """The codes of a category that its meaning names."""
    names = _code_names(meaning)
    pairs = [part.split(" ", 1) for part in names.split(", ")] if names else []
    return {float(code): name for code, name in pairs}


def _code_names(meaning: str) -> str:
    """The names of codes at the end of a meaning; empty if there are none."""
    names = meaning.rpartition(": ")[2]
    return names if _CODE_NAMES.fullmatch(names) else ""


def outside(offset: int, row: int, rows: int) -> str:
    """A position outside the page in words; `rows` is the number of codes for such positions."""
    where = "before the page" if offset < 0 else "after the page"
    return where if rows == 1 else f"{row + 1} {where}"


def number(value: float) -> str:
    """A number for people: three significant digits, whole numbers as they are."""
    if value.is_integer() and abs(value) < 1e9:
        return str(int(value))
    return "0" if abs(value) < _ABOUT_ZERO else f"{value:.3g}"


def category_name(code: int, levels: int, meaning: str) -> str:
    """One of so many codes of a category, as the meaning of its column names it.

    >>> category_name(1, 3, "last character: 0 word, 1 sentence end")
    'sentence end'
    """
    names = _special(meaning)
    if code in names:
        return names[code]
    return f"{code} or above" if code == levels - 1 else str(code)


def _bounds(discretizer: Discretizer, code: int) -> tuple[float, float]:
    """Lower and upper end of the bin of a code."""
    inner = discretizer.thresholds if isinstance(discretizer, Edges | Scale) else np.zeros(0)
    ends = [-math.inf, *inner.tolist(), math.inf]
    return ends[code], ends[code + 1]


def _interval(low: float, high: float) -> str:
    if math.isinf(low):
        return "all" if math.isinf(high) else f"below {number(high)}"
    return f"{number(low)} or more" if math.isinf(high) else f"{number(low)} to {number(high)}"


def _whole(low: float, high: float) -> str:
    """An interval of whole numbers, both ends included; they begin at 0."""
    least = 0 if math.isinf(low) else max(math.ceil(low), 0)
    if math.isinf(high):
        return f"{least} or more"
    most = math.ceil(high) - 1
    return str(least) if most <= least else f"{least} to {most}"


TITLES: Final[Mapping[str, str]] = {
    "ancestors": "elements around it",
    "center": "element with most free text",
    "characters": "characters",
    "class_groups": "what the markup calls it",
    "containers": "tags it stands in",
    "declared": "what the page declares",
    "document": "size of the page",
    "duplicates": "repeated text",
    "freetext": "long texts of the page",
    "function_words": "function words",
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

    def module(self, columns: Iterable[str]) -> str | None:
        """The one that gives all of some columns; None if several do."""
        modules = {self.by_column[column] for column in columns}
        return modules.pop() if len(modules) == 1 else None


def module_title(module: str) -> str:
    """What a module measures, given its name or path.

    >>> module_title("links"), module_title("./my_features/reading_ease.py")
    ('links', 'reading ease')
    """
    return TITLES.get(module) or PurePath(module).stem.replace("_", " ")
