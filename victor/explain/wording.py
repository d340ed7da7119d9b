"""What a model reads in words: values of columns, entries of templates, edges, feature modules."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Final, NamedTuple, Self

import numpy as np

from victor.base.lazy import cached_property
from victor.features.base import Column
from victor.model.chain import Edges
from victor.model.discretize import Bool, Category, Codebook, Discretizer, Scale
from victor.model.discretize import Edges as Bins
from victor.model.extractor import FeatureExtractor
from victor.model.linear import LinearPotentials
from victor.model.template import Entry, Template, extents

_CODE_NAMES: Final = re.compile(r"0 [^,]+(?:, \d+ [^,]+)+")
"""``0 word, 1 sentence end`` behind the last colon of the meaning of a column names its codes."""
_NONE: Final = re.compile(r",? (-?\d+) (?:if (?:there is )?)?(none|outside|unknown)$")
"""``, 255 if none`` at the end of the meaning of a column names one value."""
_ABOUT_ZERO: Final = 1e-4


class Value(NamedTuple):
    """A value in words, and the bin that a model sees it in, where that says more."""

    shown: str = ""
    bin: str = ""

    @classmethod
    def joined(cls, values: Iterable[Self]) -> Self:
        """Those of a conjunction."""
        values = [*values]
        bins = [value.bin or value.shown for value in values] if any(v.bin for v in values) else []
        return cls(" & ".join(value.shown for value in values), " & ".join(bins))


@dataclass(frozen=True, eq=False)
class CodeNames:
    """Names of the codes of a model's columns."""

    codebook: Codebook
    columns: Mapping[str, Column]
    """Those that are declared, by name; the codes of others are shown as numbers."""

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

    def value(self, column: str, value: Any, code: int) -> Value:  # noqa: ANN401  (a scalar of numpy)
        """A value, and its bin where that says more."""
        name, shown = self.name(column, code), number(float(value))
        if isinstance(self.codebook.discretizers[column], Category) or name in ("no", "yes"):
            return Value(name)
        special = self._special.get(column, {}).get(float(value))
        return Value(special or shown, "" if special or name == shown else name)

    @cached_property
    def _special(self) -> dict[str, dict[float, str]]:
        """By column, the values that its meaning names."""
        return {name: _special(column.meaning) for name, column in self.columns.items()}


@dataclass(frozen=True, eq=False)
class EntryNames:
    """Names of the entries of a template and of their values."""

    template: Template
    sizes: Mapping[str, int]  # number of codes of every column
    code_names: CodeNames

    @classmethod
    def of(cls, model: LinearPotentials | Edges, declared: Mapping[str, Column]) -> Self:
        """The names for potentials or edges, given the declared columns."""
        owner = model.weights if isinstance(model, LinearPotentials) else model
        return cls(owner.template, owner.sizes, CodeNames(model.codebook, declared))

    @staticmethod
    def entry(entry: Entry) -> str:
        """``word.count [-1]``, ``center.inside & word.count [0]``, ``a [-1] & b [+2]``."""
        offsets = {offset for _, offset in entry.columns}
        if len(offsets) == 1:
            return column_name(" & ".join(name for name, _ in entry.columns), offsets.pop())
        return " & ".join(column_name(*column) for column in entry.columns)

    def codes(self, entry: Entry, value: int) -> list[int]:
        """The code of every column of an entry."""
        shape = extents(entry, self.template, self.sizes)
        return [int(code) for code in np.unravel_index(value, shape)]

    def beyond(self, name: str, offset: int, code: int) -> str | None:
        """A code for a position outside the page in words; None if it is inside."""
        row = code - self.sizes[name]
        return outside(offset, row, self.template.outside(offset)) if row >= 0 else None

    def value(self, entry: Entry, value: int) -> str:
        """A value of an entry, the codes of its columns joined with ``&``."""
        return " & ".join(
            self.beyond(*column, code) or self.code_names.name(column[0], code)
            for column, code in zip(entry.columns, self.codes(entry, value), strict=True)
        )


