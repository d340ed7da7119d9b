"""What spoke for and against the blocks of a page, by feature module, small enough for a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from victor.base.labels import Label
from victor.explain.contributions import Explanation
from victor.explain.findings import least_sure
from victor.explain.groups import Group, Grouped, Part, grouped
from victor.labelers.rules import Clue

_GROUPS: Final = 9
"""Groups of a block, the strongest ones; all others are added up."""
_PARTS: Final = 2
"""Parts of a group, the strongest ones; all others are added up."""
_MOST: Final = 3_000
"""Blocks with reasons; on larger pages those of which the model is least sure."""
_DIGITS: Final = 3


def reasons_of(explanation: Explanation) -> dict[str, Any]:
    """What adds most to the log-odds of blocks, as plain data.

    Returns:
        ``groups``, ``names`` and ``values``: texts by number, those of names with their meanings.
        ``blocks``: by number of the block, the label that is compared with *other*; the log-odds;
        the strongest groups: number, sum, the strongest parts (flat: name, value, weight), and how
        many others there are with their sum; and how many other groups there are with their sum.
    """
    numbered = _Numbered()
    blocks_shown = least_sure(explanation.marginals[:, Label.OTHER], _MOST)
    blocks = {
        block.block: numbered.block(block) for block in grouped(explanation, blocks_shown, _PARTS)
    }
    return {
        "groups": [*numbered.groups],
        "names": [*numbered.names],
        "values": [*numbered.values],
        "blocks": blocks,
    }


def clue_columns(clues: Sequence[Clue]) -> list[dict[str, Any]]:
    """What rules found of the blocks of a page, as plain data: a column for each clue."""
    return [
        {
            "name": clue.name,
            "meaning": clue.meaning,
            "keeps": clue.keeps,
            "values": _short(np.asarray(clue.values)),
            "limits": None if clue.limit is None else _short(clue.limit),
        }
        for clue in clues
    ]


def _short(values: NDArray[Any]) -> list[Any]:
    rounded = values.round(_DIGITS) if values.dtype.kind == "f" else values
    return [*rounded.tolist()]


class _Numbered:
    """Reasons with numbers in place of texts, for blocks have the same ones."""

    def __init__(self) -> None:
        self.groups: dict[str, int] = {}
        self.names: dict[tuple[str, str], int] = {}
        self.values: dict[str, int] = {}

    def block(self, reasons: Grouped) -> list[object]:
        others = reasons.groups[_GROUPS:]
        return [
            int(reasons.label),
            _rounded(reasons.log_odds),
            [self._group(group) for group in reasons.groups[:_GROUPS]],
            len(others),
            _rounded(sum(group.weight for group in others)),
        ]

    def _group(self, group: Group) -> list[object]:
        number = self.groups.setdefault(group.name, len(self.groups))
        parts = [value for part in group.parts for value in self._part(part)]
        return [number, _rounded(group.weight), parts, group.n_more, _rounded(group.more)]

    def _part(self, part: Part) -> tuple[int, int, float]:
        meaning = f"{part.meaning}, {part.where}" if part.where else part.meaning
        return (
            self.names.setdefault((part.name, meaning), len(self.names)),
            self.values.setdefault(part.value, len(self.values)),
            _rounded(part.weight),
        )


def _rounded(weight: float) -> float:
    return round(weight, _DIGITS)
