"""What is thought of whole pages: whether they have content, and of which type they are."""

from __future__ import annotations

from dataclasses import dataclass

from victor.base.arrays import Floats


@dataclass(frozen=True, eq=False)
class PageJudgements:
    """What a page head says of the P pages of a batch.

    Attributes:
        p_no_content: (P,) float64 probability that the page has no content.
        p_type: (P, T) float64 probability of every type.
        types: (T,) names of the types.
    """

    p_no_content: Floats
    p_type: Floats
    types: tuple[str, ...]

    def type_of(self, page: int) -> str:
        """The most probable type of a page."""
        return self.types[int(self.p_type[page].argmax())]
