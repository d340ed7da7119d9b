"""Linear node potentials: a weight for every label and every value of every template entry."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Codes, Floats, Floats32, Ints
from victor.base.errors import ModelError, TemplateError
from victor.base.labels import LABEL_NAMES, Label
from victor.base.lazy import cached_property
from victor.features.base import ColumnValues
from victor.model import archive
from victor.model.discretize import Codebook
from victor.model.template import Entry, Template, entry_values, n_values, outside

UNTRAINED: Final = -1e4  # bias of a label that no training block had: its probability is 0
_DAMAGE: Final = (
    AttributeError, IndexError, KeyError, TypeError, ValueError, OverflowError, MemoryError,
)  # fmt: skip
"""Errors that damaged parts of a model file cause."""
_PIECE: Final = 4096
"""Blocks whose weights are looked up at once: those of more do not fit into the cache."""

Pairs = NDArray[np.complex128]
"""Scores of two labels, header and text, relative to that of the third; one number that adds up
and moves as a whole is several times as fast as a row of two."""


@dataclass(frozen=True, eq=False)
class Weights:
    """Weights of linear node potentials of the labels `victor.base.labels.Label`, L in number."""

    template: Template  # its entries
    sizes: Mapping[str, int]  # number of codes of every column that the template reads
    entries: tuple[Floats32, ...]
    """For each entry of the template (values, L) float32, a row per value of the entry
    (`victor.model.template.entry_values`)."""
    bias: Floats32  # (L,) float32 added to every block

    def __post_init__(self) -> None:
        n_labels = len(LABEL_NAMES)
        wanted = [
            (n_values(entry, self.template, self.sizes), n_labels)
            for entry in self.template.entries
        ]
        if [array.shape for array in self.entries] != wanted:
            raise ModelError("the weights do not fit the template: train the model again")
        if self.bias.shape != (n_labels,):
            raise ModelError(f"the weights are not those of {n_labels} labels: train again")

    def to_arrays(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Plain data and arrays for a model file; `from_arrays` reads them."""
        document = {
            "labels": list(LABEL_NAMES),
            "template": self.template.to_json(),
            "sizes": dict(self.sizes),
        }
        empty = np.zeros((0, len(LABEL_NAMES)), dtype=np.float32)
        arrays: dict[str, NDArray[Any]] = {
            "entries": np.concatenate([empty, *self.entries]),
            "bias": self.bias,
        }
        return document, arrays

    @classmethod
    def from_arrays(
        cls, document: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
    ) -> Weights:
        """The weights that `to_arrays` wrote.

        Raises:
            ModelError: something is missing or does not fit.
        """
        try:
            return cls._read(document, arrays)
        except (*_DAMAGE, TemplateError) as error:
            raise ModelError(f"the weights are damaged: {error!r}; train the model again") from None

    @classmethod
    def _read(cls, document: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Weights:
        if tuple(document["labels"]) != LABEL_NAMES:
            raise ModelError(f"the model has other labels: {document['labels']}; train it again")
        template = Template.from_json(document["template"])
        sizes = {str(name): int(size) for name, size in document["sizes"].items()}
        template.check(sizes)
        weights = archive.weights(arrays["entries"], len(LABEL_NAMES)).astype(np.float32)
        n_rows = [n_values(entry, template, sizes) for entry in template.entries]
        *entries, rest = np.split(weights, np.cumsum(n_rows, dtype=np.int64))
        if len(rest):
            raise ModelError("the model has more weights than its template: train it again")
        bias = archive.weights(arrays["bias"]).astype(np.float32)
        return cls(template, sizes, tuple(entries), bias)


class _OfOffset(NamedTuple):
    """The entries that read one column of the blocks at one offset; k of them."""

    columns: Ints  # (k,) numbers of the columns
    starts: Ints  # (k, 1) where the weights of each begin in `table`
    table: Pairs  # weights of all their values, those outside the page included
    beyond: Pairs  # weights of all entries together, by the place outside the page


@dataclass(frozen=True, eq=False)
class Emission:
    """Weights laid out for the codes of some columns.

    Only differences between labels matter, so scores are relative to that of `Label.OTHER`.
    """

    weights: Weights  # the trained ones
    numbers: Mapping[str, int]  # column name to its number in the codes
    plain: Mapping[int, _OfOffset]  # offset to the entries of one column
    joined: tuple[tuple[Entry, Pairs], ...]  # conjunctions with their (values,) weights

    @classmethod
    def compile(cls, weights: Weights, names: Sequence[str]) -> Emission:
        """Lay weights out.

        Args:
            weights: trained weights.
            names: the columns of the codes, in order; more than the weights need do no harm.

        Raises:
            ModelError: the weights need a column that is not there.
        """
        numbers = {name: number for number, name in enumerate(names)}
        missing = [name for name in weights.sizes if name not in numbers]
        if missing:
            raise ModelError(f"no codes for columns {', '.join(missing)}: train the model again")
        rows: dict[int, list[tuple[str, Pairs]]] = {}
        joined: list[tuple[Entry, Pairs]] = []
        for entry, values in zip(weights.template.entries, weights.entries, strict=True):
            relative = values.astype(np.float64)
            relative -= relative[:, Label.OTHER :]
            pairs = relative[:, Label.HEADER] + 1j * relative[:, Label.TEXT]
            if len(entry.columns) == 1:
                name, offset = entry.columns[0]
                rows.setdefault(offset, []).append((name, pairs))
            else:
                joined.append((entry, pairs))
        plain = {
            offset: _OfOffset(
                columns=np.array([numbers[name] for name, _ in some]),
                starts=np.cumsum([0, *(len(pairs) for _, pairs in some)])[:-1, None],
                table=np.concatenate([pairs for _, pairs in some]),
                beyond=np.sum([pairs[weights.sizes[name] :] for name, pairs in some], axis=0),
            )
            for offset, some in sorted(rows.items())
        }
        return cls(weights, numbers, plain, tuple(joined))

    def __call__(self, codes: Codes, page_starts: Ints) -> Floats:
        """Score a batch.

        Args:
            codes: (C, n) codes of the columns given to `compile`.
            page_starts: (P + 1,) page p owns blocks ``page_starts[p]:page_starts[p + 1]``.

        Returns:
            (n, 3) float64 log potentials, those of `Label.OTHER` the same for all blocks.
        """
        template, sizes = self.weights.template, self.weights.sizes
        total = np.zeros(codes.shape[1], dtype=np.complex128)
        for offset, entries in self.plain.items():
            values = np.roll(_sums(entries, codes), -offset)
            blocks, places = outside(page_starts, offset, template=template)
            values[blocks] = entries.beyond[places]
            total += values
        by_name = {name: codes[number] for name, number in self.numbers.items()}
        for entry, pairs in self.joined:
            rows = entry_values(entry, by_name, page_starts, template=template, sizes=sizes)
            total += pairs[rows]
        scores = np.zeros((len(Label), len(total)))
        scores[Label.HEADER], scores[Label.TEXT] = total.real, total.imag
        bias = self.weights.bias.astype(np.float64)
        return np.asarray((scores + (bias - bias[Label.OTHER])[:, None]).T)


def _sums(entries: _OfOffset, codes: Codes) -> Pairs:
    """(n,) sums of the weights of all entries at every block itself, in the order of entries."""
    sums = np.zeros(codes.shape[1], dtype=np.complex128)
    for first in range(0, len(sums), _PIECE):
        piece = sums[first : first + _PIECE]
        rows = entries.starts + codes[entries.columns, first : first + _PIECE]
        for weights in entries.table.take(rows):  # numpy's own sums depend on the shape
            piece += weights
    return sums


@dataclass(frozen=True, eq=False)
class LinearPotentials:
    """Codes to sums of weights.

    Raises:
        ModelError: the codes do not fit the weights.
    """

    codebook: Codebook  # fitted discretisers of the columns that the template reads
    weights: Weights  # trained weights

    def __post_init__(self) -> None:
        if not self.weights.sizes.items() <= self.codebook.sizes.items():
            raise ModelError("the codes do not fit the weights: train the model again")

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read."""
        return self.codebook.names

    def scorer(self, names: Sequence[str]) -> Callable[[Codes, Ints], Floats]:
        """What gives the same of (C, n) codes of columns of these names."""
        return Emission.compile(self.weights, names)

    @cached_property
    def _emission(self) -> Emission:
        return Emission.compile(self.weights, self.codebook.names)

    def __call__(self, columns: Mapping[str, ColumnValues], page_starts: Ints) -> Floats:
        """(n, 3) log potentials of the labels of each block.

        Raises:
            FeatureError: a column is missing.
        """
        return self._emission(self.codebook.codes(columns).T, page_starts)
