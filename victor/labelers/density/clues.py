"""What density labelers found of blocks: density, length, and what the language models say."""

from __future__ import annotations

import numpy as np

from victor.labelers.density.chunks import Chunks
from victor.labelers.density.model import DensityModel
from victor.labelers.density.settings import Settings
from victor.labelers.rules import Clue
from victor.page.blocks import BlockTable


def clues(table: BlockTable, settings: Settings, model: DensityModel | None = None) -> list[Clue]:
    """The numbers that decide on every block; see `victor.labelers.density.probabilities`."""
    by_model = [] if model is None else _by_model(table, settings, model)
    if settings.mode == "ngram" and model is not None:
        return by_model
    chunks, constants = Chunks.of(table), settings.density
    return [
        Clue(
            "text density",
            "text over text and markup, in characters; the limit is that of the page",
            chunks.block_density,
            chunks.thresholds(constants)[table.page],
            "above",
        ),
        Clue(
            "characters",
            "of the block; shorter ones are no candidates",
            chunks.text[chunks.of_block],
            np.full(len(table), float(constants.characters)),
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
