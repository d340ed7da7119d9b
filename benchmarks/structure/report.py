"""Tables of scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from statistics import mean
from typing import Final

from structure.items import KINDS
from structure.scores import Count, Score

_TABLES: Final = ("kept", "flattened", "with holes", "cells missing")


def table(scores: Mapping[str, Sequence[Score]]) -> str:
    """Markdown table of all systems.

    Args:
        scores: of every page by system; all of the same pages.
    """
    names = list(scores)
    lines = [
        "Recall % (precision %) [kept %: recall of the items whose text the output has], micro.",
        "",
        f"| kind (pages, items) | {' | '.join(names)} |",
        "|---|" + "--:|" * len(names),
    ]
    for kind in KINDS:
        counts = {name: _total(scores[name], kind) for name in names}
        first = scores[names[0]]
        pages = sum(score.counts[kind].gold > 0 for score in first)
        cells = [_micro(counts[name]) for name in names]
        lines.append(_row(f"{kind} ({pages}, {counts[names[0]].gold})", cells))
    for name in _TABLES:
        values = [str(sum(score.tables[name] for score in scores[each])) for each in names]
        lines.append(_row(f"data tables: {name}", values))
    lines.append(_row("word F", [f"{mean(score.f for score in scores[each]):.3f}"
                                 for each in names]))  # fmt: skip
    return "\n".join(lines)


def _row(name: str, cells: Sequence[str]) -> str:
    return f"| {name} | {' | '.join(cells)} |"


def _total(scores: Sequence[Score], kind: str) -> Count:
    return sum((score.counts[kind] for score in scores), Count())


def _micro(count: Count) -> str:
    return f"{_percent(count.recall)} ({_percent(count.precision)}) [{_percent(count.recall_kept)}]"


def _percent(share: float) -> str:
    return "–" if isnan(share) else f"{100 * share:.1f}"
