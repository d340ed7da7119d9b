"""The constants of Kimatu; ``configs/kimatu.yaml`` says what each of them means."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from victor.config.schema import Limits
from victor.config.section import Count, Flat, NonNegative, Positive, Share

_AtLeastThree = Annotated[int, Meta(ge=3)]


class Settings(Flat, frozen=True):
    """The schema of ``configs/kimatu.yaml``."""

    labeler: Literal["kimatu"] = "kimatu"
    areas_near: Count = 0
    ratios_average_cap: Positive = 400.0
    ratios_marks_per_word: Positive = 0.05
    ratios_links_per_element: Positive = 5.0
    weights_length: NonNegative = 0.5
    weights_average: NonNegative = 0.5
    weights_punctuation: NonNegative = 1.0
    weights_links: NonNegative = 1.0
    sure: float = 0.32
    functions_words: NonNegative = 10.0
    functions_elements: Annotated[int, Meta(ge=2)] = 3
    functions_common: Share = 0.5
    functions_shared: Share = 0.5
    quotes_similarity: Share = 0.8
    quotes_most: Share = 0.5
    quotes_words: _AtLeastThree = 5
    quotes_word_cap: _AtLeastThree = 300
    quotes_pair_cap: Count = 1000
    rescue_near: Annotated[int, Meta(ge=0, le=1000)] = 100
    rescue_relevance: float = 0.1
    far_times: Positive = 4.0
    far_relevance: float = 0.5
    references_reach: Count = 2
    references_relevance: float = -1.0
    limits: Limits = Limits()
