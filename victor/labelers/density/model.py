"""A trained keep/discard model: character n-grams, their calibration and a model card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Floats, Ints
from victor.base.errors import ModelError, VictorError
from victor.config.section import from_data
from victor.labelers.density.ngrams import CharacterModel
from victor.labelers.density.settings import Settings
from victor.model import archive
from victor.model.calibration import Calibration
from victor.page.table.blocks import BlockTable
from victor.page.verdict.verdict import marginals

FORMAT: Final = 1
_LABELER: Final = "density"


@dataclass(frozen=True, eq=False)
class DensityModel:
    """Turns the text of a block into its probability of being kept.

    Attributes:
        settings: what the model was trained with.
        characters: the two language models.
        all_blocks, candidates: calibration of their log-odds, for all blocks and for candidates.
        prior: log-odds of a text before it is read; 0 where calibration takes care of it.
        card: facts about the training data.
    """

    settings: Settings
    characters: CharacterModel
    all_blocks: Calibration
    candidates: Calibration
    prior: float = 0.0
    card: Mapping[str, Any] = field(default_factory=dict)

    def keep(self, table: BlockTable, blocks: Ints, *, are_candidates: bool) -> Floats:
        """(k,) float64 probability of being kept of k blocks, whose numbers are given."""
        probabilities = evidence(
            self.characters, table.chars, table.start[blocks], table.end[blocks], self.prior
        )
        calibration = self.candidates if are_candidates else self.all_blocks
        calibrated = calibration(marginals(probabilities, np.zeros(len(probabilities), dtype=bool)))
        return np.asarray(calibrated[:, :2].sum(axis=1))

    def save(self, path: Path) -> None:
        """Write the model file; an existing one is replaced only when all is written."""
        document = {
            "format": FORMAT,
            "labeler": _LABELER,
            "settings": {
                key: value for key, value in self.settings.to_data().items() if key != "model"
            },
            "calibration": {
                "all_blocks": self.all_blocks.to_json(),
                "candidates": self.candidates.to_json(),
                "prior": self.prior,
            },
            "card": dict(self.card),
        }
        archive.write(path, document, self.characters.to_arrays())

    @classmethod
    def load(cls, path: Path) -> DensityModel:
        """Read a model file.

        Raises:
            ModelError: the file is missing, damaged, of another format or of another labeler.
        """
        document, arrays = archive.read(path)
        if (document.get("labeler"), document.get("format")) != (_LABELER, FORMAT):
            raise ModelError(
                f"{path} is no model of the labeler {_LABELER} in format {FORMAT}; train it again"
            )
        try:
            settings = from_data(
                Settings, Settings.written_out(document["settings"], {}, ""), "its settings"
            )
            calibration = document["calibration"]
            return cls(
                settings=settings,
                characters=CharacterModel.from_arrays(
                    arrays, settings.ngram_order, settings.ngram_weight
                ),
                all_blocks=Calibration.from_json(calibration["all_blocks"]),
                candidates=Calibration.from_json(calibration["candidates"]),
                prior=_finite(calibration.get("prior", 0.0)),
                card=dict(document.get("card", {})),
            )
        except (
            *(AttributeError, LookupError, TypeError, ValueError),
            *(ArithmeticError, MemoryError, VictorError),
        ) as error:
            raise ModelError(f"{path} is damaged: {error}; restore it or train again") from None


def _finite(value: object) -> float:
    if not isinstance(value, int | float) or not abs(value) <= archive.LARGEST:
        raise ValueError("its prior is no number")
    return float(value)


def evidence(
    characters: CharacterModel,
    chars: NDArray[np.uint32],
    start: Ints,
    end: Ints,
    prior: float = 0.0,
) -> Floats:
    """(n,) probability of being kept of texts, by the language models alone.

    The log-odds of a text are divided by the square root of its length: neighbouring characters
    are not independent, so the plain sum would be too sure of every longer text.

    Args:
        characters: the two models.
        chars: (N,) code points.
        start: (n,) where every text begins in them.
        end: (n,) where it ends, one past its last character.
        prior: log-odds of every text before it is read.
    """
    odds = (characters.log_odds(chars, start, end) + prior) / np.sqrt(end - start + 1)
    return np.asarray(0.5 + 0.5 * np.tanh(odds / 2))
