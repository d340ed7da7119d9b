"""The constants of text density and its n-grams; ``configs/density.yaml`` says what each means."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from victor.config.schema import Limits, Scope
from victor.config.section import Count, Flat, PositiveInt, Share
from victor.labelers.density.ngrams import LONGEST, MOST_CHARACTERS
from victor.page.table.blocks import Split


class Settings(Flat, frozen=True):
    """The schema of ``configs/density.yaml``."""

    labeler: Literal["density"] = "density"
    mode: Literal["density", "ngram", "both"] = "both"
    model: str | None = None
    split: Split = "block"
    density_base: Share = 0.5
    density_deviations: float = 1.0
    density_characters: Count = 60
    ngram_order: Annotated[int, Meta(ge=1, le=LONGEST)] = 6
    ngram_weight: Annotated[float, Meta(gt=0, le=1000)] = 6.0
    ngram_alphabet: Annotated[int, Meta(ge=1, le=MOST_CHARACTERS)] = MOST_CHARACTERS
    ngram_least_count: PositiveInt = 2
    ngram_most_grams: Annotated[int, Meta(ge=1, le=900000)] = 800_000
    ngram_calibrated: bool = True
    ngram_folds: Annotated[int, Meta(ge=2)] = 3
    limits: Limits = Limits()
    scope: Scope = Scope()