@dataclass(frozen=True, eq=False)
class EdgeNames:
    """What edges read, in words."""

    edges: Edges
    values: EntryNames

    @classmethod
    def of(cls, edges: Edges, declared: Mapping[str, Column]) -> Self:
        """The names for edges, given the declared columns."""
        return cls(edges, EntryNames.of(edges, declared))

    def kind(self, kind: int) -> str:
        """A kind of edge; empty if all are alike.

        >>> from victor.features import load
        >>> declared = {column.name: column for column in load("relations").columns}
        >>> edges = Edges.by_category(np.zeros((3, 3, 3)), "relation.before")
        >>> EdgeNames.of(edges, declared).kind(1)
        'close'
        """
        entry_values = np.unravel_index(kind, self.edges.layout.sizes or (1,))
        pairs = zip(self.edges.entries, entry_values, strict=False)
        return ", ".join(self._value(entry, int(value)) for entry, value in pairs)

    def rows(self) -> list[str]:
        """The rows of the tables: every value of every entry; one empty name without entries."""
        names = [
            self._value(entry, value)
            for entry, size in zip(self.edges.entries, self.edges.layout.sizes, strict=True)
            for value in range(size)
        ]
        return names or [""]

    def _value(self, entry: Entry, value: int) -> str:
        name = self.values.value(entry, value)
        return name if len(self.edges.entries) == 1 else f"{self.values.entry(entry)}: {name}"


def column_name(name: str, offset: int) -> str:
    """A column and the offset of the block that it is read from.

    >>> column_name("word.count", -1), column_name("word.count", 0)
    ('word.count [-1]', 'word.count [0]')
    """
    return f"{name} [{offset:+d}]" if offset else f"{name} [0]"


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


def category_name(code: int, levels: int, meaning: str) -> str:
    """One of so many codes of a category, as the meaning of its column names it.

    >>> category_name(1, 3, "last character: 0 word, 1 sentence end")
    'sentence end'
    """
    names = _special(meaning)
    if code in names:
        return names[code]
    return f"{code} or above" if code == levels - 1 else str(code)


def outside(offset: int, row: int, rows: int) -> str:
    """A position outside the page in words; `rows` is the number of codes for such positions."""
    where = "before the page" if offset < 0 else "after the page"
    return where if rows == 1 else f"{row + 1} {where}"


def number(value: float) -> str:
    """A number for people: three significant digits, whole numbers as they are."""
    if value.is_integer() and abs(value) < 1e9:
        return str(int(value))
    return "0" if abs(value) < _ABOUT_ZERO else f"{value:.3g}"


def _special(meaning: str) -> dict[float, str]:
    """The values that the meaning of a column names."""
    names, none = _code_names(meaning), _NONE.search(meaning)
    pairs = [part.split(" ", 1) for part in names.split(", ")] if names else []
    named = {float(code): name for code, name in pairs}
    return named | ({float(none[1]): none[2]} if none else {})


def _code_names(meaning: str) -> str:
    """The names of codes at the end of a meaning; empty if there are none."""
    names = meaning.rpartition(": ")[2]
    return names if _CODE_NAMES.fullmatch(names) else ""


def _bounds(discretizer: Discretizer, code: int) -> tuple[float, float]:
    """Lower and upper end of the bin of a code."""
    inner = discretizer.thresholds if isinstance(discretizer, Bins | Scale) else np.zeros(0)
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
    "ancestors": "the elements around it",
    "center": "its distance to the element with most text",
    "characters": "its characters",
    "class_groups": "what the markup calls it",
    "containers": "the tags that it stands in",
    "declared": "what the page declares",
    "document": "the size of the page",
    "duplicates": "how often its text occurs",
    "groups": "the text of its div or cell",
    "headings": "its distance to headings",
    "langid": "its language",
    "links": "the links in and around it",
    "paths": "the blocks with the same tags",
    "regexps": "the patterns in its text",
    "regions": "the regions around it",
    "relations": "the block before it",
    "sentences": "its sentences",
    "splits": "the tags before it",
    "surroundings": "what stands near it",
    "tokens": "its tokens",
    "words": "its words",
}
"""Shipped module to what it measures, as sentences say it; a user's own is named by its file."""


@dataclass(frozen=True, eq=False)
class FeatureModules:
    """Columns by name, and the module that gives each, as the configuration names it."""

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
