"""The constants of text density and of the character model: schema of ``configs/density.yaml``."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from victor.config import Limits, Section
from victor.labelers.density.ngrams import LONGEST, MOST_CHARACTERS
from victor.page.blocks import Split

__all__ = ["Candidates", "Model", "Settings"]


class Candidates(Section):
    """What makes a block a candidate: N(text) / (N(text) + N(markup)) and its length."""

    base: float = Field(default=0.5, ge=0, le=1, description="Threshold of a page of one density.")
    deviations: float = Field(
        default=1.0, description="So many standard deviations of the page are subtracted from it."
    )
    characters: int = Field(default=60, ge=0, description="Least characters of a candidate.")


class Model(Section):
    """The keep/discard model of character n-grams and its training."""

    order: int = Field(default=6, ge=1, le=LONGEST, description="Characters of the longest.")
    weight: float = Field(
        default=6.0, gt=0, description="Weight of different characters; 1 is Witten-Bell."
    )
    alphabet: int = Field(
        default=MOST_CHARACTERS, ge=1, le=MOST_CHARACTERS, description="Most characters told apart."
    )
    least_count: int = Field(default=2, ge=1, description="Rarer n-grams are not stored.")
    most_grams: int = Field(
        default=800_000, ge=1, le=900_000, description="Most n-grams stored, the frequent ones."
    )
    folds: int = Field(default=3, ge=2, description="Parts of the pages, for calibration.")


class Settings(Section):
    """The schema of ``configs/density.yaml``."""

    labeler: Literal["density"] = Field(default="density", description="The system.")
    mode: Literal["density", "ngram", "both"] = Field(
        default="both", description="What decides; both is density alone where there is no model."
    )
    model: str | None = Field(default=None, description="Path of a trained model, or null.")
    split: Split = Field(default="block", description="What ends a block, as in `victor.config`.")
    density: Candidates = Field(default=Candidates(), description="Which blocks are candidates.")
    ngram: Model = Field(default=Model(), description="What keeps or discards candidates.")
    limits: Limits = Field(default=Limits(), description="Bounds of one page.")
