"""How a model reads the codes of all columns of a set of features, without their values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from victor.base.arrays import Codes, Floats, Floats32, Ints
from victor.model.crf.edges import Edges
from victor.model.model import Model

Scorer = Callable[[Codes, Ints], Floats]
"""(C, n) codes and (P + 1,) page starts to (n, 3) log potentials."""


@dataclass(frozen=True, eq=False)
class Reading:
    """What a model wants of C columns, and what it makes of them.

    Attributes:
        thresholds: of every column; None for one that is not read.
        raw: columns whose values are wanted, too.
        scorer: gives the potentials of nodes.
        edges: of the model.
    """

    thresholds: Sequence[Floats32 | None]
    raw: tuple[str, ...]
    scorer: Scorer
    edges: Edges

    @classmethod
    def of(cls, model: Model, names: Sequence[str]) -> Reading | None:
        """How a model reads columns of these names; None if it needs more than codes.

        That is so if a column is missing, a bag, or discretised by something else than thresholds.
        """
        thresholds = model.potentials.codebook.thresholds
        if thresholds is None or not {*names} >= {*model.columns}:
            return None
        scorer = model.potentials.scorer(names)
        if scorer is None:
            return None
        wanted = [thresholds.get(name) for name in names]
        return cls(wanted, model.edges.columns, scorer, model.edges)

    def __call__(self, codes: Codes, raw: Floats32, page_starts: Ints) -> tuple[Floats, Ints]:
        """What `Model.chain` gives, of (C, n) codes and the (R, n) values that are wanted."""
        scores = self.scorer(codes, page_starts)
        values = dict(zip(self.raw, raw, strict=True))
        return scores, self.edges.kinds(values, len(scores))
