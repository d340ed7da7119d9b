"""Text density selects candidates; a keep/discard model of character n-grams classifies them.

The density of a block is (N(text) + 1) / (N(markup) + N(text) + 1); dense blocks of at least 60
characters are candidates. A language model of what is kept and one of what is discarded, of
characters up to order 6, are compared on the text of a candidate.

Source: S. Pal (2009), Extracting Useful Text from HTML.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from victor.base.arrays import Floats, Ints
from victor.base.errors import ConfigError, ModelError, VictorError
from victor.config.schema import from_data
from victor.labelers.density.chunks import Chunks, Settings, measured
from victor.labelers.density.ngrams import CharacterModel
from victor.labelers.labeler import System
from victor.labelers.rules import Clue, RuleLabeler, certainty
from victor.model import archive
from victor.model.calibration import Calibration
from victor.page.parsing.source_lines import record_lines
from victor.page.table.blocks import BlockTable, Split
from victor.page.table.segment import segment
from victor.page.verdict.verdict import marginals

FORMAT: Final = 1
_LABELER: Final = "density"


@dataclass(frozen=True, eq=False)
class DensityModel:
    """Turns the text of a block into its probability of being kept."""

    settings: Settings  # what the model was trained with
    characters: CharacterModel  # the two language models
    all_blocks: Calibration  # calibration of their log-odds for all blocks
    candidates: Calibration  # calibration for candidates
    prior: float = 0.0  # log-odds of a text before it is read; 0 where calibration takes care of it
    card: Mapping[str, Any] = field(default_factory=dict)  # facts about the training data

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


NAME: Final = "density"


@dataclass(frozen=True)
class DensityLabeler(RuleLabeler):
    """A rule labeler whose tables record the lengths of their tags, or the lines of the source."""

    split: Split = "block"  # what ends a block

    def table(self, pages: Sequence[bytes]) -> BlockTable:
        """Block table of a batch of pages given as UTF-8 bytes."""
        if self.split == "line":
            return segment(record_lines(pages, attributes=self.attributes), "line")
        return measured(pages, self.split)


def labeler(settings: Settings, model: DensityModel | None = None) -> DensityLabeler:
    """The labeler with given constants.

    Args:
        settings: how blocks are cut and decided on; the model has its own n-grams.
        model: None for the one that the settings name, if they name one.

    Raises:
        ConfigError: the mode needs a model.
        ModelError: the model is missing or damaged.
    """
    if model is None and settings.model:
        model = DensityModel.load(Path(settings.model))
    if settings.mode == "ngram" and model is None:
        raise ConfigError(
            "mode ngram needs a model: train one and name it as `model`, or choose density"
        )
    keep = partial(probabilities, settings=settings, model=model)
    return DensityLabeler(
        NAME,
        keep,
        limits=settings.limits,
        scope=settings.scope,
        canonical=settings.split != "line",
        split=settings.split,
        find_clues=partial(clues, settings=settings, model=model),
    )


def probabilities(
    table: BlockTable, settings: Settings, model: DensityModel | None = None
) -> Floats:
    """(n,) probability of being kept.

    For candidates it is that of the model, or without a model 0.5 and more by density; for all
    other blocks half their density.
    """
    if settings.mode == "ngram" and model is not None:
        return model.keep(table, np.arange(len(table)), are_candidates=False)
    chunks = Chunks.of(table)
    are_candidates = chunks.candidates(settings)
    if settings.mode == "density" or model is None:
        return certainty(are_candidates, chunks.block_density)
    keep = certainty(np.zeros_like(are_candidates), chunks.block_density)
    candidate_rows = np.flatnonzero(are_candidates)
    keep[candidate_rows] = model.keep(table, candidate_rows, are_candidates=True)
    return keep


def clues(table: BlockTable, settings: Settings, model: DensityModel | None = None) -> list[Clue]:
    """The numbers that decide on every block."""
    by_model = [] if model is None else _by_model(table, settings, model)
    if settings.mode == "ngram" and model is not None:
        return by_model
    chunks = Chunks.of(table)
    return [
        Clue(
            "text density",
            "text over text and markup, in characters; the limit is that of the page",
            chunks.block_density,
            chunks.thresholds(settings)[table.page],
            "above",
        ),
        Clue(
            "characters",
            "of the block; shorter ones are no candidates",
            chunks.text[chunks.of_block],
            np.full(len(table), float(settings.density_characters)),
            "from",
        ),
        *([] if settings.mode == "density" else by_model),
    ]


def _by_model(table: BlockTable, settings: Settings, model: DensityModel) -> list[Clue]:
    are_candidates = settings.mode == "both"
    keep = model.keep(table, np.arange(len(table)), are_candidates=are_candidates)
    of_whom = "of candidates, " if are_candidates else ""
    meaning = f"{of_whom}how much the text looks like what is kept, by character n-grams"
    return [Clue("language", meaning, keep, np.full(len(table), 0.5), "above")]


SYSTEM: Final = System(Settings, labeler)
