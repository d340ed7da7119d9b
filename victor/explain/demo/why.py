"""What spoke for and against the blocks of a page, small enough for a file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from victor.explain.contributions import Contribution, Explanation, Reasons
from victor.labels import Label

_TOP: Final = 8
"""Contributions of each sign of a block."""
_MOST: Final = 3_000
"""Blocks with reasons; on larger pages those of which the model is least sure."""
_REST: Final = "all others"


def reasons_of(explanation: Explanation) -> dict[str, Any]:
    """What adds most to the log-odds of blocks, as plain data.

    Returns:
        ``groups``, ``names`` and ``values``: texts by number, groups and names with their
        meanings. ``blocks``: by number of the block, the label that is compared with *other*, the
        log-odds, and the groups: number, sum, and the strongest contributions, flat, as name,
        value and weight.
    """
    groups, names, values = _Numbers(), _Numbers(), _Numbers()
    blocks = {}
    for reasons in explanation.reasons(_least_sure(explanation), _TOP):
        rows = [
            [
                groups.number((group, "")),
                round(sum(term.weight for term in terms), 3),
                [
                    number
                    for term in terms
                    for number in (
                        names.number((term.name, "")),
                        values.number(term.value),
                        round(term.weight, 3),
                    )
                ],
            ]
            for group, terms in _grouped(reasons)
        ]
        blocks[reasons.block] = {
            "label": int(reasons.label),
            "odds": round(reasons.log_odds, 3),
            "groups": rows,
        }
    return {"groups": [*groups], "names": [*names], "values": [*values], "blocks": blocks}


def _grouped(reasons: Reasons) -> Iterator[tuple[str, list[Contribution]]]:
    """Contributions by the first part of their names, and the rest."""
    groups: dict[str, list[Contribution]] = defaultdict(list)
    for term in (*reasons.speaks_for, *reasons.speaks_against):
        groups[term.name.split(" [")[0].split(".")[0]].append(term)
    groups[_REST].append(reasons.rest)
    yield from sorted(groups.items(), key=lambda group: -abs(sum(t.weight for t in group[1])))


class _Numbers(dict[Any, int]):
    """Numbers things in the order in which they come; equal ones have one number."""

    def number(self, thing: object) -> int:
        return self.setdefault(thing, len(self))


def _least_sure(explanation: Explanation) -> list[int]:
    certainty = np.abs(explanation.marginals[:, Label.OTHER] - 0.5)
    return sorted(np.argsort(certainty, kind="stable")[:_MOST].tolist())
