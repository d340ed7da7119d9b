"""The constants of Kimatu: schema of ``configs/kimatu.yaml``."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from victor.config import Limits, Section
from victor.config.section import Count, NonNegative, Positive, Share

__all__ = ["Settings"]


class Areas(Section, frozen=True):
    """Text elements of the same appearance that lie near each other are one area."""

    near: Count = 0
    """Most other text elements between two."""


class Ratios(Section, frozen=True):
    """What the ratios of an area are measured against."""

    average_cap: Positive = 400.0
    """The highest average length counts as at most this."""
    marks_per_word: Positive = 0.05
    """Phrase-boundary marks per word that make the ratio 1."""
    links_per_element: Positive = 5.0
    """Links per text element that make the ratio 1."""


class Weights(Section, frozen=True):
    """Factors of the ratios in the relevance."""

    length: NonNegative = 0.5
    """Length of the area."""
    average: NonNegative = 0.5
    """Average length of its elements."""
    punctuation: NonNegative = 1.0
    """Lack of punctuation, subtracted."""
    links: NonNegative = 1.0
    """Link density, subtracted."""


class Functions(Section, frozen=True):
    """Short elements that share most words, such as "posted by", are deleted."""

    words: NonNegative = 10.0
    """Most words of an element on average."""
    elements: Annotated[int, Meta(ge=2)] = 3
    """Fewest elements of the appearance."""
    common: Share = 0.5
    """A shared word is in more than this of the elements."""
    shared: Share = 0.5
    """More than this of the words are shared ones."""


class Quotes(Section, frozen=True):
    """Repetitions of earlier sure areas are deleted."""

    similarity: Share = 0.8
    """LCS over the words of a quote is above this."""
    most: Share = 0.5
    """More than this of an appearance are quotes."""
    words: Annotated[int, Meta(ge=3)] = 5
    """Fewest words of a text that may be a quote."""
    word_cap: Annotated[int, Meta(ge=3)] = 300
    """Words of a text that are compared."""
    pair_cap: Count = 1000
    """Comparisons of one page."""


class Rescue(Section, frozen=True):
    """Dispersed areas that look like a sure one."""

    near: Annotated[int, Meta(ge=0, le=1000)] = 100
    """Most other text elements between them and a sure one of their look."""
    relevance: float = 0.1
    """Beside the sure ones of their look they have one above this."""


class Far(Section, frozen=True):
    """Candidates far from the others are deleted."""

    times: Positive = 4.0
    """Far is beyond so many times the geometric mean distance."""
    relevance: float = 0.5
    """Above this relevance they stay."""


class References(Section, frozen=True):
    """Areas near candidates are kept, such as headers."""

    reach: Count = 2
    """Near is so many text elements away at most."""
    relevance: float = -1.0
    """Such areas have one above this."""


class Settings(Section, frozen=True):
    """The schema."""

    labeler: Literal["kimatu"] = "kimatu"
    """The system configured."""
    areas: Areas = Areas()
    """What makes an area."""
    ratios: Ratios = Ratios()
    """Constants of the ratios."""
    weights: Weights = Weights()
    """Factors of the ratios."""
    sure: float = 0.32
    """Areas of a relevance above this are sure."""
    functions: Functions = Functions()
    """Function areas."""
    quotes: Quotes = Quotes()
    """Quotes."""
    rescue: Rescue = Rescue()
    """Dispersed areas."""
    far: Far = Far()
    """Far candidates."""
    references: References = References()
    """Areas near candidates."""
    limits: Limits = Limits()
    """Bounds of one page."""
