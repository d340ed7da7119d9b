"""What the blocks before and after a block add to the log-odds of its labels, by the edges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from victor.base.arrays import Floats, Ints, Labels
from victor.base.labels import LABEL_NAMES, Label
from victor.explain.code_names import category_name
from victor.explain.terms import Summand
from victor.features.base import Column
from victor.model.crf.edges import Edges

BEFORE: Final = "blocks before"
AFTER: Final = "blocks after"
NAMES: Final = (BEFORE, AFTER)


@dataclass(frozen=True, eq=False)
class Neighbours:
    """Messages to the n blocks of a table, and the edges that they come by.

    Attributes:
        messages: (2, n, 3) float64 log messages from the blocks before and from those after.
        page: (n,) page of each block.
        kinds: (n,) kind of the edge to the block before.
        kind_names: the kinds in words; none if all edges are alike.
    """

    messages: Floats
    page: Ints
    kinds: Ints
    kind_names: tuple[str, ...]

    def differences(self, labels: Labels, against: Label) -> Floats:
        """(n, 2) what either message gives to a label of each block more than to another label."""
        rows = np.arange(len(labels))
        return np.asarray((self.messages[:, rows, labels] - self.messages[..., against]).T)

    def summands(self, block: int, row: Floats, label: Label, likely: Labels) -> list[Summand]:
        """Both sides of a block in words.

        Args:
            block: number of the block.
            row: (2,) the row of `differences` of this block.
            label: the label of the block there.
            likely: (n,) the most probable label of every block.
        """
        return [
            Summand(name, weight, partial(self._value, step, block, label, likely))
            for name, step, weight in zip(NAMES, (-1, 1), row.tolist(), strict=True)
        ]

    def _value(self, step: int, block: int, label: Label, likely: Labels) -> str:
        """The labels of a block and, most probably, of the next one in a direction; their edge."""
        other = block + step
        if not (0 <= other < len(self.page) and self.page[other] == self.page[block]):
            return "the page begins here" if step < 0 else "the page ends here"
        first, second = LABEL_NAMES[likely[other]], LABEL_NAMES[label]
        labels = f"{first} → {second}" if step < 0 else f"{second} → {first}"
        kind = int(self.kinds[max(block, other)])
        return f"{labels} ({self.kind_names[kind]})" if self.kind_names else labels


def kind_names(edges: Edges, declared: Mapping[str, Column]) -> tuple[str, ...]:
    """The kinds of edge in words, as the meaning of their column names them; none if all are alike.

    >>> import numpy as np
    >>> from victor.features import load
    >>> declared = {column.name: column for column in load("relations").columns}
    >>> kind_names(Edges(np.zeros((3, 3, 3)), "relation.before"), declared)
    ('alike', 'close', 'near')
    """
    if edges.column is None:
        return ()
    column = declared.get(edges.column)
    meaning, count = column.meaning if column else "", len(edges.values)
    return tuple(category_name(kind, count, meaning) for kind in range(count))
