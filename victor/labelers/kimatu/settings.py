"""The constants of Kimatu: schema of ``configs/kimatu.yaml``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Final, Literal

from msgspec import Meta

from victor.config import Limits, Section
from victor.config.section import Count, NonNegative, Positive, Share

__all__ = ["SPACE", "Settings"]


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
    functions_per_word: Positive = 0.3
    """Function words per word that make the ratio 1."""


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
    functions: NonNegative = 0.0
    """Lack of function words, subtracted; 0: they are not counted."""


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


class Backtracking(Section, frozen=True):
    """Planned in the paper: steps that make a page worse are taken back."""

    enabled: bool = False
    """Try the last three steps with and without."""
    run_cost: NonNegative = 0.001
    """What every run of kept elements takes from a page's value."""


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
    backtracking: Backtracking = Backtracking()
    """Taking back steps."""
    limits: Limits = Limits()
    """Bounds of one page."""


OPEN: Final[Mapping[str, Sequence[object]]] = {
    "ratios.links_per_element": (0.5, 1.0, 1.5, 2.0, 3.0, 5.0),
    "ratios.marks_per_word": (0.05, 0.075, 0.1, 0.125, 0.15),
    "ratios.average_cap": (100.0, 200.0, 300.0, 400.0, 600.0, 1000.0),
    "references.reach": (0, 1, 2, 3, 4, 5, 6, 8, 12),
    "rescue.near": (0, 2, 5, 10, 20, 50, 100),
    "far.times": (2.0, 4.0, 8.0, 16.0, 32.0),
    "areas.near": (0, 1, 2, 3, 5, 8, 12),
    "functions.common": (0.3, 0.5, 0.7),
    "functions.shared": (0.3, 0.5, 0.7),
    "quotes.similarity": (0.7, 0.8, 0.9, 1.0),
}
"""Values that a search tries of the constants for which the paper gives no number or example."""
SPACE: Final[Mapping[str, Sequence[object]]] = {
    **OPEN,
    "quotes.words": (5, 8, 12, 20),
    "functions.words": (0.0, 5.0, 10.0, 15.0, 20.0),
    "references.relevance": (-1.2, -1.0, -0.97, -0.9, -0.8, -0.6, -0.4, -0.2, 0.0),
    "weights.length": (0.25, 0.5, 0.75, 1.0),
    "weights.average": (0.25, 0.5, 0.75, 1.0),
    "weights.punctuation": (0.25, 0.5, 0.75, 1.0, 1.25),
    "weights.links": (0.5, 0.75, 1.0, 1.5, 2.0),
    "sure": (-0.2, 0.0, 0.1, 0.2, 0.32, 0.4, 0.5),
    "rescue.relevance": (-0.6, -0.4, -0.2, -0.1, 0.0, 0.1, 0.2),
    "far.relevance": (0.2, 0.32, 0.5, 0.7),
    "backtracking.enabled": (False, True),
}
"""Values that training tries; the paper's own constants are among them."""
