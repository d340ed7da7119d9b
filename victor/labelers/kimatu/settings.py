"""The constants of Kimatu: schema of ``configs/kimatu.yaml``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal

from pydantic import Field

from victor.config import Limits, Section

__all__ = ["SPACE", "Settings"]


class Areas(Section):
    """Text elements of the same appearance that lie near each other are one area."""

    near: int = Field(default=3, ge=0, description="Most other text elements between two.")


class Ratios(Section):
    """What the ratios of an area are measured against."""

    average_cap: float = Field(
        default=400.0, gt=0, description="The highest average length counts as at most this."
    )
    marks_per_word: float = Field(
        default=0.1, gt=0, description="Phrase-boundary marks per word that make the ratio 1."
    )
    links_per_element: float = Field(
        default=2.0, gt=0, description="Links per text element that make the ratio 1."
    )


class Weights(Section):
    """Factors of the four ratios in the relevance."""

    length: float = Field(default=0.5, ge=0, description="Length of the area.")
    average: float = Field(default=0.5, ge=0, description="Average length of its elements.")
    punctuation: float = Field(default=1.0, ge=0, description="Lack of punctuation, subtracted.")
    links: float = Field(default=1.0, ge=0, description="Link density, subtracted.")


class Functions(Section):
    """Short elements that share most words, such as "posted by", are deleted."""

    words: float = Field(default=10.0, ge=0, description="Most words of an element on average.")
    elements: int = Field(default=3, ge=2, description="Fewest elements of the appearance.")
    common: float = Field(
        default=0.5, ge=0, le=1, description="A shared word is in more than this of the elements."
    )
    shared: float = Field(
        default=0.5, ge=0, le=1, description="More than this of the words are shared ones."
    )


class Quotes(Section):
    """Repetitions of earlier sure areas are deleted."""

    similarity: float = Field(
        default=0.8, ge=0, le=1, description="LCS over the words of a quote is above this."
    )
    most: float = Field(
        default=0.5, ge=0, le=1, description="More than this of an appearance are quotes."
    )
    words: int = Field(default=5, ge=3, description="Fewest words of a text that may be a quote.")
    word_cap: int = Field(default=300, ge=3, description="Words of a text that are compared.")
    pair_cap: int = Field(default=1000, ge=0, description="Comparisons of one page.")


class Rescue(Section):
    """Dispersed areas that look like a sure one."""

    relevance: float = Field(default=0.1, description="Their relevance is above this.")


class Far(Section):
    """Candidates far from the others are deleted."""

    times: float = Field(
        default=8.0, gt=0, description="Far is beyond so many times the geometric mean distance."
    )
    relevance: float = Field(default=0.5, description="Above this relevance they stay.")


class References(Section):
    """Headings of kept text are kept, and relevant areas near them."""

    reach: int = Field(default=4, ge=0, description="Text elements that near is.")
    relevance: float = Field(default=0.0, description="Areas near them have one above this.")


class Site(Section):
    """Beyond the paper: texts frequent on the given pages of a site."""

    pages: int = Field(default=3, ge=2, description="Fewest pages that hold a frequent text.")
    share: float = Field(default=0.5, ge=0, le=1, description="Least share of the pages given.")
    weight: float = Field(
        default=1.0, ge=0, description="Taken from the relevance of an area of such texts only."
    )


class Backtracking(Section):
    """Beyond the paper: steps that make a page worse are taken back."""

    enabled: bool = Field(default=False, description="Try the last three steps with and without.")
    run_cost: float = Field(
        default=0.001,
        ge=0,
        description="What every run of kept elements takes from a page's value.",
    )


class Settings(Section):
    """The schema."""

    labeler: Literal["kimatu"] = Field(default="kimatu", description="The system configured.")
    areas: Areas = Field(default=Areas(), description="What makes an area.")
    ratios: Ratios = Field(default=Ratios(), description="Constants of the ratios.")
    weights: Weights = Field(default=Weights(), description="Factors of the ratios.")
    sure: float = Field(default=0.32, description="Areas of a relevance above this are sure.")
    functions: Functions = Field(default=Functions(), description="Function areas.")
    quotes: Quotes = Field(default=Quotes(), description="Quotes.")
    rescue: Rescue = Field(default=Rescue(), description="Dispersed areas.")
    far: Far = Field(default=Far(), description="Far candidates.")
    references: References = Field(default=References(), description="Headings.")
    site: Site = Field(default=Site(), description="Frequent texts of a site.")
    backtracking: Backtracking = Field(default=Backtracking(), description="Taking back steps.")
    limits: Limits = Field(default=Limits(), description="Bounds of one page.")


SPACE: Final[Mapping[str, Sequence[object]]] = {
    "ratios.links_per_element": (1.0, 2.0, 3.0, 5.0, 8.0),
    "ratios.marks_per_word": (0.05, 0.075, 0.1, 0.125, 0.15),
    "ratios.average_cap": (100.0, 200.0, 300.0, 400.0, 600.0, 1000.0),
    "weights.length": (0.25, 0.5, 0.75, 1.0),
    "weights.average": (0.25, 0.5, 0.75, 1.0),
    "weights.punctuation": (0.25, 0.5, 0.75, 1.0, 1.25),
    "weights.links": (0.5, 0.75, 1.0, 1.5, 2.0),
    "sure": (-0.2, 0.0, 0.1, 0.2, 0.32, 0.4, 0.5),
    "rescue.relevance": (-0.6, -0.4, -0.2, -0.1, 0.0, 0.1, 0.2),
    "references.relevance": (-0.8, -0.6, -0.4, -0.2, -0.1, 0.0, 0.1, 0.2),
    "references.reach": (0, 1, 2, 3, 4, 6, 8, 12),
    "far.times": (2.0, 4.0, 8.0, 16.0, 32.0),
    "far.relevance": (0.2, 0.32, 0.5, 0.7),
    "areas.near": (0, 1, 2, 3, 5, 8, 12),
    "functions.words": (0.0, 5.0, 10.0, 15.0),
    "functions.shared": (0.3, 0.5, 0.7),
    "quotes.similarity": (0.7, 0.8, 0.9, 1.0),
    "backtracking.enabled": (False, True),
}
"""Values that a search tries."""
