"""The weights of linear potentials: one per label for every value of every template entry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Floats32
from victor.base.errors import ModelError, TemplateError
from victor.base.labels import LABEL_NAMES
from victor.model import archive
from victor.model.crf.attributes import n_values
from victor.model.template import Template

UNTRAINED = -1e4
"""Bias of a label that no training block had: its probability is 0."""


_DAMAGE = (AttributeError, IndexError, KeyError, TypeError, ValueError, OverflowError, MemoryError)
"""Errors that damaged parts of a model file cause."""


@dataclass(frozen=True, eq=False)
class Weights:
    """Weights of linear node potentials of the labels `victor.base.labels.Label`, L in number.

    Attributes:
        template: its entries.
        sizes: number of codes of every column that the template reads.
        entries: for each entry of the template (values, L) float32, a row per value of the
            entry (`victor.model.crf.attributes.entry_values`).
        bias: (L,) float32 added to every block.
    """

    template: Template
    sizes: Mapping[str, int]
    entries: tuple[Floats32, ...]
    bias: Floats32

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
        n_labels = len(LABEL_NAMES)
        template.check(sizes)
        weights = archive.weights(arrays["entries"], n_labels).astype(np.float32)
        n_rows = [n_values(entry, template, sizes) for entry in template.entries]
        bounds = np.cumsum(n_rows, dtype=np.int64)
        *entries, rest = np.split(weights, bounds)
        if len(rest):
            raise ModelError("the model has more weights than its template: train it again")
        bias = archive.weights(arrays["bias"]).astype(np.float32)
        return cls(template, sizes, tuple(entries), bias)
