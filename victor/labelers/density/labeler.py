"""Text density selects candidates; a keep/discard model of character n-grams classifies them.

The density of a block is (N(text) + 1) / (N(markup) + N(text) + 1); dense blocks of at least 60
characters are candidates. A language model of what is kept and one of what is discarded, of
characters up to order 6, are compared on the text of a candidate.

Source: S. Pal (2009), Extracting Useful Text from HTML.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from victor.base.arrays import Bools, Floats
from victor.base.errors import ConfigError
from victor.labelers.density.chunks import Chunks, measured
from victor.labelers.density.model import DensityModel
from victor.labelers.density.settings import Settings
from victor.labelers.labeler import System
from victor.labelers.rules import Clue, RuleLabeler, certainty
from victor.page.parsing.line_events import record_lines
from victor.page.table.blocks import BlockTable, Split
from victor.page.table.segment import segment

NAME: Final = "density"


@dataclass(frozen=True)
class DensityLabeler(RuleLabeler):
    """A rule labeler whose tables record the lengths of their tags, or the lines of the source.

    Attributes:
        split: what ends a block.
    """

    split: Split = "block"

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


def candidates(table: BlockTable, settings: Settings) -> Bools:
    """(n,) bool; has a block enough characters, and is it denser than the threshold of its page."""
    return Chunks.of(table).candidates(settings)


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
"""How the labeler is made."""
