"""Weights of a trained CRF as plain arrays, laid out by template entry and code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from victor.errors import ModelError
from victor.labels import Label
from victor.template import Entry, Template

N_LABELS = len(Label)

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class BagWeights:
    """Weights of the tokens of one bag column.

    Attributes:
        vocabulary: the V tokens that have a weight.
        values: (V, 3) float32.
    """

    vocabulary: tuple[str, ...]
    values: Floats


@dataclass(frozen=True, eq=False)
class Weights:
    """Log potentials of a linear chain; label axes are in the order of `Label`.

    Attributes:
        template: the entries; those of bag columns have no array in `entries`.
        sizes: number of codes of every column that is not a bag, in codebook order.
        entries: for each entry without a bag, in template order, (codes + outside, 3) float32:
            first a row per code (per combination of codes in a conjunction), then a row per
            place outside the page (`entry_outside`).
        bags: weights of every bag column.
        transitions: (3, 3) float32, from the label of a block (row) to that of the next.
    """

    template: Template
    sizes: Mapping[str, int]
    entries: tuple[Floats, ...]
    bags: Mapping[str, BagWeights]
    transitions: Floats

    def to_arrays(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """A description fit for JSON, and the arrays by name."""
        described = {
            "entries": [[list(place) for place in e.columns] for e in self.template.entries],
            "page_edge": self.template.page_edge,
            "sizes": dict(self.sizes),
            "bags": {name: list(bag.vocabulary) for name, bag in self.bags.items()},
        }
        empty = np.zeros((0, N_LABELS), dtype=np.float32)
        arrays = {
            "entries": np.concatenate([empty, *self.entries]),
            "transitions": self.transitions,
            **{f"bag-{place}": bag.values for place, bag in enumerate(self.bags.values())},
        }
        return described, arrays

    @classmethod
    def from_arrays(
        cls, described: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
    ) -> Weights:
        """The weights that `to_arrays` took apart.

        Raises:
            ModelError: description and arrays do not fit together.
        """
        template = Template(
            tuple(Entry(tuple((n, int(o)) for n, o in e)) for e in described["entries"]),
            described["page_edge"],
        )
        sizes = {name: int(size) for name, size in described["sizes"].items()}
        bags = {
            name: BagWeights(tuple(vocabulary), arrays[f"bag-{place}"])
            for place, (name, vocabulary) in enumerate(described["bags"].items())
        }
        if any(bag.values.shape != (len(bag.vocabulary), N_LABELS) for bag in bags.values()):
            raise ModelError("the weights of a bag do not fit its vocabulary")
        lengths = entry_sizes(template, sizes)
        if arrays["entries"].shape != (sum(lengths), N_LABELS):
            raise ModelError("the weights do not fit the template")
        entries = np.split(arrays["entries"], np.cumsum(lengths)[:-1]) if lengths else []
        return cls(template, sizes, tuple(entries), bags, arrays["transitions"])


def coded_entries(template: Template, sizes: Mapping[str, int]) -> list[Entry]:
    """The entries whose columns have codes, that is all but the bags."""
    return [entry for entry in template.entries if entry.columns[0][0] in sizes]


def entry_codes(entry: Entry, sizes: Mapping[str, int]) -> int:
    """Number of (combined) codes of an entry, outside places not counted."""
    return int(np.prod([sizes[name] for name, _ in entry.columns]))


def entry_outside(entry: Entry, template: Template) -> int:
    """How many values an entry has for places outside the page: those of its farthest place."""
    return max(template.outside(offset) for _, offset in entry.columns)


def entry_sizes(template: Template, sizes: Mapping[str, int]) -> list[int]:
    """Rows of every entry without a bag."""
    return [
        entry_codes(entry, sizes) + entry_outside(entry, template)
        for entry in coded_entries(template, sizes)
    ]
