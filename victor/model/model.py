"""A trained model: configuration, codebook, weights and their history in one file without pickle.

The file is a zip archive of ``model.json`` and one ``.npy`` member per array. It is written with
fixed time stamps, so the same model is always the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from victor.config import Config
from victor.errors import ModelError, VictorError
from victor.features.base import Bag, ColumnValues
from victor.labels import Label
from victor.model import archive
from victor.model.calibration import Calibration
from victor.model.crf.emission import Emission
from victor.model.crf.marginals import marginals, viterbi
from victor.model.crf.weights import Weights
from victor.model.discretize import Codebook
from victor.model.trees import Trees

FORMAT: Final = 2
_READ: Final = (1, 2)
"""Format 1 has neither presets, nor trees, nor a calibration."""


@dataclass(frozen=True, eq=False)
class Model:
    """Everything that turns the columns of a block table into marginals.

    Attributes:
        config: resolved configuration that the model was trained with.
        codebook: fitted discretisers of the columns the template reads.
        weights: trained weights.
        card: what people should know: training data with licences, fingerprint, scores.
        presets: named thresholds, chosen on pages that the model did not see.
        trees: say how probable it is that a block is kept; the chain then tells header from text.
        calibration: what makes marginals mean what they say; None leaves them.
    """

    config: Config
    codebook: Codebook
    weights: Weights
    card: Mapping[str, Any] = field(default_factory=dict)
    presets: Mapping[str, float] = field(default_factory=dict)
    trees: Trees | None = None
    calibration: Calibration | None = None

    def __post_init__(self) -> None:
        if not all(0 <= threshold <= 1 for threshold in self.presets.values()):
            raise ModelError("a preset is not between 0 and 1: store the presets again")
        if not self.weights.sizes.items() <= self.codebook.sizes.items():
            raise ModelError("the codes do not fit the weights: train the model again")

    @cached_property
    def _emission(self) -> Emission:
        return Emission.compile(self.weights, self.codebook.names)

    def scores(
        self, columns: Mapping[str, ColumnValues], page_starts: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """(n, 3) log potentials of the labels of each block, transitions not included."""
        bags = {name: value for name, value in columns.items() if isinstance(value, Bag)}
        return self._emission(self.codebook.codes(columns), bags, page_starts)

    def marginals(
        self, columns: Mapping[str, ColumnValues], page_starts: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """(n, 3) probability of every label of each block, columns in the order of `Label`."""
        scores = self.scores(columns, page_starts)
        probabilities = marginals(scores, self.weights.transitions, page_starts)
        if self.trees is not None:
            probabilities = with_keep(probabilities, self.trees(columns, page_starts))
        return probabilities if self.calibration is None else self.calibration(probabilities)

    def viterbi(
        self, columns: Mapping[str, ColumnValues], page_starts: NDArray[np.int64]
    ) -> NDArray[np.uint8]:
        """(n,) labels of the most probable sequence of each page."""
        return viterbi(self.scores(columns, page_starts), self.weights.transitions, page_starts)

    @property
    def columns(self) -> frozenset[str]:
        """Names of the columns that it reads."""
        of_trees = () if self.trees is None else self.trees.codebook.names
        return frozenset((*self.codebook.names, *self.weights.bags, *of_trees))

    def with_card(self, **entries: Any) -> Model:  # noqa: ANN401  (JSON values)
        """The same model with more said about it."""
        return replace(self, card={**self.card, **entries})

    def save(self, path: Path) -> None:
        """Write the model file; one that is there is replaced when all is written, not before."""
        described, arrays = self.weights.to_arrays()
        document: dict[str, Any] = {
            "format": FORMAT,
            "config": self.config.to_json(),
            "codebook": self.codebook.to_json(),
            "weights": described,
            "card": dict(self.card),
            "presets": dict(self.presets),
            "calibration": None if self.calibration is None else self.calibration.to_json(),
        }
        if self.trees is not None:
            document["trees"], grown = self.trees.to_arrays()
            arrays |= grown
        archive.write(path, document, arrays)

    @classmethod
    def load(cls, path: Path) -> Model:
        """Read a model file.

        Raises:
            ModelError: the file is missing, damaged or of another format.
        """
        document, arrays = archive.read(path)
        if document.get("format") not in _READ:
            raise ModelError(
                f"{path} has model format {document.get('format')}, this version reads {FORMAT}; "
                "train it again with `victor train`"
            )
        return cls._from_document(path, document, arrays)

    @classmethod
    def _from_document(
        cls, path: Path, document: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
    ) -> Model:
        try:
            return cls(
                config=Config.from_json(document["config"]),
                codebook=Codebook.from_json(document["codebook"]),
                weights=Weights.from_arrays(document["weights"], dict(arrays)),
                card=document.get("card", {}),
                presets={name: float(t) for name, t in document.get("presets", {}).items()},
                trees=Trees.from_arrays(document["trees"], arrays) if "trees" in document else None,
                calibration=_calibration(document.get("calibration")),
            )
        except (AttributeError, KeyError, TypeError, ValueError, VictorError) as error:
            raise ModelError(f"{path} is damaged: {error}; restore it or train again") from None


def with_keep(found: NDArray[np.float64], log_odds: NDArray[np.floating]) -> NDArray[np.float64]:
    """Marginals with other log-odds of being kept; header and text share it as they did.

    Args:
        found: (n, 3) marginals.
        log_odds: (n,) of being kept.

    Returns:
        (n, 3) float64.
    """
    header, text = found[:, Label.HEADER], found[:, Label.TEXT]
    share = np.divide(header, header + text, out=np.zeros(len(found)), where=header + text > 0)
    odds = np.exp(-np.abs(log_odds.astype(np.float64)))
    large, small = 1 / (1 + odds), odds / (1 + odds)
    keep = np.where(log_odds > 0, large, small)
    return np.stack(
        [keep * share, keep * (1 - share), np.where(log_odds > 0, small, large)], axis=1
    )


def _calibration(document: object) -> Calibration | None:
    return None if document is None else Calibration.from_json(document)
