"""What the labels of neighbouring blocks are worth to each other, given the input at the edge."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from victor.base.arrays import Floats, Ints
from victor.base.errors import ConfigError, FeatureError, ModelError, TemplateError
from victor.base.labels import Label
from victor.base.lazy import cached_property
from victor.features.base import ColumnValues
from victor.model import archive
from victor.model.chain import Factors
from victor.model.discretize import Category, Codebook
from victor.model.template import Entry, Template, entry_values, n_values

MOST_KINDS: Final = 4096
"""Kinds of edge at most: every kind has a table of its own while pages are cleaned."""


class EdgeTables(NamedTuple):
    """The tables of the entries that edges read, stacked, and the kinds of edge they stand for.

    A kind of edge is one value for every entry; its log potentials are the sum of the rows that
    these values have in the tables. Without entries there is one table of one row, and one kind.
    """

    sizes: tuple[int, ...]  # number of values of every entry

    @property
    def n_kinds(self) -> int:
        """K, the number of kinds."""
        return math.prod(self.sizes)

    @property
    def n_rows(self) -> int:
        """R, the number of rows of all tables."""
        return sum(self.sizes) if self.sizes else 1

    def split(self, tables: Floats) -> list[Floats]:
        """(R, ...) stacked tables, each by itself."""
        return np.split(tables, np.cumsum(self.sizes[:-1]))

    def spread(self, tables: Floats) -> Floats:
        """(K, L, L) log potentials of every kind, given the (R, L, L) tables."""
        first, *others = self.split(tables)
        kinds = first
        for table in others:
            kinds = (kinds[:, None] + table).reshape(-1, *tables.shape[1:])
        return kinds

    def gathered(self, slopes: Floats) -> Floats:
        """(R, L, L) derivatives by the tables, given the (K, L, L) derivatives by the kinds."""
        by_value = slopes.reshape(*(self.sizes or (1,)), *slopes.shape[1:])
        axes = range(max(len(self.sizes), 1))
        parts = [by_value.sum(axis=tuple(a for a in axes if a != axis)) for axis in axes]
        return np.concatenate(parts)


class Edges(Struct, frozen=True, eq=False, dict=True):
    """Log potentials of the labels of two neighbouring blocks.

    Raises:
        ModelError: the numbers are not those of L labels and these entries, or not finite.
    """

    tables: Floats
    """(R, L, L) float64 stacked tables (`EdgeTables`), a row for every value of every entry: a
    label (row) is followed by another (column)."""
    entries: tuple[Entry, ...] = ()
    """What is read at the later of the two blocks; none if all edges are alike."""
    codebook: Codebook = field(default_factory=lambda: Codebook({}))
    """Fitted discretisers of the columns that the entries read."""

    def __post_init__(self) -> None:
        shape = (self.layout.n_rows, len(Label), len(Label))
        if self.tables.shape != shape or not 1 <= self.layout.n_kinds <= MOST_KINDS:
            raise ModelError("the edges of the model are not those of its labels: train it again")
        if not np.isfinite(self.tables).all():
            raise ModelError("the edges of the model are not all finite: train it again")

    @classmethod
    def alike(cls, transitions: Floats) -> Edges:
        """Edges of one kind, given their (L, L) log potentials."""
        return cls(np.asarray(transitions, dtype=np.float64)[None])

    @classmethod
    def by_category(cls, tables: Floats, column: str) -> Edges:
        """Edges of (K, L, L) log potentials, their kind being the value of a column."""
        if len(tables) == 1:
            return cls(tables)
        codebook = Codebook({column: Category(len(tables))})
        return cls(tables, (Entry(((column, 0),)),), codebook)

    @classmethod
    def untrained(cls, entries: tuple[Entry, ...], codebook: Codebook) -> Edges:
        """Edges that know what they read, and nothing of labels.

        Raises:
            TemplateError: there would be too many kinds.
        """
        n_rows = layout_of(entries, codebook.sizes).n_rows
        return cls(np.zeros((n_rows, len(Label), len(Label))), entries, codebook)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read."""
        return self.codebook.names

    @property
    def sizes(self) -> dict[str, int]:
        """Number of codes of every column."""
        return self.codebook.sizes

    @cached_property
    def template(self) -> Template:
        """The entries as a template of their own."""
        return Template(self.entries, "one")

    @cached_property
    def layout(self) -> EdgeTables:
        """How the tables make up the kinds."""
        return layout_of(self.entries, self.sizes)

    @cached_property
    def values(self) -> Floats:
        """(K, L, L) log potentials by kind of edge."""
        return self.layout.spread(self.tables)

    @cached_property
    def factors(self) -> Factors:
        """What `victor.model.chain` makes of the values, once for all pages."""
        return Factors(self.values)

    def kinds(self, columns: Mapping[str, ColumnValues], page_starts: Ints) -> Ints:
        """(n,) kind of the edge to the block before.

        Raises:
            FeatureError: a column is missing.
        """
        n = int(page_starts[-1])
        if not self.entries:
            return np.zeros(n, dtype=np.int64)
        for name in self.columns:
            if name not in columns:
                raise FeatureError(
                    f"the edges need column {name}: switch its feature on or retrain"
                )
        if self.category is not None:
            name, levels = self.category
            values = np.asarray(columns[name]).astype(np.int64)
            return np.minimum(np.maximum(values, 0), levels - 1)
        codes = dict(zip(self.columns, self.codebook.codes(columns).T, strict=True))
        kinds = np.zeros(n, dtype=np.int64)
        for entry, size in zip(self.entries, self.layout.sizes, strict=True):
            kinds *= size
            kinds += entry_values(
                entry, codes, page_starts, template=self.template, sizes=self.sizes
            )
        return kinds

    @cached_property
    def category(self) -> tuple[str, int] | None:
        """The column whose values are the kinds, and their number, if it is that simple.

        Looking codes up takes as long as all else for a small page.
        """
        if len(self.entries) != 1 or self.entries[0].columns[0][1] or len(self.columns) != 1:
            return None
        (name,) = self.columns
        discretizer = self.codebook.discretizers[name]
        return (name, discretizer.levels) if isinstance(discretizer, Category) else None

    def to_arrays(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Plain data and arrays for a model file; `from_arrays` reads them."""
        document = {"template": self.template.to_json(), "codebook": self.codebook.to_json()}
        return document, {"edges": self.tables}

    @classmethod
    def from_arrays(cls, document: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Edges:
        """The edges that `to_arrays` wrote.

        Raises:
            ModelError: something is missing or does not fit.
        """
        try:
            tables = archive.weights(arrays["edges"]).astype(np.float64)
            template = Template.from_json(document["template"])
            codebook = Codebook.from_json(document["codebook"])
            template.check(codebook.sizes)
            return cls(tables, template.entries, codebook)
        except (
            AttributeError, KeyError, TypeError, ValueError, ConfigError, TemplateError
        ) as error:  # fmt: skip
            raise ModelError(f"the edges are damaged: {error!r}; train the model again") from None


def layout_of(entries: tuple[Entry, ...], sizes: Mapping[str, int]) -> EdgeTables:
    """How the tables of some entries make up kinds.

    Raises:
        TemplateError: there would be too many.
    """
    template = Template(entries, "one")
    layout = EdgeTables(tuple(n_values(entry, template, sizes) for entry in entries))
    if layout.n_kinds > MOST_KINDS:
        raise TemplateError(
            f"the edge entries of the template make {layout.n_kinds:,} kinds of edge, at most "
            f"{MOST_KINDS:,} are possible: give fewer entries, or coarser codes (`discretize`)"
        )
    return layout
