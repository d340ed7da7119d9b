"""Entries of templates and their values in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from victor.explain.columns import CodeNames, outside
from victor.features.base import Column
from victor.model.crf.attributes import extents
from victor.model.crf.edges import Edges
from victor.model.template import Entry, Template


def column_name(name: str, offset: int) -> str:
    """A column and the offset of the block that it is read from.

    >>> column_name("word.count", -1), column_name("word.count", 0)
    ('word.count [-1]', 'word.count [0]')
    """
    return name + _at(offset)


def entry_name(entry: Entry) -> str:
    """``word.count [-1]``, ``center.inside & word.count [0]``, ``a [-1] & b [+2]``."""
    offsets = {offset for _, offset in entry.columns}
    if len(offsets) == 1:
        return " & ".join(name for name, _ in entry.columns) + _at(offsets.pop())
    return " & ".join(column_name(*column) for column in entry.columns)


def _at(offset: int) -> str:
    return f" [{offset:+d}]" if offset else " [0]"


@dataclass(frozen=True, eq=False)
class EntryValues:
    """The values of entries in words.

    Attributes:
        template: of the entries.
        sizes: number of codes of every column.
        code_names: codes in words.
    """

    template: Template
    sizes: Mapping[str, int]
    code_names: CodeNames

    def codes(self, entry: Entry, value: int) -> list[int]:
        """The code of every column of an entry."""
        shape = extents(entry, self.template, self.sizes)
        return [int(code) for code in np.unravel_index(value, shape)]

    def beyond(self, name: str, offset: int, code: int) -> str | None:
        """A code for a position outside the page in words; None if it is inside."""
        row = code - self.sizes[name]
        return outside(offset, row, self.template.outside(offset)) if row >= 0 else None

    def name(self, entry: Entry, value: int) -> str:
        """A value of an entry, the codes of its columns joined with ``&``."""
        return " & ".join(
            self.beyond(*column, code) or self.code_names.name(column[0], code)
            for column, code in zip(entry.columns, self.codes(entry, value), strict=True)
        )


@dataclass(frozen=True, eq=False)
class EdgeNames:
    """What edges read, in words.

    Attributes:
        edges: the edges.
        values: the values of their entries.
    """

    edges: Edges
    values: EntryValues

    @classmethod
    def of(cls, edges: Edges, declared: Mapping[str, Column]) -> EdgeNames:
        """The names, given the declared columns."""
        code_names = CodeNames(edges.codebook, declared)
        return cls(edges, EntryValues(edges.template, edges.sizes, code_names))

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
        name = self.values.name(entry, value)
        return name if len(self.edges.entries) == 1 else f"{entry_name(entry)}: {name}"
