"""The constants of text density and of the character model: schema of ``configs/density.yaml``."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from victor.config import Limits, Scope, Section
from victor.config.section import Count, Positive, PositiveInt, Share
from victor.labelers.density.ngrams import LONGEST, MOST_CHARACTERS
from victor.page.table.blocks import Split

__all__ = ["Candidates", "Model", "Settings"]


class Candidates(Section, frozen=True):
    """What makes a block a candidate: its density and its length."""

    base: Share = 0.5
    """Threshold of a page of one density."""
    deviations: float = 1.0
    """So many sample standard deviations of the page's long blocks are subtracted from it."""
    characters: Count = 60
    """Least characters of a candidate."""


class Model(Section, frozen=True):
    """The keep/discard model of character n-grams and its training."""

    order: Annotated[int, Meta(ge=1, le=LONGEST)] = 6
    """Characters of the longest."""
    weight: Positive = 6.0
    """Weight of different characters; 1 is Witten-Bell."""
    alphabet: Annotated[int, Meta(ge=1, le=MOST_CHARACTERS)] = MOST_CHARACTERS
    """Most characters told apart."""
    least_count: PositiveInt = 2
    """Rarer n-grams are not stored."""
    most_grams: Annotated[int, Meta(ge=1, le=900000)] = 800_000
    """Most n-grams stored, the frequent ones."""
    calibrated: bool = True
    """Log-odds are calibrated on pages that were not learnt; else they decide as they are."""
    folds: Annotated[int, Meta(ge=2)] = 3
    """Parts of the pages, for calibration."""


class Settings(Section, frozen=True):
    """The schema of ``configs/density.yaml``."""

    labeler: Literal["density"] = "density"
    """The system."""
    mode: Literal["density", "ngram", "both"] = "both"
    """What decides; both is density alone where there is no model."""
    model: str | None = None
    """Path of a trained model, or null."""
    split: Split = "block"
    """What ends a block, as in `victor.page.table.segment`."""
    density: Candidates = Candidates()
    """Which blocks are candidates."""
    ngram: Model = Model()
    """What keeps or discards candidates."""
    limits: Limits = Limits()
    """Bounds of one page."""
    scope: Scope = Scope()
    """Which parts of pages are kept."""
